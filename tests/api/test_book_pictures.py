"""Pictures that a book has of its own: the publisher's mark on spine and back, and one on the back."""

import base64
import io
import json
import zipfile
from typing import Any

import pytest
from PIL import Image, ImageDraw

from tests.api.test_packs import PRINTED, make, opened, printable
from tests.api.test_shelf import SAID
from tests.person import Person, fault
from tests.product import Product
from tests.support.files import files_below
from tests.support.processes import wait_until


def drawn(size: tuple[int, int] = (400, 400), kind: str = "PNG") -> str:
    """Return a red disk on a transparent ground, as base64."""
    picture = Image.new("RGBA", size, (0, 0, 0, 0))
    ImageDraw.Draw(picture).ellipse((4, 4, size[0] - 4, size[1] - 4), fill="#d01020")
    buffer = io.BytesIO()
    picture.convert("RGB" if kind == "JPEG" else "RGBA").save(buffer, kind)
    return base64.b64encode(buffer.getvalue()).decode()


def marked(person: Person, book: dict[str, Any], data: str | None = None, name: str = "mark") -> dict[str, Any]:
    body = {"version": book["version"], "base64": data or drawn()}
    answer = person.put(f"/api/books/{book['id']}/pictures/{name}", json=body)
    assert answer.status_code == 200, answer.text
    stored: dict[str, Any] = answer.json()
    return stored


def objects(product: Product) -> int:
    return len(files_below(product.data, "/objects/"))


@pytest.mark.parametrize(("name", "url"), [("mark", "markUrl"), ("back", "backPictureUrl")])
def test_a_picture_is_kept_with_its_transparency_shown_and_removed(product: Product, name: str, url: str) -> None:
    ada = product.user()
    book = ada.book()
    path = f"/api/books/{book['id']}/pictures/{name}"
    before = objects(product)
    assert book[url] is None
    pictured = marked(ada, book, name=name)
    assert pictured["version"] == book["version"] + 1
    assert [key for key in ("markUrl", "backPictureUrl") if pictured[key]] == [url]
    assert pictured[url].startswith(f"{path}?v=")
    answer = ada.get(pictured[url])
    assert "immutable" in answer.headers["cache-control"]
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (400, 400) and picture.convert("RGBA").getpixel((0, 0))[3] == 0  # type: ignore[index]
    refused = ada.put(path, json={"version": book["version"], "base64": drawn()})
    assert (refused.status_code, fault(refused)["code"]) == (409, "book_moved_on")
    another = marked(ada, pictured, drawn((300, 200), "JPEG"), name)
    assert another[url] != pictured[url] and objects(product) == before + 1
    bare = ada.delete(path, params={"version": another["version"]})
    assert bare.status_code == 200 and bare.json()[url] is None
    assert ada.delete(path).status_code == 404
    assert ada.get(f"/api/books/{book['id']}").json()["version"] == bare.json()["version"]
    assert ada.get(another[url]).status_code == 404 and objects(product) == before
    assert product.doctor() == ""


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (drawn((199, 150)), 422, "small_picture"),
        (base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(), 415, "not_a_logo"),
        (base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode(), 422, "unreadable_image"),
        ("no base64 at all", 422, "unreadable_image"),
    ],
)
def test_what_is_no_mark_is_refused_with_a_reason(shared_product: Product, data: str, status: int, code: str) -> None:
    ada = shared_product.user()
    book = ada.book()
    answer = ada.put(f"/api/books/{book['id']}/pictures/mark", json={"version": 1, "base64": data})
    assert answer.status_code == status, answer.text
    assert fault(answer)["fieldCodes"]["base64"]["code"] == code
    assert ada.get(f"/api/books/{book['id']}").json() == book


def test_files_and_previews_carry_the_pictures_and_the_quote(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = printable(ada)
    path = f"/api/books/{book['id']}/editions/{PRINTED}/preview"
    shown = ada.get(path).json()
    assert "mark_resolution" not in str(shown["findings"]) and "picture_resolution" not in str(shown["findings"])
    for name, rule in (("mark", "mark_resolution"), ("back", "picture_resolution")):
        book = marked(ada, book, drawn((900, 900)), name)
        before, shown = shown, ada.get(path).json()
        assert shown["picture"] != before["picture"]
        assert {one["rule"]: one for one in shown["findings"]}[rule]["outcome"] == "pass"
    said = {"version": book["version"], "quote": "“Read it twice.”\nThe Evening Post"}
    book = ada.patch(f"/api/books/{book['id']}", json=said).json()
    assert book["quote"] == said["quote"]
    assert ada.get(path).json()["picture"] != shown["picture"]
    pack = make(ada, book, PRINTED)
    report = json.loads(opened(ada, pack).read("Preflight.json"))
    assert {"mark_resolution", "picture_resolution"} <= {one["rule"] for one in report[0]["findings"]}


def test_the_next_volume_of_a_series_begins_with_the_pictures_and_the_last_takes_them_along(product: Product) -> None:
    ada = product.user()
    theme = int(ada.post("/api/themes", json={"name": "The Coast", "stylePrompt": "linocut"}).json()["id"])
    first = ada.book(title="First", number="1", themeId=theme, **SAID)
    words = f"/api/covers/{first['cover']['id']}/lettering"
    suggested = ada.post(f"{words}/suggestion", json={"words": {"title": "First"}}).json()
    assert ada.put(words, json={"version": 1, "lettering": suggested}).status_code == 200
    assert ada.put(f"/api/themes/{theme}/look", json={"coverId": first["cover"]["id"]}).status_code == 200
    first = marked(ada, marked(ada, first), drawn((640, 480), "JPEG"), "back")
    second = ada.book(title="Second", themeId=theme, **SAID)
    for url, name in (("markUrl", "mark"), ("backPictureUrl", "back")):
        assert second[url].split("?")[1] == first[url].split("?")[1]
        assert ada.delete(f"/api/books/{first['id']}/pictures/{name}").status_code == 200
        assert ada.get(second[url]).status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content))
    told = {one["id"]: one for one in json.loads(archive.read("books.json"))}
    for url, name in (("markUrl", "mark"), ("backPictureUrl", "back_picture")):
        assert told[first["id"]][name] is None
        assert archive.read(told[second["id"]][name]) == ada.get(second[url]).content
    assert ada.delete(f"/api/books/{second['id']}").status_code == 204
    assert product.doctor() == ""


@pytest.mark.parametrize(("name", "table"), [("mark", "publisher_mark"), ("back", "back_picture")])
def test_an_account_that_leaves_takes_its_pictures_along(product: Product, name: str, table: str) -> None:
    ada = product.user()
    book = marked(ada, ada.book(), name=name)
    (kept,) = product.sql(
        f"SELECT object_key FROM picture_file JOIN {table} USING (picture_id) WHERE book_id = :id", id=book["id"]
    )
    leaving = {"confirm": ada.user["email"], "currentPassword": "amber kettle 41 violin"}
    assert ada.request("DELETE", "/api/account", json=leaving).status_code == 204
    wait_until(lambda: not product.sql('SELECT 1 FROM "user" WHERE id = :id', id=ada.id), "the end of the account", 30)
    assert product.sql("SELECT 1 FROM picture_file WHERE object_key = :key", key=kept["object_key"]) == []
    assert files_below(product.data, kept["object_key"]) == []
    assert product.doctor() == ""
