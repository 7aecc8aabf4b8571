"""The preflight of brought files: open to everybody, its limits, and that nothing of a file stays."""

import io
import json
import zlib
from html import escape
from typing import Any, Final
from uuid import uuid4

import pikepdf
import pytest

from kernel.books.preflight.routes import CHECKS_PER_MINUTE, MOST_TEMPLATE_BYTES
from kernel.books.preflight.service import MOST_BYTES
from kernel.core.queue.throttle import Throttle
from kernel.press.editions.rules import CHECKED
from tests.person import Person, fault
from tests.product import Product
from tests.support.drawings import picture

PATH: Final = "/api/preflight"
PAPERBACK: Final = {"printer": "kdp", "binding": "paperback", "trim": "6x9", "pages": "300", "paper": "white"}
INCH: Final = 72.0


def pdf(width: float = 12.9256, height: float = 9.25, *, drawn: bytes = b"0.2 0.3 0.5 rg 0 0 2000 2000 re f") -> bytes:
    """Return a PDF of one page of so many inches."""
    made = pikepdf.new()
    page = made.add_blank_page(page_size=(width * INCH, height * INCH))
    page.contents_add(made.make_stream(drawn))
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@pytest.fixture
def visitor(product: Product, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody who is not signed in, whose checks are counted apart from those of other tests."""
    count, own = Throttle.hit, uuid4().hex

    async def count_apart(throttle: Throttle, name: str, *, limit: int, window_s: float) -> None:
        await count(throttle, f"{own}:{name}", limit=limit, window_s=window_s)

    monkeypatch.setattr(Throttle, "hit", count_apart)
    return product.visitor()


def report(client: Person, data: bytes, **params: str) -> dict[str, Any]:
    answer = client.post(PATH, content=data, params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def rules(found: dict[str, Any]) -> dict[str, str]:
    return {finding["rule"]: finding["outcome"] for finding in found["findings"]}


def test_a_pdf_is_judged_by_the_printer_and_the_book_that_were_chosen(visitor: Person) -> None:
    found = report(visitor, pdf(), **PAPERBACK)
    assert (found["width"], found["height"]) == pytest.approx((12.9256, 9.25), abs=0.001)
    assert rules(found)["page_size"] == "pass" and len(found["findings"]) >= 30
    assert found["picture"].startswith("data:image/png;base64,") and found["pictureDpi"] > 0
    more_pages = report(visitor, pdf(), **PAPERBACK | {"pages": "320"})
    assert rules(more_pages)["page_size"] == "fail" and more_pages["outcome"] == "fail"
    spark = report(
        visitor, pdf(), printer="ingramspark", binding="paperback", trim="6x9", paper="template", spine="0.6"
    )
    assert rules(spark)["pdfx"] == "fail"


def test_a_case_is_judged_by_the_numbers_of_its_template(visitor: Person) -> None:
    case = {"printer": "ingramspark", "binding": "hardcover", "trim": "6x9", "pages": "240", "paper": "template"}
    unsaid = fault(visitor.post(PATH, content=pdf(), params=case))
    assert set(unsaid["fields"]) == {"spine", "boardWidth", "boardHeight", "wrap", "hinge"}
    stated = case | {"spine": "0.85", "boardWidth": "6.1875", "boardHeight": "9.25", "wrap": "0.625", "hinge": "0.375"}
    found = rules(report(visitor, pdf(14.475, 10.5), **stated))
    assert (found["page_size"], found["hinge"], found["pdfx"]) == ("pass", "pass", "fail")
    assert rules(report(visitor, pdf(14.475, 10.5), **stated | {"wrap": "0.5"}))["page_size"] == "fail"


def test_the_place_of_what_is_wrong_is_told(visitor: Person) -> None:
    page = pdf(drawn=b"0.2 0.3 0.5 rg 0 0 2000 2000 re f BT /F1 30 Tf 2 2 Td (Edge) Tj ET")
    with pikepdf.open(io.BytesIO(page)) as opened:
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name("/Helvetica")
        )
        opened.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=opened.make_indirect(font)))
        buffer = io.BytesIO()
        opened.save(buffer)
    found = report(visitor, buffer.getvalue(), **PAPERBACK)
    safe = next(finding for finding in found["findings"] if finding["rule"] == "safe_area")
    assert safe["outcome"] == "fail" and safe["areas"][0]["y"] > 8.5 and safe["areas"][0]["x"] < 0.2


def test_pictures_are_judged_as_shops_do(visitor: Person) -> None:
    found = report(visitor, picture(), form="ebook")
    assert rules(found)["picture_size"] == "fail"
    assert rules(report(visitor, picture()))["file_kind"] == "fail"


@pytest.mark.parametrize("data", [b"not a file", b"%PDF-1.7\n1 0 obj", b"\x89PNG\r\n\x1a\nbroken"])
def test_what_cannot_be_read_is_said_so(visitor: Person, data: bytes) -> None:
    answer = visitor.post(PATH, content=data, params={"form": "printed" if data.startswith(b"%PDF") else "ebook"})
    assert (answer.status_code, fault(answer)["code"]) == (422, "file_unreadable")


def test_a_file_that_takes_all_memory_harms_nobody(visitor: Person) -> None:
    bomb = zlib.compress(b" " * 700_000_000, 9)
    made = pikepdf.new()
    page = made.add_blank_page(page_size=(930, 666))
    stream = made.make_stream(b"")
    stream.write(bomb, filter=pikepdf.Name.FlateDecode)
    page.Contents = stream
    buffer = io.BytesIO()
    made.save(buffer, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    answer = visitor.post(PATH, content=buffer.getvalue(), params=PAPERBACK)
    assert (answer.status_code, fault(answer)["code"]) == (422, "file_unreadable")
    assert rules(report(visitor, pdf(), **PAPERBACK))["page_size"] == "pass"


def test_bad_questions_and_bodies_are_refused(visitor: Person) -> None:
    answer = visitor.post(PATH, content=pdf(), params={"trim": "x", "pages": "no"})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"trim", "pages"}
    assert visitor.post(PATH, content=pdf(), params={"form": "poster"}).status_code == 422
    assert visitor.post(PATH).status_code == 400
    assert visitor.post(PATH, content=b"0" * (MOST_BYTES + 1)).status_code == 413
    assert visitor.post(PATH, content=iter([b"0" * (MOST_BYTES + 1)])).status_code == 413


def test_a_printer_s_template_states_its_page_and_spine(product: Product, visitor: Person) -> None:
    book = {"printer": "ingramspark", "binding": "paperback", "trim": "6x9"}
    with pikepdf.open(io.BytesIO(pdf(15, 12))) as template:
        left, low = (15 - 12.68) / 2 * INCH, 1.5 * INCH
        template.pages[0].TrimBox = [left, low, left + 12.68 * INCH, low + 9 * INCH]
        buffer = io.BytesIO()
        template.save(buffer)
    for data, spine in ((buffer.getvalue(), 0.68), (pdf(15, 12), None)):
        answer = visitor.post(f"{PATH}/template", content=data, params=book)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"spine": spine, "sheetWidth": 15, "sheetHeight": 12}
    answer = visitor.post(f"{PATH}/template", content=b"%PDF-1.4 nothing", params=book)
    assert (answer.status_code, fault(answer)["code"]) == (422, "file_unreadable")
    for name, wrong in (("printer", "nobody"), ("binding", "spiral"), ("trim", "x")):
        refused = fault(visitor.post(f"{PATH}/template", content=b"", params=book | {name: wrong}))
        assert set(refused["fields"]) == {name}
    assert visitor.post(f"{PATH}/template", content=b"0" * (MOST_TEMPLATE_BYTES + 1), params=book).status_code == 413
    assert list((product.data / "preflight").iterdir()) == []


def test_nothing_of_a_file_is_kept(product: Product, visitor: Person) -> None:
    folder = product.data / "preflight"
    report(visitor, pdf(), **PAPERBACK)
    visitor.post(PATH, content=b"not a file", params={"form": "ebook"})
    visitor.post(PATH, content=iter([b"0" * (MOST_BYTES + 1)]))
    assert list(folder.iterdir()) == []


def test_too_many_checks_are_refused(visitor: Person) -> None:
    answers = [visitor.post(PATH) for _ in range(CHECKS_PER_MINUTE + 1)]
    assert [answer.status_code for answer in answers] == [400] * CHECKS_PER_MINUTE + [429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= 60


def test_the_page_can_be_read_without_scripts(visitor: Person) -> None:
    page = visitor.get("/preflight")
    assert page.status_code == 200 and "noindex" not in page.text and page.text.count("<h1 ") == 1
    words = json.loads(visitor.get("/locales/en/books.json").text)["preflight"]
    for rule in (rule for rules in CHECKED.values() for rule in rules):
        assert f"<li>{escape(words['names'][rule])}</li>" in page.text, rule
    assert "<bdi>Amazon KDP</bdi>: Paperback · Hardcover" in page.text
    assert words["kept"] in page.text and words["kinds"] in page.text and 'href="/spine"' in page.text
    assert f'<noscript><p class="mt-6 text-warn">{words["noScript"]}' in page.text


def test_the_page_is_found_in_all_languages(visitor: Person) -> None:
    page = visitor.get("/ar/preflight").text
    assert '<html lang="ar" dir="rtl"' in page and "فحص ملف الغلاف" in page and 'href="/ar/spine"' in page
    assert '/ar/preflight">' in page and page.count('hreflang="') == 13
    assert "/ar/preflight</loc>" in visitor.get("/sitemap-ar.xml").text
