"""What is particular about Paddle: no subscription before a payment, one customer per address, nobody is deleted."""

import msgspec
import pytest

from kernel.spi import (
    DeadlineExceeded,
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentDeclined,
    ScriptClient,
    Unavailable,
)
from tests.paddle.conftest import Shop, transaction_of
from tests.vendors.paddle_api import PDF, failure

pytestmark = pytest.mark.anyio


async def test_a_start_whose_answer_was_lost_is_found_again(shop: Shop) -> None:
    order = shop.order(await shop.paddle.ensure_customer(shop.person()))
    shop.vendor.trouble.append(("POST", "/transactions", "lost"))
    assert isinstance(await shop.trouble(shop.paddle.start_subscription(order)), Unavailable | DeadlineExceeded)
    again = await shop.paddle.start_subscription(order)
    assert list(shop.books.transactions) == [again.subscription.ref], "one, though it was asked for twice"


async def test_a_start_becomes_a_subscription_that_names_it(shop: Shop) -> None:
    ref = await shop.begun()
    shop.books.pay(ref, settled=False)
    waiting = await shop.paddle.subscription(ref)
    assert (waiting.state, waiting.ref) == ("incomplete", ref), "paid, and Paddle has not made the subscription yet"
    assert await shop.paddle.confirmation(ref) == NoClient(), "nobody pays twice"
    assert [entry.ref for entry in await shop.paddle.subscriptions(waiting.customer)] == [ref]
    shop.books.pay(ref)
    truth = await shop.paddle.subscription(ref)
    assert (truth.state, truth.started_by) == ("active", ref)
    assert truth.ref in shop.books.subscriptions
    assert truth.card is not None and truth.card.last4 == "4242"


async def test_an_unpaid_start_ends_for_good(shop: Shop) -> None:
    draft, ready = await shop.begun(), await shop.begun()
    shop.books.give_address(ready)
    for ref in (draft, ready):
        for _ in range(2):
            assert (await shop.paddle.cancel(ref, at_period_end=False, idempotency_key="x")).state == "canceled"
        assert (await shop.paddle.subscription(ref)).state == "canceled"
        assert await shop.paddle.confirmation(ref) == NoClient()
        customer = shop.books.transactions[ref]["customer_id"]
        assert await shop.paddle.subscriptions(customer) == []
    assert shop.books.transactions[ready]["status"] == "canceled"


async def test_a_trial_takes_a_card_for_later(shop: Shop) -> None:
    customer = await shop.paddle.ensure_customer(shop.person())
    started = await shop.paddle.start_subscription(shop.order(customer, price=shop.books.trial))
    assert isinstance(started.client, ScriptClient) and started.client.intent == "setup"
    assert started.client.first_payment is not None
    shop.books.pay(started.subscription.ref)
    truth = await shop.paddle.subscription(started.subscription.ref)
    assert (truth.state, truth.trial_end) == ("trialing", truth.period_end)


async def test_a_failed_renewal_is_paid_in_the_checkout(shop: Shop) -> None:
    truth = await shop.subscribed()
    due = shop.books.renew(truth.ref, paid=False)
    assert (await shop.paddle.subscription(truth.ref)).state == "past_due"
    client = await shop.paddle.confirmation(truth.ref)
    assert transaction_of(client) == due["id"]
    assert [one.state for one in await shop.paddle.invoices(truth.customer)] == ["open", "paid"]
    shop.books.pay(due["id"])
    assert (await shop.paddle.subscription(truth.ref)).state == "active"
    assert await shop.paddle.confirmation(truth.ref) == NoClient()
    with pytest.raises(InvalidRequest):
        shop.books.renew(truth.ref, paid=False)
        await shop.paddle.card_form(truth.ref)


async def test_an_address_has_one_customer_and_purchases_stay_with_who_made_them(shop: Shop) -> None:
    ada = shop.person()
    shop.vendor.trouble.append(("POST", "/customers", "lost"))
    await shop.trouble(shop.paddle.ensure_customer(ada))
    known = await shop.paddle.ensure_customer(ada)
    assert list(shop.books.customers) == [known], "made once"
    other = shop.person(email=ada.email)
    assert isinstance(await shop.trouble(shop.paddle.ensure_customer(other)), InvalidRequest), "it is Ada's"
    await shop.paddle.delete_customer(known)
    assert await shop.paddle.ensure_customer(other) == known, "whose account is gone"
    assert shop.books.customers[known]["status"] == "active"

    buyer = shop.books.add_customer({"email": "buyer@example.org"})
    fresh = shop.books.add_customer({"email": "fresh@example.org"})
    shop.books.begin({"customer_id": buyer["id"], "items": [{"price_id": shop.books.month, "quantity": 1}]})
    bought = shop.person(email="buyer@example.org")
    assert isinstance(await shop.trouble(shop.paddle.ensure_customer(bought)), InvalidRequest)
    assert await shop.paddle.ensure_customer(shop.person(email="fresh@example.org")) == fresh["id"]


async def test_an_address_that_another_customer_has_stays_as_it_was(shop: Shop) -> None:
    ada, bob = shop.person(), shop.person()
    known = await shop.paddle.ensure_customer(ada)
    await shop.paddle.ensure_customer(bob)
    moved = msgspec.structs.replace(ada, known=known, email=bob.email, name="Ada L.")
    assert await shop.paddle.ensure_customer(moved) == known
    assert (shop.books.customers[known]["email"], shop.books.customers[known]["name"]) == (ada.email, "Ada L.")


