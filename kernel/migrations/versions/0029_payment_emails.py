"""emails about money: which ones were queued"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "payment_email",
        sa.Column("id", big, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", big, nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_payment_email_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_email")),
        sa.UniqueConstraint("user_id", "instance_id", "kind", "subject", name=op.f("uq_payment_email_user_id")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("payment_email")
