"""subscriptions: the promotion code they were started with, and a next charge that is not the price"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("subscription", sa.Column("promotion_code", sa.String(length=64), nullable=True))
    op.add_column("subscription", sa.Column("next_amount", big, nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("subscription", "next_amount")
    op.drop_column("subscription", "promotion_code")
