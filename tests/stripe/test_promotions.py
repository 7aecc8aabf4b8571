"""Promotion codes at Stripe: asked of its own previews, sent with the start, and used once."""

from typing import Any

import msgspec
import pytest

from kernel.spi import ElementsClient, InvalidRequest, Money, PromotionPreview, PromotionRefusal
from tests.stripe.conftest import Shop

pytestmark = pytest.mark.anyio

NEW = ("POST", "/v1/subscriptions")
PREVIEW = ("POST", "/v1/invoices/create_preview")


def dollars(amount: int) -> Money:
    return Money(amount=amount, currency="usd")


async def test_what_a_code_takes_off_is_what_stripe_previews(shop: Shop) -> None:
    shop.books.promotions.offer("SPRING", percent_off=20.0, months=3)
    customer = await shop.customer()
    told = await shop.stripe.preview_promotion(customer, price=shop.month, code="SPRING")
    assert told == PromotionPreview(due=dollars(799), reduced=dollars(799), full=dollars(999), lasts="months", months=3)
    plain, reduced = shop.vendor.sent(*PREVIEW)
    assert reduced["discounts"] == [{"promotion_code": "promo_spring"}] and plain["discounts"] == ""
    assert plain["customer"] == reduced["customer"] == customer
    assert shop.vendor.sent(*NEW) == []


async def test_months_that_are_over_before_the_second_charge_are_once(shop: Shop) -> None:
    shop.books.promotions.offer("SPRING", percent_off=20.0, months=3)
    told = await shop.stripe.preview_promotion(await shop.customer(), price=shop.year, code="SPRING")
    assert isinstance(told, PromotionPreview) and (told.lasts, told.months) == ("once", None)


async def test_a_balance_is_less_to_pay_today_only(shop: Shop) -> None:
    shop.books.promotions.offer("HALF", percent_off=50.0, duration="forever")
    customer = await shop.customer()
    shop.books.customers[customer]["balance"] = -300
    told = await shop.stripe.preview_promotion(customer, price=shop.month, code="HALF")
    assert isinstance(told, PromotionPreview)
    assert (told.due, told.reduced, told.full) == (dollars(199), dollars(499), dollars(999))


@pytest.mark.parametrize(
    ("offer", "fault"),
    [
        ({"percent_off": 20.0, "active": False}, "unknown"),
        ({"percent_off": 20.0, "customer": "cus_other"}, "unknown"),
        ({"percent_off": 20.0, "active": False, "redeem_by": 1_700_000_000}, "expired"),
        ({"percent_off": 20.0, "product": "prod_other"}, "not_for_price"),
    ],
)
async def test_a_code_says_why_it_takes_nothing_off(shop: Shop, offer: dict[str, Any], fault: str) -> None:
    shop.books.promotions.offer("CODE", **offer)
    told = await shop.stripe.preview_promotion(await shop.customer(), price=shop.month, code="CODE")
    assert told == PromotionRefusal(fault=fault)  # type: ignore[arg-type]


async def test_a_code_for_new_customers_is_refused_to_who_has_paid(shop: Shop) -> None:
    shop.books.promotions.offer("NEW", percent_off=20.0, first_time=True)
    truth = await shop.subscribed()
    told = await shop.stripe.preview_promotion(truth.customer, price=shop.month, code="NEW")
    assert told == PromotionRefusal(fault="new_customers_only")


async def test_stripes_own_refusal_names_the_code(shop: Shop) -> None:
    """An open invoice counts as a transaction there (stripe-node#2349), though no preview says so."""
    shop.books.promotions.offer("NEW", percent_off=20.0, first_time=True)
    customer = await shop.customer()
    await shop.stripe.start_subscription(shop.order(customer))
    wish = msgspec.structs.replace(shop.order(customer), promotion_code="NEW")
    error = await shop.trouble(shop.stripe.start_subscription(wish))
    assert isinstance(error, InvalidRequest) and error.field == "promotion_code"
    assert len(shop.books.subscriptions) == 1


@pytest.mark.parametrize("what", [None, "lost", "done", "stored"])
async def test_a_code_for_one_use_is_used_once_whatever_goes_wrong(shop: Shop, what: str | None) -> None:
    shop.books.promotions.offer("ONE", percent_off=20.0, max_redemptions=1)
    wish = msgspec.structs.replace(shop.order(await shop.customer()), promotion_code="ONE")
    if what is not None:
        shop.vendor.trouble.append((*NEW, what))
        await shop.trouble(shop.stripe.start_subscription(wish))
    for _ in range(2):
        started = await shop.stripe.start_subscription(wish)
        assert started.subscription.promotion_code == "ONE"
        assert isinstance(started.client, ElementsClient)
    assert list(shop.books.subscriptions) == [started.subscription.ref]
    (invoice,) = shop.books.invoices.values()
    assert invoice["total"] == 799


async def test_the_next_charge_is_asked_of_stripe_while_a_discount_lasts(shop: Shop) -> None:
    shop.books.promotions.offer("TWO", percent_off=20.0, months=2)
    wish = msgspec.structs.replace(shop.order(await shop.customer()), promotion_code="TWO")
    started = await shop.stripe.start_subscription(wish)
    assert isinstance(started.client, ElementsClient)
    shop.books.pay(started.client.client_secret)
    ref = started.subscription.ref
    assert (await shop.stripe.subscription(ref)).next_charge == dollars(799)
    shop.books.renew(ref, paid=True)
    assert (await shop.stripe.subscription(ref)).next_charge is None, "the next one is whole again"
