"""letter details

What an email says about its occasion, which may be over when it is sent: the device of a sign-in.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("letter") as table:
        table.add_column(sa.Column("details", sa.JSON(), server_default="{}", nullable=False))


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("letter") as table:
        table.drop_column("details")
