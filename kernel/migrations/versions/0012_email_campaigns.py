"""email campaigns"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "email_template",
        sa.Column("template_type", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("reply_to", sa.String(length=254), nullable=False),
        sa.Column("html_body", sa.Text(), nullable=False),
        sa.Column("message_stream", sa.String(length=16), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("template_type", name=op.f("pk_email_template")),
    )
    op.create_table(
        "email_postal_address",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lines", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_postal_address")),
    )
    op.create_table(
        "email_campaign",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_by", BIG, nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("html_body", sa.Text(), nullable=False),
        sa.Column("reply_to", sa.String(length=254), nullable=False),
        sa.Column("postal_address", sa.String(length=300), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column("recipients", sa.Integer(), nullable=False),
        sa.Column("batch_limit", sa.Integer(), nullable=True),
        sa.Column("tolerated", sa.Integer(), nullable=False),
        sa.Column("run_after", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_campaign")),
        sa.UniqueConstraint("created_by", "idempotency_key", name="uq_email_campaign_key"),
    )
    op.create_index("ix_email_campaign_due", "email_campaign", ["state", "run_after"])
    op.create_table(
        "email_batch",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("taken_at", MOMENT, nullable=False),
        sa.Column("lease_until", MOMENT, nullable=False),
        sa.Column("looks", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["email_campaign.id"],
            name=op.f("fk_email_batch_campaign_id_email_campaign"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_batch")),
    )
    op.create_index(op.f("ix_email_batch_campaign_id"), "email_batch", ["campaign_id"])
    op.create_index(op.f("ix_email_batch_lease_until"), "email_batch", ["lease_until"])
    op.create_table(
        "email_recipient",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", BIG, nullable=True),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("batch_id", sa.Uuid(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=True),
        sa.Column("message_id", sa.String(length=200), nullable=True),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["email_campaign.id"],
            name=op.f("fk_email_recipient_campaign_id_email_campaign"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_recipient")),
        sa.UniqueConstraint("campaign_id", "user_id", name="uq_email_recipient"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_email_recipient_queue", "email_recipient", ["campaign_id", "state", "attempts", "id"])
    op.create_index(op.f("ix_email_recipient_batch_id"), "email_recipient", ["batch_id"])
    op.create_index(op.f("ix_email_recipient_user_id"), "email_recipient", ["user_id"])


def downgrade() -> None:
    """Leave this revision."""
    for table in ("email_recipient", "email_batch", "email_campaign", "email_postal_address", "email_template"):
        op.drop_table(table)
