"""The pages for plugin authors as the product serves them."""

import re
from pathlib import Path

import httpx
import pytest
from litestar.di import Provide
from litestar.testing import create_test_client

from kernel.pages.documentation import documentation
from kernel.pages.static_files import StaticFiles
from tests.person import Person
from tests.product import Product


@pytest.fixture
def site(shared_product: Product) -> Person:
    """An anonymous client; the database does not matter here."""
    return shared_product.visitor()


@pytest.mark.parametrize("path", ["/docs", "/docs/", "/docs/image", "/docs/image/", "/docs/index", "/docs/queue"])
def test_everybody_can_read_a_page(site: Person, path: str) -> None:
    answer = site.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert '<meta name="robots" content="noindex">' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "style-src 'self';" in policy and "unsafe" not in policy


def test_a_page_that_did_not_change_is_not_sent_again(site: Person) -> None:
    first = site.get("/docs/image")
    assert first.headers["cache-control"] == "public, max-age=0, must-revalidate"
    again = site.get("/docs/image", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_assets_are_named_after_their_content_and_kept_for_good(site: Person) -> None:
    page = site.get("/docs").text
    addresses = set(re.findall(r"/docs/assets/[\w.-]+", page))
    assert {address.rpartition(".")[2] for address in addresses} == {"css", "js", "json"}
    for address in addresses:
        answer = site.get(address)
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-encoding"] == "gzip"


def test_a_typeface_that_the_style_names_is_there(site: Person) -> None:
    style = re.search(r"/docs/assets/docs-\w+\.css", site.get("/docs").text)
    assert style is not None
    faces = re.findall(r'url\("([^"]+)"\)', site.get(style[0]).text)
    assert len(faces) == 2
    assert [site.get(face).headers["content-type"] for face in faces] == ["font/woff2"] * 2


def test_head_tells_the_length_and_sends_nothing(site: Person) -> None:
    answer = site.head("/docs/image")
    assert (answer.status_code, answer.content) == (200, b"") and int(answer.headers["content-length"]) > 0


@pytest.mark.parametrize(
    "path", ["/docs/nowhere", "/docs/assets/nowhere.js", "/docs/..%2Fstatic_files.py", "/docs/a/b"]
)
def test_another_address_is_not_found_and_says_where_to_go(site: Person, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404
    assert '<a href="/docs">' in answer.text


def test_an_address_that_only_begins_like_it_is_a_screen(site: Person) -> None:
    assert '<div id="root"' in site.get("/docsearch").text


def test_the_api_describes_itself_where_it_did(shared_product: Product) -> None:
    answer: httpx.Response = shared_product.admin().get("/api/schema/openapi.json")
    assert answer.status_code == 200 and not [path for path in answer.json()["paths"] if path.startswith("/docs")]


def test_before_it_is_built_it_says_what_to_do(tmp_path: Path) -> None:
    files = Provide(lambda: StaticFiles(tmp_path / "nowhere"), sync_to_thread=False)
    with create_test_client([documentation], dependencies={"docs_files": files}) as client:
        for path in ("/docs", "/docs/image"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (404, "text/plain; charset=utf-8")
            assert "Run `make build`" in answer.text
