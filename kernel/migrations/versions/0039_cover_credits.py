"""credits: covers that an administrator gives beyond the month's limit"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "cover_credit",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.CheckConstraint("used >= 0 AND used <= amount", name=op.f("ck_cover_credit_within_amount")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_cover_credit_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cover_credit")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_cover_credit_user_id"), "cover_credit", ["user_id"])
    op.add_column(
        "quota_entry",
        sa.Column("credit_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
    )


def downgrade() -> None:
    """Leave this revision: covers that were paid with credits stay, and count for nothing."""
    op.drop_column("quota_entry", "credit_id")
    op.drop_table("cover_credit")
