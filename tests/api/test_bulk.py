"""Several covers changed at once: all of them or none."""

from typing import Any

import pytest

from tests.person import Person, fault
from tests.shelf import shelve


@pytest.fixture
def shelf(library: str, ada: Person) -> list[int]:
    """Ada's five covers, the second with a star; their ids, oldest first."""
    return shelve(library, ada.id, ["one", "two", "three", "four", "five"], starred=(1,))


def do(person: Person, ids: list[int], action: str, **more: Any) -> list[int]:
    """Apply an action to several covers and return those that changed."""
    answer = person.post("/api/covers/bulk", json={"ids": ids, "action": action, **more})
    assert answer.status_code == 200, answer.text
    changed: list[int] = answer.json()["changed"]
    return changed


def test_covers_go_into_the_bin_together_and_come_back(ada: Person, shelf: list[int]) -> None:
    some = [shelf[3], shelf[0], shelf[3]]
    assert do(ada, some, "delete") == [shelf[3], shelf[0]], "once each, in the order asked for"
    assert [cover["id"] for cover in ada.get("/api/covers").json()] == [shelf[4], shelf[2], shelf[1]]
    assert do(ada, some, "delete") == [], "they are there already"
    assert do(ada, shelf, "restore") == [shelf[0], shelf[3]]
    assert [cover["id"] for cover in ada.get("/api/covers").json()] == shelf[::-1]


def test_stars_are_given_and_taken_together(ada: Person, shelf: list[int]) -> None:
    assert do(ada, shelf[:3], "star") == [shelf[0], shelf[2]]
    assert {cover["id"] for cover in ada.get("/api/covers?starred=true").json()} == set(shelf[:3])
    assert do(ada, shelf, "unstar") == shelf[:3]
    assert ada.get("/api/covers?starred=true").json() == []


def test_covers_are_put_into_a_theme_and_taken_out_together(ada: Person, shelf: list[int]) -> None:
    theme = ada.post("/api/themes", json={"name": "Series", "stylePrompt": "woodcut"}).json()["id"]
    assert do(ada, shelf[:2], "theme", themeId=theme) == shelf[:2]
    assert do(ada, shelf[1:3], "theme", themeId=theme) == [shelf[2]]
    assert {cover["id"] for cover in ada.get(f"/api/covers?theme={theme}").json()} == set(shelf[:3])
    assert do(ada, shelf, "theme", themeId=None) == shelf[:3]
    assert ada.get(f"/api/covers?theme={theme}").json() == []


@pytest.mark.parametrize("action", ["delete", "restore", "star", "unstar", "theme"])
def test_one_cover_of_somebody_else_stops_them_all(
    ada: Person, bob: Person, library: str, shelf: list[int], action: str
) -> None:
    foreign = shelve(library, bob.id, ["theirs"])[0]
    theme = ada.post("/api/themes", json={"name": "Series", "stylePrompt": "woodcut"}).json()["id"]
    more = {"themeId": theme} if action == "theme" else {}
    before = ada.get("/api/covers").json()
    for unknown in (foreign, 2**53 - 1):
        answer = ada.post("/api/covers/bulk", json={"ids": [shelf[0], unknown], "action": action, **more})
        assert answer.status_code == 404
    assert ada.get("/api/covers").json() == before
    assert len(bob.get("/api/covers").json()) == 1


def test_a_theme_of_somebody_else_takes_no_cover(ada: Person, bob: Person, shelf: list[int]) -> None:
    theme = bob.post("/api/themes", json={"name": "Series", "stylePrompt": "woodcut"}).json()["id"]
    answer = ada.post("/api/covers/bulk", json={"ids": shelf, "action": "theme", "themeId": theme})
    assert answer.status_code == 404
    assert all(cover["themeId"] is None for cover in ada.get("/api/covers").json())


def test_covers_in_the_bin_are_changed_by_nothing_but_restore(ada: Person, shelf: list[int]) -> None:
    do(ada, shelf[:1], "delete")
    assert do(ada, shelf[:1], "star") == do(ada, shelf[:1], "theme", themeId=None) == []


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"ids": [], "action": "star"}, {"ids"}),
        ({"ids": list(range(1, 102)), "action": "star"}, {"ids"}),
        ({"ids": [0], "action": "burn"}, {"ids", "action"}),
        ({"ids": [1], "action": "theme"}, {"themeId"}),
        ({"ids": [1], "action": "star", "themeId": None}, {"themeId"}),
        ({"action": "star", "userId": 1}, {"ids", "userId"}),
    ],
)
def test_wishes_that_make_no_sense_are_refused(ada: Person, body: dict[str, Any], fields: set[str]) -> None:
    answer = ada.post("/api/covers/bulk", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == fields
