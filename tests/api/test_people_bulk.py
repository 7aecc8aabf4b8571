"""One action of an administrator for many users: each as it is done for one, and a word on who was left out."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from kernel.accounts.models import person_name_key
from kernel.core.text.casefold_search import fold
from tests.person import Person, fault
from tests.product import Product

BULK = "/api/admin/users/bulk"


def named(product: Product, first: str) -> Person:
    person = product.user()
    assert person.patch("/api/account", json={"firstName": first}).status_code == 200
    return person


def body(people: Sequence[Person | int], action: str, **more: Any) -> dict[str, Any]:
    return {"ids": [one if isinstance(one, int) else one.id for one in people], "action": action, **more}


def post(admin: Person, address: str, wanted: dict[str, Any]) -> Any:
    answer = admin.post(address, json=wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def check(admin: Person, wanted: dict[str, Any]) -> tuple[int, dict[str, int]]:
    """Return for how many it would be done, and why → how many are left out."""
    found = post(admin, f"{BULK}/check", wanted)
    return found["changes"], {left["why"]: left["count"] for left in found["leftOut"]}


def do(admin: Person, wanted: dict[str, Any]) -> tuple[list[int], dict[int, str]]:
    """Do it in as many calls as it takes; return whom it changed, and who was left out → why."""
    changed: list[int] = []
    left: dict[int, str] = {}
    while True:
        done = post(admin, BULK, wanted)
        changed += done["changed"]
        left |= {one["id"]: one["why"] for one in done["leftOut"]}
        if done["cursor"] is None:
            return changed, left
        wanted = wanted | {"cursor": done["cursor"]}


def entries(admin: Person, person: Person, action: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = admin.get(
        "/api/admin/audit", params={"object": f"user:{person.id}", "action": action}
    ).json()
    return found


def seen(admin: Person, person: Person) -> dict[str, Any]:
    found: dict[str, Any] = admin.get(f"/api/admin/users/{person.id}").json()
    return found


def in_days(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).replace(microsecond=0).isoformat()


def test_people_are_suspended_and_reinstated_together(product: Product, admin: Person) -> None:
    ada, bob = product.user(), product.user()
    wanted = body([ada, bob, admin, 2**53 - 1], "suspend")
    assert check(admin, wanted) == (2, {"self": 1, "gone": 1})
    assert not seen(admin, ada)["disabled"], "a check changes nothing"
    assert do(admin, wanted) == ([bob.id, ada.id], {admin.id: "self", 2**53 - 1: "gone"})
    assert [ada.get("/api/auth/user").status_code, bob.get("/api/auth/user").status_code] == [401, 401]
    for person in (ada, bob):
        (entry,) = entries(admin, person, "user.change")
        assert (entry["actorId"], entry["keys"], entry["hasValues"]) == (admin.id, ["disabled"], True)
    assert check(admin, wanted) == (0, {"self": 1, "suspended": 2, "gone": 1})
    assert do(admin, body([ada, bob, admin], "reinstate")) == ([bob.id, ada.id], {admin.id: "not_suspended"})
    assert not seen(admin, ada)["disabled"]


def test_a_check_names_whom_it_leaves_out(product: Product, admin: Person) -> None:
    found = post(admin, f"{BULK}/check", body([product.user(), admin], "suspend"))
    assert found["leftOut"] == [{"why": "self", "count": 1, "emails": [admin.user["email"]]}]


def test_pro_is_given_until_a_day_and_never_made_shorter(product: Product, admin: Person) -> None:
    ada, bob, cy = (product.user() for _ in range(3))
    for person, until in ((bob, None), (cy, in_days(3))):
        given = admin.patch(f"/api/admin/users/{person.id}", json={"isPro": True, "proUntil": until})
        assert given.status_code == 200
    wanted = body([ada, bob, cy], "gift", until=in_days(10))
    assert check(admin, wanted) == (2, {"gift_longer": 1})
    assert do(admin, wanted) == ([cy.id, ada.id], {bob.id: "gift_longer"})
    assert seen(admin, bob)["proUntil"] is None
    assert datetime.fromisoformat(seen(admin, ada)["proUntil"]) == datetime.fromisoformat(wanted["until"])
    assert check(admin, wanted) == (0, {"gift_longer": 3})


def test_credits_are_given_once_however_often_a_run_is_sent(product: Product, admin: Person) -> None:
    ada, bob = product.user(), product.user()
    wanted = body([ada, bob], "credit", amount=5, reason="An outage", run=uuid4().hex)
    assert check(admin, wanted) == (2, {})
    assert do(admin, wanted) == do(admin, wanted) == ([bob.id, ada.id], {})
    assert [seen(admin, ada)["credits"], seen(admin, bob)["credits"]] == [5, 5]
    assert len(entries(admin, ada, "user.credit")) == 1
    do(admin, wanted | {"run": uuid4().hex})
    assert seen(admin, ada)["credits"] == 10


def test_people_are_signed_out_together_but_for_this_session(product: Product, admin: Person) -> None:
    ada, bob = product.user(), product.user()
    assert admin.delete(f"/api/admin/users/{bob.id}/sessions").status_code == 204
    changed, left = do(admin, body([ada, bob, admin], "end_sessions"))
    assert (ada.id in changed, left[bob.id]) == (True, "signed_out")
    assert (ada.get("/api/auth/user").status_code, admin.get("/api/auth/user").status_code) == (401, 200)
    assert len(entries(admin, ada, "user.end_sessions")) == 1


def test_addresses_get_email_again_together(product: Product, admin: Person) -> None:
    ada, bob = product.user(), product.user()
    product.sql(
        "INSERT INTO email_suppression (address, scope, reason, source, event_id, created_at)"
        " VALUES (:address, 'all', 'bounced', 'postmark', 'Bounce-9', :at)",
        address=ada.user["email"],
        at=datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
    )
    assert check(admin, body([ada, bob], "lift")) == (1, {"gets_email": 1})
    assert do(admin, body([ada, bob], "lift")) == ([ada.id], {bob.id: "gets_email"})
    assert seen(admin, ada)["suppression"] is None
    assert len(entries(admin, ada, "email.unsuppress")) == 1


def test_all_who_match_are_changed_in_batches_but_who_signs_up_meanwhile(product: Product, admin: Person) -> None:
    mark = uuid4().hex[:10]
    first = named(product, mark)
    columns = "email, email_norm, email_key, first_name, name_key, email_verified, is_admin, disabled, created_at"
    rows = ", ".join(
        f"('{email}', '{email}', '{fold(email)}', '{mark}', :name_key, :no, :no, :no, :at)"
        for email in (f"{mark}-{number}@example.com" for number in range(120))
    )
    product.sql(
        f'INSERT INTO "user" ({columns}) VALUES {rows}',
        name_key=person_name_key(mark, None),
        no=False,
        at=datetime.now(UTC),
    )
    wanted = {"matching": {"search": mark.upper()}, "action": "suspend"}
    found = post(admin, f"{BULK}/check", wanted)
    assert (found["changes"], found["leftOut"]) == (121, [])
    assert admin.get("/api/admin/users/count", params={"search": mark}).json() == {"count": 121}
    late = named(product, mark)
    once = post(admin, BULK, wanted | {"cursor": found["cursor"]})
    assert len(once["changed"]) == 100 and once["cursor"] is not None
    changed, left = do(admin, wanted | {"cursor": once["cursor"]})
    assert (len(changed), changed[-1], left) == (21, first.id, {})
    assert not seen(admin, late)["disabled"]
    assert check(admin, {"matching": {"search": mark, "role": "suspended"}, "action": "reinstate"}) == (121, {})


def test_the_last_administrator_who_could_sign_in_stays(product: Product, admin: Person) -> None:
    """Where administrators sign in at an issuer only, the one who asks may be none of those."""
    other, another = product.user(admin=True), product.user(admin=True)
    for person in (other, another):
        product.sql(
            "INSERT INTO identity (user_id, issuer, subject, instance_id, created_at)"
            " VALUES (:id, 'https://issuer.example', :subject, '', :at)",
            id=person.id,
            subject=uuid4().hex,
            at=datetime.now(UTC),
        )
    product.sql("DELETE FROM sign_in_policy")
    product.sql(
        "INSERT INTO sign_in_policy (id, admins_need_second_factor, admins_only_issuer, email_links)"
        " VALUES (1, :no, :yes, :no)",
        no=False,
        yes=True,
    )
    try:
        wanted = body([other, another], "suspend")
        assert check(admin, wanted) == (1, {"last_admin": 1})
        assert do(admin, wanted) == ([another.id], {other.id: "last_admin"})
    finally:
        product.sql("DELETE FROM sign_in_policy")
        product.sql('UPDATE "user" SET is_admin = :no WHERE id IN (:a, :b)', no=False, a=other.id, b=another.id)


@pytest.mark.parametrize(
    ("wanted", "fields"),
    [
        ({"action": "suspend"}, {"ids"}),
        ({"ids": [], "action": "suspend"}, {"ids"}),
        ({"ids": list(range(1, 1002)), "action": "suspend"}, {"ids"}),
        ({"ids": [1], "matching": {}, "action": "lift"}, {"matching"}),
        ({"matching": {"role": "king", "sort": "email"}, "action": "lift"}, {"matching.role", "matching.sort"}),
        ({"ids": [1], "action": "gift"}, {"until"}),
        ({"ids": [1], "action": "gift", "until": "2020-01-01T00:00:00Z"}, {"until"}),
        ({"ids": [1], "action": "credit"}, {"amount", "reason", "run"}),
        ({"ids": [1], "action": "suspend", "amount": 1, "until": "2090-01-01T00:00:00Z"}, {"amount", "until"}),
        ({"ids": [1], "action": "suspend", "cursor": "x"}, {"cursor"}),
    ],
)
def test_wishes_that_make_no_sense_are_refused(admin: Person, wanted: dict[str, Any], fields: set[str]) -> None:
    answer = admin.post(BULK, json=wanted)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == fields, answer.text
