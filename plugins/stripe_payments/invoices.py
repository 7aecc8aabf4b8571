"""Invoices at Stripe, with what was refunded: an invoice itself does not say, only the charges that paid it do."""

from collections.abc import Sequence
from typing import Final

import msgspec

from kernel.spi import AuthFailed, Invoice
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import PAGE, Api
from plugins.stripe_payments.truths import invoice_of, money

DRAFTS: Final = 4
"""So many more are asked for: drafts are left out."""

FORBIDDEN: Final = 403
FAILED: Final = ("failed", "canceled")


async def latest_invoices(api: Api, customer: str, limit: int) -> Sequence[Invoice]:
    """Return a customer's latest invoices, newest first; a page may be shorter. Raises ProviderError."""
    wish = {"customer": customer, "limit": min(PAGE, limit + DRAFTS), "expand": ["data.payments"]}
    page = await api.read(wire.Page[wire.Invoice], api.v1.invoices.list_async(wish))
    told = [(entry, invoice) for entry in page.data if (invoice := invoice_of(entry)) is not None][:limit]
    if not any(invoice.paid.amount for _, invoice in told):
        return [invoice for _, invoice in told]
    charges = await _charges(api, customer)
    return [_with_refunds(entry, invoice, charges) for entry, invoice in told]


async def _charges(api: Api, customer: str) -> dict[str, wire.Charge]:
    """Return a customer's latest charges by their ids and those of their intents; none for a key that may not look."""
    call = api.v1.charges.list_async({"customer": customer, "limit": PAGE, "expand": ["data.refunds"]})
    try:
        page = await api.read(wire.Page[wire.Charge], call)
    except AuthFailed as error:
        if error.upstream_status != FORBIDDEN:
            raise
        return {}
    refunded = [charge for charge in page.data if charge.amount_refunded]
    return {name: charge for charge in refunded for name in (charge.id, charge.payment_intent) if name}


def _with_refunds(entry: wire.Invoice, invoice: Invoice, charges: dict[str, wire.Charge]) -> Invoice:
    payments = [one.payment for one in entry.payments.data] if entry.payments else []
    names = {payment.payment_intent or payment.charge for payment in payments}
    found = [charges[name] for name in names if name in charges]
    if not found:
        return invoice
    refunds = [refund for charge in found if charge.refunds for refund in charge.refunds.data]
    return msgspec.structs.replace(
        invoice,
        refunded=money(sum(charge.amount_refunded for charge in found), entry.currency),
        refunded_at=max((refund.created for refund in refunds if refund.status not in FAILED), default=entry.created),
    )
