"""Filters of the list of users that administrators save under a name."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kernel.accounts.admin.saved_filters import MOST
from tests.person import Person, fault
from tests.product import Product

FILTERS = "/api/admin/users/filters"


@pytest.fixture(autouse=True)
def _none_left(product: Product) -> Iterator[None]:
    """The administrator is everybody's."""
    yield
    product.sql("DELETE FROM saved_user_filter")


def save(admin: Person, name: str, **filtered: str) -> Any:
    answer = admin.post(FILTERS, json={"name": name, **filtered})
    assert answer.status_code == 201, answer.text
    return answer.json()


def code_of(answer: httpx.Response) -> str:
    """Return what is wrong with the name."""
    assert answer.status_code == 422
    return str(fault(answer)["fieldCodes"]["name"]["code"])


def names(admin: Person) -> list[str]:
    return [one["name"] for one in admin.get(FILTERS).json()["filters"]]


def test_a_filter_is_saved_with_all_it_asks_for(admin: Person) -> None:
    wanted = {"search": "Élise", "role": "past_due", "from": "2026-01-01", "to": "2026-02-28", "sort": "seen"}
    saved = save(admin, "Owing since January", **wanted)
    assert saved == {"id": saved["id"], "name": "Owing since January", **wanted}
    assert save(admin, "All") | {"id": 0} == {
        "id": 0,
        "name": "All",
        "search": "",
        "role": "all",
        "from": None,
        "to": None,
        "sort": "newest",
    }
    listed = admin.get(FILTERS).json()
    assert (listed["filters"][1], listed["most"]) == (saved, MOST)
    assert names(admin) == ["All", "Owing since January"]


def test_filters_are_exported_with_the_rest_of_an_account(admin: Person) -> None:
    save(admin, "Owing", role="past_due", **{"from": "2026-01-01"})
    archive = zipfile.ZipFile(io.BytesIO(admin.get("/api/account/export").content))
    [exported] = json.loads(archive.read("profile.json"))["saved_filters"]
    assert (exported["name"], exported["role"], exported["since"]) == ("Owing", "past_due", "2026-01-01")


def test_a_filter_is_renamed_and_deleted(admin: Person) -> None:
    first, second = save(admin, "Paying", role="paying"), save(admin, "Gifts", role="gift")
    renamed = admin.patch(f"{FILTERS}/{first['id']}", json={"name": " Who  pays "})
    assert (renamed.status_code, renamed.json()) == (200, first | {"name": "Who pays"})
    assert admin.patch(f"{FILTERS}/{first['id']}", json={"name": "WHO PAYS"}).json()["name"] == "WHO PAYS"
    taken = admin.patch(f"{FILTERS}/{first['id']}", json={"name": "gifts"})
    assert code_of(taken) == "name_taken"
    assert admin.delete(f"{FILTERS}/{second['id']}").status_code == 204
    assert names(admin) == ["WHO PAYS"]
    assert admin.delete(f"{FILTERS}/{second['id']}").status_code == 404
    assert admin.patch(f"{FILTERS}/{second['id']}", json={"name": "Gone"}).status_code == 404


def test_what_is_wrong_with_a_filter_is_said_of_each_field(admin: Person) -> None:
    save(admin, "Größe")
    assert code_of(admin.post(FILTERS, json={"name": "GRÖSSE"})) == "name_taken"
    answer = admin.post(FILTERS, json={"name": " ", "from": "2026-02-02", "to": "2026-02-01"})
    assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"name", "to"})
    for unknown in ({"role": "nobody"}, {"sort": "oldest"}, {"colour": "red"}, {"name": "x" * 61}, {"from": "soon"}):
        assert admin.post(FILTERS, json={"name": "Other"} | unknown).status_code == 422, unknown
    assert names(admin) == ["Größe"]


def test_there_is_room_for_so_many(admin: Person) -> None:
    for number in range(MOST):
        save(admin, f"Filter {number:02}")
    full = admin.post(FILTERS, json={"name": "One more"})
    assert (full.status_code, full.json()["error"]["code"]) == (409, "filters_full")


def test_filters_are_those_of_one_administrator(product: Product, admin: Person) -> None:
    mine = save(admin, "Mine")
    other = product.user()
    assert admin.patch(f"/api/admin/users/{other.id}", json={"isAdmin": True}).status_code == 200
    assert names(other) == []
    assert save(other, "Mine")["id"] != mine["id"]
    assert other.patch(f"{FILTERS}/{mine['id']}", json={"name": "Yours"}).status_code == 404
    assert other.delete(f"{FILTERS}/{mine['id']}").status_code == 404
    assert names(admin) == ["Mine"]
