"""The bank as a payment provider."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import msgspec

from kernel.spi import (
    BillingDetails,
    BillingRefusal,
    CatalogProduct,
    ChangePreview,
    CheckReport,
    CheckSteps,
    ClientData,
    ClientKind,
    CustomerRequest,
    FormResult,
    NoBillingDetails,
    PaymentCapabilities,
    PaymentCard,
    PromotionPreview,
    PromotionRefusal,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    SettingsInvalid,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    TaxPreview,
    Unavailable,
    Unsupported,
    WebhookRequest,
)
from kernel.spi import Invoice as InvoiceTold
from plugins.sandbox_payments import forms, webhooks
from plugins.sandbox_payments.bank import Bank
from plugins.sandbox_payments.catalogue import catalogue, prices
from plugins.sandbox_payments.delivery import Postman
from plugins.sandbox_payments.errors import translate
from plugins.sandbox_payments.rows import Customer, Invoice
from plugins.sandbox_payments.settings import SandboxSettings
from plugins.sandbox_payments.words import invoice_told, truth

A = ParamSpec("A")
T = TypeVar("T")

CAPABILITIES: Final = PaymentCapabilities(
    client="sandbox",
    live=False,
    change_price=True,
    change_at_renewal=True,
    preview_change=True,
    change_card=True,
    promotion_codes=True,
    pause=True,
    refunds=True,
    test_refunds=True,
    documents=True,
    test_clock=True,
)
MOST_INVOICES: Final = 100


def build(settings: SandboxSettings, context: ProviderContext) -> "SandboxPayments":
    """Return the provider; opens nothing. Raises SettingsInvalid on a public site, unless the settings allow that."""
    if context.public_url.startswith("https://") and not settings.allow_on_https:
        raise SettingsInvalid(
            "this site is public, and whoever knows a test card would get Pro for nothing", field="allow_on_https"
        )
    return SandboxPayments(settings, context)


class SandboxPayments:
    """Subscriptions, test cards and invoices in one file of the instance's folder."""

    def __init__(self, settings: SandboxSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._bank = Bank(Path(context.data_dir), settings)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sandbox-bank")
        address = f"{context.public_url}/api/webhooks/payment/{context.instance_id}"
        self._postman = Postman(self._bank, self._blocking, address, context.log)
        self._closed = False

    def capabilities(self) -> PaymentCapabilities:
        """Return the capabilities: everything but a portal, and no real money; taxes where they are switched on."""
        client: ClientKind = "script" if self._settings.form == "script" else "sandbox"
        return msgspec.structs.replace(CAPABILITIES, client=client, taxes=self._settings.taxes)

    async def check(self) -> CheckReport:
        """Open the database."""
        steps = CheckSteps()
        try:
            await self._blocking(self._bank.now)
        except ProviderError as error:
            steps.add("books", "fail", error.detail)
        else:
            steps.add("books", "ok")
            steps.add("money", "warn", "this bank takes test cards only; no money moves")
        return steps.report()

    async def prepare(self) -> None:
        """Deliver pending events, and watch for what becomes due by itself."""
        self._postman.watch()

    async def products(self) -> Sequence[CatalogProduct]:
        """List the prices of the settings."""
        return catalogue(prices(self._settings))

    async def ensure_customer(self, request: CustomerRequest) -> str:
        """Return the known customer, or create one."""
        return await self._blocking(self._bank.ensure_customer, request)

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Start a subscription that waits for a card."""
        row, invoice = await self._changing(self._bank.start, request)
        return StartResult(subscription=truth(row), client=forms.payment_form(self._settings, invoice))

    async def confirmation(self, ref: str) -> ClientData:
        """Return the form for what is open."""
        return forms.payment_form(self._settings, await self._blocking(self._bank.open_invoice, ref))

    async def pay(self, client_secret: str, card: PaymentCard, *, confirmed: bool = False) -> FormResult:
        """Pay an open invoice with a test card."""
        return await self._changing(lambda: self._bank.pay(client_secret, card, confirmed=confirmed))

    async def card_form(self, ref: str) -> ClientData:
        """Return the form for another card."""
        secret, charged_at = await self._blocking(self._bank.card_secret, ref)
        return forms.card_form(self._settings, secret, charged_at)

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Read one subscription."""
        return truth(await self._changing(self._bank.subscription, ref))

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Read the subscriptions that have not ended."""
        return tuple(truth(row) for row in await self._changing(self._bank.subscriptions, customer))

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """End a subscription now or later; a second call changes nothing, whatever the key."""
        return truth(await self._changing(lambda: self._bank.cancel(ref, at_period_end=at_period_end)))

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Take back a cancellation; a second call changes nothing, whatever the key."""
        return truth(await self._changing(self._bank.reactivate, ref))

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        """Put off the next payments; a second call changes nothing, whatever the key."""
        return truth(await self._changing(self._bank.pause, ref, months))

    async def resume(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """End a pause; a second call changes nothing, whatever the key."""
        return truth(await self._changing(self._bank.resume, ref))

    async def preview_promotion(self, customer: str, *, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Say what a start with a promotion code would charge."""
        return await self._changing(self._bank.preview_promotion, customer, price, code)

    async def billing_details(self, customer: str) -> BillingDetails | NoBillingDetails:
        """Return what a customer gave as billing details."""
        return await self._blocking(self._bank.billing_details, customer) or NoBillingDetails()

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store billing details; a second call changes nothing."""
        return await self._changing(self._bank.save_billing_details, customer, details)

    async def preview_taxes(self, customer: str, *, price: str, promotion_code: str | None = None) -> TaxPreview:
        """Say what a start would charge, with taxes."""
        return await self._blocking(self._bank.preview_taxes, customer, price, promotion_code)

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        """Say what a change of price would charge."""
        return await self._changing(self._bank.preview_change, ref, price)

    async def change_price(
        self,
        ref: str,
        *,
        price: str,
        idempotency_key: str,
        as_of: int | None = None,
        at_renewal: bool = False,
    ) -> SubscriptionTruth:
        """Change to another price; a second call changes nothing, whatever the key."""
        if at_renewal:
            return truth(await self._changing(self._bank.change_at_renewal, ref, price))
        return truth(await self._changing(self._bank.change_price, ref, price, as_of))

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[InvoiceTold]:
        """List the latest invoices."""
        rows = await self._changing(self._bank.invoices, customer, min(limit, MOST_INVOICES))
        return tuple(invoice_told(row) for row in rows)

    async def invoice_pdf(self, invoice: str) -> bytes:
        """Draw an invoice."""
        row, customer = await self._blocking(self._bank.invoice, invoice)
        return await asyncio.to_thread(_draw, row, customer, self._settings)

    async def refund(self, invoice: str, *, total: int) -> None:
        """Refund an invoice; a second call changes nothing."""
        await self._changing(self._bank.refund, invoice, total)

    async def portal(self, customer: str, *, return_url: str) -> str:
        """Not supported."""
        raise Unsupported("the sandbox has no page of its own")

    async def delete_customer(self, customer: str) -> None:
        """End everything and delete the name."""
        await self._changing(self._bank.delete_customer, customer)

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Check the signature and translate."""
        return webhooks.read(await self._blocking(self._bank.secret), request)

    async def now(self) -> float:
        """Return the bank's time."""
        return float(await self._blocking(self._bank.now))

    async def advance(self, days: int) -> float:
        """Advance the bank's time."""
        return float(await self._changing(self._bank.advance, days))

    async def aclose(self) -> None:
        """Stop delivering and close the file."""
        if self._closed:
            return
        await self._postman.aclose()
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(self._thread, self._bank.close)
        self._thread.shutdown(wait=False)

    async def _changing(self, work: Callable[A, T], *args: A.args, **kwargs: A.kwargs) -> T:
        """Run a call that may cause events, and start their delivery."""
        try:
            return await self._blocking(work, *args, **kwargs)
        finally:
            self._postman.wake()

    async def _blocking(self, work: Callable[A, T], *args: A.args, **kwargs: A.kwargs) -> T:
        """Run a call in the bank's one thread."""
        if self._closed:
            raise Unavailable("the instance is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(*args, **kwargs))
        except (sqlite3.Error, OSError) as error:
            raise translate(error) from error


def _draw(invoice: Invoice, customer: Customer, settings: SandboxSettings) -> bytes:
    """Return the PDF. The drawing library is loaded here: on a machine without it the bank works otherwise."""
    try:
        from plugins.sandbox_payments.document import document

        return document(invoice, customer, settings)
    except (RuntimeError, ImportError) as error:  # what the press raises, also while it is imported
        raise Unavailable(f"documents cannot be drawn here: {error}") from error
