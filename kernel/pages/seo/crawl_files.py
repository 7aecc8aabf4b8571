"""Files for crawlers: which pages there are, in which languages, with which pictures, and what not to crawl.

Formats: sitemaps.org 0.9, Google's image extension 1.1 and its `xhtml:link` for other languages; RFC 9309 for robots.
"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from kernel.core.text.languages import LANGUAGES

SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
XHTML: Final = "http://www.w3.org/1999/xhtml"
XML: Final = "application/xml"
PLAIN: Final = "text/plain"
OPEN_CALLS: Final = (
    "/api/admin/selected-price",
    "/api/auth/methods",
    "/api/branding",
    "/api/carousel",
    "/api/og-image",
    "/api/plan-limits",
    "/api/preflight",
    "/api/public-links",
    "/api/public-texts",
    "/api/site-stats",
    "/api/spine",
    "/api/trade",
)
"""What the pages for everybody request; the rest of the API is not to be crawled."""
for _prefix, _namespace in (("", SITEMAP), ("image", IMAGE), ("xhtml", XHTML)):
    ET.register_namespace(_prefix, _namespace)


class CrawlFile(msgspec.Struct, frozen=True):
    """A file that is generated for each request."""

    media_type: str
    body: bytes


class IndexedPage(msgspec.Struct, frozen=True):
    """A page for everybody: its path without a language, and the languages that it is written in.

    `changes` are (language, day of the last change) as far as they are known.
    """

    path: str
    languages: tuple[str, ...]
    changes: tuple[tuple[str, str], ...] = ()


def page_address(base: str, language: str, path: str = "/") -> str:
    """Return the address of an indexed page in a language; `path` is without one."""
    return f"{base}/{language}{path}"


def alternates(base: str, path: str = "/", languages: Sequence[str] = LANGUAGES) -> list[tuple[str, str]]:
    """Return (hreflang, address) of an indexed page in its languages, and of the one that chooses by itself."""
    return [*((code, page_address(base, code, path)) for code in languages), ("x-default", f"{base}{path}")]


@lru_cache(maxsize=64)
def crawl_file(path: str, base: str, pages: tuple[IndexedPage, ...], pictures: tuple[str, ...]) -> CrawlFile | None:
    """Return the file for crawlers at a path, None where there is none.

    `base` is the site's address, `pages` are those to be found, `pictures` the addresses of the covers on the landing
    page, below it.
    """
    if path == "/robots.txt":
        return CrawlFile(PLAIN, _robots(base).encode())
    if path == "/sitemap.xml":
        return CrawlFile(XML, _index(base))
    if path == "/sitemap-images.xml":
        return CrawlFile(XML, _images(base, pictures))
    language = path.removeprefix("/sitemap-").removesuffix(".xml")
    if language in LANGUAGES and path == f"/sitemap-{language}.xml":
        return CrawlFile(XML, _pages(base, language, pages))
    return None


def _robots(base: str) -> str:
    """Close the API. Screens of users stay open: they say `noindex`, which nobody reads who may not fetch them."""
    lines = [
        "User-agent: *",
        *(f"Allow: {address}" for address in OPEN_CALLS),
        "Disallow: /api/",
        "",
        f"Sitemap: {base}/sitemap.xml",
    ]
    return "\n".join(lines) + "\n"


def _index(base: str) -> bytes:
    root = ET.Element(_tag(SITEMAP, "sitemapindex"))
    for name in (*LANGUAGES, "images"):
        _located(ET.SubElement(root, _tag(SITEMAP, "sitemap")), f"{base}/sitemap-{name}.xml")
    return _xml_bytes(root)


def _pages(base: str, language: str, pages: Sequence[IndexedPage]) -> bytes:
    """Return the indexed pages of a language; all others belong to a user."""
    root = ET.Element(_tag(SITEMAP, "urlset"))
    for indexed in pages:
        if language not in indexed.languages:
            continue
        page = ET.SubElement(root, _tag(SITEMAP, "url"))
        _located(page, page_address(base, language, indexed.path))
        if changed := dict(indexed.changes).get(language):
            ET.SubElement(page, _tag(SITEMAP, "lastmod")).text = changed
        for code, address in alternates(base, indexed.path, indexed.languages):
            ET.SubElement(page, _tag(XHTML, "link"), {"rel": "alternate", "hreflang": code, "href": address})
    return _xml_bytes(root)


def _images(base: str, pictures: Sequence[str]) -> bytes:
    root = ET.Element(_tag(SITEMAP, "urlset"))
    page = ET.SubElement(root, _tag(SITEMAP, "url"))
    _located(page, f"{base}/")
    for address in pictures:
        _located(ET.SubElement(page, _tag(IMAGE, "image")), f"{base}{address}", IMAGE)
    return _xml_bytes(root)


def _located(parent: ET.Element, address: str, namespace: str = SITEMAP) -> None:
    ET.SubElement(parent, _tag(namespace, "loc")).text = address


def _tag(namespace: str, name: str) -> str:
    return f"{{{namespace}}}{name}"


def _xml_bytes(root: ET.Element) -> bytes:
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
