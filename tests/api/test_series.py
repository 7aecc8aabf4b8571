"""Themes as series: a look that their covers share, applied to them and taken back, and what drifts from it."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kernel.covers.series.numbering import UNNUMBERED, next_number, volume_place
from tests.person import Person
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import SAYING_HOW, SIZE, drawn_by
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import wait_until

SWEEP_S = 0.3
"""How often a worker of these tests looks."""


@pytest.fixture
def ada(painted: Product) -> Person:
    return painted.user()


def theme_of(person: Person) -> int:
    answer = person.post("/api/themes", json={"name": "Saltmarsh", "stylePrompt": "linocut, two inks"})
    return int(answer.json()["id"])


def volume(person: Person, theme: int, number: int, style: str, **fields: Any) -> int:
    """Make a cover of a theme in a style of its own, and return its id."""
    words = {"title": f"Tide {number}", "author": "Ada Marlow", "series": "Saltmarsh", "number": f"Book {number}"}
    return int(person.cover(themeId=theme, letteringStyle=style, **words | SIZE | fields)["id"])


@pytest.fixture
def series(ada: Person) -> tuple[int, list[int]]:
    """A theme with three covers, each in another style; their ids."""
    theme = theme_of(ada)
    styles = ("headline", "quiet-page", "enchanted")
    return theme, [volume(ada, theme, number + 1, style) for number, style in enumerate(styles)]


def lettering(person: Person, cover_id: int) -> dict[str, Any]:
    shown: dict[str, Any] = person.get(f"/api/covers/{cover_id}/lettering").json()
    return shown


def shown(person: Person, theme: int) -> dict[str, Any]:
    answer = person.get(f"/api/themes/{theme}/series")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def states(found: dict[str, Any]) -> list[str]:
    return [one["state"] for one in found["volumes"]]


def lock(person: Person, theme: int, cover: int) -> dict[str, Any]:
    answer = person.put(f"/api/themes/{theme}/look", json={"coverId": cover})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def to_the_end(person: Person, theme: int) -> dict[str, Any]:
    """Ask for step after step, and return the run that is through."""
    for _ in range(20):
        answer = person.post(f"/api/themes/{theme}/look/run/step")
        assert answer.status_code == 200, answer.text
        run: dict[str, Any] = answer.json()
        if run["state"] in ("applied", "undone"):
            return run
    raise AssertionError(run)


def applied(person: Person, theme: int, covers: list[int]) -> dict[str, Any]:
    answer = person.post(f"/api/themes/{theme}/look/run", json={"coverIds": covers})
    assert answer.status_code == 200, answer.text
    return to_the_end(person, theme)


def undone(person: Person, theme: int) -> dict[str, Any]:
    assert person.post(f"/api/themes/{theme}/look/run/undo").status_code == 200
    return to_the_end(person, theme)


def faces(person: Person, cover_id: int) -> dict[str, str]:
    return {block["role"]: block["font"] for block in lettering(person, cover_id)["lettering"]["blocks"]}


def test_numbers_of_volumes_go_on_as_they_are_written() -> None:
    assert next_number(["Book 1", "", "Book 9", "Book 3"]) == "Book 10"
    assert next_number(["٣", "١"]) == "٤" and next_number(["第2巻"]) == "第3巻" and next_number(["009"]) == "010"
    assert next_number(["", "One"]) == "" and next_number([]) == ""
    assert sorted(["3", "Book 12", "", "1"], key=volume_place) == ["1", "3", "Book 12", ""]
    assert volume_place("no digit") == UNNUMBERED


def test_a_look_is_locked_changed_and_released_and_no_cover_changes_by_it(
    ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, (first, second, third) = series
    before = shown(ada, theme)
    assert before["look"] is None and before["run"] is None
    assert [one["cover"]["number"] for one in before["volumes"]] == ["Book 1", "Book 2", "Book 3"]
    assert states(before) == ["same"] * 3 and not ada.get(f"/api/themes/{theme}").json()["isSeries"]
    locked = lock(ada, theme, first)
    assert (locked["look"]["coverId"], locked["look"]["style"]) == (first, "headline")
    assert states(locked) == ["same", "drifts", "drifts"]
    assert {"role": "title", "kind": "face", "size": None, "lookSize": None} in locked["volumes"][1]["drifts"]
    assert ada.get(f"/api/themes/{theme}").json()["isSeries"] and ada.get("/api/themes").json()[0]["isSeries"]
    assert states(lock(ada, theme, second)) == ["drifts", "same", "drifts"]
    released = ada.delete(f"/api/themes/{theme}/look")
    assert released.status_code == 200 and released.json()["look"] is None
    assert {lettering(ada, cover)["version"] for cover in (first, second, third)} == {1}


def test_only_a_cover_of_the_theme_with_words_of_ours_lends_its_look(ada: Person) -> None:
    theme, other = theme_of(ada), theme_of(ada)
    strange = volume(ada, other, 1, "headline")
    drawn = int(ada.cover(title="Salt", themeId=theme, lettering="model", **SIZE)["id"])
    for cover in (strange, drawn, 10**6):
        refused = ada.put(f"/api/themes/{theme}/look", json={"coverId": cover})
        assert refused.status_code == 422 and "coverId" in refused.json()["error"]["fields"], refused.text
    assert states(shown(ada, theme)) == ["drawn"]


def test_all_covers_take_on_the_look_and_one_undo_puts_all_back(
    painted: Product, ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    used, before = ada.used(), [lettering(ada, cover) for cover in covers]
    lock(ada, theme, covers[0])
    run = applied(ada, theme, covers)
    assert (run["state"], run["changed"], run["done"], run["total"], run["left"]) == ("applied", 2, 3, 3, 0)
    assert states(shown(ada, theme)) == ["same"] * 3
    assert faces(ada, covers[0]) == faces(ada, covers[1]) == faces(ada, covers[2])
    after = [lettering(ada, cover) for cover in covers]
    assert [one["version"] for one in after] == [1, 2, 2] and ada.used() == used
    assert [[known["number"] for known in one["versions"]] for one in after] == [[1], [2, 1], [2, 1]]
    assert [one["cover"]["title"] for one in after] == ["Tide 1", "Tide 2", "Tide 3"]
    assert after[1]["cover"]["imageUrl"] != before[1]["cover"]["imageUrl"]
    back = undone(ada, theme)
    assert (back["state"], back["changed"], back["kept"]) == ("undone", 0, 0)
    now = [lettering(ada, cover) for cover in covers]
    assert [one["lettering"] for one in now] == [one["lettering"] for one in before]
    assert [one["version"] for one in now] == [1, 3, 3], "the history keeps all of it"
    assert undone(ada, theme) == back, "once more does nothing"
    assert painted.doctor() == ""


def test_done_twice_it_has_the_effect_of_once_and_can_still_be_taken_back(
    ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    before = lettering(ada, covers[1])["lettering"]
    lock(ada, theme, covers[0])
    first, second = applied(ada, theme, covers), applied(ada, theme, covers)
    assert first["changed"] == 2 and second["changed"] == 0
    assert [lettering(ada, cover)["version"] for cover in covers] == [1, 2, 2]
    assert shown(ada, theme)["run"] == first
    undone(ada, theme)
    assert lettering(ada, covers[1])["lettering"] == before


def test_covers_are_left_out_and_those_changed_since_are_kept_by_the_undo(
    ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, (first, second, third) = series
    lock(ada, theme, first)
    assert applied(ada, theme, [second])["total"] == 1
    assert states(shown(ada, theme)) == ["same", "same", "drifts"]
    state = lettering(ada, second)
    blocks = [one | ({"text": "Mine"} if one["role"] == "title" else {}) for one in state["lettering"]["blocks"]]
    change = {"version": state["version"], "lettering": state["lettering"] | {"blocks": blocks}}
    assert ada.put(f"/api/covers/{second}/lettering", json=change).status_code == 200
    run = undone(ada, theme)
    assert (run["kept"], run["changed"]) == (1, 0)
    assert lettering(ada, second)["cover"]["title"] == "Mine" and lettering(ada, third)["version"] == 1


def test_an_interrupted_run_is_continued_and_one_that_is_not_through_is_taken_back(
    painted: Product, ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    before = [lettering(ada, cover)["lettering"] for cover in covers]
    lock(ada, theme, covers[0])
    address = f"/api/themes/{theme}/look/run"
    begun = ada.post(address, json={"coverIds": covers[1:]}).json()
    assert (begun["state"], begun["done"], begun["total"]) == ("applying", 0, 2)
    assert ada.post(address, json={"coverIds": covers[1:]}).json() == begun, "a second click"
    other = ada.post(address, json={"coverIds": covers[:1]})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "look_run_open")
    assert ada.put(f"/api/themes/{theme}/look", json={"coverId": covers[1]}).status_code == 409
    assert ada.delete(f"/api/themes/{theme}/look").status_code == 409
    half = ada.post(f"{address}/step").json()
    assert (half["state"], half["done"]) == ("applying", 1)
    assert shown(ada, theme)["run"] == half and states(shown(ada, theme)) == ["same", "same", "drifts"]
    assert painted.doctor() == "", "whole covers only"
    undone(ada, theme)
    assert [lettering(ada, cover)["lettering"] for cover in covers] == before
    assert lettering(ada, covers[2])["version"] == 1


def test_a_run_that_nobody_looks_at_any_more_is_finished_by_a_worker(
    painted: Product, ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    before = lettering(ada, covers[1])["lettering"]
    lock(ada, theme, covers[0])
    address = f"/api/themes/{theme}/look/run"
    assert ada.post(address, json={"coverIds": covers[1:]}).status_code == 200
    assert ada.post(f"{address}/step").json()["done"] == 1
    painted.advance(30)
    time.sleep(4 * SWEEP_S)
    assert shown(ada, theme)["run"]["done"] == 1, "whoever looks at it goes on with it"
    painted.advance(31)
    wait_until(lambda: shown(ada, theme)["run"]["state"] == "applied", "the rest of the run", 30)
    assert states(shown(ada, theme)) == ["same", "same", "same"]
    assert [lettering(ada, cover)["version"] for cover in covers] == [1, 2, 2]
    assert ada.post(f"{address}/undo").json()["state"] == "undoing"
    painted.advance(61)
    wait_until(lambda: shown(ada, theme)["run"]["state"] == "undone", "the rest of taking it back", 30)
    assert lettering(ada, covers[1])["lettering"] == before
    assert painted.doctor() == ""


def test_two_who_ask_for_steps_at_once_make_one_version_of_each_cover(
    painted: Product, ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    lock(ada, theme, covers[0])
    assert ada.post(f"/api/themes/{theme}/look/run", json={"coverIds": covers}).status_code == 200
    together = threading.Barrier(3)

    def step(_: int) -> int:
        together.wait()
        return ada.post(f"/api/themes/{theme}/look/run/step").status_code

    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(step, range(3))) == {200}
    assert to_the_end(ada, theme)["changed"] == 2
    assert [lettering(ada, cover)["version"] for cover in covers] == [1, 2, 2]
    assert painted.doctor() == ""


def test_previews_show_what_would_change_and_store_nothing(ada: Person, series: tuple[int, list[int]]) -> None:
    theme, covers = series
    address = f"/api/themes/{theme}/look/previews"
    none = ada.post(address, json={"coverIds": covers})
    assert (none.status_code, none.json()["error"]["code"]) == (409, "no_look")
    lock(ada, theme, covers[0])
    seen = ada.post(address, json={"coverIds": covers})
    assert seen.status_code == 200, seen.text
    assert [(one["coverId"], one["changes"]) for one in seen.json()] == [
        (covers[0], False),
        (covers[1], True),
        (covers[2], True),
    ]
    assert all(one["svg"].startswith("<svg") for one in seen.json())
    assert ada.get(seen.json()[1]["artworkUrl"]).status_code == 200
    assert lettering(ada, covers[1])["version"] == 1
    applied(ada, theme, covers)
    assert lettering(ada, covers[1])["lettering"] == seen.json()[1]["lettering"], "what was seen is what is made"
    assert ada.post(address, json={"coverIds": [*covers, 10**6]}).status_code == 404


def test_a_new_cover_begins_with_the_look_and_the_next_number_is_proposed(
    ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    lock(ada, theme, covers[0])
    following = ada.get(f"/api/themes/{theme}/next-volume").json()
    assert following == {"author": "Ada Marlow", "series": "Saltmarsh", "number": "Book 4", "style": "headline"}
    fourth = ada.cover(themeId=theme, title="A Very Long Title of a Fourth Tide", author="Ada Marlow", **SIZE)
    assert states(shown(ada, theme))[-1] == "same" and lettering(ada, fourth["id"])["version"] == 1
    look, made = faces(ada, covers[0]), faces(ada, fourth["id"])
    assert made == {role: look[role] for role in ("title", "author")}
    wished = volume(ada, theme, 5, "enchanted")
    assert lettering(ada, wished)["lettering"]["style"] == "enchanted", "a style that its author wished for"


def test_a_cover_that_is_moved_in_takes_on_the_look_as_a_new_version(
    ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, covers = series
    strange = int(ada.cover(title="Elsewhere", author="Ada Marlow", letteringStyle="wanted", **SIZE)["id"])
    drawn = int(ada.cover(title="Drawn", lettering="model", **SIZE)["id"])
    lock(ada, theme, covers[0])
    moved = ada.post(f"/api/covers/{strange}/theme", json={"themeId": theme})
    assert moved.status_code == 200 and moved.json()["themeId"] == theme
    now = lettering(ada, strange)
    assert now["version"] == 2 and now["cover"] == moved.json()
    assert faces(ada, strange)["title"] == faces(ada, covers[0])["title"]
    assert ada.post(f"/api/covers/{strange}/theme", json={"themeId": theme}).status_code == 200
    assert lettering(ada, strange)["version"] == 2, "it was there already"
    assert ada.post(f"/api/covers/{drawn}/theme", json={"themeId": theme}).status_code == 200
    assert lettering(ada, drawn)["version"] == 1
    assert applied(ada, theme, [drawn])["left"] == 1


def test_a_look_outlives_the_cover_it_was_taken_from_and_goes_with_its_theme(
    painted: Product, ada: Person, series: tuple[int, list[int]]
) -> None:
    theme, (first, second, _) = series
    lock(ada, theme, first)
    applied(ada, theme, [second])
    assert ada.delete(f"/api/covers/{first}").status_code == 204
    found = shown(ada, theme)
    assert found["look"]["coverId"] == first and states(found) == ["same", "drifts"]
    assert ada.delete(f"/api/covers/{second}").status_code == 204
    run = undone(ada, theme)
    assert (run["total"], run["kept"]) == (1, 1), "what is in the bin stays as it is"
    assert ada.delete(f"/api/themes/{theme}").status_code == 204
    assert ada.get(f"/api/themes/{theme}/series").status_code == 404
    left = painted.sql("SELECT count(*) AS n FROM look_run WHERE theme_id = :id", id=theme)
    assert left == [{"n": 0}]


def test_another_user_s_theme_is_not_there(painted: Product, ada: Person, series: tuple[int, list[int]]) -> None:
    theme, covers = series
    eve = painted.user()
    address = f"/api/themes/{theme}"
    for answer in (
        eve.get(f"{address}/series"),
        eve.get(f"{address}/next-volume"),
        eve.put(f"{address}/look", json={"coverId": covers[0]}),
        eve.post(f"{address}/look/previews", json={"coverIds": covers}),
        eve.post(f"{address}/look/run", json={"coverIds": covers}),
        eve.post(f"{address}/look/run/step"),
        eve.post(f"{address}/look/run/undo"),
        eve.delete(f"{address}/look"),
    ):
        assert answer.status_code == 404, answer.text


@pytest.mark.parametrize("backend", BACKENDS)
def test_words_that_a_service_set_itself_give_way_to_the_look(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory, backend: str
) -> None:
    stub = Stub(tmp_path_factory.mktemp("artist") / "control")
    with drawn_by(SAYING_HOW, databases, stub, backend) as product:
        eve = product.user()
        theme = theme_of(eve)
        first = volume(eve, theme, 1, "headline")
        lock(eve, theme, first)
        second = eve.cover(themeId=theme, title="Two", author="Eve", **SIZE)["id"]
        assert faces(eve, second)["title"] == faces(eve, first)["title"]
        assert states(shown(eve, theme)) == ["same", "same"]
