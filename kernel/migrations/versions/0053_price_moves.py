"""subscribers who are moved to a new price"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "price_move",
        sa.Column("id", big, sa.Identity(always=False), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("old_price", sa.String(length=255), nullable=False),
        sa.Column("new_price", sa.String(length=255), nullable=False),
        sa.Column("old_amount", big, nullable=False),
        sa.Column("new_amount", big, nullable=False),
        sa.Column("currency", sa.String(length=8), nullable=False),
        sa.Column("interval", sa.String(length=8), nullable=False),
        sa.Column("notice_days", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("ended_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_move")),
        sqlite_autoincrement=True,
    )
    running = sa.text("state = 'running'")
    op.create_index(
        "uq_price_move_running",
        "price_move",
        ["instance_id", "old_price"],
        unique=True,
        postgresql_where=running,
        sqlite_where=running,
    )
    op.create_table(
        "moved_subscriber",
        sa.Column("id", big, sa.Identity(always=False), nullable=False),
        sa.Column("move_id", big, nullable=False),
        sa.Column("user_id", big, nullable=False),
        sa.Column("subscription_id", big, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=True),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("told_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("notice_ends", big, nullable=True),
        sa.Column("asked_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("renews_at", big, nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["move_id"], ["price_move.id"], name=op.f("fk_moved_subscriber_move_id_price_move"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_moved_subscriber_user_id_user"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscription.id"],
            name=op.f("fk_moved_subscriber_subscription_id_subscription"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moved_subscriber")),
        sa.UniqueConstraint("move_id", "subscription_id", name=op.f("uq_moved_subscriber_move_id")),
        sqlite_autoincrement=True,
    )
    pending = sa.text("state IN ('waiting', 'told')")
    op.create_index(
        "ix_moved_subscriber_due",
        "moved_subscriber",
        ["run_after"],
        postgresql_where=pending,
        sqlite_where=pending,
    )
    op.create_index(op.f("ix_moved_subscriber_user_id"), "moved_subscriber", ["user_id"])
    op.create_index(op.f("ix_moved_subscriber_subscription_id"), "moved_subscriber", ["subscription_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index(op.f("ix_moved_subscriber_subscription_id"), "moved_subscriber")
    op.drop_index(op.f("ix_moved_subscriber_user_id"), "moved_subscriber")
    op.drop_index("ix_moved_subscriber_due", "moved_subscriber")
    op.drop_table("moved_subscriber")
    op.drop_index("uq_price_move_running", "price_move")
    op.drop_table("price_move")
