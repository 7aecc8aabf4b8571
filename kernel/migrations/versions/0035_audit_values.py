"""audit trail: what was stored before and after a change"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    for name in ("before", "after"):
        op.add_column("audit", sa.Column(name, sa.JSON(), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in ("after", "before"):
        op.drop_column("audit", name)
