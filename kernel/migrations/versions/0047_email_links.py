"""sign-in policy: whether a mailed link signs people in"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("sign_in_policy", sa.Column("email_links", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("sign_in_policy", "email_links")
