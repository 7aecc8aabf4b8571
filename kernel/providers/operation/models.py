"""Tables of operation: budgets and what was spent, health, notices, the inbox of webhooks."""

from datetime import datetime
from typing import Any, Final

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import JSON, CheckConstraint, Float, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.database import Base, BigInt, Row

Moment: Final = DateTimeUTC(timezone=True)

IS_OPEN: Final[dict[str, Any]] = {where: text("resolved_at IS NULL") for where in ("postgresql_where", "sqlite_where")}
"""The part of an index that holds open notices only: one for each kind and instance."""


class Budget(Base):
    """A limit in micros of a USD. `scope` is `site_month`, `instance_month` (`subject` its id) or `user_day` (all)."""

    __tablename__ = "budget"
    __table_args__ = (CheckConstraint("limit_micros >= 0", name="not_negative"),)

    scope: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(40), primary_key=True)
    limit_micros: Mapped[int] = mapped_column(BigInt)


class Spend(Base):
    """What was spent in one period (`YYYY-MM` or `YYYY-MM-DD`, UTC): always the sum of its attempts.

    `reserved_micros` is what calls that are running now may cost: the sum of their reservations.
    """

    __tablename__ = "spend"
    __table_args__ = (CheckConstraint("spent_micros >= 0 AND reserved_micros >= 0", name="not_negative"),)

    scope: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[str] = mapped_column(String(10), primary_key=True)
    spent_micros: Mapped[int] = mapped_column(BigInt, default=0)
    reserved_micros: Mapped[int] = mapped_column(BigInt, default=0)


class Reservation(Base):
    """What one running call may cost. It ends with the call's attempt, or by time when the process died.

    The columns from `job_id` to `provider` are what is known of the call, for the attempt that stands for a lost one.
    """

    __tablename__ = "spend_reservation"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    micros: Mapped[int] = mapped_column(BigInt)
    instance_id: Mapped[str] = mapped_column(String(40))
    user_id: Mapped[int | None] = mapped_column(BigInt)
    job_id: Mapped[str | None] = mapped_column(String(36))
    kind: Mapped[str] = mapped_column(String(16))
    operation: Mapped[str] = mapped_column(String(40))
    provider: Mapped[str] = mapped_column(String(40))
    at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class InstanceHealth(Base):
    """The circuit of one instance as the process that changed it last saw it; `stamp_us` orders the changes."""

    __tablename__ = "instance_health"

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    code: Mapped[str] = mapped_column(String(40))
    since_unix: Mapped[float] = mapped_column(Float(53))
    closed_until_unix: Mapped[float] = mapped_column(Float(53))
    pause_s: Mapped[float] = mapped_column(Float(53))
    stamp_us: Mapped[int] = mapped_column(BigInt)


class Notice(Row):
    """Something administrators should know, once per incident: one open row for each kind and instance.

    `instance_id` is empty for the site as a whole. A dismissed notice stays open, out of sight, until its cause ends.
    """

    __tablename__ = "notice"
    __table_args__ = (
        Index("uq_notice_open", "kind", "instance_id", unique=True, **IS_OPEN),
        {"sqlite_autoincrement": True},
    )

    kind: Mapped[str] = mapped_column(String(24))
    instance_id: Mapped[str] = mapped_column(String(40))
    code: Mapped[str] = mapped_column(String(40))
    params: Mapped[dict[str, str]] = mapped_column(JSON)
    opened_at: Mapped[datetime] = mapped_column(Moment)
    last_at: Mapped[datetime] = mapped_column(Moment)
    count: Mapped[int] = mapped_column(Integer)
    resolved_at: Mapped[datetime | None] = mapped_column(Moment)
    dismissed_at: Mapped[datetime | None] = mapped_column(Moment)


class WebhookEvent(Row):
    """One event that a vendor told of, and what became of it. `state`: pending, applied, failed or ignored.

    `delivery` names the body it came in.
    """

    __tablename__ = "webhook_event"
    __table_args__ = (
        UniqueConstraint("instance_id", "event_id", name="uq_webhook_event"),
        Index("ix_webhook_event_due", "state", "run_after"),
        Index("ix_webhook_event_instance", "instance_id", "id"),
        Index("ix_webhook_event_received", "received_at"),
        {"sqlite_autoincrement": True},
    )

    kind: Mapped[str] = mapped_column(String(16))
    instance_id: Mapped[str] = mapped_column(String(40))
    event_id: Mapped[str] = mapped_column(String(255))
    topic: Mapped[str] = mapped_column(String(64))
    ref: Mapped[str] = mapped_column(String(320))
    state: Mapped[str] = mapped_column(String(10))
    attempts: Mapped[int] = mapped_column(Integer)
    error: Mapped[str] = mapped_column(String(300))
    run_after: Mapped[datetime] = mapped_column(Moment)
    received_at: Mapped[datetime] = mapped_column(Moment)
    applied_at: Mapped[datetime | None] = mapped_column(Moment)
    delivery: Mapped[str] = mapped_column(String(36))


class WebhookDelivery(Base):
    """The body of one call by a vendor, sealed by the vault for the place `webhook:<instance>:<id>`."""

    __tablename__ = "webhook_delivery"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    instance_id: Mapped[str] = mapped_column(String(40))
    received_at: Mapped[datetime] = mapped_column(Moment, index=True)
    body: Mapped[str] = mapped_column(Text)


class WebhookRejection(Base):
    """How many calls to an instance's webhook were not authentic on one UTC day (`YYYY-MM-DD`)."""

    __tablename__ = "webhook_rejection"

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    count: Mapped[int] = mapped_column(Integer)
    last_at: Mapped[datetime] = mapped_column(Moment)
