"""mail"""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""


def downgrade() -> None:
    """Leave this revision."""
