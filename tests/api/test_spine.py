"""The spine calculator: open to everybody, every figure of a cover's sheet, and its template."""

import io
import re
from typing import Any

import httpx
import pytest
from PIL import Image
from pypdf import PdfReader

from tests.person import fault
from tests.product import Product

CASE = {
    "printer": "ingramspark",
    "binding": "hardcover",
    "trim": "6x9",
    "pages": "240",
    "paper": "template",
    "spine": "0.85",
    "boardWidth": "6,1875",
    "boardHeight": "9.25",
    "wrap": "0.625",
    "hinge": "0.375",
}


@pytest.fixture
def site(shared_product: Product) -> httpx.Client:
    """An anonymous client; the database does not matter here."""
    return shared_product.visitor()


def spine(site: httpx.Client, **params: Any) -> dict[str, Any]:
    answer = site.get("/api/spine", params=params)
    assert answer.status_code == 200, answer.text
    sheet: dict[str, Any] = answer.json()
    return sheet


def test_a_paperback_of_300_pages(site: httpx.Client) -> None:
    sheet = spine(site, printer="kdp", binding="paperback", trim="6x9", pages="300", paper="white")
    assert (sheet["spine"], sheet["width"], sheet["height"]) == (0.6756, 12.9256, 9.25)
    assert (sheet["spineMm"], sheet["widthMm"], sheet["heightMm"]) == (17.16, 328.31, 234.95)
    assert (sheet["spinePixels"], sheet["widthPixels"], sheet["heightPixels"]) == (203, 3878, 2775)
    assert sheet["spineText"] is not None and not sheet["computed"]
    assert sheet == spine(site)
    assert spine(site, pages="299")["pages"] == 300
    assert spine(site, trim="6 × 9") == sheet and spine(site, trim="6,0x9.0") == sheet


def test_the_drawing_is_to_scale_and_mirrored_for_books_read_from_the_right(site: httpx.Client) -> None:
    left, right = spine(site)["svg"], spine(site, direction="rtl")["svg"]
    assert 'viewBox="0 0 1292.6 925.0"' in left and left != right
    assert "<script" not in left and "<text" not in left
    gray = r'<rect x="([\d.]+)"[^>]*stroke="#8b8f94"'
    places = [float(found[1]) for svg in (left, right) if (found := re.search(gray, svg))]
    assert places[0] < 1292.6 / 2 < places[1]


def test_spine_text_only_from_the_pages_that_the_printer_names(site: httpx.Client) -> None:
    assert spine(site, pages="78")["spineText"] is None
    assert spine(site, pages="80")["spineText"] is not None
    assert spine(site, pages="78")["spineTextPages"] == 80


def test_a_hardcover_is_told_to_be_computed_unless_its_spine_is_given(site: httpx.Client) -> None:
    assert spine(site, binding="hardcover", pages="234", paper="cream")["computed"]
    given = spine(site, binding="hardcover", pages="234", paper="cream", spine="0,8")
    assert given["spine"] == 0.8 and not given["computed"]


def test_a_case_has_the_size_that_its_template_says_also_without_scripts(site: httpx.Client) -> None:
    sheet = spine(site, **CASE)
    assert (sheet["width"], sheet["height"], sheet["computed"]) == (14.475, 10.5, False)
    page = site.get("/spine", params=CASE).text
    assert "14.475 × 10.5" in page and all(f'name="{name}"' in page for name in CASE)
    unsaid = site.get("/de/spine", params={"printer": "ingramspark", "binding": "hardcover", "paper": "template"})
    assert "Leer: wird berechnet" not in unsaid.text, "nobody but the printer can"
    assert unsaid.text.count("Das weiß nur die Druckerei.") == 5
    assert 'name="wrap"' not in site.get("/spine").text
    assert spine(site, wrap="nonsense") == spine(site), "asked of no paperback"
    pdf = site.get("/api/spine/template", params=CASE)
    box = PdfReader(io.BytesIO(pdf.content)).pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((14.475 * 72, 10.5 * 72), abs=0.01)


