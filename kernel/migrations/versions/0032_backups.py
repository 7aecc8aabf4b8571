"""backups: which were made, where they are, and how they ended"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "backup",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("place", sa.String(length=500), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("objects", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("missing", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=300), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("run_after", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup")),
    )
    still_open = sa.text("state IN ('queued', 'running')")
    op.create_index(
        "ix_backup_open", "backup", ["kind"], unique=True, postgresql_where=still_open, sqlite_where=still_open
    )
    op.create_index("ix_backup_place", "backup", ["place", "created_at"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("backup")
