"""Webhooks of Paddle's: which signature proves one, and what they point to."""

import time

import msgspec
import pytest

from kernel.spi import WebhookRejected
from tests.paddle.conftest import Shop
from tests.vendors.paddle_api import HOOK_SECRET, signature

pytestmark = pytest.mark.anyio


async def test_while_a_secret_is_rotated_one_of_two_proofs_is_enough(shop: Shop) -> None:
    event = shop.books.tell("subscription.updated", {"id": f"sub_{'0' * 26}", "customer_id": f"ctm_{'0' * 26}"})
    call = shop.vendor.webhook(event)
    now = time.time()
    old = signature(call.body, "pdl_ntfset_old", now).partition(";")[2]
    for header in (
        f"{signature(call.body, HOOK_SECRET, now)};{old}",
        f"ts={int(now)};{old};{call.headers['paddle-signature'].partition(';')[2]}",
    ):
        rotated = msgspec.structs.replace(call, headers={"paddle-signature": header})
        (told,) = await shop.paddle.read_webhook(rotated)
        assert (told.event_id, told.topic, told.ref) == (event["event_id"], "subscription_changed", f"sub_{'0' * 26}")


@pytest.mark.parametrize("header", ["", "ts=1", "h1=abc", "ts=x;h1=abc", "ts=1;ts=2;h1=abc", "ts=1;h1=", "ü"])
async def test_what_proves_nothing_is_rejected(shop: Shop, header: str) -> None:
    call = shop.vendor.webhook(shop.books.tell("transaction.paid", {"id": "txn_1", "customer_id": "ctm_1"}))
    with pytest.raises(WebhookRejected):
        await shop.paddle.read_webhook(msgspec.structs.replace(call, headers={"paddle-signature": header}))


async def test_a_proof_from_the_future_is_rejected(shop: Shop) -> None:
    event = shop.books.tell("transaction.paid", {"id": "txn_1", "customer_id": "ctm_1"})
    with pytest.raises(WebhookRejected):
        await shop.paddle.read_webhook(shop.vendor.webhook(event, signed_at=time.time() + 400))


async def test_a_customer_who_only_changed_the_name_is_not_gone(shop: Shop) -> None:
    ada = shop.books.add_customer({"email": "ada@example.org"})
    shop.books.change_customer(ada["id"], {"name": "Ada L."})
    assert await shop.paddle.read_webhook(shop.vendor.webhook(shop.books.events[-1])) == ()


async def test_setting_up_a_webhook_replaces_the_one_of_before_and_no_other(shop: Shop) -> None:
    url = "https://covers.example/api/webhooks/payment/paddle"
    await shop.paddle.create_webhook("https://elsewhere.example/hook")
    await shop.paddle.create_webhook(url)
    secret = await shop.paddle.create_webhook(url)
    assert [one["destination"] for one in shop.books.destinations.values()] == ["https://elsewhere.example/hook", url]
    again = shop.open(webhook_secret=secret)
    event = shop.books.tell("transaction.paid", {"id": "txn_1", "customer_id": "ctm_1"})
    assert await again.read_webhook(shop.vendor.webhook(event, secret=secret.reveal()))