@pytest.mark.parametrize(
    ("params", "fields"),
    [
        ({"printer": "lulu"}, {"printer"}),
        ({"binding": "spiral"}, {"binding"}),
        (
            {"trim": "huge", "pages": "many", "spine": "thick", "direction": "up"},
            {"trim", "pages", "spine", "direction"},
        ),
        ({"trim": "3x3", "pages": "9"}, {"trim", "pages"}),
        ({"pages": "100000"}, {"pages"}),
        ({"pages": "١٢٠"}, {"pages"}),
        ({"trim": "1" * 60}, {"trim"}),
        ({"paper": "groundwood"}, {"paper"}),
        ({"trim": "8.27x11.69", "paper": "standard_color"}, {"paper"}),
        ({"printer": "ingramspark", "paper": "template"}, {"spine"}),
        (
            {"printer": "ingramspark", "binding": "hardcover", "paper": "template"},
            {"spine", "boardWidth", "boardHeight", "wrap", "hinge"},
        ),
        (
            {"printer": "ingramspark", "binding": "hardcover", "wrap": "thick", "hinge": "-1", "boardWidth": "1e9"},
            {"wrap", "hinge", "boardWidth"},
        ),
        (CASE | {"boardWidth": "5.9", "wrap": "15", "hinge": "0"}, {"boardWidth", "wrap", "hinge"}),
    ],
)
def test_what_cannot_be_made_is_refused_at_its_fields(
    site: httpx.Client, params: dict[str, str], fields: set[str]
) -> None:
    answer = site.get("/api/spine", params=params)
    assert answer.status_code in (400, 422) and set(fault(answer)["fields"]) == fields


def test_the_table_says_what_there_is_and_where_it_was_read(site: httpx.Client) -> None:
    printers = {one["id"]: one for one in site.get("/api/trade").json()}
    paperback = printers["kdp"]["bindings"][0]
    assert paperback["id"] == "paperback" and len(paperback["trims"]) == 16 and "6x9" in paperback["trims"]
    assert [paper["id"] for paper in paperback["papers"]] == ["white", "cream", "standard_color", "premium_color"]
    assert paperback["source"] and paperback["read"]
    assert printers["ingramspark"]["bindings"][0]["papers"][0]["caliper"] is None


def test_templates_have_the_size_of_the_sheet(site: httpx.Client) -> None:
    pdf = site.get("/api/spine/template", params={"pages": "300"})
    assert pdf.status_code == 200 and pdf.headers["content-type"] == "application/pdf"
    assert 'filename="kdp-paperback-300pp.pdf"' in pdf.headers["content-disposition"]
    box = PdfReader(io.BytesIO(pdf.content)).pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((12.9256 * 72, 9.25 * 72), abs=0.01)
    png = site.get("/api/spine/template", params={"pages": "300", "format": "png"})
    assert Image.open(io.BytesIO(png.content)).size == (3878, 2775)
    assert site.get("/api/spine/template", params={"format": "exe"}).status_code in (400, 422)
    assert site.get("/api/spine/template", params={"pages": "9"}).status_code == 422


def test_the_page_is_whole_without_scripts(site: httpx.Client) -> None:
    page = site.get("/spine", params={"printer": "kdp", "trim": "6x9", "pages": "300", "paper": "white"})
    assert page.status_code == 200 and "noindex" not in page.text
    assert "0.6756" in page.text and "12.9256 × 9.25" in page.text and "3878 × 2775" in page.text
    assert '<form class="grid gap-5" method="get"' in page.text and 'name="pages"' in page.text
    assert 'src="data:image/svg+xml,' in page.text
    german = site.get(
        "/de/spine", params={"pages": "9", "spine": '"><script>alert(1)</script>'}, headers={"cookie": ""}
    )
    assert '<html lang="de"' in german.text and "Bitte geben Sie eine Breite in Zoll ein." in german.text
    assert "<script>alert" not in german.text
    few = site.get("/de/spine", params={"pages": "9"})
    assert "Dieses Papier erlaubt 24 bis 828 Seiten." in few.text and "0,6756" not in few.text
    assert "0,6756" in site.get("/de/spine").text
    arabic = site.get("/ar/spine")
    assert 'dir="rtl"' in arabic.text and "حاسبة كعب الكتاب" in arabic.text


def test_the_page_is_found_in_all_languages(site: httpx.Client) -> None:
    page = site.get("/fr/spine").text
    assert '<link rel="canonical" href="' in page and '/fr/spine">' in page
    assert page.count('hreflang="') == 13
    assert "/fr/spine</loc>" in site.get("/sitemap-fr.xml").text
