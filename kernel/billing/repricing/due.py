"""Subscribers of moves for whom there is something to do."""

from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import select

from kernel.billing.entitlement import DAY_S, PAID_STATES
from kernel.billing.models import BillingCustomer, Subscription
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.repricing.schemas import LeftOutReason
from kernel.billing.subscriptions.vendor_sync import ENDED

LEAD_S: Final = 3 * DAY_S
"""So long before the renewal somebody is moved: they can change their mind until then, and a vendor may be away."""

RENEWAL_S: Final = 3600
"""How long after the end of a period its renewal is expected to be known."""


class DueSubscriber(msgspec.Struct, frozen=True, kw_only=True):
    """A subscriber of a move, with their subscription as it is stored."""

    id: int
    move_id: int
    user_id: int
    state: str
    move_state: str
    notice_ends: int | None
    asked_at: datetime | None
    instance_id: str
    old_price: str
    new_price: str
    old_amount: int
    new_amount: int
    currency: str
    notice_days: int
    ref: str
    price: str
    subscription_state: str
    is_current: bool
    period_end: int | None
    cancel_at: int | None
    paused_until: int | None
    customer_id: int
    customer: str

    @property
    def is_moved(self) -> bool:
        """Return whether they have the new price because we asked for it."""
        return self.asked_at is not None and self.price == self.new_price

    @property
    def why_not(self) -> LeftOutReason | None:
        """Return why they are not moved any more. Whose renewal has failed may still pay, and is not left out yet."""
        if self.subscription_state == ENDED or not self.is_current:
            return "ended"
        if self.price != self.old_price:
            return "changed"
        if self.cancel_at is not None:
            return "ending"
        pays = self.paused_until is None and self.subscription_state in (*PAID_STATES, "past_due")
        return None if pays else "unpaid"

    @property
    def moves_at(self) -> int:
        """Return when they are moved, or looked at again: shortly before the first renewal after their notice."""
        notice_ends = self.notice_ends or 0
        if self.period_end is None:
            return notice_ends
        return self.period_end - LEAD_S if self.period_end >= notice_ends else self.period_end + RENEWAL_S

    def may_move(self, now: float) -> bool:
        """Return whether they are to be moved now: what they are in is the last period at the old price."""
        ready = self.period_end is None or self.period_end >= (self.notice_ends or 0)
        return ready and self.subscription_state in PAID_STATES and self.moves_at <= now


DUE: Final = (
    select(
        MovedSubscriber.id,
        MovedSubscriber.move_id,
        MovedSubscriber.user_id,
        MovedSubscriber.state,
        PriceMove.state.label("move_state"),
        MovedSubscriber.notice_ends,
        MovedSubscriber.asked_at,
        PriceMove.instance_id,
        PriceMove.old_price,
        PriceMove.new_price,
        PriceMove.old_amount,
        PriceMove.new_amount,
        PriceMove.currency,
        PriceMove.notice_days,
        Subscription.ref,
        Subscription.price,
        Subscription.state.label("subscription_state"),
        Subscription.is_current,
        Subscription.period_end,
        Subscription.cancel_at,
        Subscription.paused_until,
        Subscription.customer_id,
        BillingCustomer.customer,
    )
    .join(PriceMove, PriceMove.id == MovedSubscriber.move_id)
    .join(Subscription, Subscription.id == MovedSubscriber.subscription_id)
    .join(BillingCustomer, BillingCustomer.id == Subscription.customer_id)
)
"""A row is a DueSubscriber."""

PENDING: Final = MovedSubscriber.state.in_(("waiting", "told"))
