"""account letters"""

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""


def downgrade() -> None:
    """Leave this revision."""
