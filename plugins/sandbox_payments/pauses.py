"""Pauses: what is paid is used up, and the next payment waits until the date that was told."""

from kernel.spi import InvalidRequest, PaymentDeclined
from plugins.sandbox_payments.books import Books
from plugins.sandbox_payments.dues import REFUSED_LATER, SUBSCRIPTION, begin_period, bill, pay
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.rows import Subscription


def pause(books: Books, row: Subscription, months: int) -> Subscription:
    """Put off the next payment by whole months. Raises InvalidRequest."""
    if row.paused_until is not None:
        return row
    if row.state != "active" or row.ends or row.months != 1:
        raise InvalidRequest("only a monthly subscription that is paid and goes on can pause")
    row.paused_until = months_after(row.anchor, row.cycle + 1 + months)
    books.save_subscription(row)
    books.add_event(SUBSCRIPTION, row.customer, row.ref)
    return row


def resume(books: Books, row: Subscription) -> Subscription:
    """End a pause: what is paid goes on, or a new period begins and is charged at once.

    Raises InvalidRequest, and PaymentDeclined without any change.
    """
    if row.state == "canceled":
        raise InvalidRequest("the subscription has ended")
    if row.paused_until is None:
        return row
    row.paused_until = None
    if row.state == "paused":
        row.state = "active"
        begin_period(row, books.now)
        invoice = bill(books, row, books.now)
        if invoice.total and row.outcome in REFUSED_LATER:
            raise PaymentDeclined("the card was declined")
        pay(books, row, invoice, books.now)
    books.save_subscription(row)
    books.add_event(SUBSCRIPTION, row.customer, row.ref)
    return row
