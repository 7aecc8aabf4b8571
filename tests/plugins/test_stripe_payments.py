"""The Stripe provider passes the kit, with a fake API."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ElementsClient, Invoice, ProviderSpec, Secret, Settings, StartResult, WebhookRequest
from kernel.spi.testing import BadTaxIds, Codes, Confirm, PaymentContract, Refund
from plugins.stripe_payments import STRIPE
from plugins.stripe_payments.settings import StripeSettings
from tests.vendors.stripe_api import BROKEN, DECLINED, HOOK_SECRET, KEY, LIMITED, PUBLISHABLE, FakeStripe, failure

SETTINGS = StripeSettings(secret_key=Secret(KEY), publishable=PUBLISHABLE, webhook_secret=Secret(HOOK_SECRET))


class TestConformance(PaymentContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return STRIPE

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0.01)

    @pytest.fixture
    def vendor(self) -> FakeStripe:
        return FakeStripe()

    @pytest.fixture
    def upstream(self, vendor: FakeStripe) -> httpx.MockTransport:
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "secret_key": msgspec.structs.replace(settings, secret_key=Secret("sk_test_wrong")),
            "publishable": msgspec.structs.replace(settings, publishable="pk_live_51Kit"),
            "webhook_secret": msgspec.structs.replace(settings, webhook_secret=Secret(KEY)),
            "api_url": msgspec.structs.replace(settings, api_url="https://:0/"),
        }

    @pytest.fixture
    def confirm(self, vendor: FakeStripe) -> Confirm:
        async def confirm(started: StartResult) -> None:
            assert isinstance(started.client, ElementsClient)
            vendor.books.pay(started.client.client_secret)

        return confirm

    @pytest.fixture
    def codes(self, vendor: FakeStripe) -> Codes:
        offer = vendor.books.promotions.offer
        offer("SPRING", percent_off=20.0, months=3)
        offer("FIVE", amount_off=500, currency="usd")
        offer("FRIENDS", percent_off=50.0, duration="forever")
        offer("EUROS", amount_off=500, currency="eur")
        offer("OLD", percent_off=20.0, active=False, expires_at=1_700_000_000)
        offer("FULL", percent_off=20.0, active=False, max_redemptions=3, times_redeemed=3)
        return {
            "months": "SPRING",
            "once": "FIVE",
            "forever": "FRIENDS",
            "not_for_price": "EUROS",
            "expired": "OLD",
            "used_up": "FULL",
        }

    @pytest.fixture
    def refund(self, vendor: FakeStripe) -> Refund:
        async def refund(invoice: Invoice, amount: int) -> None:
            vendor.books.refund(invoice.id, amount)

        return refund

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": failure(401, "invalid_request_error", None, "Invalid API Key provided: sk_test_wrong"),
            "rate_limit": LIMITED,
            "server_error": BROKEN,
            "declined": DECLINED,
            "not_found": failure(404, "invalid_request_error", "resource_missing", "No such subscription"),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }

    @pytest.fixture
    def webhooks(self, vendor: FakeStripe) -> Mapping[str, WebhookRequest]:
        books = vendor.books
        customer = books.add_customer({"email": "ada@example.org"})["id"]
        subscription = books.subscribe(customer, [next(iter(books.prices))], {})
        changed = books.events[-1]
        books.renew(subscription["id"], paid=False)
        asked = books.events[-2]
        books.renew(subscription["id"], paid=True)
        paid = books.events[-2]
        books.delete_customer(customer)
        return {
            "subscription_changed": vendor.webhook(changed),
            "action_required": vendor.webhook(asked),
            "invoice_changed": vendor.webhook(paid),
            "customer_deleted": vendor.webhook(books.events[-1]),
            "other": vendor.webhook(books.tell("product.updated", {"id": "prod_x", "object": "product"})),
        }


class TestTaxed(TestConformance):
    """The same with Stripe Tax."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, automatic_tax=True)

    @pytest.fixture
    def bad_tax_ids(self) -> BadTaxIds:
        return {"tax_id_malformed": "DE12", "tax_id_unknown": "DE000000000"}
