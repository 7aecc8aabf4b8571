"""mail"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "email_suppression",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_suppression")),
        sa.UniqueConstraint("address", "scope", name="uq_email_suppression"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("email_suppression")
