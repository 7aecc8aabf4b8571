"""Books: made of covers once, changed by versions, with editions that say what they lack."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.person import Person, fault, next_page
from tests.product import PASSWORD, Product
from tests.support.processes import wait_until


def put(person: Person, book: dict[str, Any], name: str, **fields: Any) -> dict[str, Any]:
    """Store an edition and return the book."""
    body = {"version": book["version"]} | fields
    answer = person.put(f"/api/books/{book['id']}/editions/{name}", json=body)
    assert answer.status_code == 200, answer.text
    changed: dict[str, Any] = answer.json()
    return changed


def change(person: Person, book: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Change a book and return it."""
    answer = person.patch(f"/api/books/{book['id']}", json={"version": book["version"]} | fields)
    assert answer.status_code == 200, answer.text
    changed: dict[str, Any] = answer.json()
    return changed


def edition(book: dict[str, Any], name: str) -> dict[str, Any]:
    """Return one edition of a book."""
    return next(one for one in book["editions"] if one["name"] == name)


def test_a_cover_becomes_a_book_with_what_is_said_on_it(product: Product, ada: Person) -> None:
    words = {"title": "Salt", "author": "Ada Lind", "subtitle": "A year", "tagline": "Nobody drowns twice."}
    book = ada.book(**words, series="The Coast", number="2")
    told = {name: book[name] for name in ("title", "authors", "subtitle", "tagline", "series", "number")}
    assert told == {
        "title": "Salt",
        "authors": "Ada Lind",
        "subtitle": "A year",
        "tagline": "Nobody drowns twice.",
        "series": "The Coast",
        "number": "2",
    }
    assert (book["version"], book["pages"], book["direction"], book["pack"]) == (1, None, "ltr", None)
    assert [one["name"] for one in book["editions"]] == ["ebook", "kdp-paperback"]
    assert edition(book, "ebook")["problems"] == []
    assert [one["code"] for one in edition(book, "kdp-paperback")["problems"]] == ["no_pages"]
    assert ada.get(f"/api/books/{book['id']}").json() == book
    assert product.doctor() == ""


def test_a_cover_becomes_a_book_once_however_often_it_is_asked(ada: Person) -> None:
    cover = ada.cover()["id"]

    def ask(_: int) -> tuple[int, int]:
        answer = ada.post("/api/books", json={"coverId": cover})
        return answer.status_code, answer.json()["id"]

    with ThreadPoolExecutor(6) as several:
        answers = list(several.map(ask, range(6)))
    assert len({book for _, book in answers}) == 1
    assert sorted(status for status, _ in answers) == [200] * 5 + [201]
    book = answers[0][1]
    assert ada.delete(f"/api/books/{book}").status_code == 204
    again = ada.post("/api/books", json={"coverId": cover})
    assert (again.status_code, again.json()["id"], again.json()["deletedAt"]) == (200, book, None)


def test_other_peoples_covers_and_binned_ones_make_no_book(product: Product, ada: Person) -> None:
    cover = ada.cover()["id"]
    assert product.user().post("/api/books", json={"coverId": cover}).status_code == 404
    ada.delete(f"/api/covers/{cover}")
    assert fault(ada.post("/api/books", json={"coverId": cover}))["code"] == "not_found"


def test_covers_of_a_theme_form_a_series(ada: Person) -> None:
    theme = ada.post("/api/themes", json={"name": "The Coast", "stylePrompt": "linocut"}).json()["id"]
    first, second = ada.book(themeId=theme, title="One"), ada.book(themeId=theme, title="Two")
    alone = ada.book(title="Alone")
    assert [(one["series"], one["number"]) for one in (first, second)] == [("The Coast", "1"), ("The Coast", "2")]
    assert (first["themeId"], first["themeName"], alone["themeId"]) == (theme, "The Coast", None)
    listed = ada.get("/api/books", params={"theme": theme}).json()
    assert [one["title"] for one in listed] == ["Two", "One"]


def test_a_change_counts_the_version_and_an_old_one_is_told_so(ada: Person) -> None:
    book = change(ada, ada.book(), title="Brine", blurb="Line one.\n\nLine two.", pages=301, direction="rtl")
    assert (book["title"], book["blurb"], book["pages"], book["version"]) == (
        "Brine",
        "Line one.\n\nLine two.",
        301,
        2,
    )
    answer = ada.patch(f"/api/books/{book['id']}", json={"version": 1, "title": "Late"})
    assert (answer.status_code, fault(answer)["code"]) == (409, "book_moved_on")
    late = ada.put(f"/api/books/{book['id']}/editions/ebook", json={"version": 1})
    assert fault(late)["code"] == "book_moved_on"
    assert fault(ada.delete(f"/api/books/{book['id']}/editions/ebook?version=1"))["code"] == "book_moved_on"
    assert ada.get(f"/api/books/{book['id']}").json() == book


