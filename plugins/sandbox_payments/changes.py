"""Changes of price: what they charge, said beforehand and carried out by the same sums."""

from typing import Final

from kernel.spi import ChangePreview, InvalidRequest, Money, PaymentDeclined
from plugins.sandbox_payments import promotions
from plugins.sandbox_payments.books import Books
from plugins.sandbox_payments.catalogue import Price
from plugins.sandbox_payments.dues import REFUSED_LATER, SUBSCRIPTION, begin_period, bill, pay
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.rows import Subscription
from plugins.sandbox_payments.taxes import tax_on

PREVIEW_S: Final = 3600
"""How long a preview can be agreed to."""


def preview(row: Subscription, wanted: Price, now: int) -> ChangePreview:
    """Return what the change would charge now. Raises InvalidRequest."""
    _possible(row, wanted)
    if row.price == wanted.id:
        raise InvalidRequest("the subscription has this price already", field="price")
    credit, trial = _credit(row, now), row.state == "trialing"
    costs = wanted.amount - promotions.discount(row, now, amount=wanted.amount, months=wanted.months)
    due = 0 if trial else max(0, costs - credit)
    due += tax_on(due, row.tax_rate)
    left = credit if trial else max(0, credit - costs)
    next_at = row.period_end if trial else months_after(now, wanted.months)
    off_next = promotions.discount(row, next_at, amount=wanted.amount, months=wanted.months)

    def money(amount: int) -> Money:
        return Money(amount=amount, currency=row.currency)

    return ChangePreview(
        due=money(due),
        credit=money(credit),
        next_charge=money(max(0, wanted.amount - off_next - left)),
        next_at=next_at,
        as_of=now,
    )


def change(books: Books, row: Subscription, wanted: Price, as_of: int | None) -> Subscription:
    """Begin a period at another price now; unused time is credited, the rest is charged to the card at once.

    `as_of` is when the unused time is measured. Raises InvalidRequest, and PaymentDeclined without any change.
    """
    if row.price == wanted.id:
        return row
    _possible(row, wanted)
    now = books.now
    if as_of is not None and not max(row.period_start, now - PREVIEW_S) <= as_of <= now:
        raise InvalidRequest("this preview is not true any more", field="as_of")
    row.credit = _credit(row, now if as_of is None else as_of)
    row.price, row.amount, row.months = wanted.id, wanted.amount, wanted.months
    if row.state == "active":
        begin_period(row, now)
        invoice = bill(books, row, now)
        if invoice.total and row.outcome in REFUSED_LATER:
            raise PaymentDeclined("the card was declined")
        pay(books, row, invoice, now)
    books.save_subscription(row)
    books.add_event(SUBSCRIPTION, row.customer, row.ref)
    return row


def change_at_renewal(books: Books, row: Subscription, wanted: Price) -> Subscription:
    """Let the next renewal cost another price of the same period; nothing is charged now. Raises InvalidRequest."""
    if row.price == wanted.id:
        return row
    _possible(row, wanted)
    if row.months != wanted.months:
        raise InvalidRequest("a subscription keeps its period until it is changed at once", field="price")
    row.price, row.amount = wanted.id, wanted.amount
    books.save_subscription(row)
    books.add_event(SUBSCRIPTION, row.customer, row.ref)
    return row


def _possible(row: Subscription, wanted: Price) -> None:
    if row.state not in ("active", "trialing"):
        raise InvalidRequest("only a subscription that is paid can change its price")
    if row.currency != wanted.currency:
        raise InvalidRequest("a subscription keeps its currency", field="price")


def _credit(row: Subscription, at: int) -> int:
    """Return what is paid and not used at a time, with what is left of earlier changes."""
    if row.state != "active":
        return row.credit
    paid = row.amount - promotions.discount(row, row.period_start)
    return row.credit + paid * max(0, row.period_end - at) // (row.period_end - row.period_start)
