"""billing"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "payment_backfill",
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("running", sa.Boolean(), nullable=False),
        sa.Column("last_user", BIG, nullable=False),
        sa.Column("processed", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", name=op.f("pk_payment_backfill")),
    )
    op.create_table(
        "payment_change",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("ref", sa.String(length=320), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_change")),
        sa.UniqueConstraint("instance_id", "kind", "ref", name=op.f("uq_payment_change_instance_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("payment_change", schema=None) as batch_op:
        batch_op.create_index("ix_payment_change_due", ["run_after"], unique=False)

    op.create_table(
        "payment_price",
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("price", sa.String(length=255), nullable=False),
        sa.Column("product", sa.String(length=255), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("currency", sa.String(length=8), nullable=False),
        sa.Column("interval", sa.String(length=8), nullable=True),
        sa.Column("interval_count", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("seen_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", "price", name=op.f("pk_payment_price")),
    )
    op.create_table(
        "payment_removal",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("customer", sa.String(length=255), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("error", sa.String(length=64), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_removal")),
        sa.UniqueConstraint("instance_id", "customer", name=op.f("uq_payment_removal_instance_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("payment_removal", schema=None) as batch_op:
        batch_op.create_index("ix_payment_removal_due", ["run_after"], unique=False)

    op.create_table(
        "billing_customer",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("customer", sa.String(length=255), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("reading", sa.Integer(), nullable=False),
        sa.Column("applied", sa.Integer(), nullable=False),
        sa.Column("check_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_billing_customer_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_billing_customer")),
        sa.UniqueConstraint("instance_id", "customer", name=op.f("uq_billing_customer_instance_id")),
        sa.UniqueConstraint("user_id", "instance_id", name=op.f("uq_billing_customer_user_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("billing_customer", schema=None) as batch_op:
        batch_op.create_index("ix_billing_customer_check", ["check_after"], unique=False)

    op.create_table(
        "payment_lock",
        sa.Column("user_id", BIG, autoincrement=False, nullable=False),
        sa.Column("holder", sa.String(length=36), nullable=False),
        sa.Column("until", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_payment_lock_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_payment_lock")),
    )
    op.create_table(
        "payment_operation",
        sa.Column("key", sa.String(length=36), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_payment_operation_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_payment_operation")),
        sa.UniqueConstraint("user_id", "instance_id", "action", "subject", name="uq_payment_operation_subject"),
    )
    with op.batch_alter_table("payment_operation", schema=None) as batch_op:
        batch_op.create_index("ix_payment_operation_created", ["created_at"], unique=False)

    op.create_table(
        "payment_invoice",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("customer_id", BIG, nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("ref", sa.String(length=255), nullable=False),
        sa.Column("number", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("total", BIG, nullable=False),
        sa.Column("paid", BIG, nullable=False),
        sa.Column("currency", sa.String(length=8), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("page_url", sa.String(length=2000), nullable=True),
        sa.Column("pdf_url", sa.String(length=2000), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["billing_customer.id"],
            name=op.f("fk_payment_invoice_customer_id_billing_customer"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_payment_invoice_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_invoice")),
        sa.UniqueConstraint("instance_id", "ref", name=op.f("uq_payment_invoice_instance_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("payment_invoice", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_payment_invoice_customer_id"), ["customer_id"], unique=False)
        batch_op.create_index("ix_payment_invoice_user", ["user_id", "created"], unique=False)

    op.create_table(
        "subscription",
        sa.Column("id", BIG, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("customer_id", BIG, nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("ref", sa.String(length=255), nullable=False),
        sa.Column("price", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("period_end", BIG, nullable=True),
        sa.Column("cancel_at", BIG, nullable=True),
        sa.Column("canceled_at", BIG, nullable=True),
        sa.Column("ended_at", BIG, nullable=True),
        sa.Column("trial_end", BIG, nullable=True),
        sa.Column("past_due_since", BIG, nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["billing_customer.id"],
            name=op.f("fk_subscription_customer_id_billing_customer"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_subscription_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscription")),
        sa.UniqueConstraint("instance_id", "ref", name=op.f("uq_subscription_instance_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("subscription", schema=None) as batch_op:
        batch_op.create_index("ix_subscription_customer", ["customer_id"], unique=False)
        batch_op.create_index("ix_subscription_user", ["user_id"], unique=False)
        batch_op.create_index(
            "uq_subscription_current",
            ["user_id"],
            unique=True,
            postgresql_where=sa.text("is_current"),
            sqlite_where=sa.text("is_current"),
        )


def downgrade() -> None:
    """Leave this revision."""
    for table in (
        "subscription",
        "payment_invoice",
        "payment_operation",
        "payment_lock",
        "billing_customer",
        "payment_removal",
        "payment_price",
        "payment_change",
        "payment_backfill",
    ):
        op.drop_table(table)
