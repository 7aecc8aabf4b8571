"""Pro is sold through Paddle: the whole product, with a fake Paddle that sends webhooks."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kernel.core.text.languages import LANGUAGES
from kernel.spi.testing import Loopback
from plugins import paddle_payments
from tests.person import Person
from tests.product import PASSWORD, Product
from tests.running_product import RunningProduct
from tests.support.processes import wait_until
from tests.vendors.paddle_api import KEY, PDF, PUBLISHABLE, FakePaddle

INSTANCE = """
[[instances]]
id = "paddle-main"
kind = "payment"
provider = "paddle"
label = "Paddle"
settings = {{ api_key = "{key}", publishable = "{publishable}", base_url = "{url}" }}
"""
STATIC = Path(str(paddle_payments.__file__)).parent / "static"
LOCALES = Path(__file__).parents[2] / "web/public/locales"


@pytest.fixture(scope="module")
def paddle() -> FakePaddle:
    return FakePaddle()


@pytest.fixture(scope="module")
def product(paddle: FakePaddle) -> Iterator[Product]:
    with Loopback(paddle) as server:
        paddle.documents = server.url
        settings = INSTANCE.format(key=KEY, publishable=PUBLISHABLE, url=server.url)
        env = {"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": server.url.removeprefix("http://")}
        with closing(RunningProduct(settings=settings, env=env).start()) as product:
            admin = product.admin()
            assert admin.put("/api/admin/routes/payment", json={"instances": ["paddle-main"]}).status_code == 200
            answer = admin.post("/api/admin/instances/paddle-main/webhook")
            assert answer.status_code == 200, answer.text
            chosen = {"productId": paddle.books.product, "priceId": paddle.books.month}
            answer = admin.post("/api/admin/paddle/product", json=chosen)
            assert answer.status_code < 300, answer.text
            yield product


@pytest.fixture
def ada(product: Product) -> Person:
    return product.user()


def subscription(person: Person) -> dict[str, Any]:
    answer = person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    return answer.json()["subscription"] or {}


def begin(person: Person) -> str:
    answer = person.post("/api/create-subscription", json={})
    assert answer.status_code == 200, answer.text
    client = answer.json()["client"]
    assert (client["kind"], client["element"]) == ("script", "paddle-checkout")
    return str(client["data"]["transactionId"])


def rows(product: Product, person: Person) -> list[tuple[str, str]]:
    found = product.sql("SELECT ref, state FROM subscription WHERE user_id = :id ORDER BY id", id=person.id)
    return [(row["ref"], row["state"]) for row in found]


def test_what_was_started_becomes_a_subscription_in_one_row(product: Product, paddle: FakePaddle, ada: Person) -> None:
    started = begin(ada)
    assert begin(ada) == started, "one payment, however often the page is opened"
    assert rows(product, ada) == [(started, "incomplete")]
    paddle.books.pay(started, settled=False)
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": False}
    paddle.books.pay(started)
    created = next(event for event in reversed(paddle.books.events) if event["event_type"] == "subscription.created")
    assert paddle.deliver(created) == [200]
    wait_until(lambda: subscription(ada).get("status") == "active", "the webhook's effect", 20)
    (ref,) = [
        one["id"] for one in paddle.books.subscriptions.values() if one["customer_id"] == created["data"]["customer_id"]
    ]
    assert rows(product, ada) == [(ref, "active")]
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    assert ada.post("/api/create-subscription", json={}).status_code == 409


def test_somebody_cancels_and_comes_back(product: Product, paddle: FakePaddle, ada: Person) -> None:
    paddle.books.pay(begin(ada))
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    assert ada.post("/api/subscription/cancel", json={}).status_code < 300
    assert subscription(ada)["cancel_at"] is not None
    assert ada.post("/api/subscription/reactivate").status_code < 300
    assert subscription(ada)["cancel_at"] is None
    (invoice,) = ada.get("/api/subscription").json()["invoices"]
    document = ada.get(invoice["invoice_pdf"])
    assert (document.status_code, document.content) == (200, PDF)
    assert ada.post("/api/subscription/portal").json()["url"].startswith("https://customer-portal.paddle.com/")


def test_an_account_that_is_deleted_pays_no_more(product: Product, paddle: FakePaddle, ada: Person) -> None:
    started = begin(ada)
    paddle.books.pay(started)
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    customer = paddle.books.customers[paddle.books.transactions[started]["customer_id"]]
    body = {"confirm": ada.user["email"], "currentPassword": PASSWORD}
    assert ada.request("DELETE", "/api/account", json=body).status_code == 204
    wait_until(lambda: customer["status"] == "archived", "the customer is archived", 30)
    states = {one["status"] for one in paddle.books.subscriptions.values() if one["customer_id"] == customer["id"]}
    assert states == {"canceled"}


def test_the_element_speaks_every_language_in_the_words_of_the_pages(product: Product, ada: Person) -> None:
    begun = ada.post("/api/create-subscription", json={}).json()["client"]["url"]
    for language in LANGUAGES:
        said = json.loads((LOCALES / language / "translation.json").read_text())
        payments = said["payments"]
        served = product.visitor().get(f"{begun.rpartition('/')[0]}/words.{language}.json")
        assert served.json() == {
            "loading": said["common"]["loading"],
            "failed": payments["unloaded"],
            "retry": said["errors"]["retry"],
            "declined": payments["unknown"],
        }, language
    assert {path.name for path in STATIC.glob("words.*")} == {f"words.{language}.json" for language in LANGUAGES}
