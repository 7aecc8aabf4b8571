"""Prices for other periods, and the way from one to another, over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import GOOD_CARD, Person, fault
from tests.product import Product
from tests.stub_payment.catalog import ONCE, PRO, QUARTER, YEARLY, YEN

HOURS = 3600


@pytest.fixture
def both(product: Product, admin: Person) -> Iterator[None]:
    """Sell Pro by the month and by the year; afterwards nothing is chosen."""
    choice = {"productId": "prod_pro", "priceId": PRO, "otherPriceIds": [YEARLY]}
    assert admin.post("/api/admin/stub-pay/product", json=choice).json() == choice
    yield
    product.sql("DELETE FROM setting WHERE setting_key = 'stub-pay_product_id'")


def preview(person: Person, price: str = YEARLY) -> Any:
    answer = person.get("/api/subscription/price-preview", params={"priceId": price})
    assert answer.status_code == 200, answer.text
    return answer.json()


def offered(person: Person) -> tuple[list[tuple[str, int, str, bool]], bool]:
    told = person.get("/api/subscription/prices").json()
    prices = [(one["priceId"], one["amount"], one["interval"], one["current"]) for one in told["prices"]]
    return prices, told["changeable"]


def test_the_administrator_names_what_is_offered(admin: Person, ada: Person, both: None) -> None:
    assert admin.get("/api/admin/payments/overview").json()["otherPriceIds"] == [YEARLY]
    assert offered(ada) == ([(PRO, 1900, "month", False), (YEARLY, 19_000, "year", False)], False)
    assert ada.get("/api/admin/selected-price").json() == {"amount": 1900, "currency": "usd", "interval": "month"}


@pytest.mark.parametrize("other", [ONCE, QUARTER, YEN, PRO, "price_old"])
def test_only_one_price_for_each_period_in_one_currency_is_offered(admin: Person, other: str) -> None:
    choice = {"productId": "prod_pro", "priceId": PRO, "otherPriceIds": [other]}
    assert set(fault(admin.post("/api/admin/stub-pay/product", json=choice))["fields"]) == {"otherPriceIds"}


def test_all_that_is_wrong_is_said_at_once(admin: Person) -> None:
    choice = {"productId": "prod_pro", "priceId": "price_nowhere", "otherPriceIds": [ONCE]}
    assert set(fault(admin.post("/api/admin/stub-pay/product", json=choice))["fields"]) == {"priceId", "otherPriceIds"}


def test_what_was_offered_before_can_be_put_back(admin: Person, both: None) -> None:
    admin.post("/api/admin/stub-pay/product", json={"productId": "prod_pro", "priceId": YEARLY})
    entry = admin.get("/api/admin/audit", params={"action": "payment.choose_price"}).json()[0]
    assert admin.post(f"/api/admin/audit/{entry['id']}/restore").status_code < 300
    overview = admin.get("/api/admin/payments/overview").json()
    assert (overview["priceId"], overview["otherPriceIds"]) == (PRO, [YEARLY])


def test_a_year_can_be_bought_and_only_what_is_offered(ada: Person, both: None) -> None:
    wrong = fault(ada.post("/api/create-subscription", json={"priceId": YEN}))
    assert set(wrong["fields"]) == {"priceId"}
    ada.post("/api/create-subscription", json={"priceId": PRO})
    secret = ada.post("/api/create-subscription", json={"priceId": YEARLY}).json()["clientSecret"]
    card = {"number": GOOD_CARD, "expiry": "12/40", "cvc": "123"}
    ada.post("/api/subscription/pay", json={"clientSecret": secret, "card": card})
    assert ada.get("/api/subscription").json()["subscription"]["price"]["interval"] == "year"
    assert offered(ada) == ([(PRO, 1900, "month", False), (YEARLY, 19_000, "year", True)], True)


def test_a_change_charges_once_what_was_shown(ada: Person, both: None) -> None:
    ada.subscribe()
    told = preview(ada)
    assert (told["due"], told["credit"], told["nextCharge"], told["currency"]) == (17_100, 1900, 19_000, "usd")
    assert told["nextAt"] > told["asOf"] and told["priceId"] == YEARLY
    assert ada.get("/api/subscription").json()["subscription"]["price"]["interval"] == "month"
    for _ in range(2):
        changed = ada.post("/api/subscription/price", json={"priceId": YEARLY, "asOf": told["asOf"]})
        assert changed.json()["subscription"]["price"] == {"amount": 19_000, "currency": "usd", "interval": "year"}
    assert [one["amount_paid"] for one in changed.json()["invoices"]] == [17_100, 1900]
    again = ada.get("/api/subscription/price-preview", params={"priceId": YEARLY})
    assert (again.status_code, fault(again)["code"]) == (409, "same_price")


def test_what_is_not_true_any_more_cannot_be_agreed_to(ada: Person, both: None) -> None:
    ada.subscribe()
    old = {"priceId": YEARLY, "asOf": preview(ada)["asOf"] - 2 * HOURS}
    answer = ada.post("/api/subscription/price", json=old)
    assert (answer.status_code, fault(answer)["code"]) == (409, "preview_expired")
    assert ada.get("/api/subscription").json()["subscription"]["price"]["interval"] == "month"


def test_only_what_goes_on_and_is_offered_can_be_changed(ada: Person, bob: Person, both: None) -> None:
    assert ada.get("/api/subscription/price-preview", params={"priceId": YEARLY}).status_code == 404
    assert ada.post("/api/subscription/price", json={"priceId": YEARLY, "asOf": 1}).status_code == 404
    bob.subscribe()
    assert set(fault(bob.get("/api/subscription/price-preview", params={"priceId": YEN}))["fields"]) == {"priceId"}
    bob.post("/api/subscription/cancel", json={})
    ending = bob.get("/api/subscription/price-preview", params={"priceId": YEARLY})
    assert (ending.status_code, fault(ending)["code"]) == (409, "change_ending")
    assert offered(bob)[1] is False
