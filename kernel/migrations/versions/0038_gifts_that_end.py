"""users: the end of Pro that an administrator gave"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision: gifts without an end stay."""
    op.add_column("user", sa.Column("pro_until", DateTimeUTC(timezone=True), nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("user", "pro_until")
