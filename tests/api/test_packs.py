"""Edition packs: the files of a book, made by a worker from what is stored, and kept as one file."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from tests.person import Person, fault
from tests.product import Product
from tests.support.files import files_below
from tests.support.processes import wait_until

PRINTED = "kdp-paperback"


def printable(person: Person, **fields: Any) -> dict[str, Any]:
    """Return a book whose paperback of 6x9 inches has 300 cream pages."""
    book = person.book(**{"title": "Salt Year", "author": "Ada Lind"} | fields)
    book = person.patch(f"/api/books/{book['id']}", json={"version": 1, "pages": 300}).json()
    wanted = {"version": book["version"], "trim": "6x9", "paper": "cream"}
    answer = person.put(f"/api/books/{book['id']}/editions/{PRINTED}", json=wanted)
    assert answer.status_code == 200, answer.text
    stored: dict[str, Any] = answer.json()
    return stored


def make(person: Person, book: dict[str, Any], *editions: str) -> dict[str, Any]:
    """Ask for the files of a book and return the pack when it has ended."""
    body = {"editions": list(editions)} if editions else {}
    answer = person.post(f"/api/books/{book['id']}/pack", json=body)
    assert answer.status_code == 202, answer.text
    return person.pack_made(answer.json()["id"])


def opened(person: Person, pack: dict[str, Any]) -> zipfile.ZipFile:
    """Download a pack and open it."""
    assert pack["status"] == "completed", pack
    answer = person.get(pack["downloadUrl"])
    assert answer.status_code == 200 and len(answer.content) == pack["bytes"]
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    assert packed.testzip() is None
    return packed


def bytes_of(packed: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the files of a pack, of pictures the pixels: no two signatures are the same."""
    files = {name: packed.read(name) for name in packed.namelist()}
    for name in [name for name in files if name.endswith((".jpg", ".png"))]:
        with Image.open(io.BytesIO(files[name])) as picture:
            files[name] = picture.tobytes()
    return files


def test_pro_gets_every_file_with_names_as_shops_ask(product: Product) -> None:
    ada = product.user(pro=True)
    book = printable(ada)
    pack = make(ada, book)
    assert (pack["done"], pack["total"], pack["isProof"]) == (2, 2, False)
    assert pack["editions"] == ["ebook", PRINTED] and pack["bookVersion"] == book["version"]
    packed = opened(ada, pack)
    stem = "Salt-Year_KDP-paperback_6x9_300pp_cream"
    names = packed.namelist()
    assert {f"{stem}.pdf", f"{stem}_proof.pdf", "Preflight.pdf", "Preflight.json", "Disclosure.txt"} <= set(names)
    assert names == [file["name"] for file in pack["files"]]
    page = PdfReader(io.BytesIO(packed.read(f"{stem}.pdf"))).pages[0]
    size = [float(side) / 72 for side in (page.mediabox.width, page.mediabox.height)]
    assert size == pytest.approx([2 * 6 + 300 * 0.0025 + 0.25, 9.25], abs=0.001)
    (ebook,) = [name for name in names if "ebook" in name]
    with Image.open(io.BytesIO(packed.read(ebook))) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1600, 2560))
    report = json.loads(packed.read("Preflight.json"))
    assert [one["file"] for one in report] == names[:-3]
    printed = "".join(page.extract_text() for page in PdfReader(io.BytesIO(packed.read("Preflight.pdf"))).pages)
    assert all(name in printed for name in names[:-3]) and "Salt Year" in printed and "Amazon KDP" in printed
    assert ada.get(f"/api/books/{book['id']}").json()["pack"] == pack
    disposition = ada.get(pack["downloadUrl"]).headers["content-disposition"]
    assert "salt-year" in disposition.lower() and ".zip" in disposition
    assert product.doctor() == ""


