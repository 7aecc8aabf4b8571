"""Payments over HTTP: what the browser and administrators get, and the effect of a vendor's webhook."""

import io
import json
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from kernel.billing.entitlement import DAY_S
from tests.conftest import Limits
from tests.person import GOOD_CARD, Person, fault
from tests.product import PASSWORD, Product
from tests.stub_payment.catalog import ONCE, YEARLY
from tests.stub_payment.provider import KEY
from tests.support.processes import wait_until

DECLINED, ASKS = "4000000000000002", "4000000000000003"


def card(number: str = GOOD_CARD) -> dict[str, str]:
    return {"number": number, "expiry": "12/40", "cvc": "123"}


def is_pro(person: Person) -> bool:
    return bool(person.get("/api/auth/user").json()["isPro"])


def hear(product: Product, topic: str, ref: str, *, event_id: str | None = None, key: str = KEY) -> httpx.Response:
    body = json.dumps([[event_id or uuid4().hex, topic, ref]]).encode()
    return product.visitor(**{"x-stub-key": key}).post("/api/webhooks/payment/bank", content=body)


@pytest.fixture
def chosen(product: Product) -> Iterator[None]:
    """Restore the choice of the price afterwards."""
    yield
    product.sql("DELETE FROM setting WHERE setting_key = 'stub-pay_product_id'")


def test_buying_pro_from_the_first_click_to_the_crown(ada: Person) -> None:
    assert ada.get("/api/subscription").json() == {
        "subscription": None,
        "invoices": [],
        "portal": False,
        "actionRequired": False,
    }
    begun = ada.post("/api/create-subscription", json={})
    secret = begun.json()["clientSecret"]
    assert begun.status_code == 200
    assert begun.json() == {
        "clientSecret": secret,
        "provider": "stub-pay",
        "client": {"kind": "sandbox", "clientSecret": secret, "intent": "payment", "cards": []},
    }
    assert ada.get("/api/subscription/confirmation").json() == begun.json()
    assert ada.get("/api/subscription").json()["actionRequired"]
    assert not is_pro(ada)
    paid = ada.post("/api/subscription/pay", json={"clientSecret": secret, "card": card()})
    assert paid.json() == {"status": "succeeded"}
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    shown = ada.get("/api/subscription").json()
    subscription = shown["subscription"]
    assert subscription == {
        "status": "active",
        "canceled_at": None,
        "cancel_at": None,
        "current_period_end": subscription["current_period_end"],
        "grace_until": None,
        "price": {"amount": 1900, "currency": "usd", "interval": "month"},
        "card": None,
        "card_changeable": False,
        "price_change": None,
        "promotion_code": None,
        "next_amount": None,
        "paused_until": None,
        "pausable": True,
    }
    (invoice,) = shown["invoices"]
    assert set(invoice) == {
        *("id", "number", "status", "amount_paid", "amount_due", "currency", "created", "invoice_pdf", "total"),
        *("tax", "due_at", "refunded", "refunded_at"),
    }
    assert (invoice["amount_paid"], invoice["currency"], invoice["status"]) == (1900, "usd", "paid")
    user = ada.get("/api/auth/user").json()
    assert user["isPro"] and user["paymentCustomerId"]
    assert (user["subscription"], user["invoices"]) == (subscription, shown["invoices"])


