"""Tables of providers: attempts, budgets, health, notices, webhooks, instances."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, CheckConstraint, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.moments import Moment

IS_OPEN: Final[dict[str, Any]] = {where: text("resolved_at IS NULL") for where in ("postgresql_where", "sqlite_where")}
"""The condition of an index on open notices: one for each kind and instance."""


class Attempt(Row):
    """How one call ended and what it cost. `detail` is for administrators and holds no secret.

    `estimated_micros` is what it was expected to cost. `held_micros` is set where the cost is unknown and the vendor
    may have charged: the estimate then counts as spent. `user_id` is the user it was made for, also after their
    deletion.

    `outcome`: `ok`, `error`, `skipped` (not called: `detail` says why) or `abandoned` (given up by the kernel).
    `cost_micros` is in micros of a USD; NULL, with `cost_source` `unknown`, when it is unknown: it is never guessed.
    """

    __tablename__ = "attempt"

    job_id: Mapped[str | None] = mapped_column(String(36), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    instance_id: Mapped[str] = mapped_column(String(40))
    provider: Mapped[str] = mapped_column(String(40))
    plugin_version: Mapped[str] = mapped_column(String(40))
    operation: Mapped[str] = mapped_column(String(40))
    n: Mapped[int]
    outcome: Mapped[str] = mapped_column(String(16))
    code: Mapped[str | None] = mapped_column(String(40))
    detail: Mapped[str] = mapped_column(String(500))
    effect: Mapped[str | None] = mapped_column(String(16))
    started_at: Mapped[datetime] = mapped_column(Moment, index=True)
    elapsed_ms: Mapped[int]
    cost_micros: Mapped[int | None] = mapped_column(BigInt)
    cost_source: Mapped[str] = mapped_column(String(16))
    model: Mapped[str | None] = mapped_column(String(200))
    user_id: Mapped[int | None] = mapped_column(BigInt)
    estimated_micros: Mapped[int | None] = mapped_column(BigInt)
    held_micros: Mapped[int | None] = mapped_column(BigInt)


Index("ix_attempt_instance", Attempt.instance_id, Attempt.outcome, Attempt.started_at)
Index("ix_attempt_instance_page", Attempt.instance_id, Attempt.id)
Index("ix_attempt_outcome_page", Attempt.outcome, Attempt.id)
Index("ix_attempt_kind_page", Attempt.kind, Attempt.id)


class Budget(Base):
    """A limit in micros of a USD. `scope` is `site_month`, `instance_month` (`subject` its id) or `user_day` (all)."""

    __tablename__ = "budget"
    __table_args__ = (CheckConstraint("limit_micros >= 0", name="not_negative"),)

    scope: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(40), primary_key=True)
    limit_micros: Mapped[int] = mapped_column(BigInt)


class Spend(Base):
    """What was spent in one period (`YYYY-MM` or `YYYY-MM-DD`, UTC): always the sum of its attempts.

    `reserved_micros` is what running calls may cost: the sum of their reservations.
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

    The columns from `job_id` to `provider` describe the call, for the attempt that is written for a lost one.
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
    """Something that administrators should know, once per incident: one open row for each kind and instance.

    `instance_id` is empty for the site as a whole. A dismissed notice stays open, but hidden, until its cause ends.
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
    """One event from a vendor, and what became of it. `state`: pending, applied, failed or ignored.

    `delivery` names the body it came in.
    """

    __tablename__ = "webhook_event"
    job_kind = "webhook"
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
    """The body of one call by a vendor, encrypted by the vault for the place `webhook:<instance>:<id>`."""

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


class ProviderInstance(Base):
    """An instance as an administrator saved it. With the id of one from the configuration file it changes that one.

    `settings` holds what was entered and is not secret, `settings_version` the version of the provider's settings it
    was entered for, `revision` the revision of its last change.
    """

    __tablename__ = "provider_instance"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    provider: Mapped[str] = mapped_column(String(40))
    label: Mapped[str] = mapped_column(String(200))
    enabled: Mapped[bool] = mapped_column(default=True)
    draining: Mapped[bool] = mapped_column(default=False)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    settings_version: Mapped[int] = mapped_column(default=1)
    revision: Mapped[int] = mapped_column(BigInt)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    updated_by: Mapped[int | None] = mapped_column(BigInt, default=None)


class ProviderSecret(Base):
    """One encrypted secret, bound to `provider_secret:<instance>:<field>`. `hint` is its end, if it is long enough."""

    __tablename__ = "provider_secret"

    instance_id: Mapped[str] = mapped_column(
        String(40), ForeignKey("provider_instance.id", ondelete="CASCADE"), primary_key=True
    )
    field: Mapped[str] = mapped_column(String(64), primary_key=True)
    sealed: Mapped[str] = mapped_column(Text)
    hint: Mapped[str | None] = mapped_column(String(8), default=None)
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class ProviderPin(Base):
    """The distribution that offered an instance's provider when the instance was first in use, or last set up."""

    __tablename__ = "provider_pin"

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    provider: Mapped[str] = mapped_column(String(40), primary_key=True)
    distribution: Mapped[str] = mapped_column(String(200))


class ModelPrice(Base):
    """What an administrator says that a picture of one model costs at an instance, instead of the plugin's prices.

    In micros of a USD. It counts from the next call on; what was booked before stays as it was.
    """

    __tablename__ = "model_price"
    __table_args__ = (CheckConstraint("image_micros >= 0", name="not_negative"),)

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    image_micros: Mapped[int] = mapped_column(BigInt)
    set_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class FailoverOrder(Base):
    """The instances of a kind in order of preference, in place of those of the configuration file."""

    __tablename__ = "provider_route"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    instances: Mapped[list[str]] = mapped_column(JSON)
    user_choice: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(BigInt)


class ProviderRevision(Base):
    """The revision of instances and failover orders. One row, id 1."""

    __tablename__ = "provider_revision"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[int] = mapped_column(BigInt)


class ProviderCheck(Base):
    """The result of the last check of an instance's saved settings. No part of a revision: it changes nothing."""

    __tablename__ = "provider_check"

    instance_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    checked_at: Mapped[datetime] = mapped_column(Moment)
    ok: Mapped[bool]
