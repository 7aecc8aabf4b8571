"""The bin: deleted covers, last deleted first, and removal for good."""

from pathlib import Path
from typing import Any

import pytest

from tests.person import Person, fault, next_page
from tests.product import Product
from tests.shelf import generation_of, shelve
from tests.support.files import files_below


@pytest.fixture
def thrown(library: str, ada: Person) -> list[int]:
    """Delete seven of Ada's eight covers one after the other; return their ids, last deleted first."""
    ids = shelve(library, ada.id, [f"Volume {number}" for number in range(8)])
    order = [ids[number] for number in (4, 1, 6, 0, 3, 5, 2)]
    for cover_id in order:
        assert ada.delete(f"/api/covers/{cover_id}").status_code == 204
    return order[::-1]


def listed(person: Person, path: str) -> list[dict[str, Any]]:
    """Return a list over all pages."""
    following: str | None = path
    found: list[dict[str, Any]] = []
    while following is not None:
        answer = person.get(following)
        assert answer.status_code == 200, answer.text
        found += answer.json()
        following = next_page(answer)
    return found


def files(product: Product, cover_id: int) -> list[Path]:
    """Return the stored files of a cover."""
    generation_id = str(generation_of(product.sqlalchemy_url, cover_id))
    return files_below(product.data, generation_id)


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_what_was_thrown_away_last_comes_first_on_every_page_size(ada: Person, thrown: list[int], limit: int) -> None:
    covers = listed(ada, f"/api/covers?bin=true&limit={limit}")
    assert [cover["id"] for cover in covers] == thrown
    assert all(cover["deletedAt"] for cover in covers)


def test_what_was_thrown_away_together_is_neither_lost_nor_repeated(ada: Person, library: str) -> None:
    ids = shelve(library, ada.id, ["a", "b", "c", "d", "e"])
    ada.post("/api/covers/bulk", json={"ids": ids, "action": "delete"})
    assert [cover["id"] for cover in listed(ada, "/api/covers?bin=true&limit=2")] == ids[::-1]


def test_the_bin_and_the_gallery_have_no_cover_in_common(ada: Person, bob: Person, thrown: list[int]) -> None:
    shown = ada.get("/api/covers").json()
    assert len(shown) == 1 and shown[0]["deletedAt"] is None
    assert listed(ada, "/api/covers?bin=true&search=volume 6")[0]["title"] == "Volume 6"
    assert bob.get("/api/covers?bin=true").json() == []
    back = ada.post(f"/api/covers/{thrown[0]}/restore").json()
    assert back["deletedAt"] is None
    assert len(listed(ada, "/api/covers?bin=true")) == 6


@pytest.mark.parametrize("cursor", ["bm8", "bm93HzE", "MjAyMC0wMS0wMVQwMDowMDowMB8x"])
def test_a_cursor_that_is_not_of_the_bin_is_refused(ada: Person, cursor: str) -> None:
    answer = ada.get(f"/api/covers?bin=true&cursor={cursor}")
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"cursor"}


def test_a_cover_in_the_bin_can_be_removed_for_ever(product: Product, ada: Person, bob: Person) -> None:
    cover = ada.cover()
    path = f"/api/covers/{cover['id']}"
    stored = files(product, cover["id"])
    assert ada.delete(f"{path}/forever").status_code == 404, "it is not in the bin"
    ada.delete(path)
    assert bob.delete(f"{path}/forever").status_code == 404
    assert all(file.exists() for file in stored) and len(stored) == 3
    assert ada.delete(f"{path}/forever").status_code == 204
    assert not any(file.exists() for file in stored)
    assert ada.post(f"{path}/restore").status_code == 404
    assert ada.delete(f"{path}/forever").status_code == 404
    assert ada.get(cover["imageUrl"]).status_code == 404
    assert product.doctor() == ""


def test_the_whole_bin_can_be_emptied(product: Product, ada: Person, bob: Person) -> None:
    kept, gone, theirs = ada.cover(), ada.cover(), bob.cover()
    for person, cover in ((ada, gone), (bob, theirs)):
        person.delete(f"/api/covers/{cover['id']}")
    stored = files(product, gone["id"])
    assert ada.delete("/api/covers/bin").status_code == 204
    assert not any(file.exists() for file in stored)
    assert ada.get("/api/covers?bin=true").json() == []
    assert ada.get("/api/covers").json() == [kept]
    assert len(bob.get("/api/covers?bin=true").json()) == 1
    assert ada.delete("/api/covers/bin").status_code == 204


def test_more_than_one_batch_is_emptied(library: str, ada: Person) -> None:
    ids = shelve(library, ada.id, [f"{number}" for number in range(230)])
    for start in range(0, 230, 100):
        ada.post("/api/covers/bulk", json={"ids": ids[start : start + 100], "action": "delete"})
    assert ada.delete("/api/covers/bin").status_code == 204
    assert ada.get("/api/covers?bin=true").json() == []
