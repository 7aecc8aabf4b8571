"""Calls to payment vendors: each to the one instance that was named; failures become sentences for users."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

import msgspec

from kernel.core.errors import AppError, Conflict, NoProvider
from kernel.providers import PAYMENT, Caller, Instance, NoProviderAvailable
from kernel.spi import (
    BillingDetails,
    BillingRefusal,
    CardChanges,
    CatalogProduct,
    ChangePreview,
    ChangePreviews,
    ClientData,
    CustomerRequest,
    FormResult,
    InvalidRequest,
    Invoice,
    InvoiceDocuments,
    NoBillingDetails,
    Pauses,
    PaymentCapabilities,
    PaymentCard,
    PaymentDeclined,
    PaymentForm,
    PaymentProvider,
    PromotionCodes,
    PromotionPreview,
    PromotionRefusal,
    ProviderError,
    ScriptClient,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    Taxes,
    TaxPreview,
    TestClock,
    TestRefunds,
    misfit,
    script_faults,
)

log = logging.getLogger(__name__)

PaymentInstance = Instance[PaymentProvider, PaymentCapabilities]
T = TypeVar("T")


class OpenCheckout(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser needs to pay, or to give a card, and the instance that takes it."""

    instance: PaymentInstance
    client: ClientData


CALL_LIMIT_S: Final = 20.0
"""For one call; a user waits for it."""

PAUSE_S: Final = 10.0
NOT_NOW: Final = "Payments cannot be handled just now. Please try again in a moment."
NOT_SET_UP: Final = "Payments are not available at the moment."
ADDRESS_NEEDED: Final = "Please enter your billing address first."
DECLINED: Final = "Your bank declined the payment. Please try another card."


class Declined(AppError):
    """The bank declined the payment."""

    status, code = 402, "payment_declined"


@contextmanager
def user_facing_errors() -> Iterator[None]:
    """Turn a vendor's failure into one clear sentence for the user; the reason is only logged.

    A start, or a preview of one, that fails for want of the buyer's address is a Conflict that says so.
    """
    try:
        yield
    except PaymentDeclined as error:
        raise Declined(DECLINED) from error
    except (ProviderError, NoProviderAvailable) as error:
        if isinstance(error, InvalidRequest) and error.field == "billing_details":
            raise Conflict(ADDRESS_NEEDED, code="billing_details_needed") from error
        log.warning("payments: %s: %s", type(error).__name__, error)
        raise NoProvider(NOT_NOW, code="payments_unavailable", retry_after=error.retry_after or PAUSE_S) from error


