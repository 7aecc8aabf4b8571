"""refining"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("refined_cover_id", ROW_ID, nullable=True))
        batch_op.add_column(sa.Column("masked", sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.create_index("ix_generation_refined", ["refined_cover_id"], unique=False)
    with op.batch_alter_table("cover_version", schema=None) as batch_op:
        batch_op.add_column(sa.Column("artwork_id", ROW_ID, nullable=True))
        batch_op.add_column(sa.Column("generation_id", sa.Uuid(), nullable=True))
        batch_op.create_foreign_key("fk_cover_version_artwork_id_picture", "picture", ["artwork_id"], ["id"])
        batch_op.create_foreign_key(
            "fk_cover_version_generation_id_generation", "generation", ["generation_id"], ["id"], ondelete="SET NULL"
        )
    op.execute(
        "UPDATE cover_version SET artwork_id = (SELECT coalesce(cover.artwork_id, cover.picture_id) FROM cover"
        " WHERE cover.id = cover_version.cover_id)"
    )


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("cover_version", schema=None) as batch_op:
        batch_op.drop_constraint("fk_cover_version_generation_id_generation", type_="foreignkey")
        batch_op.drop_constraint("fk_cover_version_artwork_id_picture", type_="foreignkey")
        batch_op.drop_column("generation_id")
        batch_op.drop_column("artwork_id")
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.drop_index("ix_generation_refined")
        batch_op.drop_column("masked")
        batch_op.drop_column("refined_cover_id")
