"""job desk: who holds a job, and what is paused"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

TABLES = ("generation", "archive", "edition_pack", "letter", "payment_change", "payment_removal", "backup")


def upgrade() -> None:
    """Go to this revision."""
    for table in TABLES:
        op.add_column(table, sa.Column("worker", sa.String(length=64), nullable=True))
    op.create_table(
        "job_pause",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("paused_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_job_pause")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("job_pause")
    for table in TABLES:
        op.drop_column(table, "worker")
