"""Pauses at Stripe: invoices void until shortly before the renewal that is paid again."""

import time
from datetime import UTC, datetime

import pytest

from kernel.spi import InvalidRequest
from plugins.stripe_payments.pauses import BEFORE_S, months_later
from tests.stripe.conftest import Shop
from tests.vendors.stripe_api import DECLINED

pytestmark = pytest.mark.anyio


def unix(*day: int) -> int:
    return int(datetime(*day, 12, tzinfo=UTC).timestamp())  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("end", "months", "anchor", "then"),
    [
        ((2026, 12, 15), 1, (2026, 11, 15), (2027, 1, 15)),
        ((2027, 2, 28), 1, (2027, 1, 31), (2027, 3, 31)),
        ((2026, 12, 31), 2, (2026, 10, 31), (2027, 2, 28)),
    ],
)
def test_periods_keep_the_day_of_their_anchor(
    end: tuple[int, ...], months: int, anchor: tuple[int, ...], then: tuple[int, ...]
) -> None:
    assert months_later(unix(*end), months, unix(*anchor)) == unix(*then)


async def test_a_pause_makes_invoices_void_and_keeps_what_is_paid(shop: Shop) -> None:
    truth = await shop.subscribed()
    paused = await shop.stripe.pause(truth.ref, months=1, idempotency_key="pause")
    (sent,) = shop.vendor.sent("POST", f"/v1/subscriptions/{truth.ref}")
    assert sent["pause_collection"] == {"behavior": "void", "resumes_at": str(paused.paused_until)}
    assert paused.period_end == truth.period_end and paused.state == "active"
    # Stripe goes on counting periods
    item = shop.books.subscriptions[truth.ref]["items"][0]
    item["current_period_end"] += 30 * 86_400
    assert (await shop.stripe.subscription(truth.ref)).period_end == truth.period_end
    assert paused.paused_until is not None and (paused.paused_until + BEFORE_S) % 60 == (truth.period_end or 0) % 60


async def _used_up(shop: Shop) -> str:
    """Return a paused subscription whose paid period is over."""
    truth = await shop.subscribed()
    paused = await shop.stripe.pause(truth.ref, months=1, idempotency_key="pause")
    kept = shop.books.subscriptions[truth.ref]
    kept["metadata"] = {**kept["metadata"], "coverwright_pause": f"{int(time.time()) - 60}/{paused.paused_until}"}
    assert (await shop.stripe.subscription(truth.ref)).state == "paused"
    return truth.ref


async def test_to_resume_what_is_used_up_charges_a_new_period(shop: Shop) -> None:
    ref = await _used_up(shop)
    back = await shop.stripe.resume(ref, idempotency_key="resume")
    sent = shop.vendor.sent("POST", f"/v1/subscriptions/{ref}")[-1]
    assert sent["pause_collection"] == "" and sent["billing_cycle_anchor"] == "now"
    assert sent["payment_behavior"] == "error_if_incomplete" and sent["proration_behavior"] == "none"
    assert (back.state, back.paused_until) == ("active", None)
    assert [invoice.paid.amount for invoice in await shop.stripe.invoices(back.customer)] == [999, 999]


async def test_a_declined_card_leaves_the_pause(shop: Shop) -> None:
    ref = await _used_up(shop)
    shop.vendor.trouble.append(("POST", f"/v1/subscriptions/{ref}", DECLINED))
    await shop.trouble(shop.stripe.resume(ref, idempotency_key="resume"))
    assert (await shop.stripe.subscription(ref)).state == "paused"


async def test_a_cancellation_ends_the_pause(shop: Shop) -> None:
    truth = await shop.subscribed()
    await shop.stripe.pause(truth.ref, months=1, idempotency_key="pause")
    ending = await shop.stripe.cancel(truth.ref, at_period_end=True, idempotency_key="cancel")
    assert (ending.cancel_at, ending.paused_until) == (truth.period_end, None)


async def test_a_free_time_given_at_stripe_is_no_pause(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.change(truth.ref, {"pause_collection": {"behavior": "void", "resumes_at": "2000000000"}})
    assert await shop.stripe.subscription(truth.ref) == truth


async def test_only_monthly_subscriptions_pause(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.subscriptions[truth.ref]["items"][0]["price"] = shop.year
    assert isinstance(
        await shop.trouble(shop.stripe.pause(truth.ref, months=1, idempotency_key="pause")), InvalidRequest
    )
