"""A vendor whose checkout is a script: what the browser is told, what it is served, and what its pages may load."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local_product import LocalProduct
from tests.person import Person, fault
from tests.product import Product
from tests.support.databases import BACKENDS, Databases

INSTANCE = """
[[instances]]
id = "{id}"
kind = "payment"
provider = "stub-pay"
label = "{id}"
settings = {{ control = {control}, script = "{script}" }}
"""


@pytest.fixture(scope="module", params=BACKENDS)
def product(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    """A product that sells through a script, or through one whose plugin does not have it."""
    control = json.dumps(str(tmp_path_factory.mktemp("vendor")))
    settings = "".join(
        INSTANCE.format(id=name, control=control, script=script)
        for name, script in (("till", "checkout.js"), ("torn", "elsewhere.js"))
    )
    product = LocalProduct(databases, request.param, settings=settings).start()
    yield product
    product.close()


def sells(product: Product, instance: str) -> None:
    answer = product.admin().put("/api/admin/routes/payment", json={"instances": [instance]})
    assert answer.status_code == 200, answer.text


@pytest.fixture
def ada(product: Product) -> Person:
    sells(product, "till")
    return product.user()


def test_the_browser_is_told_where_the_script_is_and_what_it_must_be(product: Product, ada: Person) -> None:
    begun = ada.post("/api/create-subscription", json={}).json()
    client = begun["client"]
    assert begun["clientSecret"] is None and begun["provider"] == "stub-pay"
    assert (client["kind"], client["element"], client["intent"]) == ("script", "stub-pay-checkout", "payment")
    assert client["data"] == {"session": product_ref(ada)}
    assert client["url"].startswith("/plugins/stub_payment/static/") and client["integrity"].startswith("sha384-")
    assert ada.get("/api/subscription/confirmation").json() == begun, "the same again after a reload"
    assert ada.get("/api/capabilities").json()["payment"]["client"] == "script"


def product_ref(person: Person) -> str:
    """Return what the vendor calls the open subscription: the session of the stub."""
    data: dict[str, str] = person.get("/api/subscription/confirmation").json()["client"]["data"]
    return data["session"]


def test_only_the_documents_where_people_pay_may_load_what_the_script_needs(product: Product, ada: Person) -> None:
    for path in ("/subscribe", "/account", "/de/subscribe"):
        headers = ada.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self' https://cdn.stub.example;" in policy
        assert "style-src 'self' https://cdn.stub.example;" in policy
        assert "frame-src 'self' https://pay.stub.example;" in policy
        assert "connect-src 'self' https://api.stub.example;" in policy, "and nothing without https"
        assert headers["cross-origin-opener-policy"] == "same-origin-allow-popups"
    for path in ("/", "/gallery", "/api/capabilities"):
        headers = ada.get(path).headers
        assert "stub.example" not in headers["content-security-policy"] + headers["permissions-policy"]
        assert headers["cross-origin-opener-policy"] == "same-origin"


def test_a_script_that_its_plugin_does_not_have_is_not_sold_with(product: Product, ada: Person) -> None:
    sells(product, "torn")
    refused = ada.post("/api/create-subscription", json={})
    assert (refused.status_code, fault(refused)["code"]) == (503, "payments_unavailable")
    told = product.log.read_text()
    assert "the module `elsewhere.js` is no .js among the packaged files: checkout.js" in told


def test_a_call_with_a_card_pays_nothing_where_the_vendor_has_its_own_form(ada: Person) -> None:
    ada.post("/api/create-subscription", json={})
    card = {"number": "4242424242424242", "expiry": "12/40", "cvc": "123"}
    for secret in (product_ref(ada), "", f"{product_ref(ada)}_secret"):
        answer = ada.post("/api/subscription/pay", json={"clientSecret": secret, "card": card})
        assert answer.status_code in (404, 422), secret
    assert ada.post("/api/sync-subscription", json={}).json() == {"isPro": False}


def test_the_files_of_a_plugin_are_served_and_no_others(product: Product, ada: Person) -> None:
    url = ada.post("/api/create-subscription", json={}).json()["client"]["url"]
    folder = url.rpartition("/")[0]
    stranger = product.visitor()
    served = stranger.get(url)
    assert served.status_code == 200
    assert served.headers["content-type"] == "text/javascript; charset=utf-8"
    assert served.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert served.headers["x-content-type-options"] == "nosniff"
    assert served.text == (Path(__file__).parents[1] / "stub_payment/static/checkout.js").read_text()
    assert stranger.get(url, headers={"if-none-match": served.headers["etag"]}).status_code == 304
    assert stranger.request("HEAD", url).content == b""
    for path in (
        f"{folder}/provider.py",
        f"{folder}/../provider.py",
        f"{folder}/..%2fprovider.py",
        f"{folder}/%2e%2e%2fprovider.py",
        f"{folder}/",
        "/plugins/stub_payment/static/0123456789abcdef01234567/checkout.js",
        "/plugins/stripe_payments/static/0123456789abcdef01234567/checkout.js",
        url.replace("stub_payment", "sandbox_payments"),
        f"{url}%00",
    ):
        assert stranger.get(path).status_code == 404, path
    assert stranger.post(url).status_code in (404, 405)
