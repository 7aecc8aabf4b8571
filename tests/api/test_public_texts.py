"""Legal texts, contact and help: administrators write them, and visitors read them in their language."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest

from kernel.core.config import PROJECT_ROOT
from kernel.core.text.languages import LANGUAGES
from kernel.core.text.numbers import plural_form, written_number, written_price
from kernel.pages.static_files import STATIC
from kernel.site.public_texts.markdown import CLASSES, SCROLLED, render_markdown
from kernel.site.public_texts.texts import shipped_text
from tests.person import Person, fault
from tests.product import Product
from tests.support.processes import wait_until

TEXTS: Final = "/api/admin/public-texts"
ADDRESSES: Final = f"{TEXTS}/addresses"
CSS_COLON: Final = "\\:"


@pytest.fixture(autouse=True)
def nothing_written(product: Product, admin: Person) -> Iterator[None]:
    """No text and no address, before and after."""

    def is_forgotten() -> bool:
        listed = "".join(admin.get(f"/sitemap-{code}.xml").text for code in LANGUAGES)
        return not any(f"/{page}<" in listed for page in ("terms", "privacy", "contact"))

    def empty() -> None:
        product.sql("DELETE FROM public_text")
        # through the API, so that answers that are kept are made anew
        assert admin.put(ADDRESSES, json={}).status_code == 200

    empty()
    yield
    empty()
    # pages are up to two seconds old, and the next test reads them
    wait_until(is_forgotten, "the sitemaps to forget the texts")


def write(admin: Person, page: str, language: str, body: str) -> dict[str, Any]:
    answer = admin.put(f"{TEXTS}/{page}/{language}", json={"body": body})
    assert answer.status_code == 200, answer.text
    saved: dict[str, Any] = answer.json()
    return saved


def read(visitor: Person, page: str, language: str) -> Any:
    return visitor.get("/api/public-texts", params={"page": page, "language": language})


def shown(visitor: Person, path: str, words: str) -> str:
    """Wait until a page says something, and return it; pages are up to two seconds old."""
    return wait_until(lambda: html if words in (html := visitor.get(path).text) else "", f"{words!r} at {path}")


def test_only_help_says_something_before_anything_is_written(visitor: Person) -> None:
    links = visitor.get("/api/public-links").json()
    assert links == {"pages": ["help"], "email": None, "api": None, "networks": []}
    for page in ("terms", "privacy", "contact"):
        assert read(visitor, page, "en").status_code == 404
        answer = visitor.get(f"/fr/{page}")
        assert answer.status_code == 404 and 'content="noindex"' in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_comes_in_every_language(visitor: Person, language: str) -> None:
    text = read(visitor, "help", language).json()
    assert (text["language"], text["updatedAt"]) == (language, None)
    assert "{{" not in text["html"] and f'href="/{language}/spine"' in text["html"]
    page = visitor.get(f"/{language}/help")
    assert page.status_code == 200 and text["html"] in page.text
    assert page.headers["content-language"] == language
    assert re.search(rf'<link rel="canonical" href="[^"]*/{language}/help">', page.text)


def test_every_language_has_help_of_its_own() -> None:
    assert len({shipped_text("help", code) for code in LANGUAGES}) == len(LANGUAGES)


def test_a_text_is_read_in_its_language_and_elsewhere_in_the_default_one(visitor: Person, admin: Person) -> None:
    write(admin, "terms", "en", "English terms")
    write(admin, "terms", "de", "Deutsche Bedingungen")
    found = {code: read(visitor, "terms", code).json() for code in ("en", "de", "ja")}
    assert {code: text["language"] for code, text in found.items()} == {"en": "en", "de": "de", "ja": "en"}
    assert "English terms" in found["ja"]["html"]
    page = shown(visitor, "/ja/terms", "English terms")
    assert '<div class="mt-6" lang="en" dir="ltr">' in page
    base = re.search(r'<link rel="canonical" href="([^"]*)/en/terms">', page)
    assert base, "a page without a translation is a copy of the one that it shows"
    assert re.findall(r'hreflang="([^"]*)"', page) == ["en", "de", "x-default"]
    assert visitor.get("/api/public-links").json()["pages"] == ["terms", "help"]


def test_a_text_in_one_language_only_is_shown_to_everybody(visitor: Person, admin: Person) -> None:
    write(admin, "privacy", "ar", "نص الخصوصية")
    assert read(visitor, "privacy", "fr").json()["language"] == "ar"
    assert '<div class="mt-6" lang="ar" dir="rtl">' in shown(visitor, "/fr/privacy", "نص الخصوصية")


def test_own_help_takes_the_place_of_ours_in_its_language_alone(visitor: Person, admin: Person) -> None:
    write(admin, "help", "it", "Chiamaci.")
    assert "Chiamaci." in read(visitor, "help", "it").json()["html"]
    assert read(visitor, "help", "fr").json()["language"] == "fr"


def test_a_sitemap_says_when_a_text_was_changed(visitor: Person, admin: Person) -> None:
    saved = write(admin, "terms", "de", "Deutsche Bedingungen")
    listed = shown(visitor, "/sitemap-de.xml", "/de/terms")
    assert f"/de/terms</loc><lastmod>{saved['updatedAt'][:10]}</lastmod>" in listed.replace("ns0:", "")
    assert "/terms" not in visitor.get("/sitemap-fr.xml").text
    assert "/help</loc><lastmod>" not in listed


def test_an_emptied_text_is_gone(visitor: Person, admin: Person) -> None:
    write(admin, "terms", "en", "Some")
    saved = write(admin, "terms", "en", " \n ")
    assert (saved["body"], saved["languages"], saved["updatedAt"]) == ("", [], None)
    assert read(visitor, "terms", "en").status_code == 404


def test_a_text_that_stays_the_same_keeps_its_date(admin: Person) -> None:
    first = write(admin, "terms", "en", "Some\r\nlines")
    assert first["body"] == "Some\nlines"
    assert write(admin, "terms", "en", "Some\nlines")["updatedAt"] == first["updatedAt"]


def test_administrators_see_what_is_written_where(admin: Person) -> None:
    write(admin, "privacy", "fr", "Texte")
    saved = {one["page"]: one for one in admin.get(TEXTS, params={"language": "de"}).json()}
    assert list(saved) == ["terms", "privacy", "contact", "help"]
    assert saved["privacy"] | {"updatedAt": None} == saved["privacy"] and saved["privacy"]["languages"] == ["fr"]
    assert saved["help"]["shipped"].startswith("Coverwright macht aus") and saved["terms"]["shipped"] == ""


@pytest.mark.parametrize("path", ["imprint/en", "terms/xx", "terms/EN"])
def test_there_is_no_other_page_and_no_other_language(admin: Person, path: str) -> None:
    assert admin.put(f"{TEXTS}/{path}", json={"body": "x"}).status_code == 404


def test_what_cannot_be_stored_is_refused(admin: Person, visitor: Person) -> None:
    long = admin.put(f"{TEXTS}/terms/en", json={"body": "x" * 50_001})
    assert long.status_code == 422 and fault(long)["fieldCodes"]["body"]["code"] == "too_long"
    assert admin.put(f"{TEXTS}/terms/en", json={"body": None}).status_code == 422
    assert admin.get(TEXTS, params={"language": "xx"}).status_code == 422
    assert set(fault(read(visitor, "imprint", "en"))["fields"]) == {"page"}


def test_the_preview_shows_what_visitors_would_see(admin: Person, visitor: Person) -> None:
    body = f"# Words\n\nSee [spine](/spine). {uuid4().hex}"
    shown = admin.post(f"{TEXTS}/preview", params={"language": "ko"}, json={"body": body}).json()["html"]
    write(admin, "terms", "ko", body)
    assert read(visitor, "terms", "ko").json()["html"] == shown and 'href="/ko/spine"' in shown


def test_the_footer_leads_where_an_administrator_says(admin: Person, visitor: Person) -> None:
    given = {
        "email": " Hello@Example.org ",
        "api": "https://docs.example.org/api",
        "x": "https://x.com/inkhouse",
        "instagram": "",
        "facebook": "https://www.facebook.com/inkhouse?ref=1",
        "youtube": "https://youtube.com/@inkhouse",
    }
    saved = admin.put(ADDRESSES, json=given).json()
    assert saved == given | {"email": saved["email"]} and saved["email"].lower() == "hello@example.org"
    links = visitor.get("/api/public-links").json()
    assert links["pages"] == ["contact", "help"] and links["email"] == saved["email"]
    assert links["api"] == given["api"]
    assert [one["network"] for one in links["networks"]] == ["x", "facebook", "youtube"]
    page = shown(visitor, "/de/contact", "mailto:")
    assert f'href="mailto:{saved["email"]}"' in page
    assert admin.put(ADDRESSES, json={}).json()["x"] == ""


def test_all_bad_addresses_are_named_at_once(admin: Person) -> None:
    bad = {
        "email": "nobody",
        "api": "http://docs.example.org",
        "x": "javascript:alert(1)",
        "instagram": "https://user:pass@example.org",
        "facebook": "https://localhost",
        "youtube": "https://exa mple.org",
    }
    answer = admin.put(ADDRESSES, json=bad)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == set(bad)
    codes = {name: told["code"] for name, told in fault(answer)["fieldCodes"].items()}
    assert codes == dict.fromkeys(bad, "not_https") | {"email": "bad_email"}
    long = admin.put(ADDRESSES, json={"x": "https://x.com/" + "x" * 300})
    assert fault(long)["fieldCodes"]["x"]["code"] == "too_long"
    assert admin.put(ADDRESSES, json={"x": "https://[", "mastodon": ""}).status_code == 422


@pytest.mark.parametrize(
    "written",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](javascript:alert(1))",
        "[x](javascript:alert(1))",
        "[x](data:text/html,y)",
        "[x](//evil.example)",
        "<iframe src=//evil.example></iframe>",
        '[x](/spine "onclick=alert(1)")',
        "| a |\n|:-:|\n| <b onclick=alert(1)>x</b> |",
    ],
)
def test_no_markup_of_a_writer_gets_through(written: str) -> None:
    html = render_markdown(written, "en")
    tags = re.findall(r"<(\w+)([^>]*)>", html)
    assert {tag for tag, _ in tags} <= {*CLASSES, "li", "thead", "tbody", "tr", "em", "strong", "code", "br", "div"}
    assert not any(word in attributes for _, attributes in tags for word in ("javascript:", "data:", " on", "style"))


def test_markdown_becomes_what_it_says() -> None:
    html = render_markdown(
        "# One\n## Two\n###### Six\n\n1. a\n2. b\n\n| x |\n|---|\n| y |\n\n[m](mailto:a@b.example)", "fr"
    )
    assert re.findall(r"<(h\d)", html) == ["h2", "h3", "h4"], "no level is left out"
    assert re.findall(r"<(h\d)", render_markdown("### A\n#### B\n## C\n### D", "fr")) == ["h2", "h3", "h2", "h3"]
    assert f"{SCROLLED}<table" in html and html.count("<li>") == 2
    assert 'href="mailto:a@b.example"' in html and 'rel="noopener"' in html
    assert render_markdown("", "en") == ""


def test_the_style_sheet_has_every_class_of_these_texts() -> None:
    sheet = "".join(file.read_text("utf-8") for file in (STATIC / "assets").glob("*.css"))
    used = {name for names in (*CLASSES.values(), SCROLLED.split('"')[1]) for name in names.split()}
    assert [name for name in sorted(used) if f".{name.replace(':', CSS_COLON)}" not in sheet] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_prices_and_limits_are_the_configured_ones(visitor: Person, admin: Person, language: str) -> None:
    limits, price = visitor.get("/api/plan-limits").json(), visitor.get("/api/admin/selected-price").json()
    page = visitor.get(f"/{language}/pricing")
    assert page.status_code == 200 and page.headers["content-language"] == language
    count = limits["proMonthlyLimit"]
    plan = json.loads((PROJECT_ROOT / f"web/public/locales/{language}/translation.json").read_text("utf-8"))
    said = plan["landing"]["pricing"]["pro"][f"covers_{plural_form(count, language)}"]
    assert limits["proUnlimited"] or said.replace("{{formatted}}", written_number(count, language)) in page.text
    assert written_price(price["amount"], price["currency"], language) in page.text
    assert page.text.count("<h1") == 1 and page.text.count("<h3") == 4