def test_the_same_book_makes_the_same_bytes_again(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = printable(ada)
    first = make(ada, book)
    before = bytes_of(opened(ada, first))
    again = ada.post(f"/api/books/{book['id']}/pack", json={})
    assert again.json()["id"] == first["id"] and again.headers["idempotent-replayed"] == "true"
    assert ada.delete(f"/api/packs/{first['id']}").status_code == 204
    second = make(ada, book)
    assert second["id"] != first["id"]
    assert bytes_of(opened(ada, second)) == before


def test_another_number_of_pages_makes_another_pack_and_the_old_one_goes(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = printable(ada)
    first = make(ada, book, PRINTED)
    book = ada.patch(f"/api/books/{book['id']}", json={"version": book["version"], "pages": 320}).json()
    second = make(ada, book, PRINTED)
    assert "Salt-Year_KDP-paperback_6x9_320pp_cream.pdf" in opened(ada, second).namelist()
    assert ada.get(f"/api/packs/{first['id']}").status_code == 404
    assert ada.get(first["downloadUrl"]).status_code == 404
    wait_until(lambda: not files_below(shared_product.data, first["id"]), "the removal of the pack before")


def test_the_free_plan_gets_the_ebook_and_marked_proofs_until_an_administrator_says_otherwise(
    shared_product: Product,
) -> None:
    ada, admin = shared_product.user(), shared_product.admin()
    book = printable(ada)
    pack = make(ada, book)
    assert pack["isProof"] is True
    names = (marked := opened(ada, pack)).namelist()
    assert not [name for name in names if name.endswith("cream.pdf")]
    assert [name for name in names if "proof" in name] and [name for name in names if "ebook" in name]
    book = ada.put(f"/api/books/{book['id']}/editions/social", json={"version": book["version"]}).json()
    refused = ada.post(f"/api/books/{book['id']}/pack", json={"editions": ["social"]})
    assert (refused.status_code, fault(refused)["code"]) == (409, "plan_has_no_files")
    assert admin.get("/api/admin/free-files").json() == {"freePrintFiles": False}
    limits = admin.get("/api/admin/plan-limits").json()
    try:
        saved = admin.put("/api/admin/free-files", json={"freePrintFiles": True})
        assert (saved.status_code, saved.json()) == (200, {"freePrintFiles": True})
        assert admin.post("/api/admin/plan-limits", json=limits).json() == limits
        assert admin.get("/api/admin/free-files").json() == {"freePrintFiles": True}
        whole = opened(ada, make(ada, book))
        assert [name for name in whole.namelist() if name.endswith("cream.pdf")]
        (proof,) = [name for name in names if name.endswith("_proof.png")]
        with Image.open(marked.open(proof)) as with_mark, Image.open(whole.open(proof)) as without:
            by = ImageChops.difference(with_mark.convert("L"), without.convert("L"))
        assert 0.02 < sum(by.histogram()[8:]) / (by.width * by.height) < 0.6, "a word lies across it"
    finally:
        admin.put("/api/admin/free-files", json={"freePrintFiles": False})
    assert admin.get("/api/admin/plan-limits").json() == limits


def test_what_is_not_ready_is_left_out_or_refused(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = ada.book()
    assert make(ada, book)["editions"] == ["ebook"]
    answer = ada.post(f"/api/books/{book['id']}/pack", json={"editions": [PRINTED]})
    assert fault(answer)["fieldCodes"]["editions"]["code"] == "edition_not_ready"
    book = ada.delete(f"/api/books/{book['id']}/editions/ebook").json()
    nothing = ada.post(f"/api/books/{book['id']}/pack", json={})
    assert (nothing.status_code, fault(nothing)["code"]) == (409, "no_edition_ready")
    ada.delete(f"/api/covers/{book['cover']['id']}")
    bare = ada.post(f"/api/books/{book['id']}/pack", json={})
    assert (bare.status_code, fault(bare)["code"]) == (409, "book_without_cover")


def test_a_pack_is_cancelled_while_it_waits_and_two_are_open_at_most(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    books = [ada.book() for _ in range(3)]
    shared_product.pause_worker()
    try:
        packs = [ada.post(f"/api/books/{book['id']}/pack", json={}).json() for book in books[:2]]
        with ThreadPoolExecutor(4) as several:
            same = list(several.map(lambda _: ada.post(f"/api/books/{books[0]['id']}/pack", json={}), range(4)))
        assert {answer.json()["id"] for answer in same} == {packs[0]["id"]}
        third = ada.post(f"/api/books/{books[2]['id']}/pack", json={})
        assert (third.status_code, fault(third)["code"]) == (429, "too_many_packs")
        assert ada.delete(f"/api/packs/{packs[0]['id']}").status_code == 204
        assert ada.get(f"/api/packs/{packs[0]['id']}").json()["status"] == "canceled"
        assert ada.get(f"/api/books/{books[0]['id']}").json()["pack"] is None
        assert ada.post(f"/api/books/{books[2]['id']}/pack", json={}).status_code == 202
    finally:
        shared_product.resume_worker()
    assert ada.pack_made(packs[1]["id"])["status"] == "completed"
    assert shared_product.doctor() == ""


def test_a_pack_expires_and_a_binned_book_goes_with_it(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = ada.book()
    pack = make(ada, book)
    with shared_product.later(days=8):
        ada.sign_in(ada.user["email"], "amber kettle 41 violin")
        assert ada.get(pack["downloadUrl"]).status_code == 404
    assert shared_product.doctor() == ""


def test_a_numbered_book_is_shown_beside_the_volumes_of_its_series(product: Product) -> None:
    ada = product.user(pro=True)
    theme = ada.post("/api/themes", json={"name": "The Coast", "stylePrompt": "linocut"}).json()["id"]
    first, trial, last, _ = (
        ada.cover(title=title, number=number, themeId=theme)
        for title, number in (("One", "1"), ("Two, a trial", "Book 2"), ("Four", "4"), ("Unnumbered", ""))
    )
    book = ada.book(title="Two", number="2", themeId=theme)
    book = ada.put(f"/api/books/{book['id']}/editions/mockups", json={"version": book["version"]}).json()
    five = ada.book(title="Five", number="V 5", themeId=theme)
    five = ada.put(f"/api/books/{five['id']}/editions/mockups", json={"version": five["version"]}).json()

    def beside(book: dict[str, Any], edition: str = "mockups") -> list[int]:
        """Return the pictures of the volumes with which the files of a book were asked for."""
        pack = make(ada, book, edition)
        shown = [name for name in opened(ada, pack).namelist() if name.endswith("_mockup-volumes.png")]
        (row,) = product.sql(
            "SELECT ordered FROM edition_pack WHERE book_id = :id ORDER BY created_at DESC LIMIT 1", id=book["id"]
        )
        ordered = row["ordered"] if isinstance(row["ordered"], dict) else json.loads(row["ordered"])
        assert bool(shown) is bool(ordered["volumes"])
        return [front["picture_id"] for front in ordered["volumes"]]

    def picture(cover: dict[str, Any]) -> int:
        return int(product.sql("SELECT picture_id FROM cover WHERE id = :id", id=cover["id"])[0]["picture_id"])

    assert beside(book) == [picture(first), picture(last)]
    assert beside(five) == [picture(book["cover"]), picture(last)], "the newest of those that have one number"
    assert picture(trial) != picture(book["cover"])
    assert beside(book, "ebook") == []
    ada.post("/api/covers/bulk", json={"ids": [last["id"]], "action": "theme", "themeId": None})
    assert beside(book) == [picture(first), picture(five["cover"])]
    alone = ada.book(title="Alone", number="1")
    alone = ada.put(f"/api/books/{alone['id']}/editions/mockups", json={"version": alone["version"]}).json()
    assert beside(alone) == []


def test_the_disclosure_tells_a_model_from_a_program(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    book = ada.book(prompt="a lighthouse in a storm")
    text = opened(ada, make(ada, book)).read("Disclosure.txt").decode()
    assert "AI model" in text and "Answer for the cover: Yes, images." in text
    assert "From these words: “a lighthouse in a storm”" in text
    ada.post("/api/set-language", json={"language": "de"})
    book = ada.book(title=uuid4().hex)
    packed = opened(ada, make(ada, book))
    assert "Antwort für das Cover: Ja, Bilder." in packed.read("Disclosure.txt").decode()
    book = printable(ada)
    proof = opened(ada, make(ada, book, PRINTED)).read("Salt-Year_KDP-paperback_6x9_300pp_cream_proof.pdf")
    printed = PdfReader(io.BytesIO(proof)).pages[0].extract_text()
    assert "Taschenbuch, Amazon KDP · Format: 6 × 9 in · Seiten: 300" in printed and "Hier wird geschnitten" in printed
    assert "Prüfbericht" in PdfReader(io.BytesIO(packed.read("Preflight.pdf"))).pages[0].extract_text()


def test_a_preview_shows_the_whole_cover(shared_product: Product) -> None:
    ada = shared_product.user()
    book = printable(ada)
    answer = ada.get(f"/api/books/{book['id']}/editions/{PRINTED}/preview", params={"width": 800})
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert shown["width"] == 800 and shown["guides"].startswith("<svg")
    assert shown["picture"].startswith("data:image/jpeg;base64,") and shown["version"] == book["version"]
    bare = ada.book()
    missing = ada.get(f"/api/books/{bare['id']}/editions/{PRINTED}/preview")
    assert fault(missing)["fieldCodes"]["name"]["code"] == "edition_not_ready"


def test_an_account_that_leaves_takes_its_packs_along(shared_product: Product) -> None:
    ada = shared_product.user(pro=True)
    pack = make(ada, ada.book())
    leaving = {"confirm": ada.user["email"], "currentPassword": "amber kettle 41 violin"}
    assert ada.request("DELETE", "/api/account", json=leaving).status_code == 204

    wait_until(lambda: not files_below(shared_product.data, pack["id"]), "the end of the account", 30)
    assert shared_product.doctor() == ""
