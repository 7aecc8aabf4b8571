"""when a look that is being applied took its last step"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("look_run", sa.Column("stepped_at", DateTimeUTC(timezone=True), nullable=True))
    # short: one row or two for each theme that is a series
    op.create_index(
        "ix_look_run_open", "look_run", ["state"], postgresql_where=sa.text("state IN ('applying', 'undoing')")
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index("ix_look_run_open", table_name="look_run")
    op.drop_column("look_run", "stepped_at")
