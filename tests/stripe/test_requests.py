"""What exactly is sent to Stripe, and what is not."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx
import msgspec
import pytest
import respx
import stripe

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import StartRequest, Unavailable
from kernel.spi.testing import FakeContext
from kernel.spi.testing.probes import all_logs
from plugins.stripe_payments import STRIPE
from plugins.stripe_payments.provider import StripePayments
from tests.stripe.conftest import PERSON, SETTINGS, Shop
from tests.vendors.stripe_api import KEY

pytestmark = pytest.mark.anyio

API = "https://api.stripe.com/v1"
ORDER = StartRequest(
    customer="cus_1", price="price_1", user_ref="7", return_url="https://covers.example/gallery", idempotency_key="op-1"
)
SUBSCRIPTION: dict[str, Any] = {
    "id": "sub_1",
    "object": "subscription",
    "customer": "cus_1",
    "status": "active",
    "cancel_at": None,
    "cancel_at_period_end": False,
    "items": {
        "object": "list",
        "data": [{"id": "si_1", "price": {"id": "price_1"}, "current_period_end": 1_800_000_000}],
    },
}


@pytest.fixture
async def provider(tmp_path: Path) -> AsyncIterator[StripePayments]:
    context = FakeContext(tmp_path)
    await context.http.aclose()
    context.http = httpx.AsyncClient(trust_env=False)
    provider = STRIPE.build(SETTINGS, context)
    yield provider
    await provider.aclose()
    await context.http.aclose()


WITH_CARD = {"expand[0]": "default_payment_method"}


def form(call: Any) -> dict[str, str]:
    return dict(parse_qsl(call.request.content.decode(), keep_blank_values=True))


@respx.mock
async def test_a_start_is_one_request_of_exactly_this_form(provider: StripePayments) -> None:
    route = respx.post(f"{API}/subscriptions").respond(json={**SUBSCRIPTION, "status": "incomplete"})
    await provider.start_subscription(ORDER)
    (call,) = route.calls
    assert form(call) == {
        "customer": "cus_1",
        "items[0][price]": "price_1",
        "payment_behavior": "default_incomplete",
        "payment_settings[save_default_payment_method]": "on_subscription",
        "billing_mode[type]": "flexible",
        "metadata[coverwright_user]": "7",
        "metadata[coverwright_operation]": "op-1",
        "expand[0]": "latest_invoice.confirmation_secret",
        "expand[1]": "pending_setup_intent",
        "expand[2]": "default_payment_method",
    }
    headers = call.request.headers
    assert headers["idempotency-key"] == "op-1"
    assert headers["stripe-version"] == stripe.api_version == "2026-10-28.endive"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert not [name for name in headers if name.startswith("x-stripe")], "Stripe is told nothing about this machine"


@respx.mock
async def test_a_customer_is_made_under_the_kernels_key(provider: StripePayments) -> None:
    route = respx.post(f"{API}/customers").respond(json={"id": "cus_1"})
    assert await provider.ensure_customer(PERSON) == "cus_1"
    (call,) = route.calls
    assert form(call) == {
        "email": "ada@example.org",
        "name": "Ada",
        "metadata[coverwright_user]": "7",
        "metadata[coverwright_operation]": PERSON.idempotency_key,
    }
    assert call.request.headers["idempotency-key"] == PERSON.idempotency_key


@respx.mock
@pytest.mark.parametrize(
    ("marks", "sent"),
    [
        ({"cancel_at": 1_800_000_000}, {"cancel_at": ""}),
        ({"cancel_at": 1_800_000_000, "cancel_at_period_end": True}, {"cancel_at_period_end": "false"}),
    ],
)
async def test_taking_a_cancellation_back_clears_one_mark(
    provider: StripePayments, marks: dict[str, Any], sent: dict[str, str]
) -> None:
    respx.get(f"{API}/subscriptions/sub_1").respond(json={**SUBSCRIPTION, **marks})
    route = respx.post(f"{API}/subscriptions/sub_1").respond(json=SUBSCRIPTION)
    await provider.reactivate("sub_1", idempotency_key="op-2")
    assert [form(call) for call in route.calls] == [sent | WITH_CARD]


@respx.mock
async def test_a_change_of_price_names_the_item(provider: StripePayments) -> None:
    respx.get(f"{API}/subscriptions/sub_1").respond(json=SUBSCRIPTION)
    route = respx.post(f"{API}/subscriptions/sub_1").respond(json=SUBSCRIPTION)
    await provider.change_price("sub_1", price="price_2", idempotency_key="op-3")
    assert [form(call) for call in route.calls] == [
        {
            "items[0][id]": "si_1",
            "items[0][price]": "price_2",
            "proration_behavior": "always_invoice",
            "payment_behavior": "error_if_incomplete",
            **WITH_CARD,
        }
    ]


@respx.mock
async def test_a_webhook_endpoint_is_made_with_the_librarys_version(provider: StripePayments) -> None:
    respx.get(f"{API}/webhook_endpoints").respond(json={"object": "list", "data": [], "has_more": False})
    made = {"id": "we_1", "url": "https://covers.example/hook", "secret": "whsec_new"}
    route = respx.post(f"{API}/webhook_endpoints").respond(json=made)
    secret = await provider.create_webhook("https://covers.example/hook")
    assert secret.reveal() == "whsec_new"
    sent = form(route.calls[0])
    assert (sent["url"], sent["api_version"]) == ("https://covers.example/hook", stripe.api_version)
    assert "customer.subscription.updated" in sent.values() and "*" not in sent.values()


async def test_only_its_own_older_endpoints_are_replaced(shop: Shop) -> None:
    for url in ("https://covers.example/hook", "https://else.example/hook"):
        await shop.stripe.create_webhook(url)
    first, other = shop.books.endpoints
    secret = await shop.stripe.create_webhook("https://covers.example/hook")
    assert first not in shop.books.endpoints and other in shop.books.endpoints
    assert secret.reveal() == f"whsec_{list(shop.books.endpoints)[-1]}"


async def test_answers_with_client_secrets_are_not_logged(shop: Shop) -> None:
    with all_logs() as lines:
        started = await shop.stripe.start_subscription(shop.order(await shop.customer()))
        await shop.stripe.create_webhook("https://covers.example/hook")
        logging.getLogger("coverwright").debug("heard")
    assert any("heard" in line for line in lines)
    secrets = ["_secret_", "whsec_", KEY, "ada@example.org"]
    assert [line for line in lines for secret in secrets if secret in line] == []
    assert "_secret_" in repr(started.client)


async def test_the_address_guard_holds_for_stripe_too(shop: Shop, tmp_path: Path) -> None:
    context = ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), "stripe-main")
    provider = STRIPE.build(msgspec.structs.replace(SETTINGS, api_url=shop.url), context)
    assert isinstance(await shop.trouble(provider.ensure_customer(PERSON)), Unavailable)
    assert shop.vendor.requests == []
    await provider.aclose()
    await context.aclose()
