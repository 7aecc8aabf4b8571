"""Pro is sold through Stripe: the whole product, with a fake Stripe that sends webhooks."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from kernel.spi.testing import Loopback
from tests.person import Person, fault
from tests.product import Product
from tests.running_product import RunningProduct
from tests.support.processes import wait_until
from tests.vendors.stripe_api import BROKEN, DOWN, KEY, LIMITED, PUBLISHABLE, FakeStripe

INSTANCE = """
[[instances]]
id = "stripe-main"
kind = "payment"
provider = "stripe"
label = "Stripe"
settings = {{ secret_key = "{key}", publishable = "{publishable}", api_url = "{url}" }}

[[instances]]
id = "stripe-locked"
kind = "payment"
provider = "stripe"
label = "Stripe with a secret of the operator's"
settings = {{ secret_key = "{key}", publishable = "{publishable}", api_url = "{url}" }}
"""


@pytest.fixture(scope="module")
def stripe() -> FakeStripe:
    return FakeStripe()


@pytest.fixture(scope="module")
def product(stripe: FakeStripe) -> Iterator[Product]:
    with Loopback(stripe) as server:
        settings = INSTANCE.format(key=KEY, publishable=PUBLISHABLE, url=server.url)
        env = {
            "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": server.url.removeprefix("http://"),
            "COVERWRIGHT_INSTANCE_STRIPE_LOCKED_WEBHOOK_SECRET": "whsec_operator",
        }
        product = RunningProduct(settings=settings, env=env).start()
        admin = product.admin()
        assert admin.put("/api/admin/routes/payment", json={"instances": ["stripe-main"]}).status_code == 200
        answer = admin.post("/api/admin/instances/stripe-main/webhook")
        assert answer.status_code == 200, answer.text
        price = next(iter(stripe.books.prices.values()))
        chosen = {"productId": price["product"], "priceId": price["id"]}
        assert admin.post("/api/admin/stripe/product", json=chosen).status_code < 300
        yield product
        product.close()


@pytest.fixture
def ada(product: Product) -> Person:
    return product.user()


def subscription(person: Person) -> dict[str, Any]:
    answer = person.get("/api/subscription")
    assert answer.status_code == 200, answer.text
    return answer.json()["subscription"] or {}


def news(stripe: FakeStripe, person: Person, expected: dict[str, Any]) -> None:
    """Send the latest event and wait for its effect."""
    assert stripe.deliver(stripe.books.events[-1]) == [200]
    wait_until(lambda: expected.items() <= subscription(person).items(), f"{expected}", 20)


def test_a_click_sets_the_webhook_up_and_keeps_its_secret(product: Product, stripe: FakeStripe) -> None:
    admin = product.admin()
    instance = admin.get("/api/admin/instances/stripe-main").json()
    (endpoint,) = stripe.books.endpoints.values()
    assert endpoint["url"] == instance["webhookUrl"]
    assert endpoint["url"].endswith("/api/webhooks/payment/stripe-main")
    assert instance["secrets"]["webhook_secret"]["set"]
    assert f"whsec_{endpoint['id']}" not in json.dumps(instance)
    report = admin.post("/api/admin/instances/stripe-main/check").json()
    assert report["ok"], report
    assert {"ok"} == {step["status"] for step in report["steps"] if step["name"] == "webhook"}
    again = admin.post("/api/admin/instances/stripe-main/webhook")
    assert again.status_code == 200
    (replaced,) = stripe.books.endpoints.values()
    assert replaced["id"] != endpoint["id"]


def test_what_stripe_refuses_is_told_and_changes_nothing(product: Product, stripe: FakeStripe) -> None:
    admin, before = product.admin(), dict(stripe.books.endpoints)
    stripe.trouble.append(
        ("POST", "/v1/webhook_endpoints", httpx.Response(400, json={"error": {"message": "Not here"}}))
    )
    answer = admin.post("/api/admin/instances/stripe-main/webhook")
    assert (answer.status_code, fault(answer)["code"]) == (409, "webhook_refused")
    stripe.trouble.append(("POST", "/v1/webhook_endpoints", "reset"))
    assert admin.post("/api/admin/instances/stripe-main/webhook").status_code == 503
    assert stripe.books.endpoints == before
    answer = admin.post("/api/admin/instances/stripe-locked/webhook")
    assert (answer.status_code, list(fault(answer)["fields"])) == (422, ["webhook_secret"])
    assert stripe.books.endpoints == before
    answer = admin.post("/api/admin/instances/outbox/webhook")
    assert (answer.status_code, fault(answer)["code"]) == (409, "no_webhook_setup")


@pytest.mark.parametrize("screen", ["/subscribe", "/ar/subscribe", "/account", "/account/"])
def test_pages_where_people_pay_may_load_stripes_form(product: Product, screen: str) -> None:
    headers = product.visitor().get(screen).headers
    assert "https://js.stripe.com" in headers["content-security-policy"]
    assert "https://js.stripe.com" in headers["permissions-policy"]


@pytest.mark.parametrize("screen", ["/", "/gallery", "/admin/stripe", "/subscribe/nobody", "/api/plan-limits"])
def test_other_pages_may_not_load_the_vendors_script(product: Product, screen: str) -> None:
    headers = product.visitor().get(screen).headers
    assert "stripe" not in headers["content-security-policy"] + headers["permissions-policy"]


def emails(product: Product, person: Person, count: int) -> list[str]:
    """Return the subjects of the emails that somebody got about money, oldest first, once there are so many."""
    listing, about = "/api/admin/instances/outbox/messages?limit=100", ("payment", "subscription", "receipt")

    def got() -> list[str]:
        kept = product.admin().get(listing).json()
        mine = [entry["subject"] for entry in reversed(kept) if entry["to"] == person.user["email"]]
        return [subject for subject in mine if any(word in subject for word in about)]

    wait_until(lambda: len(got()) >= count, f"{count} emails", 20)
    return got()


def test_somebody_subscribes_pays_and_is_pro(product: Product, stripe: FakeStripe, ada: Person) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: ada.post("/api/create-subscription", json={}), range(8)))
    good = [answer.json() for answer in answers if answer.status_code == 200]
    assert good, [answer.text for answer in answers]
    secrets = {entry["clientSecret"] for entry in good}
    assert len(secrets) == 1 and {answer.status_code for answer in answers} <= {200, 409, 429}
    started = good[0]
    assert (started["provider"], started["publishableKey"]) == ("stripe", PUBLISHABLE)
    assert started["client"]["kind"] == "elements"
    (mine,) = [entry for entry in stripe.books.subscriptions.values() if of(entry, ada)]
    stripe.books.pay(started["clientSecret"])
    news(stripe, ada, {"status": "active"})
    assert ada.get("/api/auth/user").json()["isPro"]
    refused = ada.post("/api/create-subscription", json={})
    assert refused.status_code == 409 and "already has an active subscription" in fault(refused)["message"]
    invoices = ada.get("/api/subscription").json()["invoices"]
    assert [(entry["amount_paid"], entry["status"]) for entry in invoices] == [(999, "paid")]
    assert invoices[0]["invoice_pdf"].startswith("https://pay.stripe.com/")

    stripe.books.cancel_in_portal(mine["id"])
    news(stripe, ada, {"cancel_at": mine["items"][0]["current_period_end"]})
    assert emails(product, ada, 1) == ["Your subscription was cancelled"], "receipts are Stripe's"
    assert ada.post("/api/subscription/reactivate").status_code == 200
    assert subscription(ada)["cancel_at"] is None and mine["cancel_at"] is None

    stripe.books.renew(mine["id"], paid=False)
    news(stripe, ada, {"status": "past_due"})
    emails(product, ada, 2)
    due = ada.get("/api/subscription/confirmation").json()
    assert due["clientSecret"] and due["clientSecret"] != started["clientSecret"]
    stripe.books.pay(due["clientSecret"])
    assert ada.post("/api/sync-subscription").json()["isPro"]
    assert subscription(ada)["status"] == "active"

    stripe.books.renew(mine["id"], paid=False, asks=True)
    events = stripe.books.events[-2:]
    for event in [*events, *reversed(events)] * 2:
        assert stripe.deliver(event) == [200]
    emails(product, ada, 3)
    stripe.books.end(mine["id"])
    news(stripe, ada, {})
    wait_until(lambda: subscription(ada) == {}, "the end", 20)
    assert emails(product, ada, 4) == [
        "Your subscription was cancelled",
        "Your payment failed",
        "Please confirm your payment",
        "Your subscription has ended",
    ]
    assert product.doctor() == ""


@pytest.mark.parametrize("path", ["/v1/customers", "/v1/subscriptions"])
@pytest.mark.parametrize("what", [BROKEN, DOWN, LIMITED, "reset", "lost", "stored", "done"], ids=str)
def test_after_any_trouble_the_next_click_subscribes_once(
    stripe: FakeStripe, ada: Person, what: Any, path: str
) -> None:
    stripe.trouble.append(("POST", path, what))
    first = ada.post("/api/create-subscription", json={})
    if (what, path) != ("done", "/v1/customers"):  # this one can be looked up at Stripe at once
        assert first.status_code in (429, 503), first.text
        assert "req_" not in fault(first)["message"], "a sentence, not what Stripe said"
    second = ada.post("/api/create-subscription", json={})
    assert second.status_code == 200, second.text
    assert second.json()["clientSecret"]
    mine = [entry for entry in stripe.books.subscriptions.values() if of(entry, ada)]
    assert [entry["status"] for entry in mine] == ["incomplete"]
    assert [entry["email"] for entry in stripe.books.customers.values()].count(ada.user["email"]) == 1
    assert ada.post("/api/create-subscription", json={}).json()["clientSecret"] == second.json()["clientSecret"]


def of(thing: dict[str, Any], person: Person) -> bool:
    """Return whether a subscription at Stripe belongs to this user."""
    return bool(thing["metadata"].get("coverwright_user") == str(person.id))


def test_however_events_come_in_stripes_truth_is_what_counts(stripe: FakeStripe, ada: Person) -> None:
    started = ada.post("/api/create-subscription", json={}).json()
    first = len(stripe.books.events)
    stripe.books.pay(started["clientSecret"])
    (mine,) = [entry for entry in stripe.books.subscriptions.values() if of(entry, ada)]
    stripe.books.renew(mine["id"], paid=False)
    stripe.books.renew(mine["id"], paid=True)
    stripe.books.cancel_in_portal(mine["id"])
    lost, *heard = stripe.books.events[first:]
    assert lost["type"] == "invoice.paid"
    reversed_and_ten_times = [event for event in reversed(heard) for _ in range(10)]
    with ThreadPoolExecutor(10) as threads:
        assert list(threads.map(stripe.deliver, reversed_and_ten_times)) == [[200]] * len(reversed_and_ten_times)
    ends = mine["items"][0]["current_period_end"]
    wait_until(lambda: subscription(ada).items() >= {"status": "active", "cancel_at": ends}.items(), "the truth", 30)
    invoices = ada.get("/api/subscription").json()["invoices"]
    assert [entry["status"] for entry in invoices] == ["paid", "open", "paid"]
    assert ada.get("/api/auth/user").json()["isPro"]


def test_a_dispute_gives_administrators_a_notice(product: Product, stripe: FakeStripe) -> None:
    stripe.books.tell("charge.dispute.created", {"id": "du_kit", "object": "dispute", "charge": "ch_kit"})
    assert stripe.deliver(stripe.books.events[-1]) == [200]

    def told() -> list[dict[str, Any]]:
        notices = product.admin().get("/api/admin/notices").json()
        return [entry for entry in notices if entry["kind"] == "payment_disputed"]

    wait_until(told, "the notice", 20)
    assert told()[0]["params"] == {"label": "Stripe", "ref": "du_kit"}


def test_forged_and_foreign_events_change_nothing(product: Product, stripe: FakeStripe, ada: Person) -> None:
    (endpoint,) = stripe.books.endpoints.values()
    stranger = stripe.books.add_customer({"email": "somebody@else.example"})
    stripe.books.subscribe(stranger["id"], [next(iter(stripe.books.prices))], {})
    event = stripe.books.events[-1]
    forged = stripe.webhook(event, secret="whsec_guess")
    answer = httpx.post(endpoint["url"], content=forged.body, headers=dict(forged.headers), trust_env=False)
    assert answer.status_code == 400
    assert stripe.deliver(event) == [200]
    assert subscription(ada) == {}
    assert product.doctor() == ""
