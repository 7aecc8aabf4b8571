"""spool"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("spool_sha256", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("order_number", sa.Integer(), server_default=sa.text("0"), nullable=False))


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.drop_column("order_number")
        batch_op.drop_column("spool_sha256")
