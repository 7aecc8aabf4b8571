"""what a printer's template says of a hardcover's case"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

MEASURES = ("board_width", "board_height", "wrap", "hinge")


def upgrade() -> None:
    """Go to this revision."""
    for name in MEASURES:
        op.add_column("edition", sa.Column(name, sa.Float(), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in reversed(MEASURES):
        op.drop_column("edition", name)
