"""artworks that go on beyond their sides"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("generation", sa.Column("extends_side", sa.String(length=5), nullable=True))
    op.add_column("generation", sa.Column("extended_artwork_id", row_id, nullable=True))
    op.create_table(
        "artwork_extension",
        sa.Column("id", row_id, sa.Identity(always=False), nullable=False),
        sa.Column("cover_id", row_id, nullable=False),
        sa.Column("side", sa.String(length=5), nullable=False),
        sa.Column("artwork_id", row_id, nullable=False),
        sa.Column("picture_id", row_id, nullable=False),
        sa.Column("generation_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["cover.id"], name=op.f("fk_artwork_extension_cover_id_cover"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["artwork_id"], ["picture.id"], name=op.f("fk_artwork_extension_artwork_id_picture")),
        sa.ForeignKeyConstraint(["picture_id"], ["picture.id"], name=op.f("fk_artwork_extension_picture_id_picture")),
        sa.ForeignKeyConstraint(
            ["generation_id"],
            ["generation.id"],
            name=op.f("fk_artwork_extension_generation_id_generation"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artwork_extension")),
        sa.UniqueConstraint("cover_id", "side", name="uq_artwork_extension_cover_side"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_artwork_extension_generation", "artwork_extension", ["generation_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("artwork_extension")
    op.drop_column("generation", "extended_artwork_id")
    op.drop_column("generation", "extends_side")