def test_a_document_is_private(ada: Person, bob: Person) -> None:
    (invoice,) = ada.subscribe()["invoices"]
    answer = ada.get(invoice["invoice_pdf"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF-") and "no-store" in answer.headers["cache-control"]
    assert f"CW-{invoice['id']}.pdf" in answer.headers["content-disposition"]
    assert bob.get(invoice["invoice_pdf"]).status_code == 404
    assert ada.get("/api/subscription/invoices/in_nowhere/pdf").status_code == 404


def test_a_declined_card_and_one_that_asks(ada: Person) -> None:
    secret = ada.post("/api/create-subscription", json={}).json()["clientSecret"]
    pay = {"clientSecret": secret, "card": card(DECLINED)}
    assert ada.post("/api/subscription/pay", json=pay).json() == {
        "status": "declined",
        "code": "declined",
        "message": "The card was declined.",
    }
    pay["card"] = card(ASKS)
    assert ada.post("/api/subscription/pay", json=pay).json() == {"status": "requires_confirmation"}
    assert not is_pro(ada)
    assert ada.post("/api/subscription/pay", json=pay | {"confirmed": True}).json() == {"status": "succeeded"}
    assert is_pro(ada)


def test_a_card_is_in_no_log(product: Product, ada: Person) -> None:
    ada.subscribe("4000001234567891")
    assert "4000001234567891" not in product.log.read_text(errors="replace")
    assert not product.sql("SELECT key FROM payment_operation WHERE CAST(request AS TEXT) LIKE '%1234567891%'")


def test_a_second_subscription_is_refused_in_the_specified_words(ada: Person) -> None:
    ada.subscribe()
    answer = ada.post("/api/create-subscription", json={})
    assert answer.status_code == 409
    error = fault(answer)
    assert error["code"] == "already_subscribed" and "already has an active subscription" in error["message"]


def test_eight_clicks_at_once_make_one_subscription(product: Product, ada: Person) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ada.post("/api/create-subscription", json={}), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["clientSecret"] for answer in answers}) == 1
    assert len(product.bank.customers(ada.id)) == 1
    assert len(product.bank.subscriptions(ada.id, ended=True)) == 1


def test_cancelling_and_coming_back(ada: Person) -> None:
    ends = ada.subscribe()["subscription"]["current_period_end"]
    cancelled = ada.post("/api/subscription/cancel", json={}).json()
    assert cancelled["subscription"]["cancel_at"] == ends and cancelled["subscription"]["canceled_at"]
    assert cancelled["subscription"]["status"] == "active" and is_pro(ada)
    back = ada.post("/api/subscription/reactivate", json={}).json()
    assert back["subscription"]["cancel_at"] is None
    assert back == ada.get("/api/subscription").json()


def test_a_failure_of_the_provider_is_one_clear_sentence(product: Product, ada: Person) -> None:
    for mode in ("down", "broken", "limited", "reset", "lost", "failed", "auth_failed"):
        product.bank.does(f"start_subscription={mode}")
        answer = ada.post("/api/create-subscription", json={})
        error = fault(answer)
        assert (answer.status_code, error["code"]) in ((503, "payments_unavailable"), (200, "")), answer.text
        assert error["message"] == "Payments cannot be handled just now. Please try again in a moment."
        assert int(answer.headers["retry-after"]) > 0 and "sk_live" not in answer.text
        if mode in ("lost", "failed"):
            break
    product.bank.does()
    assert ada.post("/api/create-subscription", json={}).status_code == 200
    assert len(product.bank.subscriptions(ada.id, ended=True)) == 1


def test_a_decline_at_the_start_is_402(product: Product, ada: Person) -> None:
    product.bank.does("start_subscription=declined")
    answer = ada.post("/api/create-subscription", json={})
    assert (answer.status_code, fault(answer)["code"]) == (402, "payment_declined")
    assert "secret reason" not in answer.text


def test_a_page_view_waits_for_no_provider(product: Product, ada: Person) -> None:
    ada.subscribe()
    product.bank.does("hold*")
    (product.bank.folder / "release").unlink(missing_ok=True)
    assert ada.get("/api/subscription").json()["subscription"]["status"] == "active"
    assert is_pro(ada)
    assert ada.get("/api/admin/selected-price").status_code == 200


