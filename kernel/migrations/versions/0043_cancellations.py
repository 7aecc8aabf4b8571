"""subscriptions: why they were ended"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "cancellation",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("subscription_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reason", sa.String(length=24), nullable=True),
        sa.Column("comment", sa.String(length=1000), nullable=False),
        sa.Column("canceled_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_cancellation_user_id_user"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscription.id"],
            name=op.f("fk_cancellation_subscription_id_subscription"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cancellation")),
        sa.UniqueConstraint("subscription_id", name=op.f("uq_cancellation_subscription_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_cancellation_user_id"), "cancellation", ["user_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index(op.f("ix_cancellation_user_id"), "cancellation")
    op.drop_table("cancellation")
