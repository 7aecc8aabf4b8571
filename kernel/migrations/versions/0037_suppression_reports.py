"""suppressed addresses: the event that reported one, when it was reported again, and when we last wrote all the same"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("email_suppression", sa.Column("event_id", sa.String(length=255), nullable=True))
    for name in ("last_at", "tried_at"):
        op.add_column("email_suppression", sa.Column(name, DateTimeUTC(timezone=True), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in ("tried_at", "last_at", "event_id"):
        op.drop_column("email_suppression", name)
