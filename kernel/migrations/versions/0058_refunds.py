"""payment_invoice: what was refunded, the tax, and until when it is to be paid"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("payment_invoice", sa.Column("tax", big, nullable=True))
    op.add_column("payment_invoice", sa.Column("due_at", big, nullable=True))
    op.add_column("payment_invoice", sa.Column("refunded", big, nullable=False, server_default="0"))
    op.add_column("payment_invoice", sa.Column("refunded_at", big, nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in ("refunded_at", "refunded", "due_at", "tax"):
        op.drop_column("payment_invoice", name)