async def test_a_deleted_customer_is_archived_once_nothing_is_left_to_pay(shop: Shop) -> None:
    truth = await shop.subscribed()
    open_start = (await shop.paddle.start_subscription(shop.order(truth.customer))).subscription.ref
    shop.books.pay(open_start, settled=False)
    error = await shop.trouble(shop.paddle.delete_customer(truth.customer))
    assert isinstance(error, Unavailable), "what is being paid becomes a subscription"
    assert shop.books.customers[truth.customer]["status"] == "active"
    shop.books.pay(open_start)
    await shop.paddle.delete_customer(truth.customer)
    assert {one["status"] for one in shop.books.subscriptions.values()} == {"canceled"}
    assert shop.books.customers[truth.customer]["status"] == "archived"


async def test_who_has_an_address_later_sees_no_purchases_of_before(shop: Shop) -> None:
    first = shop.person()
    customer = await shop.paddle.ensure_customer(first)
    shop.books.pay((await shop.paddle.start_subscription(shop.order(customer))).subscription.ref)
    assert len(await shop.paddle.invoices(customer)) == 1 and await shop.paddle.portal(customer, return_url="")
    await shop.paddle.delete_customer(customer)
    for sale in shop.books.transactions.values():
        sale["created_at"] = sale["billed_at"] = "2026-01-01T00:00:00Z"

    later = shop.person(email=first.email)
    assert await shop.paddle.ensure_customer(later) == customer, "Paddle has one customer for an address"
    assert shop.books.customers[customer]["status"] == "active"
    assert (await shop.paddle.invoices(customer), await shop.paddle.subscriptions(customer)) == ([], [])
    assert isinstance(await shop.trouble(shop.paddle.portal(customer, return_url="")), InvalidRequest)
    moved = shop.person(user_ref=later.user_ref, email="ada.new@example.org", known=customer)
    assert await shop.paddle.ensure_customer(moved) == customer
    shop.books.pay((await shop.paddle.start_subscription(shop.order(customer))).subscription.ref)
    assert len(await shop.paddle.invoices(customer)) == 1


async def test_an_end_now_takes_back_the_end_that_was_scheduled(shop: Shop) -> None:
    truth = await shop.subscribed()
    ending = await shop.paddle.cancel(truth.ref, at_period_end=True, idempotency_key="a")
    assert await shop.paddle.cancel(truth.ref, at_period_end=True, idempotency_key="b") == ending
    assert await shop.paddle.reactivate(truth.ref, idempotency_key="c") == truth
    shop.books.subscriptions[truth.ref]["scheduled_change"] = {
        "action": "pause",
        "effective_at": "2031-01-01T00:00:00Z",
    }
    assert (await shop.paddle.subscription(truth.ref)).cancel_at is None
    assert (await shop.paddle.cancel(truth.ref, at_period_end=True, idempotency_key="d")).cancel_at is not None


async def test_a_declined_change_changes_nothing(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.declines = True
    change = shop.paddle.change_price(truth.ref, price=shop.books.year, idempotency_key="a")
    assert isinstance(await shop.trouble(change), PaymentDeclined)
    assert await shop.paddle.subscription(truth.ref) == truth
    moved = await shop.paddle.change_price(
        truth.ref, price=shop.books.other_month, idempotency_key="b", at_renewal=True
    )
    assert (moved.price, moved.period_end) == (shop.books.other_month, truth.period_end)


async def test_the_same_form_for_another_card_is_open_until_it_is_used(shop: Shop) -> None:
    truth = await shop.subscribed()
    first = transaction_of(await shop.paddle.card_form(truth.ref))
    assert transaction_of(await shop.paddle.card_form(truth.ref)) == first
    shop.books.pay(first)
    assert transaction_of(await shop.paddle.card_form(truth.ref)) != first
    assert len(await shop.paddle.invoices(truth.customer)) == 1, "a card is no purchase"


async def test_a_list_is_read_to_its_end(shop: Shop) -> None:
    truth = await shop.subscribed()
    for _ in range(65):
        shop.books.renew(truth.ref, paid=True)
    invoices = await shop.paddle.invoices(truth.customer, limit=100)
    assert len(invoices) == 66
    assert (await shop.paddle.subscription(truth.ref)).started_by == truth.started_by


async def test_a_document_is_fetched_without_the_key(shop: Shop) -> None:
    truth = await shop.subscribed()
    (invoice,) = await shop.paddle.invoices(truth.customer)
    assert invoice.pdf_url is None, "the address is good for an hour"
    assert await shop.paddle.invoice_pdf(invoice.id) == PDF
    shop.vendor.documents = "http://169.254.1.1"
    assert isinstance(await shop.trouble(shop.paddle.invoice_pdf(invoice.id)), Unavailable)


async def test_nothing_but_an_id_becomes_part_of_a_path(shop: Shop) -> None:
    before = len(shop.vendor.requests)
    for ref in ("", "sub_../../customers", "sub_%2e", f"sub_{'A' * 26}", f"ctm_{'0' * 26}"):
        assert isinstance(await shop.trouble(shop.paddle.subscription(ref)), NotFound)
    assert len(shop.vendor.requests) == before


async def test_a_payment_in_progress_is_waited_for(shop: Shop) -> None:
    ref = await shop.begun()
    busy = failure(409, "transaction_immutable_while_processing_payment", "Cannot update a transaction now")
    shop.vendor.trouble.append(("PATCH", "/transactions", busy))
    assert isinstance(
        await shop.trouble(shop.paddle.cancel(ref, at_period_end=False, idempotency_key="a")), Unavailable
    )
