"""What the server writes into the head of the one HTML page."""

from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

from kernel.core.text.languages import LANGUAGES, LOCALES
from kernel.pages.seo.crawl_files import alternates

IMAGE_SIZE: Final = (1200, 630)
"""Pixels of the picture for shared links, in the shape that all networks show without cropping (1.91:1)."""


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """Data of the landing page. `address` is its own, `image` the picture for shared links, with its alt text."""

    name: str
    language: str
    base: str
    address: str
    title: str
    description: str
    keywords: Sequence[str]
    image: str
    image_words: str
    structured: str


class PublicPage(msgspec.Struct, frozen=True, kw_only=True):
    """Data of another page for everybody.

    `path` is without a language, `address` the one that search engines keep, `languages` those that it is written in.
    `image` is the address of what it is about, if that is a picture, with its alt text.
    """

    language: str
    base: str
    path: str
    address: str
    title: str
    description: str
    languages: Sequence[str]
    image: str = ""
    image_words: str = ""


def landing_head(page: Landing) -> list[str]:
    """Return the tags of the landing page."""
    return [
        f"<title>{escape(page.title)}</title>",
        _named("description", page.description),
        *([_named("keywords", ", ".join(page.keywords))] if page.keywords else []),
        f'<link rel="canonical" href="{escape(page.address)}">',
        *(_alternate(code, at) for code, at in alternates(page.base)),
        _property("og:type", "website"),
        _property("og:site_name", page.name),
        _property("og:title", page.title),
        _property("og:description", page.description),
        _property("og:url", page.address),
        _property("og:locale", LOCALES[page.language]),
        *(_property("og:locale:alternate", LOCALES[code]) for code in LANGUAGES if code != page.language),
        _property("og:image", page.image),
        _property("og:image:type", "image/jpeg"),
        _property("og:image:width", str(IMAGE_SIZE[0])),
        _property("og:image:height", str(IMAGE_SIZE[1])),
        _property("og:image:alt", page.image_words),
        _named("twitter:card", "summary_large_image"),
        _named("twitter:title", page.title),
        _named("twitter:description", page.description),
        _named("twitter:image", page.image),
        _named("twitter:image:alt", page.image_words),
        f'<script type="application/ld+json">{page.structured}</script>',
    ]


def public_head(name: str, page: PublicPage) -> list[str]:
    """Return the tags of a page for everybody other than the landing page."""
    title, address = f"{page.title} · {name}", page.address
    return [
        f"<title>{escape(title)}</title>",
        _named("description", page.description),
        f'<link rel="canonical" href="{escape(address)}">',
        *(_alternate(code, at) for code, at in alternates(page.base, page.path, page.languages)),
        _property("og:type", "website"),
        _property("og:site_name", name),
        _property("og:title", page.title),
        _property("og:description", page.description),
        _property("og:url", address),
        _property("og:locale", LOCALES[page.language]),
        *(_picture(page) if page.image else ()),
    ]


def _picture(page: PublicPage) -> list[str]:
    return [
        _property("og:image", page.image),
        _property("og:image:alt", page.image_words),
        _named("twitter:card", "summary_large_image"),
    ]


def other_head(name: str, description: str, address: str) -> list[str]:
    """Return the tags of a page that belongs to a user, or of one that does not exist."""
    return [
        f"<title>{escape(name)}</title>",
        _named("description", description),
        f'<link rel="canonical" href="{escape(address)}">',
        '<meta name="robots" content="noindex">',
    ]


def _alternate(language: str, address: str) -> str:
    return f'<link rel="alternate" hreflang="{language}" href="{escape(address)}">'


def _named(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}">'


def _property(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{escape(content)}">'
