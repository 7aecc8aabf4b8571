"""branding"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    with op.batch_alter_table("setting", schema=None) as batch_op:
        batch_op.add_column(sa.Column("picture_id", key, nullable=True))
        batch_op.create_foreign_key(batch_op.f("fk_setting_picture_id_picture"), "picture", ["picture_id"], ["id"])


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("setting", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("fk_setting_picture_id_picture"), type_="foreignkey")
        batch_op.drop_column("picture_id")
