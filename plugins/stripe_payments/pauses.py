"""Pauses: `pause_collection` with the invoices of that time void, until shortly before the renewal that is paid again.

Stripe leaves the status as it is and goes on counting periods (docs.stripe.com/billing/subscriptions/pause-payment,
read 2026-11). So the end of what is paid is kept beside, with the pause that it belongs to: a pause that somebody made
at Stripe itself is a free time, and nothing to us.
"""

import calendar
from datetime import UTC, datetime
from typing import Any, Final

from kernel.spi import InvalidRequest
from plugins.stripe_payments import wire
from plugins.stripe_payments.truths import PAUSE, paused, truth_of

BEFORE_S: Final = 3600
"""The pause must be over when Stripe makes the invoice that is to be paid again, or that would be void, too."""

MONTHLY: Final = ("month", 1)


def begun(found: wire.Subscription, price: wire.Price, months: int) -> dict[str, Any] | None:
    """Return the change that pauses; None where it is paused already. Raises InvalidRequest."""
    truth = truth_of(found)
    if truth.paused_until is not None:
        return None
    each = (price.recurring.interval, price.recurring.interval_count) if price.recurring else None
    if truth.state != "active" or truth.cancel_at is not None or truth.period_end is None or each != MONTHLY:
        raise InvalidRequest("only a monthly subscription that is paid and goes on can pause")
    resumes_at = months_later(truth.period_end, months, found.billing_cycle_anchor) - BEFORE_S
    return {
        "pause_collection": {"behavior": "void", "resumes_at": resumes_at},
        "metadata": {PAUSE: f"{truth.period_end}/{resumes_at}"},
    }


def ended(found: wire.Subscription) -> dict[str, Any] | None:
    """Return the change that ends a pause; None where there is none. Raises InvalidRequest.

    Once what was paid is used up, a new period begins with it, which is charged at once.
    """
    truth = truth_of(found)
    if truth.state == "canceled":
        raise InvalidRequest("the subscription has ended")
    if paused(found) is None:
        return None
    change: dict[str, Any] = {"pause_collection": ""}
    if truth.state == "paused":
        change |= {
            "billing_cycle_anchor": "now",
            "proration_behavior": "none",
            "payment_behavior": "error_if_incomplete",
        }
    return change


def without_pause(found: wire.Subscription, change: dict[str, Any]) -> dict[str, Any]:
    """Return a change that also ends a pause, if there is one."""
    return change | {"pause_collection": ""} if paused(found) is not None else change


def months_later(end: int, months: int, anchor: int | None) -> int:
    """Return when the period ends that is these months after one: Stripe keeps the day of the anchor."""
    moment = datetime.fromtimestamp(end, UTC)
    day = max(moment.day, datetime.fromtimestamp(anchor, UTC).day if anchor is not None else 0)
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return int(moment.replace(year=year, month=month + 1, day=min(day, last)).timestamp())
