"""Refunds, as somebody at the bank would make them: of paid invoices, wholly or in part."""

from kernel.spi import InvalidRequest
from plugins.sandbox_payments.books import Books
from plugins.sandbox_payments.dues import INVOICE
from plugins.sandbox_payments.rows import Invoice


def refund(books: Books, row: Invoice, total: int) -> None:
    """Refund an invoice until this much is refunded in all. Raises InvalidRequest."""
    if row.state != "paid" or not 1 <= total <= row.total:
        raise InvalidRequest("only what was paid can be refunded", field="total")
    if row.refunded >= total:
        return
    row.refunded, row.refunded_at = total, books.now
    books.save_invoice(row)
    books.add_event(INVOICE, row.customer, row.subscription)
