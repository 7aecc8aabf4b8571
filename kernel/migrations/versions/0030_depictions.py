"""what a cover was asked to show, and what it shows"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

COLUMNS = ("elements", "made_elements")


def upgrade() -> None:
    """Go to this revision."""
    for name in COLUMNS:
        op.add_column("generation", sa.Column(name, sa.JSON(), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in COLUMNS:
        op.drop_column("generation", name)
