"""subscriptions: the card that is charged at the next renewal"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

COLUMNS = (
    ("card_brand", sa.String(length=24)),
    ("card_last4", sa.String(length=4)),
    ("card_exp_month", sa.Integer()),
    ("card_exp_year", sa.Integer()),
)


def upgrade() -> None:
    """Go to this revision."""
    for name, kind in COLUMNS:
        op.add_column("subscription", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name, _ in reversed(COLUMNS):
        op.drop_column("subscription", name)
