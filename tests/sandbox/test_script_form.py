"""The sandbox in script form: its checkout is an element of the plugin's, paid by the call of the kernel's own form."""

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel.core.text.languages import LANGUAGES
from plugins import sandbox_payments
from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.sandbox.bank import typed
from tests.support.databases import BACKENDS, Databases

INSTANCE = """
[[instances]]
id = "sandbox"
kind = "payment"
provider = "sandbox"
label = "Sandbox"
settings = { form = "script" }
"""
STATIC = Path(str(sandbox_payments.__file__)).parent / "static"
LOCALES = Path(__file__).parents[2] / "web/public/locales"


@pytest.fixture(scope="module", params=BACKENDS)
def product(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Product]:
    product = LocalProduct(databases, request.param, settings=INSTANCE).start()
    answer = product.admin().put("/api/admin/routes/payment", json={"instances": ["sandbox"]})
    assert answer.status_code == 200, answer.text
    yield product
    product.close()


@pytest.fixture
def ada(product: Product) -> Person:
    return product.user()


def pay(person: Person, secret: str, outcome: Any, **fields: Any) -> str:
    card = {"number": typed(outcome).number, "expiry": "12/40", "cvc": "123"}
    answer = person.post("/api/subscription/pay", json={"clientSecret": secret, "card": card} | fields)
    return str(answer.json().get("status", answer.status_code))


def test_somebody_is_declined_then_confirms_and_is_pro(product: Product, ada: Person) -> None:
    begun = ada.post("/api/create-subscription", json={}).json()
    client, secret = begun["client"], begun["clientSecret"]
    assert (client["kind"], client["element"], client["clientSecret"]) == ("script", "sandbox-checkout", secret)
    assert {"outcome": "declined", "number": "4000000000000002"} in json.loads(client["data"]["cards"])
    module = product.visitor().get(client["url"])
    digest = base64.b64encode(hashlib.sha384(module.content).digest()).decode()
    assert client["integrity"] == f"sha384-{digest}", "of what is served"
    assert pay(product.user(), secret, "succeeds") == "404", "somebody else's"
    assert pay(ada, secret, "declined") == "declined"
    assert pay(ada, secret, "confirmation") == "requires_confirmation"
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": False}
    assert pay(ada, secret, "confirmation", confirmed=True) == "succeeded"
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": True}
    assert pay(ada, secret, "succeeds") == "404", "nothing is open any more"


def test_another_card_is_taken_in_the_same_element(ada: Person) -> None:
    before = ada.subscribe(typed("succeeds").number)["subscription"]
    form = ada.post("/api/subscription/card").json()
    assert (form["client"]["kind"], form["client"]["intent"]) == ("script", "setup")
    assert form["client"]["firstPayment"] == before["current_period_end"]
    assert pay(ada, form["clientSecret"], "declined") == "declined"
    assert pay(ada, form["clientSecret"], "fails_at_renewal") == "succeeded"
    after = ada.get("/api/subscription").json()["subscription"]
    assert after["card"]["last4"] == typed("fails_at_renewal").number[-4:]
    assert after["current_period_end"] == before["current_period_end"]


def test_the_element_speaks_every_language_in_the_words_of_the_built_in_form(product: Product, ada: Person) -> None:
    url = ada.post("/api/create-subscription", json={}).json()["client"]["url"]
    for language in LANGUAGES:
        said = json.loads((LOCALES / language / "translation.json").read_text())["payments"]
        served = product.visitor().get(f"{url.rpartition('/')[0]}/words.{language}.json")
        assert served.headers["content-type"].startswith("application/json")
        assert served.json() == said["sandbox"] | {"paying": said["paying"], "unknown": said["unknown"]}, language
    assert {path.name for path in STATIC.glob("words.*")} == {f"words.{language}.json" for language in LANGUAGES}
