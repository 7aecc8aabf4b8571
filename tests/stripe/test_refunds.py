"""Refunds at Stripe: told by the charges that paid an invoice."""

from typing import Any

import pytest

from kernel.spi import Invoice, Money, Unavailable
from tests.stripe.conftest import Shop
from tests.vendors.stripe_api import BROKEN, failure

pytestmark = pytest.mark.anyio

PAID = 999


async def latest(shop: Shop, customer: str) -> Invoice:
    (invoice,) = await shop.stripe.invoices(customer)
    return invoice


async def test_a_refund_that_failed_was_not_given_back(shop: Shop) -> None:
    truth = await shop.subscribed()
    (bill,) = shop.books.invoices
    shop.books.refund(bill, 200)
    later = shop.books.refund(bill, 300)
    later["created"] += 60
    told = await latest(shop, truth.customer)
    assert (told.refunded, told.refunded_at) == (Money(amount=500, currency="usd"), later["created"])
    later["status"] = "failed"
    told = await latest(shop, truth.customer)
    assert (told.refunded, told.refunded_at) == (Money(amount=200, currency="usd"), later["created"] - 60)
    assert (told.state, told.paid.amount) == ("paid", PAID)


async def test_each_invoice_has_its_own_refund(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.renew(truth.ref, paid=True)
    first, second = shop.books.invoices
    shop.books.refund(second, PAID)
    told = {invoice.id: invoice.refunded for invoice in await shop.stripe.invoices(truth.customer)}
    assert told == {first: None, second: Money(amount=PAID, currency="usd")}


async def test_every_event_about_a_refund_names_the_customer(shop: Shop) -> None:
    truth = await shop.subscribed()
    (bill,) = shop.books.invoices
    refund = shop.books.refund(bill, PAID)
    happened = shop.books.events[-2:]
    happened += [shop.books.tell(kind, refund) for kind in ("refund.updated", "refund.failed")]
    assert [event["type"] for event in happened[:2]] == ["charge.refunded", "refund.created"]
    for event in happened:
        (heard,) = await shop.stripe.read_webhook(shop.vendor.webhook(event))
        assert (heard.topic, heard.ref) == ("invoice_changed", truth.customer)


async def test_a_key_that_may_not_read_charges_still_shows_invoices(shop: Shop) -> None:
    truth = await shop.subscribed()
    shop.books.refund(next(iter(shop.books.invoices)), PAID)
    denied: Any = failure(403, "invalid_request_error", None, "The provided key does not have the required permissions")
    shop.vendor.trouble.append(("GET", "/v1/charges", denied))
    assert (await latest(shop, truth.customer)).refunded is None
    shop.vendor.trouble.append(("GET", "/v1/charges", denied))
    steps = {step.name: step.status for step in (await shop.stripe.check()).steps}
    assert steps["refunds"] == "warn" and steps["key"] == "ok"
    shop.vendor.trouble += [("GET", "/v1/charges", BROKEN)] * 9
    assert isinstance(await shop.trouble(shop.stripe.invoices(truth.customer)), Unavailable), "not: nothing refunded"


async def test_tax_and_due_date_are_told(shop: Shop) -> None:
    truth = await shop.subscribed()
    (bill,) = shop.books.invoices.values()
    told = await latest(shop, truth.customer)
    assert (told.tax, told.due_at) == (None, None)
    bill |= {"due_date": 1_800_000_000, "total_taxes": [{"amount": 60, "tax_behavior": "inclusive"}, {"amount": 99}]}
    told = await latest(shop, truth.customer)
    assert (told.tax, told.due_at) == (Money(amount=159, currency="usd"), 1_800_000_000)
