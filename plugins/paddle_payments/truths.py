"""Translates Paddle's objects into the contract's types."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
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
    Unavailable,
)
from plugins.paddle_payments import wire

STATES: Final[Mapping[str, SubscriptionState]] = {
    "trialing": "trialing",
    "active": "active",
    "past_due": "past_due",
    "paused": "paused",
    "canceled": "canceled",
}
UNKNOWN_STATE: Final[SubscriptionState] = "paused"
"""An unknown new state does not make a user Pro, but still counts as an existing subscription."""

INTERVALS: Final = ("day", "week", "month", "year")
DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
INVOICES: Final[Mapping[str, InvoiceState]] = {
    "billed": "open",
    "past_due": "open",
    "paid": "paid",
    "completed": "paid",
    "canceled": "void",
}
"""What of a transaction's states is an invoice; before that it is a checkout that was opened."""

OPENED: Final = ("draft", "ready")
CARD_CHANGE: Final = "subscription_payment_method_change"
"""Origin of a transaction of nothing, with which another card is given."""
STARTED: Final = "api"
"""Origin of the transactions that this plugin makes."""


def unix(moment: datetime) -> int:
    """Return a time in unix seconds."""
    return int(moment.timestamp())


def minor(text: str) -> int:
    """Return an amount of Paddle's. Raises Unavailable for a text that is none."""
    try:
        return int(text)
    except ValueError as error:
        raise Unavailable("an amount in the answer cannot be read") from error


def money(text: str, currency: str) -> Money:
    """Return a sum of money."""
    return Money(amount=minor(text), currency=currency.lower())


def truth_of(found: wire.Subscription, sales: Sequence[wire.Transaction]) -> SubscriptionTruth:
    """Return the state of a subscription. `sales` are its transactions, newest first: of what began it, and its card.

    Paddle keeps no record of when a cancellation was asked for, only of when it took effect.
    """
    state = STATES.get(found.status, UNKNOWN_STATE)
    change, period = found.scheduled_change, found.current_billing_period
    ending = change is not None and change.action == "cancel" and state != "canceled"
    mine = [sale for sale in sales if sale.subscription_id == found.id]
    trial = next((item.trial_dates for item in found.items if item.trial_dates), None)
    return SubscriptionTruth(
        ref=found.id,
        customer=found.customer_id,
        price=found.items[0].price.id if found.items else "",
        state=state,
        period_end=unix(period.ends_at) if period else None,
        cancel_at=unix(change.effective_at) if ending and change else None,
        ended_at=unix(found.canceled_at) if found.canceled_at and state == "canceled" else None,
        trial_end=unix(trial.ends_at) if trial else None,
        card=_card(mine),
        started_by=next((sale.id for sale in mine if sale.origin == STARTED), None),
    )


def start_of(sale: wire.Transaction, *, ended: bool = False) -> SubscriptionTruth:
    """Return a transaction that was begun, and of which there is no subscription, as the contract sees it."""
    price = next((item.price.id for item in sale.items if item.price), "")
    over = ended or sale.status == "canceled"
    return SubscriptionTruth(
        ref=sale.id,
        customer=sale.customer_id or "",
        price=price,
        state="canceled" if over else "incomplete",
        period_end=None,
        ended_at=unix(sale.created_at) if over else None,
    )


def _card(sales: Iterable[wire.Transaction]) -> CardOnFile | None:
    """Return the card of the latest payment; None where something else has paid."""
    for sale in sales:
        for payment in sale.payments:
            if payment.status != "captured" or payment.method_details is None:
                continue
            card = payment.method_details.card
            if payment.method_details.type != "card" or card is None:
                return None
            brand = {"american_express": "amex", "diners_club": "diners", "union_pay": "unionpay"}.get(card.type)
            return CardOnFile(
                brand=brand or card.type, last4=card.last4, exp_month=card.expiry_month, exp_year=card.expiry_year
            )
    return None


def trial_days(price: wire.Price) -> int:
    """Return how many days are free; a month is counted as thirty."""
    trial = price.trial_period
    return DAYS.get(trial.interval, 0) * trial.frequency if trial else 0


def catalogue(products: Iterable[wire.Product]) -> tuple[CatalogProduct, ...]:
    """Return what can be sold: active prices."""
    return tuple(
        CatalogProduct(
            id=product.id,
            name=product.name,
            description=product.description or "",
            active=product.status == "active",
            prices=tuple(_price(price) for price in product.prices if _sold(price)),
        )
        for product in products
    )


def _sold(price: wire.Price) -> bool:
    cycle = price.billing_cycle
    return price.status == "active" and (cycle is None or cycle.interval in INTERVALS)


def _price(price: wire.Price) -> CatalogPrice:
    cycle = price.billing_cycle
    return CatalogPrice(
        id=price.id,
        money=money(price.unit_price.amount, price.unit_price.currency_code),
        interval=cast(Interval, cycle.interval) if cycle else None,
        interval_count=cycle.frequency if cycle else 1,
        trial_days=trial_days(price),
    )


def invoice_of(sale: wire.Transaction) -> Invoice | None:
    """Return the invoice that a transaction is, or None for a checkout, or for what only changed a card.

    Its document's address is good for an hour, so it is not told: `invoice_pdf` fetches the document.
    """
    state = INVOICES.get(sale.status)
    if state is None or sale.origin == CARD_CHANGE or (state == "void" and sale.invoice_number is None):
        return None
    totals, currency = (sale.details or wire.Details()).totals, sale.currency_code
    whole = money(totals.grand_total, currency)
    refunds = [one for one in sale.adjustments if one.action == "refund" and one.status == "approved"]
    back = sum(minor(one.totals.total) for one in refunds)
    return Invoice(
        id=sale.id,
        number=sale.invoice_number or sale.id,
        state=state,
        total=whole,
        paid=whole if state == "paid" else Money(amount=0, currency=whole.currency),
        created=unix(sale.billed_at or sale.created_at),
        tax=money(totals.tax, currency) if minor(totals.tax) else None,
        refunded=Money(amount=back, currency=whole.currency) if back else None,
        refunded_at=max(unix(one.created_at) for one in refunds) if back else None,
    )
