"""Translates the bank's rows into the contract's types."""

from kernel.spi import CardOnFile, Money, SubscriptionTruth
from kernel.spi import Invoice as InvoiceTold
from plugins.sandbox_payments.promotions import discount
from plugins.sandbox_payments.rows import Invoice, Subscription
from plugins.sandbox_payments.taxes import tax_on


def truth(row: Subscription) -> SubscriptionTruth:
    """Return the current state of a subscription."""
    return SubscriptionTruth(
        ref=row.ref,
        customer=row.customer,
        price=row.price,
        state=row.state,
        period_end=row.period_end,
        cancel_at=row.period_end if row.ends else None,
        canceled_at=row.canceled_at,
        ended_at=row.ended_at,
        trial_end=row.trial_end,
        needs_confirmation=row.state == "past_due" and row.outcome == "confirmation_at_renewal",
        card=_card(row),
        promotion_code=row.promotion or None,
        next_charge=_next_charge(row),
        paused_until=row.paused_until,
    )


def _next_charge(row: Subscription) -> Money | None:
    """Return what the next renewal costs, if a promotion code takes something off."""
    off = discount(row, row.paused_until or row.period_end) if row.live else 0
    net = max(0, row.amount - off - row.credit)
    return Money(amount=net + tax_on(net, row.tax_rate), currency=row.currency) if off else None


def _card(row: Subscription) -> CardOnFile | None:
    """Return the card. All test cards are of one brand."""
    if not row.expiry:
        return None
    return CardOnFile(brand="visa", last4=row.card, exp_month=int(row.expiry[:2]), exp_year=2000 + int(row.expiry[3:]))


def invoice_told(row: Invoice) -> InvoiceTold:
    """Return an invoice; its document is fetched from the provider."""
    return InvoiceTold(
        id=row.id,
        number=row.number,
        state=row.state,
        total=Money(amount=row.total, currency=row.currency),
        paid=Money(amount=row.total if row.state == "paid" else 0, currency=row.currency),
        created=row.created,
        tax=None if row.tax is None else Money(amount=row.tax, currency=row.currency),
        refunded=Money(amount=row.refunded, currency=row.currency) if row.refunded else None,
        refunded_at=row.refunded_at,
    )
