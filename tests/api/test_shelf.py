"""The shelf of a series: fronts and spines in the order of their numbers, and what the next book of it begins with."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from tests.person import Person
from tests.product import Product

SAID = {"letteringStyle": "headline", "author": "Ada Lind", "series": "The Coast"}


@pytest.fixture
def theme(ada: Person) -> int:
    return int(ada.post("/api/themes", json={"name": "The Coast", "stylePrompt": "linocut"}).json()["id"])


def shelf(person: Person, theme: int) -> list[dict[str, Any]]:
    answer = person.get(f"/api/themes/{theme}/shelf")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def printed(person: Person, book: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Give a book its pages and a paperback, and return it."""
    book = person.patch(f"/api/books/{book['id']}", json={"version": book["version"], "pages": 320}).json()
    body = {"version": book["version"], "trim": "5x8", "paper": "white", "background": "gradient"} | fields
    answer = person.put(f"/api/books/{book['id']}/editions/kdp-paperback", json=body)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_volumes_stand_in_the_order_of_their_numbers_with_the_spines_of_their_books(
    product: Product, ada: Person, theme: int
) -> None:
    late = ada.cover(title="Third", number="Book 10", themeId=theme, **SAID)
    first = ada.book(title="First", number="Book 2", themeId=theme, **SAID)
    bare = ada.cover(title="Unnumbered", themeId=theme, **SAID)
    before = shelf(ada, theme)
    assert [one["cover"]["id"] for one in before] == [first["cover"]["id"], late["id"], bare["id"]]
    assert [(one["number"], one["bookId"], one["spine"]) for one in before] == [
        ("Book 2", first["id"], None),
        ("Book 10", None, None),
        ("", None, None),
    ]
    printed(ada, first)
    spine = shelf(ada, theme)[0]["spine"]
    assert (round(spine["width"], 2), spine["height"]) == (0.72, 8.0)
    answer = ada.get(spine["url"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg"), answer.text
    assert "immutable" in answer.headers["cache-control"]
    picture = Image.open(io.BytesIO(answer.content))
    assert abs(picture.width / picture.height - spine["width"] / spine["height"]) < 0.01 and picture.height > 500
    assert ada.get(f"/api/books/{first['id']}/spine").headers["cache-control"] == "private, no-cache"
    assert product.user().get(spine["url"]).status_code == 404
    assert product.user().get(f"/api/themes/{theme}/shelf").status_code == 404


def test_a_book_without_a_printed_edition_has_no_spine(ada: Person, theme: int) -> None:
    book = ada.book(themeId=theme, **SAID)
    answer = ada.get(f"/api/books/{book['id']}/spine")
    assert answer.status_code == 404 and shelf(ada, theme)[0]["spine"] is None


def test_the_next_book_of_a_series_has_the_next_number_and_is_made_as_the_look_s_book(ada: Person, theme: int) -> None:
    first = ada.book(title="First", number="Vol. 4", themeId=theme, **SAID)
    printed(ada, first, isbn="9783161484100")
    words = f"/api/covers/{first['cover']['id']}/lettering"
    suggested = ada.post(f"{words}/suggestion", json={"words": {"title": "First"}}).json()
    assert ada.put(words, json={"version": 1, "lettering": suggested}).status_code == 200
    locked = ada.put(f"/api/themes/{theme}/look", json={"coverId": first["cover"]["id"]})
    assert locked.status_code == 200, locked.text
    second = ada.book(title="Second", themeId=theme, **SAID)
    assert second["number"] == "Vol. 5"
    paperback = next(one for one in second["editions"] if one["name"] == "kdp-paperback")
    alike = {name: paperback[name] for name in ("trim", "paper", "background", "isbn", "spine")}
    assert alike == {"trim": "5x8", "paper": "white", "background": "gradient", "isbn": "", "spine": None}


def drift(person: Person, theme: int) -> dict[str, Any]:
    answer = person.get(f"/api/themes/{theme}/shelf/drift")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_spines_are_compared_with_that_of_the_first_volume(product: Product, ada: Person, theme: int) -> None:
    assert drift(ada, theme) == {"leadBookId": None, "compared": 0, "spines": []}
    first = printed(ada, ada.book(title="First", number="1", themeId=theme, **SAID))
    second = printed(ada, ada.book(title="Second", number="2", themeId=theme, **SAID))
    alike = drift(ada, theme)
    assert alike == {"leadBookId": first["id"], "compared": 2, "spines": []}
    thicker = ada.patch(f"/api/books/{second['id']}", json={"version": second["version"], "pages": 700}).json()
    assert drift(ada, theme) == alike, "names are as high on a thicker book"
    unnumbered = {"version": thicker["version"], "number": "", "language": "fr"}
    other = ada.patch(f"/api/books/{second['id']}", json=unnumbered).json()
    printed(ada, other, trim="6x9", background="color", color="#102030")
    mark = io.BytesIO()
    Image.new("RGB", (300, 200), "#d01020").save(mark, "PNG")
    body = {"version": first["version"], "base64": base64.b64encode(mark.getvalue()).decode()}
    assert ada.put(f"/api/books/{first['id']}/pictures/mark", json=body).status_code == 200
    (told,) = drift(ada, theme)["spines"]
    assert told["bookId"] == second["id"]
    assert [one["kind"] for one in told["drifts"]] == ["height", "background", "reading", "no_mark"]
    assert told["drifts"][0]["by"] == 1.0
    assert product.user().get(f"/api/themes/{theme}/shelf/drift").status_code == 404


def test_a_name_that_stands_elsewhere_on_a_spine_is_told_with_its_distance(ada: Person, theme: int) -> None:
    printed(ada, ada.book(title="First", number="1", themeId=theme, **SAID))
    second = printed(ada, ada.book(title="Second", number="2", themeId=theme, **SAID))
    bare = ada.patch(f"/api/books/{second['id']}", json={"version": second["version"], "number": ""}).json()
    (told,) = drift(ada, theme)["spines"]
    (place,) = told["drifts"]
    assert place["kind"] == "author_place" and -0.8 < place["by"] < -0.5, "without a number it begins at the head"
    thin = ada.patch(f"/api/books/{second['id']}", json={"version": bare["version"], "number": "2", "pages": 40})
    assert thin.status_code == 200
    (told,) = drift(ada, theme)["spines"]
    assert [one["kind"] for one in told["drifts"]] == ["bare"]


def test_the_lead_is_the_book_that_gave_the_look(ada: Person, theme: int) -> None:
    first = printed(ada, ada.book(title="First", number="1", themeId=theme, **SAID))
    second = printed(ada, ada.book(title="Second", number="2", themeId=theme, **SAID))
    words = f"/api/covers/{second['cover']['id']}/lettering"
    suggested = ada.post(f"{words}/suggestion", json={"words": {"title": "Second"}}).json()
    assert ada.put(words, json={"version": 1, "lettering": suggested}).status_code == 200
    assert ada.put(f"/api/themes/{theme}/look", json={"coverId": second["cover"]["id"]}).status_code == 200
    told = drift(ada, theme)
    assert told["leadBookId"] == second["id"]
    assert {one["bookId"] for one in told["spines"]} <= {first["id"]}
