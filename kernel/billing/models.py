"""Tables of payments: customers and subscriptions as a vendor reported them, and what is still to be requested.

Every row names the instance it was begun with, because only that one knows it. Times from a vendor are unix seconds, as
received; our own times are UTC.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, Boolean, ForeignKey, Index, Integer, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment

IS_CURRENT: Final[dict[str, Any]] = {where: text("is_current") for where in ("postgresql_where", "sqlite_where")}

INSTANCE_CHARS: Final = 64
REF_CHARS: Final = 255
SUBJECT_CHARS: Final = 300
COMMENT_CHARS: Final = 1000
CARD_BRAND_CHARS: Final = 24
CODE_CHARS: Final = 64


class BillingCustomer(Row):
    """A user as an instance knows them. `gone`: the vendor does not have this customer any more.

    Reads are numbered when they begin: `reading` is the latest one, `applied` the latest that was stored, so that an
    older one never replaces a newer. At `check_after` the customer is read again, with or without an event.
    """

    __tablename__ = "billing_customer"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("user_id", "instance_id"),
            UniqueConstraint("instance_id", "customer"),
            Index("ix_billing_customer_check", "check_after"),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    customer: Mapped[str] = mapped_column(String(REF_CHARS))
    gone: Mapped[bool] = mapped_column(Boolean, default=False)
    reading: Mapped[int] = mapped_column(Integer, default=0)
    applied: Mapped[int] = mapped_column(Integer, default=0)
    check_after: Mapped[datetime] = mapped_column(Moment)


class Subscription(Row):
    """One subscription of a vendor's. The one that `is_current` is the user's: the database allows no second.

    `past_due_since` is when we first read that a renewal had failed. `promotion_code` is what it was started with;
    `next_amount` what the next renewal costs while a discount makes it another amount than the price. One that is
    `paused_until` a time is paid until `period_end`, and not in between.
    """

    __tablename__ = "subscription"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("instance_id", "ref"),
            Index("ix_subscription_user", "user_id"),
            Index("ix_subscription_customer", "customer_id"),
            Index("uq_subscription_current", "user_id", unique=True, **IS_CURRENT),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    customer_id: Mapped[int] = mapped_column(BigInt, ForeignKey("billing_customer.id", ondelete="CASCADE"))
    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    ref: Mapped[str] = mapped_column(String(REF_CHARS))
    price: Mapped[str] = mapped_column(String(REF_CHARS))
    state: Mapped[str] = mapped_column(String(16))
    is_current: Mapped[bool] = mapped_column(Boolean, default=False)
    period_end: Mapped[int | None] = mapped_column(BigInt)
    cancel_at: Mapped[int | None] = mapped_column(BigInt)
    canceled_at: Mapped[int | None] = mapped_column(BigInt)
    ended_at: Mapped[int | None] = mapped_column(BigInt)
    trial_end: Mapped[int | None] = mapped_column(BigInt)
    past_due_since: Mapped[int | None] = mapped_column(BigInt)
    card_brand: Mapped[str | None] = mapped_column(String(CARD_BRAND_CHARS))
    card_last4: Mapped[str | None] = mapped_column(String(4))
    card_exp_month: Mapped[int | None] = mapped_column(Integer)
    card_exp_year: Mapped[int | None] = mapped_column(Integer)
    promotion_code: Mapped[str | None] = mapped_column(String(CODE_CHARS))
    next_amount: Mapped[int | None] = mapped_column(BigInt)
    paused_until: Mapped[int | None] = mapped_column(BigInt)


class Cancellation(Row):
    """That someone ended their subscription here, and why, if they said so; of one subscription only the last time.

    It is written before the vendor is asked, so it may be of a subscription that goes on.
    """

    __tablename__ = "cancellation"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("subscription_id"), {"sqlite_autoincrement": True})

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"), index=True)
    subscription_id: Mapped[int] = mapped_column(BigInt, ForeignKey("subscription.id", ondelete="CASCADE"))
    reason: Mapped[str | None] = mapped_column(String(24))
    comment: Mapped[str] = mapped_column(String(COMMENT_CHARS))
    canceled_at: Mapped[datetime] = mapped_column(Moment)


class PaymentInvoice(Row):
    """An invoice, stored so that a page view waits for no vendor.

    `tax` is what of the total is tax, `refunded` what of `paid` was given back in all, the last of it at `refunded_at`.
    """

    __tablename__ = "payment_invoice"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("instance_id", "ref"),
            Index("ix_payment_invoice_user", "user_id", "created"),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    customer_id: Mapped[int] = mapped_column(BigInt, ForeignKey("billing_customer.id", ondelete="CASCADE"), index=True)
    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    ref: Mapped[str] = mapped_column(String(REF_CHARS))
    number: Mapped[str] = mapped_column(String(REF_CHARS))
    state: Mapped[str] = mapped_column(String(16))
    total: Mapped[int] = mapped_column(BigInt)
    paid: Mapped[int] = mapped_column(BigInt)
    currency: Mapped[str] = mapped_column(String(8))
    created: Mapped[int] = mapped_column(BigInt)
    page_url: Mapped[str | None] = mapped_column(String(2000))
    pdf_url: Mapped[str | None] = mapped_column(String(2000))
    tax: Mapped[int | None] = mapped_column(BigInt)
    due_at: Mapped[int | None] = mapped_column(BigInt)
    refunded: Mapped[int] = mapped_column(BigInt, default=0, server_default="0")
    refunded_at: Mapped[int | None] = mapped_column(BigInt)


class PaymentEmail(Row):
    """An email about money that was queued, and what it was about, so that no second one is."""

    __tablename__ = "payment_email"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("user_id", "instance_id", "kind", "subject"), {"sqlite_autoincrement": True})

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    kind: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(SUBJECT_CHARS))


class PaymentPrice(Base):
    """A copy of a vendor's price, so that everyone can see what Pro costs. `listed`: it can still be bought."""

    __tablename__ = "payment_price"

    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS), primary_key=True)
    price: Mapped[str] = mapped_column(String(REF_CHARS), primary_key=True)
    product: Mapped[str] = mapped_column(String(REF_CHARS))
    amount: Mapped[int] = mapped_column(BigInt)
    currency: Mapped[str] = mapped_column(String(8))
    interval: Mapped[str | None] = mapped_column(String(8))
    interval_count: Mapped[int] = mapped_column(Integer)
    listed: Mapped[bool] = mapped_column(Boolean)
    seen_at: Mapped[datetime] = mapped_column(Moment)