def test_all_bad_fields_are_named_at_once(ada: Person) -> None:
    book = ada.book()
    bad = {"version": 1, "title": "a\nb", "direction": "up", "pages": 0, "language": "not a language", "wrong": 1}
    answer = ada.patch(f"/api/books/{book['id']}", json=bad)
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"title", "direction", "pages", "language", "wrong"}
    blank = ada.patch(f"/api/books/{book['id']}", json={"version": 1, "title": "  "})
    assert fault(blank)["fieldCodes"]["title"]["code"] == "no_title"


def test_an_edition_has_the_sheet_of_its_cover_once_the_pages_are_known(ada: Person) -> None:
    book = change(ada, ada.book(), pages=300)
    book = put(ada, book, "kdp-paperback", trim="6x9", paper="white")
    sheet = edition(book, "kdp-paperback")["sheet"]
    assert (sheet["spine"], sheet["width"], sheet["height"]) == (0.6756, 12.9256, 9.25)
    assert (sheet["widthPixels"], sheet["heightPixels"]) == (3878, 2775)
    book = change(ada, book, pages=320)
    assert edition(book, "kdp-paperback")["sheet"]["spine"] == pytest.approx(320 * 0.002252, abs=1e-4)


def test_an_edition_says_all_that_it_lacks(ada: Person) -> None:
    book = put(ada, ada.book(), "ingramspark-paperback", trim="9", paper="template")
    lacks = {(one["field"], one["code"]) for one in edition(book, "ingramspark-paperback")["problems"]}
    assert lacks == {("trim", "no_trim"), ("pages", "no_pages"), ("spine", "ask_printer")}
    book = change(ada, book, pages=20)
    book = put(ada, book, "kdp-paperback", trim="6x9", paper="cream")
    lack = edition(book, "kdp-paperback")["problems"]
    assert lack == [{"field": "pages", "code": "page_range", "values": {"least": 24, "most": 776}}]
    book = put(ada, book, "ingramspark-paperback", trim="6x9", paper="template", spine=0.64)
    assert edition(book, "ingramspark-paperback")["sheet"]["spine"] == 0.64


CASE = {"boardWidth": 6.1875, "boardHeight": 9.25, "wrap": 0.625, "hinge": 0.375}


def test_a_case_is_made_from_the_numbers_of_its_template(product: Product, ada: Person) -> None:
    name = "ingramspark-hardcover"
    book = put(ada, ada.book(), name, trim="6x9", paper="template")
    lacks = [(one["field"], one["code"]) for one in edition(book, name)["problems"]]
    assert lacks == [("pages", "no_pages"), *((one, "ask_printer") for one in ("spine", *CASE))]
    book = put(ada, change(ada, book, pages=240), name, trim="6x9", paper="template", spine=0.85, **CASE)
    made = edition(book, name)
    assert made["problems"] == [] and {key: made[key] for key in CASE} == CASE
    assert (made["sheet"]["width"], made["sheet"]["height"], made["sheet"]["bleed"]) == (14.475, 10.5, 0.625)
    mirrored = edition(change(ada, book, direction="rtl"), name)["sheet"]
    assert mirrored["width"] == 14.475 and mirrored["svg"] != made["sheet"]["svg"]
    assert product.doctor() == ""


def test_numbers_of_a_case_that_cannot_be_are_told_all_at_once(ada: Person) -> None:
    name = "ingramspark-hardcover"
    book = change(ada, ada.book(), pages=240)
    bad = {"boardWidth": 0, "boardHeight": -1, "wrap": "thick", "hinge": 500}
    answer = ada.put(f"/api/books/{book['id']}/editions/{name}", json={"version": book["version"], **bad})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == set(bad)
    absurd = {"spine": 0.85, "boardWidth": 5.5, "boardHeight": 9.25, "wrap": 15.0, "hinge": 9.0}
    book = put(ada, book, name, trim="6x9", paper="template", **absurd)
    assert edition(book, name)["sheet"] is None
    assert edition(book, name)["problems"] == [
        {"field": "boardWidth", "code": "measure_range", "values": {"least": 6, "most": 7.5}},
        {"field": "wrap", "code": "measure_range", "values": {"least": 0.25, "most": 1.5}},
        {"field": "hinge", "code": "measure_range", "values": {"least": 0.125, "most": 1}},
    ]
    book = put(ada, book, "kdp-hardcover", trim="6x9", paper="cream", **CASE)
    kept = edition(book, "kdp-hardcover")
    assert {kept[key] for key in CASE} == {None} and kept["sheet"]["height"] == 10.4173


def test_an_isbn_is_checked_and_kept_in_thirteen_digits(ada: Person) -> None:
    book = put(ada, ada.book(), "ebook", isbn="ISBN 978-3-16-148410-0")
    assert edition(book, "ebook")["isbn"] == "9783161484100"
    book = put(ada, book, "ebook", isbn="3-16-148410-X")
    assert edition(book, "ebook")["isbn"] == "9783161484100"
    for typed, code in (
        ("9783161484101", "isbn_check_digit"),
        ("978316148410", "isbn_length"),
        ("1234567890128", "isbn_prefix"),
        ("978316148410Q", "isbn_characters"),
    ):
        body = {"version": book["version"], "isbn": typed}
        answer = ada.put(f"/api/books/{book['id']}/editions/ebook", json=body)
        assert fault(answer)["fieldCodes"]["isbn"]["code"] == code, typed


