"""The pages of covers that administrators show to everybody, as the server writes them."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any, Final
from uuid import uuid4

import pytest

from kernel.core.config import PROJECT_ROOT
from kernel.core.text.languages import LANGUAGES
from tests.api.test_carousel import PATH, Add, add
from tests.api.test_crawling import Head, public
from tests.person import Person
from tests.product import Product
from tests.support.processes import wait_until

__all__ = ["add"]

ABOUT: Final = "A lighthouse in a storm, seen from the sea."


def texts(language: str, name: str = "translation") -> Mapping[str, Any]:
    """Return the source of the interface's texts."""
    path = PROJECT_ROOT / "web" / "public" / "locales" / language / f"{name}.json"
    found: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def page_of(visitor: Person, slide: Mapping[str, Any], language: str = "en") -> str:
    """Return the page of a cover, as soon as the server knows of it."""
    address = f"/{language}/examples/{slide['id']}"
    wait_until(lambda: visitor.get(address).status_code == 200, "the page of an example")
    return visitor.get(address).text


def graph_of(page: str) -> dict[str, Any]:
    """Return the structured data of a page by their types."""
    (data,) = (json.loads(one) for one in Head(page).data)
    return {node["@type"]: node for node in data["@graph"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_covers_are_on_one_page_and_lead_to_theirs(visitor: Person, add: Add, language: str) -> None:
    slide = add(title=f"Gull {uuid4().hex}", genre="Sci-Fi", description=ABOUT)
    page_of(visitor, slide)
    page, said = visitor.get(f"/{language}/examples"), texts(language, "pages")["pages"]["examples"]
    assert page.status_code == 200 and page.headers["content-language"] == language
    assert f'<h1 class="display text-section-title">{escape(said["title"])}</h1>' in page.text
    (card,) = re.findall(rf'<li><a href="/{language}/examples/{slide["id"]}">.*?</li>', page.text)
    assert escape(slide["thumbnailUrl"]) in card and f'alt="{ABOUT}"' in card
    assert slide["title"] in card and escape(texts(language)["genre"]["scifi"]) in card
    head = Head(page.text)
    assert head.title.startswith(said["title"]) and "{{" not in head.meta("description")
    assert {link["hreflang"] for link in head.linked("alternate")} == {*LANGUAGES, "x-default"}


def test_a_cover_has_a_page_that_says_what_it_shows(visitor: Person, shared_product: Product, add: Add) -> None:
    slide = add(title=f"Gull {uuid4().hex}", description=ABOUT)
    page, base = page_of(visitor, slide, "de"), public(shared_product)
    head = Head(page)
    assert head.title.startswith(f"Cover von „{slide['title']}“ · ")
    assert head.meta("description") == ABOUT
    assert head.meta("og:image") == base + slide["imageUrl"]
    assert [link["href"] for link in head.linked("canonical")] == [f"{base}/de/examples/{slide['id']}"]
    assert f'<p class="mt-6 leading-relaxed break-words" dir="auto">{ABOUT}</p>' in page
    data = graph_of(page)
    steps = [step["item"] for step in data["BreadcrumbList"]["itemListElement"]]
    assert steps == [f"{base}/de/examples", f"{base}/de/examples/{slide['id']}"]
    assert data["ImageObject"]["contentUrl"] == base + slide["imageUrl"]


def test_a_cover_without_a_description_has_one_for_search_engines(visitor: Person, add: Add) -> None:
    slide = add(genre="Noir")
    head = Head(page_of(visitor, slide))
    assert slide["title"] in head.meta("description") and "Noir" in head.meta("description")
    assert "{{" not in head.meta("description")


def test_below_a_cover_are_others_and_first_those_of_its_genre(visitor: Person, add: Add) -> None:
    genre = uuid4().hex
    slide, other = add(genre=genre), add(genre=genre, displayOrder=9)
    page_of(visitor, other)
    linked = [int(number) for number in re.findall(r'href="/en/examples/(\d+)"', page_of(visitor, slide))]
    assert linked[0] == other["id"] and slide["id"] not in linked


def test_what_an_administrator_hides_has_no_page(visitor: Person, admin: Person, add: Add) -> None:
    slide = add()
    page_of(visitor, slide)
    listed = f"/en/examples/{slide['id']}</loc>"
    assert listed in visitor.get("/sitemap-en.xml").text
    admin.put(f"{PATH}/{slide['id']}", json={"isActive": False})
    wait_until(lambda: visitor.get(f"/en/examples/{slide['id']}").status_code == 404, "the page to be gone")
    assert listed not in visitor.get("/sitemap-en.xml").text
    assert f"/examples/{slide['id']}" not in visitor.get("/en/examples").text


@pytest.mark.parametrize("number", ["999999999", "0", "-1", "1x", "9999999999999999999", "%00"])
def test_there_is_no_page_of_another_number(visitor: Person, number: str) -> None:
    answer = visitor.get(f"/en/examples/{number}")
    assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/html")


def test_nothing_that_is_written_becomes_markup(visitor: Person, add: Add) -> None:
    evil = '</script><script>alert("1")</script>'
    slide = add(title=evil, genre=evil[:50], description=evil)
    for page in (page_of(visitor, slide), visitor.get("/en/examples").text):
        assert "<script>alert" not in page
    assert graph_of(page_of(visitor, slide))["ImageObject"]["name"] == evil
