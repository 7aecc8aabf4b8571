"""The sandbox keeps the contract of a payment provider."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kernel.spi import Invoice, ProviderSpec, SandboxClient, ScriptClient, Settings, StartResult, WebhookRequest
from kernel.spi.testing import BadTaxIds, Cards, Codes, Confirm, PaymentContract, Refund
from plugins.sandbox_payments import SANDBOX
from plugins.sandbox_payments.provider import SandboxPayments
from plugins.sandbox_payments.settings import SandboxSettings
from tests.sandbox.bank import signed, typed

TOLD = {
    "subscription_changed": {"type": "subscription.changed", "subscription": "sub_1", "customer": "cus_1"},
    "action_required": {"type": "payment.action_required", "subscription": "sub_1", "customer": "cus_1"},
    "invoice_changed": {"type": "invoice.changed", "subscription": "sub_1", "customer": "cus_1"},
    "customer_deleted": {"type": "customer.deleted", "subscription": "", "customer": "cus_1"},
    "other": {"type": "clock.wound", "subscription": "", "customer": ""},
}


class TestConformance(PaymentContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return SANDBOX

    @pytest.fixture
    def settings(self) -> Settings:
        return SandboxSettings(allow_on_https=True)

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {"allow_on_https": SandboxSettings()}

    @pytest.fixture
    def confirm(self, provider: SandboxPayments) -> Confirm:
        async def pay(started: StartResult) -> None:
            assert isinstance(started.client, SandboxClient | ScriptClient) and started.client.client_secret
            assert (await provider.pay(started.client.client_secret, typed("succeeds"))).status == "succeeded"

        return pay

    @pytest.fixture
    def cards(self) -> Cards:
        return {
            "succeeded": typed("succeeds"),
            "declined": typed("declined"),
            "requires_confirmation": typed("confirmation"),
        }

    @pytest.fixture
    def codes(self) -> Codes:
        return {
            "months": "SAVE20",
            "once": "TAKE5",
            "forever": "HALF",
            "not_for_price": "YEARLY",
            "expired": "LASTYEAR",
            "used_up": "SOLDOUT",
        }

    @pytest.fixture
    def refund(self, provider: SandboxPayments) -> Refund:
        refunded: dict[str, int] = {}

        async def refund(invoice: Invoice, amount: int) -> None:
            refunded[invoice.id] = refunded.get(invoice.id, 0) + amount
            await provider.refund(invoice.id, total=refunded[invoice.id])

        return refund

    @pytest.fixture
    async def webhooks(self, provider: SandboxPayments, tmp_path: Path) -> Mapping[str, WebhookRequest]:
        await provider.now()  # creates the bank, and its secret
        return {
            topic: signed(tmp_path / "instance", {"id": f"evt_{topic}", "created": int(time.time()), **event})
            for topic, event in TOLD.items()
        }


class TestTaxed(TestConformance):
    """The same with taxes on everything."""

    @pytest.fixture
    def settings(self) -> Settings:
        return SandboxSettings(allow_on_https=True, taxes=True)

    @pytest.fixture
    def bad_tax_ids(self) -> BadTaxIds:
        return {"tax_id_malformed": "DE12345678", "tax_id_unknown": "DE 000 000 000"}


class TestScript(TestConformance):
    """The same in the form that the plugin brings as a script."""

    @pytest.fixture
    def settings(self) -> Settings:
        return SandboxSettings(allow_on_https=True, form="script")
