"""Why people end their subscriptions: what they say, and what administrators read of it."""

import io
import json
import zipfile
from typing import Any

import pytest

from tests.person import Person, fault
from tests.product import Product


def listed(admin: Person, **params: Any) -> list[dict[str, Any]]:
    answer = admin.get("/api/admin/payments/cancellations", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def counted(admin: Person) -> dict[str | None, int]:
    found = admin.get("/api/admin/payments/cancellation-reasons").json()
    return {one["reason"]: one["count"] for one in found}


@pytest.fixture(autouse=True)
def none_yet(product: Product) -> None:
    product.sql("DELETE FROM cancellation")


def test_a_reason_reaches_administrators(admin: Person, ada: Person) -> None:
    ada.subscribe()
    said = {"reason": "missing_features", "comment": "  No hardcovers.\nNo maps. "}
    assert ada.post("/api/subscription/cancel", json=said).status_code == 200
    (entry,) = listed(admin)
    assert entry.pop("id") and entry.pop("canceledAt")
    assert entry == {
        "userId": ada.id,
        "email": ada.user["email"],
        "reason": "missing_features",
        "comment": "No hardcovers.\nNo maps.",
        "result": "ending",
    }
    assert counted(admin) == {"missing_features": 1}


@pytest.mark.parametrize("body", [None, {}, {"reason": None}])
def test_no_one_has_to_say_why(admin: Person, ada: Person, body: object) -> None:
    ada.subscribe()
    answer = ada.post("/api/subscription/cancel", **({} if body is None else {"json": body}))
    assert answer.status_code == 200, answer.text
    (entry,) = listed(admin)
    assert (entry["reason"], entry["comment"]) == (None, "")
    assert counted(admin) == {None: 1}


def test_what_became_of_it_is_shown(product: Product, admin: Person, ada: Person) -> None:
    ada.subscribe()
    ada.post("/api/subscription/cancel", json={"reason": "unused"})
    ada.post("/api/subscription/reactivate", json={})
    assert [entry["result"] for entry in listed(admin)] == ["stayed"]
    ada.post("/api/subscription/cancel", json={"reason": "too_expensive"})
    (entry,) = listed(admin)
    assert (entry["result"], entry["reason"]) == ("ending", "too_expensive"), "the last time counts"
    (ref,) = product.bank.subscriptions(ada.id)
    product.bank.change(ref["ref"], state="canceled", ended_at=1)
    ada.post("/api/sync-subscription", json={})
    assert [entry["result"] for entry in listed(admin)] == ["ended"]


def test_a_cancellation_that_failed_keeps_its_reason_for_the_next_try(
    product: Product, admin: Person, ada: Person
) -> None:
    ada.subscribe()
    product.bank.does("cancel=down*")
    assert ada.post("/api/subscription/cancel", json={"reason": "unused"}).status_code == 503
    assert [entry["result"] for entry in listed(admin)] == ["stayed"]
    product.bank.does()
    assert ada.post("/api/subscription/cancel", json={"reason": "unused"}).status_code == 200
    assert [entry["result"] for entry in listed(admin)] == ["ending"]


def test_all_bad_fields_are_named_and_nothing_ends(admin: Person, ada: Person) -> None:
    ada.subscribe()
    answer = ada.post("/api/subscription/cancel", json={"reason": "bored", "comment": "x" * 1001, "more": 1})
    assert answer.status_code == 422 or answer.status_code == 400
    assert set(fault(answer)["fields"]) == {"reason", "comment", "more"}
    assert ada.get("/api/subscription").json()["subscription"]["cancel_at"] is None
    assert listed(admin) == []


def test_the_list_is_read_in_pages_and_the_reading_is_in_the_history(product: Product, admin: Person) -> None:
    people = [product.user() for _ in range(3)]
    for person in people:
        person.subscribe()
        person.post("/api/subscription/cancel", json={"reason": "other"})
    answer = admin.get("/api/admin/payments/cancellations", params={"limit": 2})
    assert [entry["userId"] for entry in answer.json()] == [people[2].id, people[1].id]
    rest = admin.get(answer.links["next"]["url"])
    assert [entry["userId"] for entry in rest.json()] == [people[0].id]
    assert "next" not in rest.links
    assert fault(admin.get("/api/admin/payments/cancellations", params={"cursor": "?"}))["fields"]
    (read, *_) = admin.get("/api/admin/audit", params={"action": "payments.list_cancellations"}).json()
    assert read["outcome"]


def test_what_was_said_is_in_the_export(ada: Person) -> None:
    ada.subscribe()
    ada.post("/api/subscription/cancel", json={"reason": "other", "comment": "I finished my book."})
    archive = zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content))
    (said,) = json.loads(archive.read("cancellations.json"))
    assert (said["reason"], said["comment"]) == ("other", "I finished my book.")
