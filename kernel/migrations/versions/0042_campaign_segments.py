"""campaigns: the part of the audience that gets one"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("email_campaign", sa.Column("segment", sa.JSON(), nullable=False, server_default=sa.text("'{}'")))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("email_campaign", "segment")
