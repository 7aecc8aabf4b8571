"""Calls to payment vendors: each to the one instance that was named, and their failures in words for people."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from kernel.core.errors import AppError, NoProvider
from kernel.providers import PAYMENT, Caller, Instance, NoProviderAvailable
from kernel.spi import (
    CatalogProduct,
    ClientData,
    CustomerRequest,
    FormResult,
    Invoice,
    InvoiceDocuments,
    PaymentCapabilities,
    PaymentCard,
    PaymentDeclined,
    PaymentForm,
    PaymentProvider,
    ProviderError,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    TestClock,
)

log = logging.getLogger(__name__)

PaymentInstance = Instance[PaymentProvider, PaymentCapabilities]
T = TypeVar("T")

CALL_LIMIT_S: Final = 20.0
"""For one call; a person waits for it."""

PAUSE_S: Final = 10.0
NOT_NOW: Final = "Payments cannot be handled just now. Please try again in a moment."
NOT_SET_UP: Final = "Payments are not available at the moment."
DECLINED: Final = "Your bank declined the payment. Please try another card."


class Declined(AppError):
    """The bank said no."""

    status, code = 402, "payment_declined"


@contextmanager
def told() -> Iterator[None]:
    """Turn what a vendor's failure means for a person into one clear sentence; the reason is only in the log."""
    try:
        yield
    except PaymentDeclined as error:
        raise Declined(DECLINED) from error
    except (ProviderError, NoProviderAvailable) as error:
        log.warning("payments: %s: %s", type(error).__name__, error)
        raise NoProvider(NOT_NOW, code="payments_unavailable", retry_after=error.retry_after or PAUSE_S) from error


class Vendor:
    """The payment contract, one method each, with the instance to ask as first argument.

    All of them raise ProviderError and NoProviderAvailable; never does another instance answer in its place.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def active(self) -> PaymentInstance:
        """Return the instance that sells now. Raises NoProvider when there is none."""
        for instance in self._caller.registry.route(PAYMENT):
            if instance.state == "ready":
                return instance
        raise NoProvider(NOT_SET_UP, code="payments_unavailable", retry_after=60.0)

    def sells(self, instance_id: str) -> bool:
        """Say whether this is the instance that sells now."""
        try:
            return self.active().id == instance_id
        except NoProvider:
            return False

    def known(self, instance_id: str) -> PaymentInstance | None:
        """Return an instance that can be asked, selling or draining, or None."""
        instance = self._caller.registry.instance(instance_id)
        usable = instance is not None and instance.kind == PAYMENT.name and instance.usable
        return instance if usable else None

    async def products(self, instance_id: str) -> Sequence[CatalogProduct]:
        """What can be sold."""
        return await self._ask(instance_id, "products", tuple[CatalogProduct, ...], lambda entry: entry.products())

    async def ensure_customer(self, instance_id: str, request: CustomerRequest) -> str:
        """The customer of a person."""
        return await self._ask(instance_id, "ensure_customer", str, lambda entry: entry.ensure_customer(request))

    async def start(self, instance_id: str, request: StartRequest) -> StartResult:
        """A subscription to be confirmed."""
        return await self._ask(
            instance_id, "start_subscription", StartResult, lambda entry: entry.start_subscription(request)
        )

    async def confirmation(self, instance_id: str, ref: str) -> ClientData:
        """What the browser needs to pay what is open."""
        return await self._ask(instance_id, "confirmation", ClientData, lambda entry: entry.confirmation(ref))

    async def subscription(self, instance_id: str, ref: str) -> SubscriptionTruth:
        """The truth about one subscription."""
        return await self._ask(instance_id, "subscription", SubscriptionTruth, lambda entry: entry.subscription(ref))

    async def subscriptions(self, instance_id: str, customer: str) -> Sequence[SubscriptionTruth]:
        """The truth about all of a customer's that have not ended."""
        return await self._ask(
            instance_id, "subscriptions", tuple[SubscriptionTruth, ...], lambda entry: entry.subscriptions(customer)
        )

    async def cancel(self, instance_id: str, ref: str, *, at_period_end: bool, key: str) -> SubscriptionTruth:
        """The end of a subscription, now or later."""
        return await self._ask(
            instance_id,
            "cancel",
            SubscriptionTruth,
            lambda entry: entry.cancel(ref, at_period_end=at_period_end, idempotency_key=key),
        )

    async def reactivate(self, instance_id: str, ref: str, *, key: str) -> SubscriptionTruth:
        """A cancellation taken back."""
        return await self._ask(
            instance_id, "reactivate", SubscriptionTruth, lambda entry: entry.reactivate(ref, idempotency_key=key)
        )

    async def invoices(self, instance_id: str, customer: str) -> Sequence[Invoice]:
        """A customer's latest invoices."""
        return await self._ask(instance_id, "invoices", tuple[Invoice, ...], lambda entry: entry.invoices(customer))

    async def portal(self, instance_id: str, customer: str, return_url: str) -> str:
        """The address of the vendor's page for cards and invoices."""
        return await self._ask(instance_id, "portal", str, lambda entry: entry.portal(customer, return_url=return_url))

    async def delete_customer(self, instance_id: str, customer: str) -> None:
        """The end of a customer."""
        await self._ask(instance_id, "delete_customer", None, lambda entry: entry.delete_customer(customer))

    async def pay(self, instance_id: str, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        """How a payment in the kernel's own form ended, of an instance that is a `PaymentForm`."""
        return await self._ask(
            instance_id,
            "pay",
            FormResult,
            lambda entry: cast(PaymentForm, entry).pay(secret, card, confirmed=confirmed),
        )

    async def invoice_pdf(self, instance_id: str, invoice: str) -> bytes:
        """The document of an invoice, of an instance with `InvoiceDocuments`."""
        return await self._ask(
            instance_id, "invoice_pdf", bytes, lambda entry: cast(InvoiceDocuments, entry).invoice_pdf(invoice)
        )

    async def time(self, instance_id: str) -> float:
        """The vendor's time, of an instance with a `TestClock`."""
        return await self._ask(instance_id, "now", float, lambda entry: cast(TestClock, entry).now())

    async def advance(self, instance_id: str, days: int) -> float:
        """The vendor's time after so many days, of an instance with a `TestClock`."""
        return await self._ask(instance_id, "advance", float, lambda entry: cast(TestClock, entry).advance(days))

    async def _ask(
        self, instance_id: str, name: str, result_type: Any, ask: Callable[[PaymentProvider], Awaitable[T]]
    ) -> T:
        outcome = await self._caller.call(
            PAYMENT,
            lambda instance: ask(instance.provider),
            name=name,
            result_type=result_type,
            repeatable=True,
            instance_id=instance_id,
            deadline_s=CALL_LIMIT_S,
        )
        return outcome.result
