"""The Stripe provider with a fake Stripe on this machine."""

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import CustomerRequest, ElementsClient, ProviderError, Secret, StartRequest, SubscriptionTruth
from kernel.spi.testing import FakeContext, Loopback
from plugins.stripe_payments import STRIPE
from plugins.stripe_payments.provider import StripePayments
from plugins.stripe_payments.settings import StripeSettings
from tests.vendors.stripe_api import HOOK_SECRET, KEY, PUBLISHABLE, FakeStripe

SETTINGS = StripeSettings(secret_key=Secret(KEY), publishable=PUBLISHABLE, webhook_secret=Secret(HOOK_SECRET))
PERSON = CustomerRequest(user_ref="7", email="ada@example.org", name="Ada", idempotency_key="person")


class Shop:
    """The provider, its vendor, and the usual steps."""

    def __init__(self, vendor: FakeStripe, context: FakeContext, url: str) -> None:
        self.vendor = vendor
        self.books = vendor.books
        self.month, self.year, *_ = vendor.books.prices
        self._context = context
        self.url = url
        self.opened: list[StripePayments] = []
        self.stripe = self.open()

    def open(self, **changes: Any) -> StripePayments:
        """Return a provider with other settings."""
        settings = msgspec.structs.replace(SETTINGS, api_url=self.url, **changes)
        self.opened.append(STRIPE.build(settings, self._context))
        return self.opened[-1]

    def order(self, customer: str, key: str | None = None) -> StartRequest:
        """Return a request for the monthly price."""
        return StartRequest(
            customer=customer,
            price=self.month,
            user_ref="7",
            return_url="https://covers.example/gallery",
            idempotency_key=key or uuid.uuid4().hex,
        )

    async def customer(self) -> str:
        """Return a new customer."""
        return await self.stripe.ensure_customer(msgspec.structs.replace(PERSON, idempotency_key=uuid.uuid4().hex))

    async def subscribed(self) -> SubscriptionTruth:
        """Return a subscription that has been paid."""
        started = await self.stripe.start_subscription(self.order(await self.customer()))
        assert isinstance(started.client, ElementsClient)
        self.books.pay(started.client.client_secret)
        return await self.stripe.subscription(started.subscription.ref)

    async def trouble(self, call: Any) -> ProviderError:
        """Return the error in which a call must end."""
        with pytest.raises(ProviderError) as caught:
            await call
        return caught.value


@pytest.fixture
def vendor() -> Iterator[FakeStripe]:
    vendor = FakeStripe()
    yield vendor
    vendor.release.set()


@pytest.fixture
async def shop(vendor: FakeStripe, tmp_path: Path) -> AsyncIterator[Shop]:
    with Loopback(vendor) as server:
        context = FakeContext(tmp_path, server)
        shop = Shop(vendor, context, server.url)
        yield shop
        for provider in shop.opened:
            await provider.aclose()
        await context.http.aclose()
