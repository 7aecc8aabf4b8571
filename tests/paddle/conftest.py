"""The Paddle provider with a fake Paddle on this machine."""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import CustomerRequest, ProviderError, ScriptClient, Secret, StartRequest, SubscriptionTruth
from kernel.spi.testing import FakeContext, Loopback
from plugins.paddle_payments import PADDLE
from plugins.paddle_payments.provider import PaddlePayments
from plugins.paddle_payments.settings import PaddleSettings
from tests.vendors.paddle_api import HOOK_SECRET, KEY, PUBLISHABLE, FakePaddle

SETTINGS = PaddleSettings(api_key=Secret(KEY), publishable=PUBLISHABLE, webhook_secret=Secret(HOOK_SECRET))


class Shop:
    """The provider, its vendor, and the usual steps."""

    def __init__(self, vendor: FakePaddle, context: FakeContext, url: str) -> None:
        self.vendor = vendor
        self.books = vendor.books
        self._context = context
        self.url = url
        self.opened: list[PaddlePayments] = []
        self.paddle = self.open()

    def open(self, **changes: Any) -> PaddlePayments:
        """Return a provider with other settings."""
        settings = msgspec.structs.replace(SETTINGS, **({"base_url": self.url} | changes))
        self.opened.append(PADDLE.build(settings, self._context))
        return self.opened[-1]

    def person(self, **changes: Any) -> CustomerRequest:
        """Return somebody who wants to pay."""
        name = uuid.uuid4().hex
        ada = CustomerRequest(user_ref=name, email=f"{name}@example.org", name="Ada", idempotency_key=uuid.uuid4().hex)
        return msgspec.structs.replace(ada, **changes)

    def order(self, customer: str, *, price: str = "", key: str = "") -> StartRequest:
        """Return a request for the monthly price."""
        return StartRequest(
            customer=customer,
            price=price or self.books.month,
            user_ref="7",
            return_url="https://covers.example/gallery",
            idempotency_key=key or uuid.uuid4().hex,
        )

    async def begun(self, *, price: str = "") -> str:
        """Return the ref of something that was started."""
        customer = await self.paddle.ensure_customer(self.person())
        return (await self.paddle.start_subscription(self.order(customer, price=price))).subscription.ref

    async def subscribed(self, *, price: str = "") -> SubscriptionTruth:
        """Return a subscription that has been paid."""
        ref = await self.begun(price=price)
        self.books.pay(ref)
        return await self.paddle.subscription(ref)

    async def trouble(self, call: Any) -> ProviderError:
        """Return the error in which a call must end."""
        with pytest.raises(ProviderError) as caught:
            await call
        return caught.value


def transaction_of(client: Any) -> str:
    """Return what a checkout pays."""
    assert isinstance(client, ScriptClient), client
    return str(client.data["transactionId"])


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    vendor = FakePaddle()
    with Loopback(vendor) as server:
        vendor.documents = server.url
        context = FakeContext(tmp_path, server)
        shop = Shop(vendor, context, server.url)
        yield shop
        for provider in shop.opened:
            await provider.aclose()
        await context.http.aclose()
