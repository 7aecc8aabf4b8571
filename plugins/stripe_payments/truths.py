"""Translates Stripe's objects into the contract's types."""

import time
from collections.abc import Mapping, Sequence
from typing import Final, cast

from kernel.spi import (
    CardOnFile,
    CatalogPrice,
    CatalogProduct,
    Interval,
    Invoice,
    InvoiceState,
    Money,
    SubscriptionState,
    SubscriptionTruth,
    web_address,
)
from plugins.stripe_payments import wire

STATES: Final[Mapping[str, SubscriptionState]] = {
    "incomplete": "incomplete",
    "incomplete_expired": "canceled",
    "trialing": "trialing",
    "active": "active",
    "past_due": "past_due",
    "unpaid": "unpaid",
    "paused": "paused",
    "canceled": "canceled",
}
UNKNOWN_STATE: Final[SubscriptionState] = "paused"
"""An unknown new state does not make a user Pro, but still counts as an existing subscription."""

HUNDREDFOLD: Final = frozenset({"isk", "ugx"})
"""Without minor units, but with two at Stripe: docs.stripe.com/currencies, read 2026-11."""

UNDIVIDED: Final = frozenset({"mga"})
"""With two minor units in ISO 4217, but without at Stripe: the same page."""

PROMOTION: Final = "coverwright_promotion_code"
"""Where the code that a subscription was started with is noted."""

PAUSE: Final = "coverwright_pause"
"""Where a pause of ours is noted: until when was paid, and when it goes on."""

INTERVALS: Final = ("day", "week", "month", "year")
INVOICE_STATES: Final = ("draft", "open", "paid", "void", "uncollectible")


def money(amount: int, currency: str) -> Money:
    """Return an amount in the units of ISO 4217."""
    if currency in HUNDREDFOLD:
        amount //= 100
    elif currency in UNDIVIDED:
        amount *= 100
    return Money(amount=amount, currency=currency)


def truth_of(found: wire.Subscription) -> SubscriptionTruth:
    """Return the state of a subscription. Any scheduled end counts, whether Stripe flags or dates it."""
    items = found.items.data
    ends = [item.current_period_end for item in items if item.current_period_end is not None]
    pause = paused(found)
    period_end = pause[0] if pause else max(ends, default=None)
    state = STATES.get(found.status, UNKNOWN_STATE)
    if pause and state == "active" and pause[0] <= time.time():
        state = "paused"
    cancel_at = found.cancel_at or (period_end if found.cancel_at_period_end else None)
    return SubscriptionTruth(
        ref=found.id,
        customer=found.customer,
        price=items[0].price.id if items else "",
        state=state,
        period_end=period_end,
        cancel_at=None if state == "canceled" else cancel_at,
        canceled_at=found.canceled_at,
        ended_at=found.ended_at,
        trial_end=found.trial_end,
        card=card_of(found.default_payment_method),
        promotion_code=found.metadata.get(PROMOTION),
        paused_until=pause[1] if pause and state != "canceled" else None,
    )


def paused(found: wire.Subscription) -> tuple[int, int] | None:
    """Return until when a subscription is paid that we have paused, and when it goes on."""
    paid, _, resumes = found.metadata.get(PAUSE, "").partition("/")
    pause = found.pause_collection
    ours = pause is not None and pause.resumes_at is not None and resumes == str(pause.resumes_at)
    return (int(paid), int(resumes)) if ours and paid.isdecimal() else None


def card_of(method: wire.PaymentMethod | str | None) -> CardOnFile | None:
    """Return the card of an expanded payment method that is one."""
    if not isinstance(method, wire.PaymentMethod) or method.card is None:
        return None
    card = method.card
    return CardOnFile(brand=card.brand, last4=card.last4, exp_month=card.exp_month, exp_year=card.exp_year)


def catalogue(products: Sequence[wire.Product], prices: Sequence[wire.Price]) -> tuple[CatalogProduct, ...]:
    """Return what can be sold; prices that are not one whole amount, or depend on usage, cannot."""
    return tuple(
        CatalogProduct(
            id=product.id,
            name=product.name,
            description=product.description or "",
            active=product.active,
            prices=tuple(
                entry for price in prices if price.product == product.id and (entry := _price(price)) is not None
            ),
        )
        for product in products
    )


def _price(price: wire.Price) -> CatalogPrice | None:
    recurring = price.recurring
    if price.unit_amount is None:
        return None
    if recurring is not None and (recurring.usage_type != "licensed" or recurring.interval not in INTERVALS):
        return None
    return CatalogPrice(
        id=price.id,
        money=money(price.unit_amount, price.currency),
        interval=cast(Interval, recurring.interval) if recurring else None,
        interval_count=recurring.interval_count if recurring else 1,
    )


def invoice_of(found: wire.Invoice) -> Invoice | None:
    """Return an invoice, or None for one that the customer cannot see yet."""
    if found.status not in INVOICE_STATES or found.status == "draft":
        return None
    return Invoice(
        id=found.id,
        number=found.number or found.id,
        state=cast(InvoiceState, found.status),
        total=money(found.total, found.currency),
        paid=money(found.amount_paid, found.currency),
        created=found.created,
        page_url=_link(found.hosted_invoice_url),
        pdf_url=_link(found.invoice_pdf),
        tax=money(sum(tax.amount for tax in found.total_taxes), found.currency) if found.total_taxes else None,
        due_at=found.due_date,
    )


def _link(text: str | None) -> str | None:
    return text if text and web_address(text) else None
