"""prices of models set by administrators"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "model_price",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("image_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("set_at", DateTimeUTC(timezone=True), nullable=False),
        sa.CheckConstraint("image_micros >= 0", name=op.f("ck_model_price_not_negative")),
        sa.PrimaryKeyConstraint("instance_id", "model", name=op.f("pk_model_price")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("model_price")
