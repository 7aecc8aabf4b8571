"""The Paddle provider passes the kit, with a fake API."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import Invoice, ProviderSpec, ScriptClient, Secret, Settings, StartResult, WebhookRequest
from kernel.spi.testing import Confirm, PaymentContract, Refund
from kernel.spi.testing.buyers import order
from plugins.paddle_payments import PADDLE
from plugins.paddle_payments.settings import PaddleSettings
from tests.vendors.paddle_api import (
    BAD_KEY,
    BROKEN,
    DECLINED,
    HOOK_SECRET,
    KEY,
    LIMITED,
    PUBLISHABLE,
    FakePaddle,
    failure,
)

SETTINGS = PaddleSettings(api_key=Secret(KEY), publishable=PUBLISHABLE, webhook_secret=Secret(HOOK_SECRET))


class TestConformance(PaymentContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return PADDLE

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def vendor(self) -> FakePaddle:
        return FakePaddle()

    @pytest.fixture
    def upstream(self, vendor: FakePaddle) -> httpx.MockTransport:
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("pdl_sdbx_apikey_wrong")),
            "publishable": msgspec.structs.replace(settings, publishable="live_kit"),
            "environment": msgspec.structs.replace(settings, environment="live"),
            "webhook_secret": msgspec.structs.replace(settings, webhook_secret=Secret(KEY)),
            "base_url": msgspec.structs.replace(settings, base_url="https://:0/"),
        }

    @pytest.fixture
    def confirm(self, vendor: FakePaddle) -> Confirm:
        async def confirm(started: StartResult) -> None:
            assert isinstance(started.client, ScriptClient)
            vendor.books.pay(str(started.client.data["transactionId"]))

        return confirm

    @pytest.fixture
    def refund(self, vendor: FakePaddle) -> Refund:
        async def refund(invoice: Invoice, amount: int) -> None:
            vendor.books.refund(invoice.id, amount)

        return refund

    async def provoke(self, provider: Any, fault: str) -> Any:
        if fault == "not_found":
            return await provider.subscription(f"sub_{'0' * 26}")
        return await provider.start_subscription(order(f"ctm_{'0' * 26}", f"pri_{'0' * 26}"))

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": BAD_KEY,
            "rate_limit": LIMITED,
            "server_error": BROKEN,
            "declined": DECLINED,
            "not_found": failure(404, "not_found", "Entity not found"),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }

    @pytest.fixture
    def webhooks(self, vendor: FakePaddle) -> Mapping[str, WebhookRequest]:
        books = vendor.books
        customer = books.add_customer({"email": "ada@example.org"})["id"]
        sale = books.begin({"customer_id": customer, "items": [{"price_id": books.month, "quantity": 1}]})
        books.pay(sale["id"])
        created, completed = books.events[-2:]
        disputed = {"id": books.new_id("adj"), "customer_id": customer, "action": "chargeback", "status": "approved"}
        books.change_customer(customer, {"status": "archived"})
        archived = books.events[-1]
        return {
            "subscription_changed": vendor.webhook(created),
            "invoice_changed": vendor.webhook(completed),
            "payment_disputed": vendor.webhook(books.tell("adjustment.created", disputed)),
            "customer_deleted": vendor.webhook(archived),
            "other": vendor.webhook(books.tell("product.updated", {"id": books.product})),
        }
