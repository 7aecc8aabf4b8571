"""Contract of the kind `payment`: subscriptions at one vendor. Locks, entitlement and records are the kernel's."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from kernel.spi.provider import Provider
from kernel.spi.webhooks import ProviderEvent, WebhookRequest

SubscriptionState = Literal["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "ended"]


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount in minor units of an ISO 4217 currency, in lower case."""

    amount: int
    currency: str


class PaymentCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """`client`: which component of the SPA confirms a payment."""

    client: Literal["elements", "sandbox", "redirect", "none"]
    portal: bool = False
    webhooks: bool = True


class CatalogPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A price; `interval` None for one that does not recur."""

    id: str
    money: Money
    interval: Literal["day", "week", "month", "year"] | None


class CatalogProduct(msgspec.Struct, frozen=True, kw_only=True):
    """A product with its prices."""

    id: str
    name: str
    description: str
    active: bool
    prices: tuple[CatalogPrice, ...]


class StartRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription to be started. `idempotency_key` is stored before the call and is the same for every try."""

    customer: str
    price: str
    return_url: str
    idempotency_key: str


class SubscriptionTruth(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as the vendor sees it now; times in unix seconds."""

    ref: str
    customer: str
    price: str
    state: SubscriptionState
    period_end: int | None
    cancel_at: int | None
    canceled_at: int | None = None


class StartResult(msgspec.Struct, frozen=True, kw_only=True):
    """The started subscription and what the browser needs to confirm it."""

    subscription: SubscriptionTruth
    client_secret: str | None = None
    publishable_key: str | None = None
    redirect_url: str | None = None


class Invoice(msgspec.Struct, frozen=True, kw_only=True):
    """A paid or open invoice; `created` in unix seconds."""

    id: str
    paid: Money
    created: int
    pdf_url: str | None


class PaymentProvider(Provider, Protocol):
    """Talks to one payment vendor."""

    def capabilities(self) -> PaymentCapabilities:
        """Say what this instance can do; no I/O."""
        ...

    async def products(self) -> Sequence[CatalogProduct]:
        """List what can be sold. Must not move money."""
        ...

    async def ensure_customer(self, *, email: str, user_ref: str, idempotency_key: str) -> str:
        """Return the id of the customer for this user, made if there is none."""
        ...

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Start a subscription that the browser then confirms. Raises PaymentDeclined."""
        ...

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Return the truth about one subscription. Raises NotFound."""
        ...

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Return all live subscriptions of a customer."""
        ...

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """Cancel now or at the end of the period."""
        ...

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Take back a cancellation that has not taken effect."""
        ...

    async def invoices(self, customer: str) -> Sequence[Invoice]:
        """List a customer's invoices, newest first."""
        ...

    async def delete_customer(self, customer: str) -> None:
        """Delete the customer; of nothing, succeed."""
        ...

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate. Raises WebhookRejected; returns nothing for what is of no interest."""
        ...
