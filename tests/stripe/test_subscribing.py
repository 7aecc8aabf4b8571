"""Subscribing through Stripe: one customer, one subscription, and a usable secret, whatever goes wrong."""

import asyncio
from typing import Any

import msgspec
import pytest

from kernel.spi import (
    DeadlineExceeded,
    Effect,
    ElementsClient,
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentDeclined,
    RateLimited,
    Unavailable,
)
from plugins.stripe_payments import client
from tests.stripe.conftest import PERSON, Shop
from tests.vendors.stripe_api import BROKEN, BUSY, DECLINED, DOWN, LIMITED, failure

pytestmark = pytest.mark.anyio

NEW = ("POST", "/v1/subscriptions")
ANEW = msgspec.structs.replace(PERSON, idempotency_key="later")


# One subscription


@pytest.mark.parametrize("what", [BROKEN, DOWN, LIMITED, "reset", "lost", "stored", "done"], ids=str)
async def test_whatever_goes_wrong_the_next_try_finds_or_makes_the_one_subscription(shop: Shop, what: Any) -> None:
    order = shop.order(await shop.customer())
    shop.vendor.trouble.append((*NEW, what))
    error = await shop.trouble(shop.stripe.start_subscription(order))
    assert isinstance(error, RateLimited if what is LIMITED else Unavailable)
    assert len(shop.vendor.sent(*NEW)) == 1, "repeating is the kernel's decision"
    started = await shop.stripe.start_subscription(order)
    assert list(shop.books.subscriptions) == [started.subscription.ref]
    assert isinstance(started.client, ElementsClient)


async def test_only_what_stripe_refused_to_begin_is_tried_again_at_once(shop: Shop) -> None:
    shop.vendor.trouble.append((*NEW, BUSY))
    order = shop.order(await shop.customer())
    await shop.stripe.start_subscription(order)
    keys = [request.headers["idempotency-key"] for request in shop.vendor.requests if request.url.path == NEW[1]]
    assert keys == [order.idempotency_key] * 2
    assert len(shop.books.subscriptions) == 1


async def test_what_only_reads_is_tried_three_times(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0.01)
    truth = await shop.subscribed()
    shop.vendor.trouble += [("GET", "/v1/subscriptions", what) for what in (BROKEN, "reset")]
    assert await shop.stripe.subscription(truth.ref) == truth
    shop.vendor.trouble += [("GET", "/v1/subscriptions", BROKEN)] * 3
    assert isinstance(await shop.trouble(shop.stripe.subscription(truth.ref)), Unavailable)


async def test_a_start_paid_in_the_meantime_is_reported_as_paid(shop: Shop) -> None:
    order = shop.order(await shop.customer())
    first = await shop.stripe.start_subscription(order)
    assert isinstance(first.client, ElementsClient)
    shop.books.pay(first.client.client_secret)
    again = await shop.stripe.start_subscription(order)
    assert (again.subscription.ref, again.subscription.state) == (first.subscription.ref, "active")
    assert again.client == NoClient()


async def test_a_key_for_another_order_is_refused(shop: Shop) -> None:
    order = shop.order(await shop.customer())
    await shop.stripe.start_subscription(order)
    other = msgspec.structs.replace(order, price=shop.year)
    assert isinstance(await shop.trouble(shop.stripe.start_subscription(other)), InvalidRequest)