class PaymentGateway:
    """The payment contract, one method each, with the instance to call as first argument.

    All of them raise ProviderError and NoProviderAvailable; another instance never answers in its place.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def active(self) -> PaymentInstance:
        """Return the instance that sells now. Raises NoProvider when there is none."""
        for instance in self._caller.registry.failover_order(PAYMENT):
            if instance.state == "ready":
                return instance
        raise NoProvider(NOT_SET_UP, code="payments_unavailable", retry_after=60.0)

    def sells(self, instance_id: str) -> bool:
        """Return whether this is the instance that sells now."""
        try:
            return self.active().id == instance_id
        except NoProvider:
            return False

    def known(self, instance_id: str) -> PaymentInstance | None:
        """Return an instance that can be called, selling or draining, or None."""
        instance = self._caller.registry.instance(instance_id)
        usable = instance is not None and instance.kind == PAYMENT.name and instance.usable
        return instance if usable else None

    async def products(self, instance_id: str) -> Sequence[CatalogProduct]:
        """Return what can be sold."""
        return await self._call(instance_id, "products", tuple[CatalogProduct, ...], lambda entry: entry.products())

    async def ensure_customer(self, instance_id: str, request: CustomerRequest) -> str:
        """Create or find the customer of a user."""
        return await self._call(instance_id, "ensure_customer", str, lambda entry: entry.ensure_customer(request))

    async def start(self, instance_id: str, request: StartRequest) -> StartResult:
        """Start a subscription, to be confirmed."""
        return await self._call(
            instance_id,
            "start_subscription",
            StartResult,
            lambda entry: entry.start_subscription(request),
            client_of=lambda started: started.client,
        )

    async def confirmation(self, instance_id: str, ref: str) -> ClientData:
        """Return what the browser needs to pay what is open."""
        return await self._call(
            instance_id,
            "confirmation",
            ClientData,
            lambda entry: entry.confirmation(ref),
            client_of=lambda client: client,
        )

    async def subscription(self, instance_id: str, ref: str) -> SubscriptionTruth:
        """Return the current state of one subscription."""
        return await self._call(instance_id, "subscription", SubscriptionTruth, lambda entry: entry.subscription(ref))

    async def subscriptions(self, instance_id: str, customer: str) -> Sequence[SubscriptionTruth]:
        """Return the current state of all of a customer's that have not ended."""
        return await self._call(
            instance_id, "subscriptions", tuple[SubscriptionTruth, ...], lambda entry: entry.subscriptions(customer)
        )

    async def cancel(self, instance_id: str, ref: str, *, at_period_end: bool, key: str) -> SubscriptionTruth:
        """End a subscription, now or later."""
        return await self._call(
            instance_id,
            "cancel",
            SubscriptionTruth,
            lambda entry: entry.cancel(ref, at_period_end=at_period_end, idempotency_key=key),
        )

    async def reactivate(self, instance_id: str, ref: str, *, key: str) -> SubscriptionTruth:
        """Take back a cancellation."""
        return await self._call(
            instance_id, "reactivate", SubscriptionTruth, lambda entry: entry.reactivate(ref, idempotency_key=key)
        )

    async def pause(self, instance_id: str, ref: str, *, months: int, key: str) -> SubscriptionTruth:
        """Put off payments, for an instance with `Pauses`."""
        return await self._call(
            instance_id,
            "pause",
            SubscriptionTruth,
            lambda entry: cast(Pauses, entry).pause(ref, months=months, idempotency_key=key),
        )

    async def resume(self, instance_id: str, ref: str, *, key: str) -> SubscriptionTruth:
        """End a pause, for an instance with `Pauses`."""
        return await self._call(
            instance_id, "resume", SubscriptionTruth, lambda entry: cast(Pauses, entry).resume(ref, idempotency_key=key)
        )

    async def preview_promotion(
        self, instance_id: str, customer: str, price: str, code: str
    ) -> PromotionPreview | PromotionRefusal:
        """Return what a start with a code would charge, for an instance with `PromotionCodes`."""
        return await self._call(
            instance_id,
            "preview_promotion",
            PromotionPreview | PromotionRefusal,
            lambda entry: cast(PromotionCodes, entry).preview_promotion(customer, price=price, code=code),
        )

    async def billing_details(self, instance_id: str, customer: str) -> BillingDetails | NoBillingDetails:
        """Return who a customer's invoices are for, for an instance with `Taxes`."""
        return await self._call(
            instance_id,
            "billing_details",
            BillingDetails | NoBillingDetails,
            lambda entry: cast(Taxes, entry).billing_details(customer),
        )

    async def save_billing_details(
        self, instance_id: str, customer: str, details: BillingDetails
    ) -> BillingDetails | BillingRefusal:
        """Store who a customer's invoices are for, for an instance with `Taxes`."""
        return await self._call(
            instance_id,
            "save_billing_details",
            BillingDetails | BillingRefusal,
            lambda entry: cast(Taxes, entry).save_billing_details(customer, details),
        )

    async def preview_taxes(self, instance_id: str, customer: str, price: str, code: str | None) -> TaxPreview:
        """Return what a start would charge with its taxes, for an instance with `Taxes`."""
        return await self._call(
            instance_id,
            "preview_taxes",
            TaxPreview,
            lambda entry: cast(Taxes, entry).preview_taxes(customer, price=price, promotion_code=code),
        )

    async def preview_change(self, instance_id: str, ref: str, price: str) -> ChangePreview:
        """Return what a change of price would charge, for an instance with `ChangePreviews`."""
        return await self._call(
            instance_id,
            "preview_change",
            ChangePreview,
            lambda entry: cast(ChangePreviews, entry).preview_change(ref, price=price),
        )

    async def change_price(self, instance_id: str, ref: str, *, price: str, as_of: int, key: str) -> SubscriptionTruth:
        """Change to another price, as it was previewed."""
        return await self._call(
            instance_id,
            "change_price",
            SubscriptionTruth,
            lambda entry: entry.change_price(ref, price=price, idempotency_key=key, as_of=as_of),
        )

    async def change_at_renewal(self, instance_id: str, ref: str, *, price: str, key: str) -> SubscriptionTruth:
        """Change to another price from the next renewal on, for an instance that claims `change_at_renewal`."""
        return await self._call(
            instance_id,
            "change_price",
            SubscriptionTruth,
            lambda entry: entry.change_price(ref, price=price, idempotency_key=key, at_renewal=True),
        )

    async def card_form(self, instance_id: str, ref: str) -> ClientData:
        """Return what the browser needs to give another card, for an instance with `CardChanges`."""
        return await self._call(
            instance_id,
            "card_form",
            ClientData,
            lambda entry: cast(CardChanges, entry).card_form(ref),
            client_of=lambda client: client,
        )

    async def invoices(self, instance_id: str, customer: str) -> Sequence[Invoice]:
        """Return a customer's latest invoices."""
        return await self._call(instance_id, "invoices", tuple[Invoice, ...], lambda entry: entry.invoices(customer))

    async def portal(self, instance_id: str, customer: str, return_url: str) -> str:
        """Return the address of the vendor's page for cards and invoices."""
        return await self._call(instance_id, "portal", str, lambda entry: entry.portal(customer, return_url=return_url))

    async def delete_customer(self, instance_id: str, customer: str) -> None:
        """Delete a customer."""
        await self._call(instance_id, "delete_customer", None, lambda entry: entry.delete_customer(customer))

    async def pay(self, instance_id: str, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        """Pay through a call of the kernel's and return the result, for an instance that is a `PaymentForm`."""
        return await self._call(
            instance_id,
            "pay",
            FormResult,
            lambda entry: cast(PaymentForm, entry).pay(secret, card, confirmed=confirmed),
        )

    async def invoice_pdf(self, instance_id: str, invoice: str) -> bytes:
        """Return the document of an invoice, for an instance with `InvoiceDocuments`."""
        return await self._call(
            instance_id, "invoice_pdf", bytes, lambda entry: cast(InvoiceDocuments, entry).invoice_pdf(invoice)
        )

    async def refund(self, instance_id: str, invoice: str, *, total: int) -> None:
        """Refund an invoice until this much is refunded in all, for an instance with `TestRefunds`."""
        await self._call(
            instance_id, "refund", None, lambda entry: cast(TestRefunds, entry).refund(invoice, total=total)
        )

    async def time(self, instance_id: str) -> float:
        """Return the vendor's time, for an instance with a `TestClock`."""
        return await self._call(instance_id, "now", float, lambda entry: cast(TestClock, entry).now())

    async def advance(self, instance_id: str, days: int) -> float:
        """Advance the vendor's time by this many days and return it, for an instance with a `TestClock`."""
        return await self._call(instance_id, "advance", float, lambda entry: cast(TestClock, entry).advance(days))

    async def _call(
        self,
        instance_id: str,
        name: str,
        result_type: Any,
        ask: Callable[[PaymentProvider], Awaitable[T]],
        *,
        client_of: Callable[[T], ClientData] | None = None,
    ) -> T:
        """Call an instance; `client_of` where the result tells a browser what to run, which is checked."""

        async def checked(instance: PaymentInstance) -> T:
            result = await ask(instance.provider)
            if client_of is not None and not misfit(result, result_type):
                _check_script(instance, client_of(result))
            return result

        outcome = await self._caller.call(
            PAYMENT,
            checked,
            name=name,
            result_type=result_type,
            repeatable=True,
            instance_id=instance_id,
            deadline_s=CALL_LIMIT_S,
        )
        return outcome.result


def _check_script(instance: PaymentInstance, client: ClientData) -> None:
    """Raise ValueError, which is a bug of the plugin's, for a script that no browser could run."""
    if (
        instance.spec is not None
        and isinstance(client, ScriptClient)
        and (faults := script_faults(client, instance.spec))
    ):
        raise ValueError("; ".join(faults))
