"""Changes of price: the same request to Stripe as a preview and as the change itself."""

import time
from typing import Any, Final

from kernel.spi import ChangePreview, InvalidRequest, SubscriptionTruth
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api
from plugins.stripe_payments.truths import money, truth_of

PREVIEW_S: Final = 3600
"""How long a preview can be agreed to. Stripe itself takes any moment of the current period."""

CHANGEABLE: Final = ("active", "trialing", "past_due")


def changed(found: wire.Subscription, price: str, as_of: int | None) -> dict[str, Any] | None:
    """Return the change to request; None when the subscription has this price and no other. Raises InvalidRequest.

    `as_of` is when unused time is measured, the vendor's own time if it is None.
    """
    truth = truth_of(found)
    if truth.state not in CHANGEABLE:
        raise InvalidRequest(f"the subscription is {truth.state}")
    first, *others = found.items.data
    if first.price.id == price and not others:
        return None
    change: dict[str, Any] = {
        "items": [{"id": first.id, "price": price}, *({"id": item.id, "deleted": True} for item in others)],
        "proration_behavior": "always_invoice",
    }
    if as_of is not None and truth.state != "trialing":  # a trial has no paid time to credit
        change["proration_date"] = as_of
    return change


def agreed(as_of: int | None) -> None:
    """Check that a preview can still be agreed to. Raises InvalidRequest."""
    if as_of is not None and not 0 <= time.time() - as_of <= PREVIEW_S:
        raise InvalidRequest("this preview is not true any more", field="as_of")


async def preview_of(api: Api, found: wire.Subscription, price: str) -> ChangePreview:
    """Return what a change would charge now. Raises ProviderError."""
    as_of = int(time.time())
    change = changed(found, price, as_of)
    if change is None:
        raise InvalidRequest("the subscription has this price already", field="price")
    wanted = await api.read(wire.Price, api.v1.prices.retrieve_async(price))
    if wanted.unit_amount is None:
        raise InvalidRequest("this price is not one whole amount", field="price")
    question = {"subscription": found.id, "subscription_details": change}
    bill = await api.read(wire.Preview, api.v1.invoices.create_preview_async(question))
    balance = bill.total + bill.starting_balance
    credit = sum(-line.amount for line in bill.lines.data if line.amount < 0) + max(0, -bill.starting_balance)
    return ChangePreview(
        due=money(max(0, bill.amount_due), bill.currency),
        credit=money(credit, bill.currency),
        next_charge=money(max(0, wanted.unit_amount + min(0, balance)), bill.currency),
        next_at=_next_at(truth_of(found), bill, as_of),
        as_of=as_of,
    )


async def check_renewal(api: Api, found: wire.Subscription, price: str) -> None:
    """Check that Stripe will charge nothing for a change without proration before the next renewal.

    It charges at once, and begins a new period, when the interval changes or what was free is to be paid (API
    reference of "Update a subscription", read 2026-11-27). Raises InvalidRequest and ProviderError.
    """
    old, new = [
        await api.read(wire.Price, api.v1.prices.retrieve_async(one)) for one in (found.items.data[0].price.id, price)
    ]
    if (old.recurring, old.currency) != (new.recurring, new.currency):
        raise InvalidRequest("this price is for another interval or in another currency", field="price")
    if not old.unit_amount or not new.unit_amount:
        raise InvalidRequest("a price of nothing cannot change at the renewal", field="price")


def _next_at(truth: SubscriptionTruth, bill: wire.Preview, as_of: int) -> int:
    """Return when the next period begins: what is charged now is charged until then."""
    ends = [line.period.end for line in bill.lines.data if line.amount >= 0]
    if truth.state == "trialing":
        ends = [end for end in (truth.trial_end, truth.period_end) if end is not None]
    return max(ends, default=truth.period_end or as_of)
