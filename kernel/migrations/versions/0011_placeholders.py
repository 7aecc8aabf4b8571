"""placeholders"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("picture", sa.Column("placeholder", sa.String(length=320), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("picture", "placeholder")
