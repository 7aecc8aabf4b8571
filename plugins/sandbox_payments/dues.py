"""Processes what becomes due by itself: each event at its due time and in that order, however late."""

from collections.abc import Sequence
from typing import Final

from kernel.spi import SubscriptionState
from plugins.sandbox_payments import promotions
from plugins.sandbox_payments.books import Books
from plugins.sandbox_payments.cards import expired
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.rows import DAY_S, RETRY_DAYS, Invoice, InvoiceLine, Subscription
from plugins.sandbox_payments.taxes import percent, tax_on

SUBSCRIPTION: Final = "subscription.changed"
INVOICE: Final = "invoice.changed"
ACTION: Final = "payment.action_required"
CUSTOMER: Final = "customer.deleted"

REFUSED_LATER: Final = ("fails_at_renewal", "confirmation_at_renewal")
"""Outcomes of cards that cannot be charged without their owner."""


def catch_up(books: Books, after_retries: SubscriptionState) -> None:
    """Process everything that is due."""
    while (row := books.next_due()) is not None:
        at = row.due or books.now
        match row.state:
            case "active" if row.paused_until is not None:
                row.state = "paused"
                books.add_event(SUBSCRIPTION, row.customer, row.ref)
            case "paused":
                _renew(books, row, at)
            case "active" | "trialing" if not row.ends:
                _renew(books, row, at)
            case "past_due" if row.next_try == at:
                _try_again(books, row, at, after_retries)
            case _:
                end(books, row, at)
        books.save_subscription(row)


def end(books: Books, row: Subscription, at: int) -> None:
    """End a subscription and void what is open. The caller saves it."""
    while (invoice := books.open_invoice(row.ref)) is not None:
        invoice.state = "void"
        books.save_invoice(invoice)
        books.add_event(INVOICE, row.customer, row.ref)
    row.state, row.ended_at, row.next_try, row.ends = "canceled", at, None, 0
    row.paused_until = None
    row.canceled_at = row.canceled_at or at
    books.add_event(SUBSCRIPTION, row.customer, row.ref)


def begin_period(row: Subscription, at: int) -> None:
    """Begin counting periods at this time."""
    row.anchor, row.cycle, row.period_start = at, 0, at
    row.period_end = months_after(at, row.months)


def bill(books: Books, row: Subscription, at: int) -> Invoice:
    """Add the invoice for the period that has just begun, less a discount and the credit of a change of price.

    The caller saves the subscription.
    """
    period = "one year" if row.months == 12 else "one month"
    lines = [InvoiceLine(f"Pro, {period}", row.amount)]
    if row.discount_end is None:
        promotions.begin(row, at)
    if off := promotions.discount(row, at):
        lines.append(InvoiceLine(f"Promotion code {row.promotion}", -off))
    if used := min(row.credit, row.amount - off):
        lines.append(InvoiceLine("Unused time of the earlier price", -used))
        row.credit -= used
    return add_invoice(books, row, lines, at)


def add_invoice(books: Books, row: Subscription, lines: Sequence[InvoiceLine], at: int) -> Invoice:
    """Add an invoice with its tax, and queue an event about it."""
    books.add_event(INVOICE, row.customer, row.ref)
    if row.tax_rate is None:
        return books.add_invoice(row, lines, at)
    tax = tax_on(sum(line.amount for line in lines), row.tax_rate)
    return books.add_invoice(row, [*lines, InvoiceLine(f"{row.tax_name}, {percent(row.tax_rate)} %", tax)], at, tax)


def pay(books: Books, row: Subscription, invoice: Invoice, at: int) -> None:
    """Mark an invoice as paid with the subscription's card."""
    invoice.state, invoice.paid_at, invoice.card, invoice.challenge = "paid", at, row.card, ""
    books.save_invoice(invoice)
    books.add_event(INVOICE, row.customer, row.ref)


def _renew(books: Books, row: Subscription, at: int) -> None:
    if row.state in ("trialing", "paused"):
        row.paused_until = None
        begin_period(row, at)
    else:
        row.cycle += 1
        row.period_start = at
        row.period_end = months_after(row.anchor, (row.cycle + 1) * row.months)
    invoice = bill(books, row, at)
    if invoice.total and (row.outcome in REFUSED_LATER or (row.expiry and expired(row.expiry, at))):
        row.state, row.tries, row.next_try = "past_due", 0, at + RETRY_DAYS[0] * DAY_S
        if row.outcome == "confirmation_at_renewal":
            books.add_event(ACTION, row.customer, row.ref)
    else:
        row.state = "active"
        pay(books, row, invoice, at)
    books.add_event(SUBSCRIPTION, row.customer, row.ref)


def _try_again(books: Books, row: Subscription, at: int, after_retries: SubscriptionState) -> None:
    """Charge the card once more. It is refused again: another card pays at once, and then there are no retries."""
    row.tries += 1
    if row.tries < len(RETRY_DAYS):
        row.next_try = row.period_start + RETRY_DAYS[row.tries] * DAY_S
        books.add_event(INVOICE, row.customer, row.ref)
    elif after_retries == "unpaid":
        row.state, row.next_try = "unpaid", None
        books.add_event(SUBSCRIPTION, row.customer, row.ref)
    else:
        end(books, row, at)
