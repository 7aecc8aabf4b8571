"""Stripe's webhooks are accepted only when they are signed, recent and of our mode."""

import hashlib
import hmac
import json
import time
from typing import Any

import msgspec
import pytest
from stripe import WebhookSignature

from kernel.spi import ProviderEvent, WebhookRejected, WebhookRequest
from tests.stripe.conftest import Shop
from tests.vendors.stripe_api import HOOK_SECRET

pytestmark = pytest.mark.anyio


def signed(body: str, at: float, *secrets: str) -> str:
    """Return a header that is signed with several secrets, as while one is being replaced."""
    proofs = [hmac.new(key.encode(), f"{int(at)}.{body}".encode(), hashlib.sha256).hexdigest() for key in secrets]
    return ",".join([f"t={int(at)}", *(f"v1={proof}" for proof in proofs), "v0=" + "0" * 64])


@pytest.fixture
async def call(shop: Shop) -> WebhookRequest:
    """An authentic call: a subscription has become active."""
    await shop.subscribed()
    return shop.vendor.webhook(shop.books.events[-1])


def with_header(call: WebhookRequest, header: str) -> WebhookRequest:
    return msgspec.structs.replace(call, headers={**call.headers, "stripe-signature": header})


async def rejects(shop: Shop, call: WebhookRequest) -> bool:
    try:
        await shop.stripe.read_webhook(call)
    except WebhookRejected:
        return True
    return False


async def test_a_signed_call_points_to_its_subscription(shop: Shop, call: WebhookRequest) -> None:
    (event,) = await shop.stripe.read_webhook(call)
    assert event == ProviderEvent(
        event_id=shop.books.events[-1]["id"], topic="subscription_changed", ref=next(iter(shop.books.subscriptions))
    )


async def test_without_a_signature_or_with_a_wrong_one_it_is_rejected(shop: Shop, call: WebhookRequest) -> None:
    body, now = call.body.decode(), time.time()
    right = call.headers["stripe-signature"]
    assert not await rejects(shop, with_header(call, right))
    for header in (
        "",
        "t=1",
        "v1=abc",
        f"t={int(now)}",
        f"t={int(now)},v1=",
        f"t=soon,{right.partition(',')[2]}",
        right.replace("v1=", "v0="),
        signed(body, now, "whsec_other"),
        signed(body + " ", now, HOOK_SECRET),
    ):
        assert await rejects(shop, with_header(call, header)), header


async def test_a_body_that_was_changed_is_rejected(shop: Shop, call: WebhookRequest) -> None:
    for body in (call.body + b"\n", call.body.replace(b"sub_", b"sub-"), json.dumps(json.loads(call.body)).encode()):
        assert await rejects(shop, msgspec.structs.replace(call, body=body))


@pytest.mark.parametrize(("age_s", "believed"), [(0, True), (290, True), (310, False), (-290, True), (-310, False)])
async def test_a_signature_holds_for_five_minutes_either_way(
    shop: Shop, call: WebhookRequest, age_s: int, believed: bool
) -> None:
    header = signed(call.body.decode(), call.received_unix - age_s, HOOK_SECRET)
    assert await rejects(shop, with_header(call, header)) is not believed


async def test_an_old_call_is_not_made_young_by_a_second_time(shop: Shop, call: WebhookRequest) -> None:
    now = time.time()
    old = signed(call.body.decode(), now - 3600, HOOK_SECRET)
    for header in (f"{old},t={int(now)}", f"t={int(now)},{old}"):
        assert await rejects(shop, with_header(call, header)), header


async def test_while_the_secret_is_being_replaced_either_is_good(shop: Shop, call: WebhookRequest) -> None:
    body = call.body.decode()
    for secrets in ((HOOK_SECRET, "whsec_next"), ("whsec_last", HOOK_SECRET)):
        assert not await rejects(shop, with_header(call, signed(body, call.received_unix, *secrets)))


async def test_without_a_secret_nothing_is_believed(shop: Shop, call: WebhookRequest) -> None:
    provider = shop.open(webhook_secret=None)
    assert not provider.capabilities().webhooks
    with pytest.raises(WebhookRejected):
        await provider.read_webhook(call)
    unsigned = WebhookSignature.generate_signature_header(call.body.decode(), "")
    with pytest.raises(WebhookRejected):
        await provider.read_webhook(with_header(call, unsigned))


@pytest.mark.parametrize(
    ("kind", "thing", "expected"),
    [
        ("customer.subscription.deleted", {"id": "sub_1"}, ("subscription_changed", "sub_1")),
        ("customer.subscription.paused", {"id": "sub_1"}, ("subscription_changed", "sub_1")),
        ("invoice.payment_failed", {"id": "in_1", "customer": "cus_1"}, ("invoice_changed", "cus_1")),
        ("charge.refunded", {"id": "ch_1", "customer": "cus_1"}, ("invoice_changed", "cus_1")),
        ("charge.dispute.created", {"id": "du_1", "charge": "ch_1"}, ("payment_disputed", "du_1")),
        ("customer.deleted", {"id": "cus_1"}, ("customer_deleted", "cus_1")),
        (
            "invoice.payment_action_required",
            {"customer": "cus_1", "parent": {"subscription_details": {"subscription": "sub_1"}}},
            ("action_required", "sub_1"),
        ),
        # an endpoint of an account's older version: the event is only a pointer, so it does no harm
        (
            "invoice.payment_action_required",
            {"customer": "cus_1", "subscription": "sub_1"},
            ("action_required", "sub_1"),
        ),
        ("invoice.payment_action_required", {"customer": "cus_1"}, None),
        ("charge.refunded", {"id": "ch_1", "customer": None}, None),
        ("customer.created", {"id": "cus_1"}, None),
        ("customer.subscription.updated", {"id": 7}, None),
        ("invoice.paid", {"customer": {"id": "cus_1"}}, None),
    ],
)
async def test_relevant_events_name_the_object_to_sync(
    shop: Shop, kind: str, thing: dict[str, Any], expected: tuple[str, str] | None
) -> None:
    event = {"id": "evt_1", "object": "event", "type": kind, "livemode": False, "data": {"object": thing}}
    found = await shop.stripe.read_webhook(shop.vendor.webhook(event))
    assert [(entry.topic, entry.ref) for entry in found] == ([expected] if expected else [])


async def test_events_of_the_other_mode_and_thin_ones_are_of_no_interest(shop: Shop, call: WebhookRequest) -> None:
    event = json.loads(call.body)
    assert await shop.stripe.read_webhook(shop.vendor.webhook(event | {"livemode": True})) == ()
    thin = {"id": "evt_2", "object": "v2.core.event", "type": "v1.billing.meter.no_meter_found", "livemode": False}
    assert await shop.stripe.read_webhook(shop.vendor.webhook(thin)) == ()
    assert await shop.stripe.read_webhook(shop.vendor.webhook(event | {"object": "v2.core.event"})) == ()


async def test_reading_a_webhook_asks_stripe_nothing(shop: Shop, call: WebhookRequest) -> None:
    asked = len(shop.vendor.requests)
    await shop.stripe.read_webhook(call)
    assert len(shop.vendor.requests) == asked
