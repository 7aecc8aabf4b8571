"""operation"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "budget",
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=40), nullable=False),
        sa.Column("limit_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("limit_micros >= 0", name=op.f("ck_budget_not_negative")),
        sa.PrimaryKeyConstraint("scope", "subject", name=op.f("pk_budget")),
    )
    op.create_table(
        "instance_health",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("since_unix", sa.Float(precision=53), nullable=False),
        sa.Column("closed_until_unix", sa.Float(precision=53), nullable=False),
        sa.Column("pause_s", sa.Float(precision=53), nullable=False),
        sa.Column("stamp_us", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", name=op.f("pk_instance_health")),
    )
    op.create_table(
        "notice",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("opened_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("last_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("resolved_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("dismissed_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.create_index(
            "uq_notice_open",
            ["kind", "instance_id"],
            unique=True,
            postgresql_where=sa.text("resolved_at IS NULL"),
            sqlite_where=sa.text("resolved_at IS NULL"),
        )

    op.create_table(
        "spend",
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=40), nullable=False),
        sa.Column("period", sa.String(length=10), nullable=False),
        sa.Column("spent_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reserved_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("spent_micros >= 0 AND reserved_micros >= 0", name=op.f("ck_spend_not_negative")),
        sa.PrimaryKeyConstraint("scope", "subject", "period", name=op.f("pk_spend")),
    )
    op.create_table(
        "spend_reservation",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("job_id", sa.String(length=36), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("operation", sa.String(length=40), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("expires_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_spend_reservation")),
    )
    with op.batch_alter_table("spend_reservation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_spend_reservation_expires_at"), ["expires_at"], unique=False)

    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("received_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_delivery")),
    )
    with op.batch_alter_table("webhook_delivery", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhook_delivery_received_at"), ["received_at"], unique=False)

    op.create_table(
        "webhook_event",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("event_id", sa.String(length=255), nullable=False),
        sa.Column("topic", sa.String(length=64), nullable=False),
        sa.Column("ref", sa.String(length=320), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("received_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("applied_at", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("delivery", sa.String(length=36), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_event")),
        sa.UniqueConstraint("instance_id", "event_id", name="uq_webhook_event"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("webhook_event", schema=None) as batch_op:
        batch_op.create_index("ix_webhook_event_due", ["state", "run_after"], unique=False)
        batch_op.create_index("ix_webhook_event_instance", ["instance_id", "id"], unique=False)
        batch_op.create_index("ix_webhook_event_received", ["received_at"], unique=False)

    op.create_table(
        "webhook_rejection",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", "day", name=op.f("pk_webhook_rejection")),
    )
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.add_column(sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True))
        batch_op.add_column(
            sa.Column("estimated_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True)
        )
        batch_op.add_column(
            sa.Column("held_micros", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True)
        )
        batch_op.drop_index(batch_op.f("ix_attempt_instance"))
        batch_op.create_index("ix_attempt_instance", ["instance_id", "outcome", "started_at"], unique=False)
        batch_op.create_index("ix_attempt_instance_page", ["instance_id", "id"], unique=False)
        batch_op.create_index("ix_attempt_kind_page", ["kind", "id"], unique=False)
        batch_op.create_index("ix_attempt_outcome_page", ["outcome", "id"], unique=False)

    _add_up_what_was_spent()


def _add_up_what_was_spent() -> None:
    """Fill the counters from existing attempts."""
    lite = op.get_bind().dialect.name == "sqlite"
    day = "substr(started_at, 1, 10)" if lite else "to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
    for scope, subject in (("site_month", "''"), ("instance_month", "instance_id")):
        op.execute(
            "INSERT INTO spend (scope, subject, period, spent_micros, reserved_micros) "
            f"SELECT '{scope}', {subject}, substr({day}, 1, 7), sum(cost_micros), 0 "
            f"FROM attempt WHERE cost_micros > 0 GROUP BY 2, 3"
        )


def downgrade() -> None:
    """Leave this revision."""
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.drop_index("ix_attempt_outcome_page")
        batch_op.drop_index("ix_attempt_kind_page")
        batch_op.drop_index("ix_attempt_instance_page")
        batch_op.drop_index("ix_attempt_instance")
        batch_op.create_index(batch_op.f("ix_attempt_instance"), ["instance_id", "started_at"], unique=False)
        batch_op.drop_column("held_micros")
        batch_op.drop_column("estimated_micros")
        batch_op.drop_column("user_id")

    op.drop_table("webhook_rejection")
    with op.batch_alter_table("webhook_event", schema=None) as batch_op:
        batch_op.drop_index("ix_webhook_event_received")
        batch_op.drop_index("ix_webhook_event_instance")
        batch_op.drop_index("ix_webhook_event_due")

    op.drop_table("webhook_event")
    with op.batch_alter_table("webhook_delivery", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhook_delivery_received_at"))

    op.drop_table("webhook_delivery")
    with op.batch_alter_table("spend_reservation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_spend_reservation_expires_at"))

    op.drop_table("spend_reservation")
    op.drop_table("spend")
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_notice_open",
            postgresql_where=sa.text("resolved_at IS NULL"),
            sqlite_where=sa.text("resolved_at IS NULL"),
        )

    op.drop_table("notice")
    op.drop_table("instance_health")
    op.drop_table("budget")
