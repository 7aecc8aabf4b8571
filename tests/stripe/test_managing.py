"""Later changes of a subscription at Stripe, and their effect here."""

from typing import get_args

import pytest

from kernel.spi import (
    CardOnFile,
    InvalidRequest,
    Money,
    NotFound,
    PaymentDeclined,
    SettingsInvalid,
    SubscriptionState,
    Unavailable,
    Unsupported,
)
from plugins.stripe_payments.truths import STATES
from tests.stripe.conftest import Shop
from tests.vendors.stripe_api import DECLINED, DOWN
from tests.vendors.stripe_books import VISA

pytestmark = pytest.mark.anyio

RETURN = "https://covers.example/account"


# States


@pytest.mark.parametrize("status", [*STATES, "invented_later"])
async def test_every_state_of_stripes_has_its_meaning(shop: Shop, status: str) -> None:
    truth = await shop.subscribed()
    shop.books.subscriptions[truth.ref]["status"] = status
    state = (await shop.stripe.subscription(truth.ref)).state
    assert state in get_args(SubscriptionState)
    assert (state in ("active", "trialing")) == (status in ("active", "trialing")), "nothing else is paid for"
    listed = [entry.state for entry in await shop.stripe.subscriptions(truth.customer)]
    assert listed == ([] if status in ("canceled", "incomplete_expired") else [state])


async def test_the_period_is_that_of_the_item_that_ends_last(shop: Shop) -> None:
    truth = await shop.subscribed()
    stored = shop.books.subscriptions[truth.ref]
    assert "current_period_end" not in stored, "Stripe tells it of items only"
    assert truth.period_end == stored["items"][0]["current_period_end"]
    shop.books.change(truth.ref, {"items": [{"price": shop.year}]})
    stored["items"][1]["current_period_end"] += 1000
    later = await shop.stripe.subscription(truth.ref)
    assert (later.period_end, later.price) == (stored["items"][1]["current_period_end"], shop.month)


# The card


async def test_the_card_of_a_subscription_is_told(shop: Shop) -> None:
    truth = await shop.subscribed()
    card = CardOnFile(brand="visa", last4="4242", exp_month=8, exp_year=2031)
    assert (await shop.stripe.subscription(truth.ref)).card == card
    assert [entry.card for entry in await shop.stripe.subscriptions(truth.customer)] == [card]


