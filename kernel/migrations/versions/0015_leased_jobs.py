"""leased jobs"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    for table in ("payment_change", "payment_removal"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("fence", sa.Integer(), server_default=sa.text("0"), nullable=False))
            batch_op.add_column(sa.Column("lease_until", DateTimeUTC(timezone=True), nullable=True))
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("fence", sa.Integer(), server_default=sa.text("0"), nullable=False))


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_column("fence")
    for table in ("payment_change", "payment_removal"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("lease_until")
            batch_op.drop_column("fence")
