"""generations: their place in the queue of the vendor that has accepted them"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("generation", sa.Column("vendor_position", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("generation", "vendor_position")