async def test_without_one_of_its_own_a_subscription_is_paid_with_the_customers(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.subscriptions[truth.ref]["default_payment_method"] = None
    assert (await shop.stripe.subscription(truth.ref)).card is None
    shop.books.methods["pm_new"] = VISA | {"card": VISA["card"] | {"last4": "0005", "brand": "amex"}}
    shop.books.customers[truth.customer]["invoice_settings"] = {"default_payment_method": "pm_new"}
    card = (await shop.stripe.subscription(truth.ref)).card
    assert card is not None and (card.brand, card.last4) == ("amex", "0005")


async def test_a_bank_account_is_no_card(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.methods["pm_sepa"] = {"id": "pm_sepa", "object": "payment_method", "type": "sepa_debit"}
    shop.books.subscriptions[truth.ref]["default_payment_method"] = "pm_sepa"
    assert (await shop.stripe.subscription(truth.ref)).card is None


# Canceling


async def test_a_cancellation_in_the_portal_is_seen_and_can_be_taken_back(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.cancel_in_portal(truth.ref)
    ending = await shop.stripe.subscription(truth.ref)
    assert ending.cancel_at == truth.period_end and ending.canceled_at is not None
    again = await shop.stripe.cancel(truth.ref, at_period_end=True, idempotency_key="k1")
    assert again == ending, "it ends already"
    back = await shop.stripe.reactivate(truth.ref, idempotency_key="k2")
    assert (back.state, back.cancel_at, back.canceled_at) == ("active", None, None)


async def test_a_flagged_cancellation_is_taken_back_by_the_flag_alone(shop: Shop) -> None:
    truth = await shop.subscribed()
    await shop.stripe.cancel(truth.ref, at_period_end=True, idempotency_key="k1")
    assert (await shop.stripe.reactivate(truth.ref, idempotency_key="k2")).cancel_at is None
    assert (await shop.stripe.reactivate(truth.ref, idempotency_key="k3")).cancel_at is None
    sent = shop.vendor.sent("POST", f"/v1/subscriptions/{truth.ref}")
    assert [change["cancel_at_period_end"] for change in sent] == ["true", "false"]
    assert not any("cancel_at" in change for change in sent)


async def test_a_repeated_change_tells_the_truth_and_not_its_old_answer(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.vendor.trouble.append(("POST", "/v1/subscriptions/", "lost"))
    await shop.trouble(shop.stripe.cancel(truth.ref, at_period_end=True, idempotency_key="k1"))
    shop.books.change(truth.ref, {"cancel_at_period_end": "false"})
    shop.books.renew(truth.ref, paid=False)
    told = await shop.stripe.cancel(truth.ref, at_period_end=True, idempotency_key="k1")
    assert told == await shop.stripe.subscription(truth.ref)


async def test_what_was_never_paid_ends_at_once(shop: Shop) -> None:
    started = await shop.stripe.start_subscription(shop.order(await shop.customer()))
    ended = await shop.stripe.cancel(started.subscription.ref, at_period_end=True, idempotency_key="k")
    assert ended.state == "canceled" and shop.books.subscriptions[ended.ref]["status"] == "incomplete_expired"


async def test_what_ends_in_the_same_moment_has_ended(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.vendor.trouble.append(("DELETE", "/v1/subscriptions/", "done"))
    await shop.trouble(shop.stripe.cancel(truth.ref, at_period_end=False, idempotency_key="k"))
    assert (await shop.stripe.cancel(truth.ref, at_period_end=False, idempotency_key="k")).state == "canceled"


async def test_the_ended_cannot_change_its_price(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.end(truth.ref)
    change = shop.stripe.change_price(truth.ref, price=shop.year, idempotency_key="k")
    assert isinstance(await shop.trouble(change), InvalidRequest)


# Prices


async def test_a_new_price_takes_the_place_of_all_others(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.change(truth.ref, {"items": [{"price": shop.month}]})
    changed = await shop.stripe.change_price(truth.ref, price=shop.year, idempotency_key="k")
    assert changed.price == shop.year
    assert [item["price"] for item in shop.books.subscriptions[truth.ref]["items"]] == [shop.year]


async def test_a_declined_change_of_price_changes_nothing(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.vendor.trouble.append(("POST", "/v1/subscriptions/", DECLINED))
    change = shop.stripe.change_price(truth.ref, price=shop.year, idempotency_key="k")
    assert isinstance(await shop.trouble(change), PaymentDeclined)
    assert shop.vendor.sent("POST", f"/v1/subscriptions/{truth.ref}")[0]["payment_behavior"] == "error_if_incomplete"
    assert await shop.stripe.subscription(truth.ref) == truth


async def test_a_change_at_the_renewal_charges_nothing_before(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.sell("Pro", ("usd", 2900, "month"))
    dearer = list(shop.books.prices)[-1]
    paid = await shop.stripe.invoices(truth.customer)
    for _ in range(2):
        changed = await shop.stripe.change_price(truth.ref, price=dearer, idempotency_key="k", at_renewal=True)
        assert (changed.price, changed.period_end) == (dearer, truth.period_end)
    (sent,) = shop.vendor.sent("POST", f"/v1/subscriptions/{truth.ref}")
    assert sent["proration_behavior"] == "none" and "payment_behavior" not in sent
    assert await shop.stripe.invoices(truth.customer) == paid


async def test_only_what_renews_alike_waits_for_the_renewal(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.sell("Others", ("eur", 2900, "month"), ("usd", 0, "month"))
    others = list(shop.books.prices)[-2:]
    for price in (shop.year, *others):
        change = shop.stripe.change_price(truth.ref, price=price, idempotency_key="k", at_renewal=True)
        assert isinstance(await shop.trouble(change), InvalidRequest)
    assert await shop.stripe.subscription(truth.ref) == truth


async def test_only_whole_prices_are_for_sale(shop: Shop) -> None:
    shop.books.sell("By use", ("usd", None, "month"))
    shop.books.sell("Withdrawn", ("usd", 100, "month"), active=False)
    shop.books.sell("Ísland", ("isk", 90_000, "month"), ("jpy", 500, "year"), ("mga", 900, "year"))
    metered = next(iter(shop.books.products))
    shop.books.sell("Metered", ("usd", 5, "month"))
    list(shop.books.prices.values())[-1]["recurring"]["usage_type"] = "metered"
    found = {product.name: [price.money for price in product.prices] for product in await shop.stripe.products()}
    assert found["By use"] == [] and found["Metered"] == [] and "Withdrawn" not in found
    assert found["Ísland"] == [
        Money(amount=900, currency="isk"),
        Money(amount=500, currency="jpy"),
        Money(amount=90_000, currency="mga"),
    ]
    assert metered in [product.id for product in await shop.stripe.products()]


# Invoices, portal, deletion


async def test_invoices_without_drafts_and_with_stripes_documents(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.renew(truth.ref, paid=False)
    shop.books.give_up(truth.ref)
    found = await shop.stripe.invoices(truth.customer)
    assert [invoice.state for invoice in found] == ["open", "paid"]
    assert all(invoice.pdf_url and invoice.page_url for invoice in found)
    assert [invoice.id for invoice in await shop.stripe.invoices(truth.customer, limit=1)] == [found[0].id]


async def test_the_portal_is_for_customers_and_needs_its_configuration(shop: Shop) -> None:
    customer = await shop.customer()
    assert customer in await shop.stripe.portal(customer, return_url=RETURN)
    shop.books.portal_saved = False
    error = await shop.trouble(shop.stripe.portal(customer, return_url=RETURN))
    assert isinstance(error, SettingsInvalid) and error.field == "portal"
    closed = shop.open(portal=False)
    assert not closed.capabilities().portal
    assert isinstance(await shop.trouble(closed.portal(customer, return_url=RETURN)), Unsupported)


async def test_whoever_leaves_pays_no_more_and_trouble_is_told(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.vendor.trouble.append(("DELETE", "/v1/customers/", DOWN))
    assert isinstance(await shop.trouble(shop.stripe.delete_customer(truth.customer)), Unavailable)
    shop.vendor.trouble.append(("DELETE", "/v1/customers/", "lost"))
    await shop.trouble(shop.stripe.delete_customer(truth.customer))
    await shop.stripe.delete_customer(truth.customer)
    assert shop.books.subscriptions[truth.ref]["status"] == "canceled"
    assert isinstance(await shop.trouble(shop.stripe.subscription("sub_gone")), NotFound)