class PaymentOperation(Base):
    """A call that changes something at a vendor, stored with its key before it is made and deleted when it has ended.

    A row that is left was interrupted: its retry uses the same key and the same `request`.
    """

    __tablename__ = "payment_operation"
    __table_args__ = (
        UniqueConstraint("user_id", "instance_id", "action", "subject", name="uq_payment_operation_subject"),
        Index("ix_payment_operation_created", "created_at"),
    )

    key: Mapped[str] = mapped_column(String(36), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    action: Mapped[str] = mapped_column(String(16))
    subject: Mapped[str] = mapped_column(String(REF_CHARS))
    request: Mapped[dict[str, str]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class PaymentChange(LeasedJob, Row):
    """Something changed at the vendor's: what is to be read again. `seq` grows with every event about it."""

    __tablename__ = "payment_change"
    job_kind = "payment_resync"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("instance_id", "kind", "ref"),
            Index("ix_payment_change_due", "run_after"),
            {"sqlite_autoincrement": True},
        )

    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    kind: Mapped[str] = mapped_column(String(16))
    ref: Mapped[str] = mapped_column(String(320))
    seq: Mapped[int] = mapped_column(Integer, default=1)


class PaymentRemoval(LeasedJob, Row):
    """A customer whose account is gone: to be deleted at the vendor's, however long that takes. Names no user."""

    __tablename__ = "payment_removal"
    job_kind = "customer_deletion"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("instance_id", "customer"),
            Index("ix_payment_removal_due", "run_after"),
            {"sqlite_autoincrement": True},
        )

    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    customer: Mapped[str] = mapped_column(String(REF_CHARS))
    error: Mapped[str] = mapped_column(String(64), default="")


class PaymentLock(Base):
    """Which process works on a user's payments at the moment; expires at `until`."""

    __tablename__ = "payment_lock"

    user_id: Mapped[int] = mapped_column(
        BigInt, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    holder: Mapped[str] = mapped_column(String(36))
    until: Mapped[datetime] = mapped_column(Moment)


class PaymentBackfill(Base):
    """The progress of creating customers for all users at an instance. `run_after` is also the worker's lease on it."""

    __tablename__ = "payment_backfill"
    job_kind = "customer_backfill"

    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS), primary_key=True)
    running: Mapped[bool] = mapped_column(Boolean)
    last_user: Mapped[int] = mapped_column(BigInt)
    processed: Mapped[int] = mapped_column(Integer)
    errors: Mapped[int] = mapped_column(Integer)
    run_after: Mapped[datetime] = mapped_column(Moment)