async def test_trouble_is_never_taken_for_no_subscription(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stripe.HTTPClient.INITIAL_DELAY", 0.01)
    truth = await shop.subscribed()
    shop.vendor.trouble += [("GET", "/v1/subscriptions", DOWN)] * 3
    assert isinstance(await shop.trouble(shop.stripe.subscriptions(truth.customer)), Unavailable)


async def test_all_pages_of_a_long_list_are_read(shop: Shop) -> None:
    customer = await shop.customer()
    made = [shop.books.subscribe(customer, [shop.month], {})["id"] for _ in range(230)]
    found = [truth.ref for truth in await shop.stripe.subscriptions(customer)]
    assert found == made[::-1]


async def test_a_stripe_that_never_answers_is_given_up(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CALL_LIMIT_S", 0.1)
    shop.vendor.trouble.append(("POST", "/v1/customers", "slow"))
    error = await shop.trouble(shop.stripe.ensure_customer(PERSON))
    assert isinstance(error, DeadlineExceeded) and error.effect is Effect.UNKNOWN


# One customer


async def test_a_lost_answer_makes_no_second_customer(shop: Shop) -> None:
    shop.vendor.trouble.append(("POST", "/v1/customers", "lost"))
    assert (await shop.trouble(shop.stripe.ensure_customer(PERSON))).effect is Effect.UNKNOWN
    assert [await shop.stripe.ensure_customer(PERSON)] == list(shop.books.customers)


@pytest.mark.parametrize("what", [BROKEN, DOWN, LIMITED, "reset", "lost", "stored", "done"], ids=str)
async def test_a_failure_leaves_no_unrecorded_customer(shop: Shop, what: Any) -> None:
    shop.vendor.trouble.append(("POST", "/v1/customers", what))
    if what == "done":  # Stripe reports a failure, but it was done
        made = await shop.stripe.ensure_customer(PERSON)
    else:
        error = await shop.trouble(shop.stripe.ensure_customer(PERSON))
        dropped = error.effect is Effect.NONE or error.upstream_status is not None
        made = await shop.stripe.ensure_customer(ANEW if dropped else PERSON)
    assert [made] == list(shop.books.customers)
    assert await shop.stripe.ensure_customer(msgspec.structs.replace(ANEW, known=made)) == made


async def test_a_failure_that_stripe_repeats_under_its_key_is_overcome(shop: Shop) -> None:
    stranger = shop.books.add_customer({"email": PERSON.email})["id"]
    shop.vendor.trouble += [("POST", "/v1/customers", "done"), ("GET", "/v1/customers", LIMITED)]
    assert (await shop.trouble(shop.stripe.ensure_customer(PERSON))).upstream_status == 500
    made = await shop.stripe.ensure_customer(PERSON)
    assert list(shop.books.customers) == [stranger, made], "found again, and somebody else's address is no proof"
    shop.vendor.trouble.append(("POST", "/v1/customers", "stored"))
    await shop.trouble(shop.stripe.ensure_customer(ANEW))
    assert await shop.stripe.ensure_customer(ANEW) not in (stranger, made)


async def test_side_by_side_the_same_key_makes_one_customer(shop: Shop) -> None:
    made = await asyncio.gather(*(shop.stripe.ensure_customer(PERSON) for _ in range(8)))
    assert set(made) == set(shop.books.customers) and len(set(made)) == 1


async def test_a_customer_deleted_at_stripe_is_replaced_even_under_its_own_key(shop: Shop) -> None:
    first = await shop.stripe.ensure_customer(PERSON)
    shop.books.delete_customer(first)
    second = await shop.stripe.ensure_customer(msgspec.structs.replace(PERSON, known=first))
    assert second != first and not shop.books.customers[second].get("deleted")
    assert await shop.stripe.ensure_customer(PERSON) == second


async def test_a_customer_of_another_account_is_replaced(shop: Shop) -> None:
    assert await shop.stripe.ensure_customer(msgspec.structs.replace(PERSON, known="cus_elsewhere")) in (
        shop.books.customers
    )


async def test_invoices_go_to_the_address_of_today(shop: Shop) -> None:
    known = await shop.stripe.ensure_customer(PERSON)
    moved = msgspec.structs.replace(ANEW, known=known, email="ada@new.example")
    assert await shop.stripe.ensure_customer(moved) == known
    assert shop.books.customers[known]["email"] == "ada@new.example"


async def test_nobody_is_searched_for_by_address(shop: Shop) -> None:
    await shop.stripe.ensure_customer(PERSON)
    await shop.stripe.ensure_customer(ANEW)
    assert [request.url.path for request in shop.vendor.requests] == ["/v1/customers"] * 2
    assert len(shop.books.customers) == 2


# What can be confirmed


async def test_a_first_invoice_of_zero_asks_for_a_card_for_later(shop: Shop) -> None:
    shop.books.free_first = True
    started = await shop.stripe.start_subscription(shop.order(await shop.customer()))
    assert started.subscription.state == "active"
    assert isinstance(started.client, ElementsClient) and started.client.intent == "setup"
    assert started.client.client_secret.startswith("seti_")
    shop.books.subscriptions[started.subscription.ref]["trial_end"] = 1_800_000_000
    again = await shop.stripe.confirmation(started.subscription.ref)
    assert isinstance(again, ElementsClient) and again.first_payment == 1_800_000_000
    shop.books.pay(started.client.client_secret)
    assert await shop.stripe.confirmation(started.subscription.ref) == NoClient()


@pytest.mark.parametrize("status", ["succeeded", "processing", "requires_capture", "canceled"])
async def test_a_secret_that_the_form_would_refuse_is_not_given_out(shop: Shop, status: str) -> None:
    started = await shop.stripe.start_subscription(shop.order(await shop.customer()))
    assert isinstance(started.client, ElementsClient)
    shop.books.intents[started.client.client_secret.partition("_secret_")[0]]["status"] = status
    assert await shop.stripe.confirmation(started.subscription.ref) == NoClient()


async def test_after_a_declined_card_the_same_secret_is_good_again(shop: Shop) -> None:
    started = await shop.stripe.start_subscription(shop.order(await shop.customer()))
    assert await shop.stripe.confirmation(started.subscription.ref) == started.client


async def test_a_failed_renewal_can_be_paid_and_a_draft_on_top_does_not_hide_it(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.renew(truth.ref, paid=False)
    due = await shop.stripe.confirmation(truth.ref)
    assert isinstance(due, ElementsClient) and due.intent == "payment"
    shop.books.give_up(truth.ref)
    assert (await shop.stripe.subscription(truth.ref)).state == "unpaid"
    assert await shop.stripe.confirmation(truth.ref) == due
    shop.books.pay(due.client_secret)
    assert (await shop.stripe.subscription(truth.ref)).state == "active"


# What Stripe says


async def test_a_declined_card_has_stripes_message(shop: Shop) -> None:
    shop.vendor.trouble.append((*NEW, DECLINED))
    error = await shop.trouble(shop.stripe.start_subscription(shop.order(await shop.customer())))
    assert isinstance(error, PaymentDeclined) and error.detail == "Your card was declined."


async def test_a_price_that_is_gone_is_not_found(shop: Shop) -> None:
    order = shop.order(await shop.customer())
    gone = msgspec.structs.replace(order, price="price_gone")
    error = await shop.trouble(shop.stripe.start_subscription(gone))
    assert isinstance(error, NotFound) and "req_kit" in error.detail, "the request's id helps at Stripe"


async def test_tax_without_an_address_says_so(shop: Shop) -> None:
    taxed = shop.open(automatic_tax=True)
    refusal = failure(400, "invalid_request_error", "customer_tax_location_invalid", "No valid address.")
    shop.vendor.trouble.append((*NEW, refusal))
    error = await shop.trouble(taxed.start_subscription(shop.order(await shop.customer())))
    assert isinstance(error, InvalidRequest) and error.field == "billing_details"
    assert shop.vendor.sent(*NEW)[0]["automatic_tax"] == {"enabled": "true"}


async def test_a_redirect_is_not_followed(shop: Shop) -> None:
    away = failure(302, "", None, "", headers={"location": "https://elsewhere.example/"})
    shop.vendor.trouble.append(("POST", "/v1/customers", away))
    assert isinstance(await shop.trouble(shop.stripe.ensure_customer(PERSON)), Unavailable)
