"""Moves of subscribers to a new price over HTTP, and what they see of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import Person, fault
from tests.product import Product
from tests.stub_payment.catalog import PRO
from tests.support.processes import wait_until

OLD, DAY_S = "price_old", 86_400
WISH = {"priceId": OLD, "newPriceId": PRO, "noticeDays": 30}


@pytest.fixture
def sold(product: Product, admin: Person) -> Iterator[None]:
    """Sell Pro at one price; afterwards nothing is chosen, and nobody is moved. Others move the bank's clock."""
    with product.bank.open() as state:
        state["clock"] = 0
    admin.post("/api/admin/stub-pay/product", json={"productId": "prod_pro", "priceId": PRO})
    yield
    with product.bank.open() as state:
        state["clock"] = 0
    product.sql("DELETE FROM price_move")
    product.sql("DELETE FROM setting WHERE setting_key = 'stub-pay_product_id'")


def loyal(product: Product, person: Person, **values: object) -> str:
    """Let somebody pay an old price that is renewed within the notice."""
    person.subscribe()
    (entry,) = product.bank.subscriptions(person.id)
    end = entry["period_end"] - 10 * DAY_S
    product.bank.change(entry["ref"], **({"price": OLD, "period_end": end} | values))
    assert person.post("/api/sync-subscription").status_code == 200
    return str(entry["ref"])


def shown(person: Person) -> Any:
    return person.get("/api/subscription").json()["subscription"]


def told_of(product: Product, person: Person) -> list[str]:
    rows = product.sql("SELECT kind FROM payment_email WHERE user_id = :id", id=person.id)
    return [row["kind"] for row in rows if row["kind"] == "price_changing"]


def move_of(admin: Person) -> Any:
    return admin.get("/api/admin/payments/price-moves").json()[0]


def test_a_subscriber_is_told_once_and_moved_with_the_renewal(
    product: Product, admin: Person, ada: Person, sold: None
) -> None:
    ref = loyal(product, ada)
    groups = admin.get("/api/admin/payments/subscriber-prices").json()["prices"]
    group = next(one for one in groups if one["priceId"] == OLD)
    assert (group["onSale"], group["amount"], group["subscribers"] >= 1) == (False, 900, True)
    assert group["targets"] == [{"priceId": PRO, "amount": 1900}]
    preview = admin.post("/api/admin/payments/price-moves/preview", json=WISH).json()
    assert (preview["oldAmount"], preview["newAmount"], preview["currency"]) == (900, 1900, "usd")
    begun = admin.post("/api/admin/payments/price-moves", json=WISH)
    assert (begun.status_code, begun.json()["state"]) == (201, "running"), begun.text
    again = admin.post("/api/admin/payments/price-moves", json=WISH)
    assert (again.status_code, fault(again)["code"]) == (409, "move_running")
    wait_until(lambda: shown(ada)["price_change"], "the news", 40)
    change = shown(ada)["price_change"]
    assert (change["old_amount"], change["new_amount"], change["is_next"]) == (900, 1900, False)
    product.bank.renew(ref)
    with product.bank.open() as state:
        state["clock"] = 48 * DAY_S
    ada.post("/api/sync-subscription")
    product.advance(60)
    wait_until(lambda: shown(ada)["price_change"]["is_next"], "the move", 60)
    assert told_of(product, ada) == ["price_changing"]
    assert shown(ada)["price"]["amount"] == 900 and product.bank.subscriptions(ada.id)[0]["price"] == PRO
    product.bank.renew(ref)
    ada.post("/api/sync-subscription")
    assert (shown(ada)["price"]["amount"], shown(ada)["price_change"]) == (1900, None)
    actions = [entry["action"] for entry in admin.get("/api/admin/audit", params={"limit": 20}).json()]
    assert "payment.move_subscribers" in actions


def test_a_move_can_be_stopped(product: Product, admin: Person, bob: Person, sold: None) -> None:
    loyal(product, bob)
    move = admin.post("/api/admin/payments/price-moves", json=WISH).json()
    wait_until(lambda: shown(bob)["price_change"], "the news", 40)
    stopped = admin.post(f"/api/admin/payments/price-moves/{move['id']}/stop").json()
    assert (stopped["state"], stopped["pending"]) == ("stopped", 0) and stopped["stopped"] >= 1
    assert shown(bob)["price_change"] is None
    assert move_of(admin)["state"] == "stopped"
    again = admin.post(f"/api/admin/payments/price-moves/{move['id']}/stop")
    assert (again.status_code, fault(again)["code"]) == (409, "move_ended")


def test_a_move_is_a_job_that_can_be_canceled(product: Product, admin: Person, bob: Person, sold: None) -> None:
    loyal(product, bob)
    move = admin.post("/api/admin/payments/price-moves", json=WISH).json()
    path = f"/api/admin/jobs/price_move-{move['id']}"
    job = admin.get(path).json()
    assert (job["state"], job["about"], job["canCancel"], job["canRetry"]) == ("running", PRO, True, False)
    assert 0 <= job["progress"] < 1
    assert admin.post(f"{path}/cancel").status_code == 204
    assert move_of(admin)["state"] == "stopped" and shown(bob)["price_change"] is None
    job = admin.get(path).json()
    assert (job["state"], job["progress"], job["canCancel"]) == ("canceled", 1, False)
    assert admin.post(f"{path}/cancel").status_code == 204, "done twice has the effect of once"


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"priceId", "newPriceId"}),
        (WISH | {"noticeDays": 6}, {"noticeDays"}),
        (WISH | {"noticeDays": 61}, {"noticeDays"}),
        (WISH | {"noticeDays": "soon", "priceId": 7}, {"noticeDays", "priceId"}),
        ({"priceId": PRO, "newPriceId": "price_nowhere"}, {"priceId", "newPriceId"}),
        (WISH | {"newPriceId": "price_year"}, {"newPriceId"}),
    ],
)
def test_all_that_is_wrong_is_said_at_once(admin: Person, sold: None, body: dict[str, Any], wrong: set[str]) -> None:
    for path in ("/api/admin/payments/price-moves", "/api/admin/payments/price-moves/preview"):
        answer = admin.post(path, json=body)
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == wrong, answer.text
