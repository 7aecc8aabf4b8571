"""Addresses that get no email: seen, explained and lifted, by administrators and by their owner."""

import csv
import io
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from tests.person import Person, fault, next_page
from tests.product import Product

LIST = "/api/admin/suppressions"
COLUMNS = "address, scope, reason, source, event_id, created_at"


@pytest.fixture
def boss(product: Product) -> Person:
    return product.user(admin=True)


def suppress(product: Product, address: str, reason: str = "bounced", scope: str = "all") -> None:
    product.sql(
        f"INSERT INTO email_suppression ({COLUMNS}) VALUES (:address, :scope, :reason, 'postmark', 'Bounce-4', :at)",
        address=address,
        scope=scope,
        reason=reason,
        at=datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
    )


def listed(admin: Person, **query: Any) -> list[dict[str, Any]]:
    answer = admin.get(LIST, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_an_administrator_sees_who_gets_no_email_and_why(product: Product, boss: Person) -> None:
    person = product.user()
    address = person.user["email"]
    suppress(product, address)
    (row,) = listed(boss, search=address)
    assert row | {"id": 0} == {
        "id": 0,
        "address": address,
        "scope": "all",
        "reason": "bounced",
        "source": "postmark",
        "eventId": "Bounce-4",
        "createdAt": "2026-03-04T05:06:00Z",
        "lastAt": "2026-03-04T05:06:00Z",
        "triedAt": None,
        "userId": person.id,
    }
    assert listed(boss, search=address, reason="complained") == []
    (found,) = boss.get("/api/admin/users", params={"search": address}).json()
    assert found["suppression"] == {"id": row["id"], "reason": "bounced", "since": "2026-03-04T05:06:00Z"}


def test_the_list_is_paged_searched_and_taken_along(product: Product, boss: Person) -> None:
    tag = uuid4().hex[:8]
    for number in range(3):
        suppress(product, f"n{number}-{tag}@nobody.example", "complained")
    suppress(product, f"n9-{tag}@nobody.example", "unsubscribed", "bulk")
    first = boss.get(LIST, params={"search": f"{tag}@NOBODY", "limit": 3})
    rest = boss.get(next_page(first) or "")
    names = [row["address"][:2] for row in [*first.json(), *rest.json()]]
    assert (names, next_page(rest)) == (["n9", "n2", "n1", "n0"], None)
    assert all(row["userId"] is None for row in first.json())
    assert len(listed(boss, search=tag, reason="complained")) == 3
    assert listed(boss, search="%") == [] and listed(boss, search="nobody_example") == []
    file = boss.get(f"{LIST}/file", params={"search": tag, "reason": "unsubscribed"})
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    head, line = csv.reader(io.StringIO(file.text))
    assert dict(zip(head, line, strict=True))["address"] == f"n9-{tag}@nobody.example"


@pytest.mark.parametrize("query", [{"reason": "angry"}, {"cursor": "x"}, {"limit": 0}, {"search": "x" * 400}])
def test_what_cannot_be_listed_is_refused(boss: Person, query: dict[str, Any]) -> None:
    answer = boss.get(LIST, params=query)
    assert answer.status_code in (400, 422)
    assert list(fault(answer)["fields"]) == list(query)


def test_lifting_lets_the_next_email_through_once_and_is_in_the_history(product: Product, boss: Person) -> None:
    person = product.user()
    address = person.user["email"]
    suppress(product, address)
    assert person.get("/api/auth/user").json()["emailTrouble"] == "bounced"
    (row,) = listed(boss, search=address)
    assert boss.delete(f"{LIST}/{row['id']}").status_code == 204
    assert boss.delete(f"{LIST}/{row['id']}").status_code == 404
    assert person.get("/api/auth/user").json()["emailTrouble"] is None
    (entry,) = boss.get("/api/admin/audit", params={"object": f"user:{person.id}", "action": "email.unsuppress"}).json()
    assert (entry["actorId"], entry["keys"]) == (boss.id, ["all", "bounced"])
    assert address not in str(product.sql("SELECT * FROM audit WHERE action = 'email.unsuppress'"))


def test_the_owner_lifts_it_and_nobody_elses_but_not_every_minute(product: Product, boss: Person) -> None:
    ada, bob = product.user(), product.user()
    for person in (ada, bob):
        suppress(product, person.user["email"], "complained")
    suppress(product, ada.user["email"], "unsubscribed", "bulk")
    assert ada.post("/api/account/email/resume").status_code == 204
    assert ada.get("/api/auth/user").json()["emailTrouble"] is None
    assert bob.get("/api/auth/user").json()["emailTrouble"] == "complained"
    (left,) = listed(boss, search=ada.user["email"])
    assert left["scope"] == "bulk"  # who left the list has not come back to it
    assert [ada.post("/api/account/email/resume").status_code for _ in range(3)] == [204, 204, 429]
