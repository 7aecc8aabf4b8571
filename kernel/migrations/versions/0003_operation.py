"""operation"""

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""


def downgrade() -> None:
    """Leave this revision."""
