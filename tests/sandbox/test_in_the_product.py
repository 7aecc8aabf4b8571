"""Pro is sold at the sandbox: the whole product as installed, with cards, clock, webhooks and documents."""

import io
import time
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest

from tests.person import Person
from tests.product import Product
from tests.running_product import RunningProduct
from tests.sandbox.bank import typed
from tests.support.processes import wait_until

INSTANCE = """
[[instances]]
id = "sandbox"
kind = "payment"
provider = "sandbox"
label = "Sandbox"
settings = {}
"""
GOOD, LATER = typed("succeeds").number, typed("fails_at_renewal").number


@pytest.fixture(scope="module")
def product() -> Iterator[RunningProduct]:
    """A product with its own port: the bank sends its webhooks there."""
    product = RunningProduct(settings=INSTANCE).start()
    answer = product.admin().put("/api/admin/routes/payment", json={"instances": ["sandbox"]})
    assert answer.status_code == 200, answer.text
    yield product
    product.close()


@pytest.fixture
def ada(product: Product) -> Person:
    return product.user()


def is_pro(person: Person) -> bool:
    return bool(person.get("/api/auth/user").json()["isPro"])


def shown(person: Person) -> dict[str, Any]:
    answer = person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def comes(person: Person, **expected: Any) -> None:
    """Wait until the account page shows it; only the kernel reads from the bank, after a webhook."""
    wait_until(lambda: expected.items() <= (shown(person)["subscription"] or {}).items(), f"{expected}", 30)


def days_pass(product: Product, days: int) -> None:
    answer = product.admin().post("/api/admin/sandbox/clock", json={"advanceDays": days})
    assert answer.status_code == 200, answer.text


def test_the_page_of_products_has_what_the_bank_sells(product: Product) -> None:
    (pro,) = product.admin().get("/api/admin/sandbox/products").json()
    assert [price["recurring"]["interval"] for price in pro["prices"]] == ["month", "year", "month", "month"]
    assert product.visitor().get("/api/admin/selected-price").json() == {
        "amount": 1900,
        "currency": "usd",
        "interval": "month",
    }


def test_another_card_is_taken_before_the_next_renewal(product: Product, ada: Person) -> None:
    assert ada.post("/api/subscription/card").status_code == 404, "nothing is paid yet"
    before = ada.subscribe(GOOD)["subscription"]
    assert before["card"]["last4"] == "4242" and before["card_changeable"]
    form = ada.post("/api/subscription/card").json()
    assert form["client"]["intent"] == "setup" and form["client"]["firstPayment"] == before["current_period_end"]
    card = {"number": LATER, "expiry": "05/41", "cvc": "123"}
    paid = {"clientSecret": form["clientSecret"], "card": card}
    assert product.user().post("/api/subscription/pay", json=paid).status_code == 404, "somebody else's"
    assert ada.post("/api/subscription/pay", json=paid).json()["status"] == "succeeded"
    after = shown(ada)
    assert after["subscription"]["current_period_end"] == before["current_period_end"]
    told = {"brand": "Visa", "last4": LATER[-4:], "exp_month": 5, "exp_year": 2041, "expires_first": False}
    assert after["subscription"]["card"] == told
    assert len(after["invoices"]) == 1, "nothing is charged"


def test_what_begins_with_a_trial_says_when_it_is_paid_first(product: Product, ada: Person) -> None:
    admin = product.admin()
    (pro,) = admin.get("/api/admin/sandbox/products").json()
    usual, trial = (
        next(price["id"] for price in pro["prices"] if price["recurring"]["trial_period_days"] == days)
        for days in (0, 14)
    )
    now = admin.get("/api/admin/sandbox/clock").json()["now"]
    path = "/api/admin/sandbox/product"
    assert admin.post(path, json={"productId": pro["id"], "priceId": trial}).status_code == 200
    client = ada.post("/api/create-subscription", json={}).json()["client"]
    assert admin.post(path, json={"productId": pro["id"], "priceId": usual}).status_code == 200
    assert client["intent"] == "setup"
    assert client["firstPayment"] == pytest.approx(now + 14 * 86_400, abs=60)
    client = ada.post("/api/create-subscription", json={}).json()["client"]
    assert client["intent"] == "payment" and "firstPayment" not in client


