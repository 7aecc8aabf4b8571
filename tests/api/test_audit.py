"""The history of what administrators change: values before and after, and the way back."""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.person import Person
from tests.product import Product

TEMPLATE = {
    "subject": "Hello {{firstName}}",
    "replyTo": "",
    "htmlBody": "<p>Hello</p>",
    "messageStream": "outbound",
    "isActive": True,
}

Change = tuple[str, Callable[[Person, int], Any], Callable[[Person], Any]]


def limits(admin: Person, number: int) -> Any:
    body = {"proUnlimited": False, "proMonthlyLimit": 100_000 + number, "freeMonthlyLimit": 100_000}
    return admin.post("/api/admin/plan-limits", json=body)


def prompt(admin: Person, number: int) -> Any:
    return admin.put(
        "/api/admin/settings/standard_prompt", json={"promptTemplate": f"A cover {number}: {{{{prompt}}}}"}
    )


def figure(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/settings/stats_authors", json={"textValue": f"{number} authors"})


def template(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/email-templates/signup", json=TEMPLATE | {"subject": f"Hello {number}"})


def postal(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/email/postal-address", json={"postalAddress": f"Street {number}\nTown"})


def budget(admin: Person, number: int) -> Any:
    body = {"siteMonthMicros": None, "userDayMicros": 1_000_000_000 + number, "instances": []}
    return admin.put("/api/admin/budgets", json=body)


def model_price(admin: Person, number: int) -> Any:
    row = {"model": "stub-1", "imageMicros": 40_000 + number}
    return admin.put("/api/admin/instances/spare/prices", json={"prices": [row]})


def files(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/free-files", json={"freePrintFiles": number % 2 == 0})


def signing(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/signing", json={"isOn": number % 2 == 0})


def public_text(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/public-texts/terms/de", json={"body": f"Absatz {number}"})


def addresses(admin: Person, number: int) -> Any:
    return admin.put("/api/admin/public-texts/addresses", json={"x": f"https://x.example/{number}"})


def read_model_price(admin: Person) -> Any:
    return [price["setMicros"] for price in admin.get("/api/admin/instances/spare").json()["prices"]]


def read_terms(admin: Person) -> Any:
    saved = admin.get("/api/admin/public-texts", params={"language": "de"}).json()
    return next(one["body"] for one in saved if one["page"] == "terms")


def read(path: str, *names: str) -> Callable[[Person], Any]:
    def get(admin: Person) -> Any:
        answer = admin.get(path)
        assert answer.status_code == 200, answer.text
        return {name: answer.json()[name] for name in names}

    return get


CHANGES: dict[str, Change] = {
    "limits.save": ("limits", limits, read("/api/admin/plan-limits", "proMonthlyLimit")),
    "setting.save prompt": (
        "setting:standard_prompt",
        prompt,
        read("/api/admin/settings/standard_prompt", "promptTemplate"),
    ),
    "setting.save figure": ("setting:stats_authors", figure, read("/api/admin/settings/stats_authors", "textValue")),
    "email.save_template": (
        "email-template:signup",
        template,
        read("/api/admin/email-templates/signup", "subject", "htmlBody"),
    ),
    "email.postal_address": ("", postal, read("/api/admin/email/audience", "postalAddress")),
    "instance.prices": ("instance:spare", model_price, read_model_price),
    "budget.save": ("budget", budget, read("/api/admin/budgets", "userDayMicros")),
    "text.save": ("text:terms:de", public_text, read_terms),
    "text.save_addresses": ("addresses", addresses, read("/api/admin/public-texts/addresses", "x")),
    "signing.switch": ("signing", signing, read("/api/admin/signing", "isOn")),
    "files.save": ("limits", files, read("/api/admin/free-files", "freePrintFiles")),
}

KEPT = {name.partition(" ")[0] for name in CHANGES} | {
    "user.change",
    "user.credit",
    "payment.choose_price",
    "plugin.install",
    "plugin.remove",
}
"""Settings of providers, which have secrets, are not among them."""


@pytest.fixture
def everything_back(product: Product, admin: Person) -> Iterator[None]:
    """Leave the shared product as it was."""
    yield
    admin.put("/api/admin/settings/standard_prompt", json={"promptTemplate": None})
    admin.put("/api/admin/settings/stats_authors", json={"textValue": None})
    admin.put("/api/admin/email/postal-address", json={"postalAddress": ""})
    admin.put("/api/admin/budgets", json={"siteMonthMicros": None, "userDayMicros": None, "instances": []})
    admin.put("/api/admin/free-files", json={"freePrintFiles": False})
    admin.put("/api/admin/signing", json={"isOn": True})
    limits(admin, 0)
    no_price = {"model": "stub-1", "imageMicros": None}
    admin.put("/api/admin/instances/spare/prices", json={"prices": [no_price]})
    for table in ("email_template", "public_text", "public_address"):
        product.sql(f"DELETE FROM {table}")


def latest(admin: Person, **query: Any) -> dict[str, Any]:
    answer = admin.get("/api/admin/audit", params=query)
    assert answer.status_code == 200, answer.text
    entry: dict[str, Any] = answer.json()[0]
    return entry


def detail(admin: Person, entry: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = admin.get(f"/api/admin/audit/{entry['id']}").json()
    assert found["entry"] == entry
    return found


def restore(admin: Person, entry: dict[str, Any]) -> Any:
    return admin.post(f"/api/admin/audit/{entry['id']}/restore")


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_can_be_seen_put_back_and_put_back_again(admin: Person, everything_back: None, name: str) -> None:
    action, (about, change, look) = name.partition(" ")[0], CHANGES[name]
    assert change(admin, 1).status_code < 300
    first = look(admin)
    assert change(admin, 2).status_code < 300
    second = look(admin)
    assert first != second
    entry = latest(admin, action=action, object=about)
    assert entry["hasValues"] and entry["actorId"] == admin.id
    seen = detail(admin, entry)
    assert seen["restorable"] == "yes" and seen["before"] != seen["after"]
    made = restore(admin, entry)
    assert made.status_code == 200, made.text
    assert look(admin) == first
    undone = latest(admin, action=action, object=about)
    assert (undone["id"], undone["outcome"]) == (made.json()["id"], "restored")
    assert (detail(admin, undone)["before"], detail(admin, undone)["after"]) == (seen["after"], seen["before"])
    refused = restore(admin, entry)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "changed_since")
    assert detail(admin, entry)["restorable"] == "changed"
    assert restore(admin, undone).status_code == 200
    assert look(admin) == second


def test_the_first_change_is_put_back_to_what_is_built_in(admin: Person, everything_back: None) -> None:
    look = read("/api/admin/email-templates/signup", "subject", "htmlBody")
    built_in = look(admin)
    template(admin, 1)
    entry = latest(admin, action="email.save_template")
    assert detail(admin, entry)["before"] == {}
    assert restore(admin, entry).status_code == 200
    assert look(admin) == built_in


def test_rights_are_put_back_under_their_rules(admin: Person, ada: Person) -> None:
    admin.patch(f"/api/admin/users/{ada.id}", json={"isPro": True})
    admin.patch(f"/api/admin/users/{ada.id}", json={"disabled": True})
    suspended = latest(admin, action="user.change", object=f"user:{ada.id}")
    assert detail(admin, suspended)["after"] == {"isAdmin": False, "proOverride": True, "disabled": True}
    assert ada.get("/api/auth/user").status_code == 401
    assert restore(admin, suspended).status_code == 200
    again = latest(admin, action="user.change", object=f"user:{ada.id}")
    assert restore(admin, again).status_code == 200, "suspends again"
    assert restore(admin, again).status_code == 409


def test_a_price_is_put_back_while_it_is_sold(product: Product, admin: Person) -> None:
    path = "/api/admin/stub-pay/product"
    assert admin.post(path, json={"productId": "prod_pro", "priceId": "price_pro"}).status_code == 200
    before = admin.get("/api/admin/payments/overview").json()["priceId"]
    product.sql(
        "UPDATE setting SET default_values = '{\"priceId\": \"price_gone\"}' WHERE setting_key LIKE '%product_id'"
    )
    assert admin.post(path, json={"productId": "prod_pro", "priceId": "price_pro"}).status_code == 200
    entry = latest(admin, action="payment.choose_price")
    assert detail(admin, entry)["before"]["price"] == "price_gone"
    refused = restore(admin, entry)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "price_not_on_sale")
    assert admin.get("/api/admin/payments/overview").json()["priceId"] == before


def test_what_has_no_values_cannot_be_put_back_and_secrets_have_none(admin: Person, ada: Person) -> None:
    admin.delete(f"/api/admin/users/{ada.id}/sessions")
    entry = latest(admin, action="user.end_sessions")
    assert not entry["hasValues"]
    found = detail(admin, entry)
    assert (found["before"], found["after"], found["restorable"]) == (None, None, "no")
    refused = restore(admin, entry)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_kept")
    assert {one["action"] for one in admin.get("/api/admin/audit?values=true").json()} <= KEPT


def test_a_change_that_changes_nothing_has_no_values(admin: Person, everything_back: None) -> None:
    limits(admin, 3)
    limits(admin, 3)
    assert not latest(admin, action="limits.save")["hasValues"]


def test_entries_are_found_by_area_object_and_day(admin: Person, ada: Person) -> None:
    about = f"user:{ada.id}"
    admin.patch(f"/api/admin/users/{ada.id}", json={"isPro": True})
    areas = {entry["action"].partition(".")[0] for entry in admin.get("/api/admin/audit?area=user").json()}
    assert areas == {"user"}
    assert latest(admin, object=about, area="user")["action"] == "user.change"
    assert admin.get("/api/admin/audit", params={"object": about, "to": "2020-01-01"}).json() == []
    assert admin.get("/api/admin/audit", params={"object": about, "from": "2020-01-01"}).json() != []
    assert admin.get("/api/admin/audit?area=%25").status_code == 422


def test_the_file_holds_what_the_list_shows_and_no_formula(product: Product, admin: Person, ada: Person) -> None:
    mark = uuid4().hex
    admin.patch(f"/api/admin/users/{ada.id}", json={"isPro": True})
    product.sql("UPDATE audit SET ip = '=1+1' WHERE object = :about", about=f"user:{ada.id}")
    answer = admin.get("/api/admin/audit/file", params={"object": f"user:{ada.id}"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    shown = admin.get("/api/admin/audit", params={"object": f"user:{ada.id}"}).json()
    assert [int(row["id"]) for row in rows] == [entry["id"] for entry in shown]
    assert rows[0]["action"] == "user.change" and '"pro_override":true' in rows[0]["after"]
    assert {row["ip"] for row in rows} == {"'=1+1"}
    assert list(csv.DictReader(io.StringIO(admin.get(f"/api/admin/audit/file?object={mark}").text))) == []