def test_the_truth_comes_by_webhook_however_often(product: Product, ada: Person) -> None:
    ada.subscribe()
    (entry,) = product.bank.subscriptions(ada.id)
    product.bank.change(entry["ref"], state="past_due")
    event_id = uuid4().hex
    with ThreadPoolExecutor(10) as pool:
        calls = [pool.submit(hear, product, "subscription_changed", entry["ref"], event_id=event_id) for _ in range(10)]
    assert sorted(call.result().json()["received"] for call in calls) == [0] * 9 + [1]

    def shown() -> dict[str, Any] | None:
        found: dict[str, Any] | None = ada.get("/api/subscription").json()["subscription"]
        return found

    wait_until(lambda: (shown() or {}).get("status") == "past_due", "the failed renewal", 20)
    state = shown()
    assert state is not None and abs(state["grace_until"] - product.now().timestamp() - 7 * DAY_S) < 120
    assert ada.get("/api/subscription").json()["actionRequired"] and is_pro(ada)
    product.bank.change(entry["ref"], state="canceled", ended_at=1)
    assert hear(product, "customer_deleted", entry["customer"]).status_code == 200
    wait_until(lambda: not is_pro(ada), "the end of Pro", 20)


def test_nobody_else_can_announce_events(product: Product) -> None:
    answer = hear(product, "subscription_changed", "sub_1", key="guessed")
    assert (answer.status_code, fault(answer)["code"]) == (400, "webhook_rejected")


def test_grace_ends_after_seven_days(product: Product, ada: Person) -> None:
    ada.subscribe()
    (entry,) = product.bank.subscriptions(ada.id)
    product.bank.change(entry["ref"], state="past_due")
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    assert is_pro(ada)
    product.sql(
        "UPDATE subscription SET past_due_since = past_due_since - :days WHERE user_id = :id", days=7 * DAY_S, id=ada.id
    )
    assert not is_pro(ada)


def test_who_pays_may_make_what_pro_may(ada: Person, bob: Person, limits: Limits) -> None:
    limits(free=0, pro=1)
    ada.subscribe()
    assert ada.start().status_code == 202
    assert bob.start().status_code == 402
    refused = ada.start()
    assert refused.status_code == 402 and "monthly limit of 1" in fault(refused)["message"]


def test_the_billing_portal_opens_for_customers_only(ada: Person, bob: Person) -> None:
    ada.subscribe()
    assert ada.get("/api/subscription").json()["portal"]
    assert ada.post("/api/subscription/portal", json={}).json()["url"].startswith("https://bank.example/")
    assert bob.post("/api/subscription/portal", json={}).status_code == 404


@pytest.mark.usefixtures("chosen")
def test_an_administrator_chooses_what_pro_costs(product: Product, ada: Person, admin: Person) -> None:
    products = {entry["id"]: entry for entry in admin.get("/api/admin/stub-pay/products").json()}
    assert products["prod_pro"]["name"] == "Pro" and not products["prod_old"]["active"]
    prices = {entry["id"]: entry for entry in products["prod_pro"]["prices"]}
    assert prices[YEARLY] == {
        "id": YEARLY,
        "type": "recurring",
        "unit_amount": 19_000,
        "currency": "usd",
        "recurring": {"interval": "year", "interval_count": 1, "trial_period_days": 0},
    }
    assert prices[ONCE]["type"] == "one_time" and prices[ONCE]["recurring"] is None
    assert ada.get("/api/admin/selected-price").json() == {"amount": 1900, "currency": "usd", "interval": "month"}
    path = "/api/admin/stub-pay/product"
    for body in ({}, {"productId": "prod_pro"}, {"productId": "", "priceId": YEARLY}, {"productId": None}):
        answer = admin.post(path, json=body)
        assert answer.status_code == 422
        assert fault(answer)["message"] == "Please select both a product and a price"
    assert admin.post(path, json={"productId": "prod_pro", "priceId": ONCE}).status_code == 422
    saved = admin.post(path, json={"productId": "prod_pro", "priceId": YEARLY})
    assert saved.json() == {"productId": "prod_pro", "priceId": YEARLY, "otherPriceIds": []}
    assert ada.get("/api/admin/selected-price").json() == {"amount": 19_000, "currency": "usd", "interval": "year"}
    (row,) = product.sql("SELECT * FROM setting WHERE setting_key = 'stub-pay_product_id'")
    stored = row["default_values"]
    assert row["prompt_template"] == "prod_pro"
    assert (json.loads(stored) if isinstance(stored, str) else stored) == {"priceId": YEARLY}
    assert ada.subscribe()["subscription"]["price"]["interval"] == "year"
    overview = admin.get("/api/admin/payments/overview").json()
    assert (
        overview["provider"] == "stub-pay"
        and overview["live"] is overview["sendsReceipts"] is False
        and overview["priceId"] == YEARLY
    )
    assert 1 <= overview["customers"] <= overview["users"] and 1 <= overview["pro"] <= overview["users"]


