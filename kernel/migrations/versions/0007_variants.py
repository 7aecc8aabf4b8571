"""variants"""

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""


def downgrade() -> None:
    """Leave this revision."""
