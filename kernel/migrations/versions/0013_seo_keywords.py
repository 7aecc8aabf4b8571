"""seo keywords"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "seo_keyword",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("keyword", sa.String(length=80), nullable=False),
        sa.Column("folded", sa.String(length=240), nullable=False),
        sa.Column("category", sa.String(length=16), nullable=False),
        sa.Column("density", sa.SmallInteger(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("placement", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seo_keyword")),
        sa.UniqueConstraint("language", "folded", name=op.f("uq_seo_keyword_language")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("seo_keyword")