@pytest.mark.parametrize("path", ["stripe/products", "bank/products", "stripe/clock", "backfill-stripe-customers", "x"])
def test_only_the_active_provider_has_a_page(admin: Person, path: str) -> None:
    assert admin.get(f"/api/admin/{path}").status_code == 404
    body = {"productId": "prod_pro", "priceId": YEARLY} if "products" in path else {"advanceDays": 1}
    assert admin.post(f"/api/admin/{path.replace('products', 'product')}", json=body).status_code == 404


def test_the_clock_of_a_test_bank_can_be_moved(admin: Person) -> None:
    before = admin.get("/api/admin/stub-pay/clock").json()["now"]
    moved = admin.post("/api/admin/stub-pay/clock", json={"advanceDays": 31}).json()["now"]
    assert 31 * DAY_S <= moved - before < 31 * DAY_S + 60
    for days in (0, -1, 367, "x", None):
        assert admin.post("/api/admin/stub-pay/clock", json={"advanceDays": days}).status_code == 422


def test_everybody_can_be_made_a_customer(
    product: Product, ada: Person, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.billing.customers.backfill.PER_SECOND", 1000)  # the users of all other tests are there

    def again() -> bool:
        body: dict[str, Any] = admin.post("/api/admin/backfill-stub-pay-customers", json={}).json()
        assert set(body) == {"summary", "running"} and set(body["summary"]) == {"processed", "errors"}
        return not body["running"]

    wait_until(again, "the end of the backfill", 90)
    assert admin.get("/api/admin/backfill-stub-pay-customers").json()["running"] is False
    assert len(product.bank.customers(ada.id)) == 1
    assert ada.get("/api/auth/user").json()["paymentCustomerId"] == product.bank.customers(ada.id)[0]


def test_a_provider_with_customers_cannot_be_deleted(ada: Person, admin: Person) -> None:
    ada.subscribe()
    assert admin.delete("/api/admin/instances/bank").status_code == 409
    (shown,) = (entry for entry in admin.get("/api/admin/instances").json() if entry["id"] == "bank")
    assert shown["inUseWhat"] == "subscriptions" and shown["inUse"] >= 1


def test_every_invariant_holds(shared_product: Product) -> None:
    shared_product.user().subscribe()
    assert shared_product.doctor() == ""


def test_who_deletes_the_account_pays_no_more(product: Product) -> None:
    reader = product.user()
    reader.subscribe()
    ref = product.bank.subscriptions(reader.id)[0]["ref"]
    product.bank.does("delete_customer=down")
    body = {"currentPassword": PASSWORD, "confirm": reader.user["email"]}
    assert reader.request("DELETE", "/api/account", json=body).status_code == 204

    def removed() -> bool:
        product.advance(10)  # the time until the next try
        return not product.bank.customers(reader.id)

    wait_until(removed, "the end of the customer", 40)
    with product.bank.open() as state:
        assert state["subscriptions"][ref]["state"] == "canceled"
    assert len(product.bank.calls("delete_customer")) >= 2
    wait_until(lambda: not product.sql("SELECT id FROM payment_removal"), "the end of the removal", 20)
    assert product.sql("SELECT id FROM billing_customer WHERE user_id = :id", id=reader.id) == []


def test_an_export_tells_of_what_was_bought(ada: Person) -> None:
    (invoice,) = ada.subscribe()["invoices"]
    archive = zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content))
    (subscription,) = json.loads(archive.read("subscriptions.json"))
    (kept,) = json.loads(archive.read("invoices.json"))
    assert subscription["state"] == "active" and subscription["price"] == "price_pro"
    assert (kept["ref"], kept["paid"], kept["currency"]) == (invoice["id"], 1900, "usd")
