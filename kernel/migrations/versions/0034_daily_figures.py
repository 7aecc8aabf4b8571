"""daily figures: how the site does, counted by a worker"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "daily_figure",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("metric", sa.String(length=24), nullable=False),
        sa.Column("label", sa.String(length=120), nullable=False),
        sa.Column("value", big, server_default=sa.text("0"), nullable=False),
        sa.Column("departed", big, server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("day", "metric", "label", name=op.f("pk_daily_figure")),
    )
    op.create_table(
        "figure_state",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("refreshed_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("invoices", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_figure_state")),
    )
    op.create_table(
        "departed_user",
        sa.Column("user_id", big, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_departed_user_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_departed_user")),
    )
    op.create_index("ix_generation_finished", "generation", ["finished_at"])
    op.create_index("ix_user_created_at", "user", ["created_at"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index("ix_user_created_at", "user")
    op.drop_index("ix_generation_finished", "generation")
    for table in ("departed_user", "figure_state", "daily_figure"):
        op.drop_table(table)