def test_editions_are_added_and_removed_in_the_order_of_the_forms(ada: Person) -> None:
    names = [form["name"] for form in ada.get("/api/books/forms").json()]
    assert names[0] == "ebook" and {"kdp-hardcover", "audiobook", "social"} <= set(names)
    book = put(ada, put(ada, ada.book(), "social"), "kdp-hardcover", trim="6x9", paper="white")
    shown = [one["name"] for one in book["editions"]]
    assert shown == [name for name in names if name in ("ebook", "kdp-paperback", "kdp-hardcover", "social")]
    answer = ada.delete(f"/api/books/{book['id']}/editions/ebook", params={"version": book["version"]})
    assert [one["name"] for one in answer.json()["editions"]] == shown[1:]
    assert ada.delete(f"/api/books/{book['id']}/editions/ebook").status_code == 404
    unknown = ada.put(f"/api/books/{book['id']}/editions/scroll", json={"version": answer.json()["version"]})
    assert unknown.status_code == 404
    paper = {"version": answer.json()["version"], "trim": "6x9", "paper": "vellum", "sheetWidth": 12.0}
    wrong = ada.put(f"/api/books/{book['id']}/editions/kdp-paperback", json=paper)
    assert set(fault(wrong)["fields"]) == {"paper", "sheetHeight"}


def test_books_are_listed_in_pages_and_come_back_from_the_bin(product: Product, ada: Person) -> None:
    books = [ada.book(title=f"Book {number}")["id"] for number in range(3)]
    first = ada.get("/api/books", params={"limit": 2})
    assert [one["id"] for one in first.json()] == books[:0:-1]
    assert (first.json()[0]["editions"], first.json()[0]["ready"]) == (["ebook", "kdp-paperback"], 1)
    following = next_page(first)
    assert following is not None
    assert [one["id"] for one in ada.get(following).json()] == books[:1]
    for book in books:
        assert ada.delete(f"/api/books/{book}").status_code == 204
    assert ada.get("/api/books").json() == [] and ada.get(f"/api/books/{books[0]}").status_code == 404
    bin_page = ada.get("/api/books", params={"bin": True, "limit": 2})
    following = next_page(bin_page)
    assert following is not None
    binned = [*bin_page.json(), *ada.get(following).json()]
    assert [one["id"] for one in binned] == books[::-1]
    assert ada.post(f"/api/books/{books[1]}/restore").json()["deletedAt"] is None
    assert [one["id"] for one in ada.get("/api/books").json()] == [books[1]]
    assert product.user().post(f"/api/books/{books[0]}/restore").status_code == 404


@pytest.mark.parametrize("cursor", ["nonsense", "MQ", "MR8y", "\U0001f600"])
def test_a_foreign_cursor_is_refused(ada: Person, cursor: str) -> None:
    answer = ada.get("/api/books", params={"cursor": cursor, "bin": True})
    assert answer.status_code == 422 and "cursor" in fault(answer)["fields"]


def test_a_book_outlives_its_cover_and_takes_another(ada: Person) -> None:
    book, other, third = ada.book(), ada.cover()["id"], ada.book()
    ada.delete(f"/api/covers/{book['cover']['id']}")
    book = ada.get(f"/api/books/{book['id']}").json()
    assert book["cover"] is None
    taken = ada.patch(f"/api/books/{book['id']}", json={"version": 1, "coverId": third["cover"]["id"]})
    assert (taken.status_code, fault(taken)["code"]) == (409, "cover_has_book")
    absent = ada.patch(f"/api/books/{book['id']}", json={"version": 1, "coverId": 999_999_999})
    assert fault(absent)["fieldCodes"]["coverId"]["code"] == "not_a_choice"
    assert change(ada, book, coverId=other)["cover"]["id"] == other


def test_books_are_in_the_export_and_gone_with_the_account(product: Product) -> None:
    ada = product.user()
    book = change(ada, ada.book(title="Salt"), pages=300)
    with zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content)) as exported:
        (told,) = json.loads(exported.read("books.json"))
    assert (told["title"], told["pages"], told["cover_id"]) == ("Salt", 300, book["cover"]["id"])
    assert [one["name"] for one in told["editions"]] == ["ebook", "kdp-paperback"]
    leaving = {"confirm": ada.user["email"], "currentPassword": PASSWORD}
    assert ada.request("DELETE", "/api/account", json=leaving).status_code == 204
    wait_until(lambda: not product.sql("SELECT id FROM book WHERE id = :id", id=book["id"]), "the end of the account")
    assert product.sql("SELECT id FROM edition WHERE book_id = :id", id=book["id"]) == []
    assert product.doctor() == ""
