"""subscriptions: until when they are paused"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("subscription", sa.Column("paused_until", big, nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("subscription", "paused_until")
