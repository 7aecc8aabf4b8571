"""Words of a cover before there is one: set by the press while they are typed, and kept with the request."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import LETTERED, SIZE, drawn_by
from tests.support.databases import Databases

MORE = {
    "subtitle": "A novel of the old coast",
    "series": "The Tidebound",
    "number": "Book 2",
    "tagline": "Some doors open once",
}
TITLES = {
    "en": "The Watchmaker of Salt",
    "es": "El relojero de la sal",
    "fr": "L’horloger du sel",
    "de": "Die Uhrmacherin",
    "ja": "時計職人の娘",
    "zh": "钟表匠的女儿",
    "it": "L’orologiaio",
    "pt": "O relojoeiro",
    "ru": "Часовщица",
    "ko": "시계공의 딸",
    "ar": "صانعة الساعات",
    "hi": "घड़ीसाज़ की बेटी",
}
SHAPES = ((1800, 2700), (2550, 3300), (2400, 2400), (1650, 2550), (1024, 1792), (2550, 1800))


@pytest.fixture(scope="module")
def drawn(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """A product whose image service sets title and author, and returns the picture without them, too."""
    stub = Stub(tmp_path_factory.mktemp("artist") / "control")
    with drawn_by(LETTERED, databases, stub) as product:
        yield product


@pytest.fixture
def ada(painted: Product) -> Person:
    return painted.user()


def sketch(person: Person, **fields: Any) -> dict[str, Any]:
    """Return words as the press sets them before there is a picture."""
    body = {"ground": "#1d3a34", "width": 1800, "height": 2700} | fields
    answer = person.post("/api/lettering/sketch", json=body)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


def lettering(person: Person, cover: dict[str, Any]) -> dict[str, Any]:
    """Return the words that the press set on a cover."""
    shown: dict[str, Any] = person.get(f"/api/covers/{cover['id']}/lettering").json()["lettering"]
    return shown


def texts(shown: dict[str, Any]) -> dict[str, str]:
    return {block["role"]: block["text"] for block in shown["blocks"]}


def test_the_press_sets_words_of_all_languages_before_there_is_a_picture(ada: Person) -> None:
    for number, (language, title) in enumerate(TITLES.items()):
        width, height = SHAPES[number % len(SHAPES)]
        shown = sketch(ada, words={"title": title, "author": "Ada Marlow"}, width=width, height=height)
        assert texts(shown["lettering"]) == {"title": title, "author": "Ada Marlow"}, language
        assert shown["svg"].startswith("<svg") and f'viewBox="0 0 {width} {height}"' in shown["svg"]
        assert shown["svg"].count("<path") >= 2


def test_the_ground_and_the_genre_decide(ada: Person) -> None:
    words = {"title": "Low Orbit", "author": "Ines Okafor"}
    dark, pale = sketch(ada, words=words), sketch(ada, words=words, ground="#fdf6e3")
    inks = [{block["color"] for block in shown["lettering"]["blocks"]} for shown in (dark, pale)]
    assert not inks[0] & inks[1]
    chosen = {genre: sketch(ada, words=words, genre=genre)["style"] for genre in ("Science-Fiction", "Роман о любви")}
    assert len(set(chosen.values())) == 2


def test_a_wished_style_is_taken_unless_the_title_is_too_long_for_it(ada: Person) -> None:
    short, long = {"title": "Kiln"}, {"title": "Everything That the Watchmaker Never Told Me"}
    assert sketch(ada, words=short, style="signature")["style"] == "signature"
    assert sketch(ada, words=long, style="signature")["style"] != "signature"
    answer = ada.post(
        "/api/lettering/sketch",
        json={"words": short, "ground": "red", "style": "none", "width": 10, "height": 2700},
    )
    assert answer.status_code == 422 and {"ground", "width"} <= set(fault(answer)["fields"])
    answer = ada.post(
        "/api/lettering/sketch",
        json={"words": short, "ground": "#ffffff", "style": "none", "width": 600, "height": 900},
    )
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"style"}


def test_no_proportions_are_taken_that_no_book_has(ada: Person) -> None:
    for width, height in ((50, 4800), (4800, 50)):
        body = {"words": {"title": "Kiln"}, "ground": "#ffffff", "width": width, "height": height}
        answer = ada.post("/api/lettering/sketch", json=body)
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"height"}
    assert sketch(ada, words={"title": "W" * 200, "tagline": "字" * 300}, width=50, height=200)["svg"]


def test_a_cover_gets_the_style_that_was_seen_and_keeps_it_when_made_again(ada: Person) -> None:
    ada.subscribe()
    words = {"title": "Salt and Cedar", "author": "Ada Marlow"}
    seen = [style["id"] for style in ada.get("/api/lettering/styles", params={"genre": "mystery"}).json()]
    wished = seen[9]
    assert sketch(ada, words=words, genre="mystery", style=wished)["style"] == wished
    cover = ada.cover(**words, genre="mystery", letteringStyle=wished, **SIZE)
    assert lettering(ada, cover)["style"] == wished
    details = ada.get(f"/api/covers/{cover['id']}/details").json()
    assert details["letteringStyle"] == wished
    again = ada.post(f"/api/generations/{details['generationId']}/retry", json={})
    assert again.status_code == 202, again.text
    ada.finished(again.json()["generationId"])
    newest = ada.get("/api/generations").json()[0]
    assert newest["letteringStyle"] == wished and lettering(ada, newest["cover"])["style"] == wished


def test_a_style_there_is_not_is_refused_at_its_field(ada: Person) -> None:
    answer = ada.start(title="Salt", letteringStyle="nowhere", **SIZE)
    assert answer.status_code == 422 and fault(answer)["fields"] == {
        "letteringStyle": "nowhere is not one of the choices."
    }


def test_more_words_stand_on_the_cover_and_are_kept_with_it(ada: Person) -> None:
    ada.subscribe()
    cover = ada.cover(title="Salt and Cedar", author="Ada Marlow", **MORE, **SIZE)
    assert texts(lettering(ada, cover)) == {
        "title": "Salt and Cedar",
        "author": "Ada Marlow",
        "subtitle": MORE["subtitle"],
        "series": "The Tidebound · Book 2",
        "tagline": MORE["tagline"],
    }
    details = ada.get(f"/api/covers/{cover['id']}/details").json()
    again = ada.post(f"/api/generations/{details['generationId']}/retry", json={}).json()
    line = next(row for row in ada.get("/api/generations").json() if row["id"] == again["generationId"])
    for shown in (cover, details["cover"], line, ada.finished(again["generationId"])["result"]):
        assert {name: shown[name] for name in MORE} == MORE


def test_words_that_are_changed_on_the_cover_are_those_it_is_named_by(ada: Person) -> None:
    cover = ada.cover(title="Salt and Cedar", **MORE, **SIZE)
    shown = ada.get(f"/api/covers/{cover['id']}/lettering").json()
    blocks = [
        block | {"text": "A novel"} if block["role"] == "subtitle" else block for block in shown["lettering"]["blocks"]
    ]
    change = {"version": shown["version"], "lettering": shown["lettering"] | {"blocks": blocks}}
    saved = ada.put(f"/api/covers/{cover['id']}/lettering", json=change).json()["cover"]
    assert (saved["subtitle"], saved["tagline"]) == ("A novel", MORE["tagline"])


def test_the_picture_s_own_model_is_told_of_all_words(ada: Person) -> None:
    cover = ada.cover(title="Salt and Cedar", lettering="model", **MORE, **SIZE)
    prompt = ada.get(f"/api/covers/{cover['id']}/details").json()["composedPrompt"]
    for text in MORE.values():
        assert f"spelled exactly: {text}" in prompt


def test_all_words_are_set_by_the_press_where_a_service_sets_only_some(drawn: Product) -> None:
    ada = drawn.user()
    ada.subscribe()
    plain = ada.cover(title="Salt and Cedar", author="Ada Marlow", **SIZE)
    assert lettering(ada, plain) is None
    more = ada.cover(title="Salt and Cedar", author="Ada Marlow", subtitle="A novel", **SIZE)
    assert texts(lettering(ada, more)) == {"title": "Salt and Cedar", "author": "Ada Marlow", "subtitle": "A novel"}
    assert ada.get(f"/api/covers/{more['id']}/artwork").status_code == 200


def test_a_service_s_own_way_gives_way_to_the_style_that_was_chosen(drawn: Product) -> None:
    ada = drawn.user()
    ada.subscribe()
    cover = ada.cover(title="Salt", author="Ada Marlow", letteringStyle="carved-capitals", **SIZE)
    shown = lettering(ada, cover)
    assert shown["style"] == "carved-capitals" and texts(shown) == {"title": "Salt", "author": "Ada Marlow"}
    assert ada.get(f"/api/covers/{cover['id']}/details").json()["letteringStyle"] == "carved-capitals"


def test_words_that_are_too_long_are_named_all_at_once(ada: Person) -> None:
    answer = ada.start(title="Salt", subtitle="x" * 201, series="x" * 201, number="x" * 41, tagline="x" * 301, **SIZE)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == set(MORE)