def test_somebody_is_declined_then_confirms_and_is_pro(ada: Person) -> None:
    begun = ada.post("/api/create-subscription", json={}).json()
    assert begun["provider"] == "sandbox" and begun["client"]["kind"] == "sandbox"
    assert {card["outcome"] for card in begun["client"]["cards"]} >= {"succeeds", "declined", "confirmation"}

    def pay(number: str, **fields: Any) -> dict[str, Any]:
        card = {"number": number, "expiry": "12/40", "cvc": "123"}
        body = {"clientSecret": begun["clientSecret"], "card": card} | fields
        answer: dict[str, Any] = ada.post("/api/subscription/pay", json=body).json()
        return answer

    declined = pay(typed("declined").number)
    assert (declined["status"], declined["message"]) == ("declined", "The card was declined.")
    assert shown(ada)["invoices"] == [], "what was not bought is not owed"
    asking = typed("confirmation").number
    assert pay(asking)["status"] == "requires_confirmation" and not is_pro(ada)
    assert pay(asking, confirmed=True)["status"] == "succeeded"
    assert is_pro(ada)


def test_a_month_passes_and_the_account_page_knows_by_itself(product: Product, ada: Person) -> None:
    assert ada.subscribe(GOOD)["subscription"]["status"] == "active"
    days_pass(product, 32)
    wait_until(lambda: len(shown(ada)["invoices"]) == 2, "the second invoice", 30)
    assert {bill["status"] for bill in shown(ada)["invoices"]} == {"paid"} and is_pro(ada)


def test_a_failed_renewal_asks_for_a_card_and_ends_in_the_free_plan(product: Product, ada: Person) -> None:
    ada.subscribe(LATER)
    days_pass(product, 32)
    comes(ada, status="past_due")
    assert shown(ada)["actionRequired"]
    assert [(bill["status"], bill["amount_due"]) for bill in shown(ada)["invoices"]] == [("open", 1900), ("paid", 0)]
    assert ada.get("/api/subscription/confirmation").json()["client"]["kind"] == "sandbox"
    days_pass(product, 6)
    wait_until(lambda: not is_pro(ada), "the free plan", 30)


def test_who_cancels_what_could_not_be_renewed_is_asked_for_no_more_money(product: Product, ada: Person) -> None:
    ada.subscribe(LATER)
    days_pass(product, 32)
    comes(ada, status="past_due")
    canceled = ada.post("/api/subscription/cancel").json()
    assert canceled["subscription"] is None and not canceled["actionRequired"]
    assert [bill["status"] for bill in canceled["invoices"]] == ["void", "paid"]
    assert not is_pro(ada)


def test_a_cancellation_holds_until_the_end_of_the_period(product: Product, ada: Person) -> None:
    ada.subscribe(GOOD)
    canceled = ada.post("/api/subscription/cancel").json()["subscription"]
    assert canceled["cancel_at"] == canceled["current_period_end"] > time.time()
    back = ada.post("/api/subscription/reactivate").json()["subscription"]
    assert back["cancel_at"] is None
    ada.post("/api/subscription/cancel")
    assert is_pro(ada)
    days_pass(product, 32)
    wait_until(lambda: not is_pro(ada), "the free plan", 30)


def test_an_invoice_is_a_document_of_its_owner_alone(product: Product, ada: Person) -> None:
    ada.subscribe(GOOD)
    (bill,) = shown(ada)["invoices"]
    answer = ada.get(bill["invoice_pdf"])
    assert answer.headers["content-type"] == "application/pdf"
    text = pypdf.PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert bill["number"] in text and "Total USD 19.00" in text
    assert product.user().get(bill["invoice_pdf"]).status_code == 404
    assert product.visitor().get(bill["invoice_pdf"]).status_code == 401


def test_the_bank_of_a_public_site_stays_closed(product: Product) -> None:
    checked = product.admin().post("/api/admin/instances/sandbox/check").json()
    assert checked["ok"], "this site is not public"
    public = RunningProduct(settings=INSTANCE, env={"COVERWRIGHT_PUBLIC_URL": "https://covers.example"})
    try:
        public.command("migrate")
        listed = public.command("instances", "list")
        told = listed.stdout + listed.stderr
    finally:
        public.close()
    line = next(line for line in told.splitlines() if "sandbox" in line)
    assert "needs_attention" in line or "needs attention" in line, told


def test_a_crash_loses_no_renewal(product: RunningProduct, ada: Person) -> None:
    ada.subscribe(GOOD)
    days_pass(product, 30)
    product.kill_everything()
    product.start()
    days_pass(product, 2)
    wait_until(lambda: len(shown(ada)["invoices"]) == 2, "the second invoice", 30)


def test_no_card_is_in_any_log(product: Product) -> None:
    log = product.log.read_text(errors="replace")
    for number in (GOOD, LATER, typed("confirmation").number):
        assert number not in log and number.replace(" ", "") not in log
    assert product.doctor() == ""
