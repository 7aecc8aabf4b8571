"""The form for what is open: the kernel's, or the element that our script defines. Both end in the same call."""

from typing import Final

import msgspec

from kernel.spi import ClientIntent, NoClient, SandboxClient, ScriptClient
from plugins.sandbox_payments.cards import CARDS
from plugins.sandbox_payments.rows import Invoice
from plugins.sandbox_payments.settings import SandboxSettings

MODULE: Final = "sandbox-checkout.js"
ELEMENT: Final = "sandbox-checkout"


def card_form(settings: SandboxSettings, secret: str, charged_at: int | None) -> SandboxClient | ScriptClient:
    """Return the form for a card that is charged later."""
    if settings.form == "script":
        return _script(secret, intent="setup", first_payment=charged_at)
    return SandboxClient(client_secret=secret, cards=CARDS, intent="setup", first_payment=charged_at)


def payment_form(settings: SandboxSettings, invoice: Invoice | None) -> SandboxClient | ScriptClient | NoClient:
    """Return the form that pays an open invoice; for one of nothing, as at the start of a trial, that takes a card."""
    if invoice is None:
        return NoClient()
    if not invoice.total:
        return card_form(settings, invoice.secret, invoice.period_end)
    if settings.form == "script":
        return _script(invoice.secret)
    return SandboxClient(client_secret=invoice.secret, cards=CARDS)


def _script(secret: str, *, intent: ClientIntent = "payment", first_payment: int | None = None) -> ScriptClient:
    return ScriptClient(
        module=MODULE,
        element=ELEMENT,
        data={"cards": msgspec.json.encode(CARDS).decode()},
        client_secret=secret,
        intent=intent,
        first_payment=first_payment,
    )
