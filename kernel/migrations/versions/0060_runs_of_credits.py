"""credits: the action for many users that gave them, by which it gives them once"""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("cover_credit", sa.Column("run", sa.String(length=64), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("cover_credit", "run")
