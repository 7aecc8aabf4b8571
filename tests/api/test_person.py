"""The page of one person: what happened with them, and Pro as a gift that ends by itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.person import Person, fault, next_page
from tests.product import Product
from tests.shelf import shelve
from tests.support.processes import wait_until

DAY = timedelta(days=1)


@pytest.fixture
def boss(product: Product) -> Person:
    return product.user(admin=True)


def timeline(admin: Person, person: Person, **query: Any) -> list[dict[str, Any]]:
    answer = admin.get(f"/api/admin/users/{person.id}/timeline", params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def gift(admin: Person, person: Person, **body: Any) -> Any:
    return admin.patch(f"/api/admin/users/{person.id}", json=body)


def in_days(days: float) -> str:
    return (datetime.now(UTC) + days * DAY).replace(microsecond=0).isoformat()


def test_all_kinds_come_in_one_order_page_by_page(product: Product, boss: Person, library: str) -> None:
    person = product.user()
    shelve(library, person.id, ["Dune", "Emma", "Ubik"])
    assert boss.patch(f"/api/admin/users/{person.id}", json={"isPro": True}).status_code == 200
    waiting = "SELECT id FROM letter WHERE user_id = :id"
    wait_until(lambda: not product.sql(waiting, id=person.id), "the letter to leave the timeline for good", 30)
    whole = timeline(boss, person)
    assert [entry["at"] for entry in whole] == sorted((entry["at"] for entry in whole), reverse=True)
    covers = [entry for entry in whole if entry["kind"] == "cover"]
    assert sorted(entry["what"] for entry in covers) == ["Dune", "Emma", "Ubik"]
    assert {"cover", "session", "history"} <= {entry["kind"] for entry in whole}
    (change,) = [entry for entry in whole if entry["what"] == "user.change"]
    assert (change["actorEmail"], change["detail"]) == (boss.user["email"], "isPro")
    address, paged = f"/api/admin/users/{person.id}/timeline?limit=2", []
    while address:
        page = boss.get(address)
        assert page.status_code == 200 and len(page.json()) <= 2
        paged += page.json()
        address = next_page(page) or ""
    keys = [(entry["kind"], entry["id"]) for entry in whole]
    read_since = [(entry["kind"], entry["id"]) for entry in paged]
    assert read_since[-len(keys) :] == keys and len(set(read_since)) == len(read_since)
    assert timeline(boss, person, kind="cover") == covers


def test_entries_of_one_moment_are_each_shown_once(product: Product, boss: Person) -> None:
    person = product.user()
    moment = '(SELECT created_at FROM "user" WHERE id = :id)'
    for number in range(5):
        product.sql(
            "INSERT INTO audit (at, action, object, outcome, keys, ip)"
            f" VALUES ({moment}, :action, :object, 'ok', '[]', '')",
            id=person.id,
            action=f"test.{number}",
            object=f"user:{person.id}",
        )
    product.sql(f"UPDATE session SET created_at = {moment} WHERE user_id = :id", id=person.id)
    address, seen = f"/api/admin/users/{person.id}/timeline?limit=1", []
    while address:
        page = boss.get(address)
        assert page.status_code == 200 and len(seen) < 50, seen
        seen += [(entry["kind"], entry["what"]) for entry in page.json()]
        address = next_page(page) or ""
    assert seen[-6:] == [("session", "password"), *(("history", f"test.{n}") for n in (4, 3, 2, 1, 0))]


@pytest.mark.parametrize("query", [{"kind": "money"}, {"cursor": "x"}, {"limit": 0}])
def test_a_page_that_cannot_be_is_refused(boss: Person, query: dict[str, Any]) -> None:
    answer = boss.get(f"/api/admin/users/{boss.id}/timeline", params=query)
    assert answer.status_code in (400, 422)
    assert list(fault(answer)["fields"]) == list(query)


def test_nobody_has_no_page(boss: Person) -> None:
    for path in ("/api/admin/users/999999999", "/api/admin/users/999999999/timeline"):
        assert boss.get(path).status_code == 404


def test_a_gift_ends_by_itself_and_one_without_end_stays(product: Product, boss: Person) -> None:
    ada, bob = product.user(), product.user()
    until = in_days(2)
    given = gift(boss, ada, isPro=True, proUntil=until)
    assert given.status_code == 200, given.text
    assert (given.json()["isPro"], given.json()["proOverride"]) == (True, True)
    assert datetime.fromisoformat(given.json()["proUntil"]) == datetime.fromisoformat(until)
    assert gift(boss, bob, isPro=True).json()["proUntil"] is None
    assert ada.get("/api/auth/user").json()["isPro"] is True
    assert {ada.id, bob.id} <= {row["id"] for row in boss.get("/api/admin/users", params={"role": "gift"}).json()}
    # the time passes
    past = datetime.now(UTC) - timedelta(seconds=1)
    product.sql('UPDATE "user" SET pro_until = :past WHERE id = :id', past=past, id=ada.id)
    assert ada.get("/api/auth/user").json()["isPro"] is False
    assert bob.get("/api/auth/user").json()["isPro"] is True
    person = boss.get(f"/api/admin/users/{ada.id}").json()
    assert (person["isPro"], person["proOverride"], person["proUntil"]) == (False, None, None)
    for role in ("gift", "pro"):
        listed = {row["id"] for row in boss.get("/api/admin/users", params={"role": role}).json()}
        assert ada.id not in listed and bob.id in listed
    assert ada.get("/api/auth/user").json()["downloads"]["longestPx"] is not None


def test_a_gift_is_in_the_history_and_can_be_undone(product: Product, boss: Person) -> None:
    person = product.user()
    assert gift(boss, person, isPro=True, proUntil=in_days(5)).status_code == 200
    assert gift(boss, person, isPro=True).json()["proUntil"] is None
    trail = boss.get("/api/admin/audit", params={"object": f"user:{person.id}", "action": "user.change"}).json()
    detail = boss.get(f"/api/admin/audit/{trail[0]['id']}").json()
    assert "proUntil" in detail["before"] and "proUntil" not in detail["after"]
    assert boss.post(f"/api/admin/audit/{trail[0]['id']}/restore").status_code == 200
    back = boss.get(f"/api/admin/users/{person.id}").json()
    assert back["proOverride"] is True and back["proUntil"] is not None
    assert gift(boss, person, isPro=None).json()["proUntil"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"isPro": True, "proUntil": in_days(-1)},
        {"isPro": False, "proUntil": in_days(1)},
        {"proUntil": in_days(1)},
        {"isPro": True, "proUntil": "2030-01-01T00:00:00"},
        {"isPro": True, "proUntil": "soon"},
    ],
)
def test_a_gift_that_makes_no_sense_is_refused(product: Product, boss: Person, body: dict[str, Any]) -> None:
    person = product.user()
    answer = gift(boss, person, **body)
    assert answer.status_code == 422
    assert list(fault(answer)["fields"]) == ["proUntil"]
    assert boss.get(f"/api/admin/users/{person.id}").json()["proOverride"] is None


def test_a_cover_is_found_by_its_number_and_by_its_job(product: Product, boss: Person, library: str) -> None:
    person = product.user()
    shelve(library, person.id, ["Dune"])
    (row,) = product.sql("SELECT id FROM cover WHERE user_id = :id", id=person.id)
    found = boss.get(f"/api/admin/covers/{row['id']}").json()
    assert (found["title"], found["userId"], found["email"]) == ("Dune", person.id, person.user["email"])
    assert boss.get(f"/api/admin/covers/{found['generationId']}").json() == found
    for name in ("999999999", "0", "9" * 30, "x", "00000000-0000-7000-8000-000000000000"):
        assert boss.get(f"/api/admin/covers/{name}").status_code == 404
