"""Covers that administrators show to everybody, as the server writes them: all of them, and a page for each."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final

from kernel.pages.public.frame import LINK, framed, head_of
from kernel.pages.public.visit import Visit, Words, WrittenPage
from kernel.pages.samples import samples
from kernel.pages.seo.crawl_files import page_address
from kernel.pages.seo.structured_data import example_data
from kernel.site.carousel.schemas import CarouselItem

SCREEN: Final = "/examples"
EXAMPLE: Final = re.compile(SCREEN + r"/([1-9]\d{0,15})")
MORE: Final = 4
"""Other covers below one; the interface shows as many."""
_GRID: Final = "mt-10 grid grid-cols-2 gap-x-5 gap-y-10 sm:grid-cols-3 lg:grid-cols-4"
_BUTTON: Final = "inline-flex h-12 items-center justify-center rounded-md bg-primary px-6 text-on-primary"


def write_examples_page(visit: Visit) -> WrittenPage | None:
    """Return the page of all covers; None before the interface has been built."""
    pages, texts, head_words = (
        visit.words("pages"),
        visit.words("translation"),
        visit.words("pages", visit.head_language),
    )
    if pages is None or texts is None or head_words is None:
        return None
    said, head = pages["pages"]["examples"], head_words["pages"]["examples"]
    cards = "".join(_card(visit, texts, cover) for cover in visit.content.covers) or _samples(visit, texts)
    html = (
        '<article class="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">'
        f'<h1 class="display text-section-title">{escape(said["title"])}</h1>'
        f'<p class="mt-3 max-w-lead text-ink-2">{escape(said["lead"].replace("{{name}}", visit.site))}</p>'
        f'<ul class="{_GRID}">{cards}</ul>'
        f'<p class="mt-16"><a class="{_BUTTON}" href="/api/login">{escape(said["own"])}</a></p></article>'
    )
    return WrittenPage(
        head=head_of(visit, SCREEN, title=head["title"], description=head["description"]), html=framed(visit, html)
    )


def write_example_page(visit: Visit, number: int) -> WrittenPage | None:
    """Return the page of one cover; None where there is none, or before the interface has been built."""
    cover = next((one for one in visit.content.covers if one.id == number), None)
    pages, texts = visit.words("pages"), visit.words("translation")
    if cover is None or pages is None or texts is None:
        return None
    said = pages["pages"]["examples"]
    about = (
        f'<p class="mt-6 leading-relaxed break-words" dir="auto">{escape(cover.description)}</p>'
        if cover.description
        else ""
    )
    others = "".join(_card(visit, texts, one) for one in others_of(cover, visit.content.covers))
    more = f'<h2 class="display mt-20 text-2xl">{escape(said["more"])}</h2><ul class="{_GRID}">{others}</ul>'
    html = (
        '<article class="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">'
        f'<p><a class="{LINK}" href="{escape(visit.link(SCREEN))}">{escape(said["all"])}</a></p>'
        '<div class="mt-8 grid grid-cols-1 items-start gap-10 md:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">'
        f"{_picture(cover.image_url, _alt(texts, cover), loading='eager')}"
        f'<div><h1 class="display text-section-title break-words"><bdi>{escape(cover.title)}</bdi></h1>'
        f'<p class="mt-3 text-ink-2">{escape(genre_name(texts, cover.genre))}</p>{about}'
        f'<p class="mt-8"><a class="{_BUTTON}" href="/api/login">{escape(said["again"])}</a></p></div></div>'
        f"{more if others else ''}</article>"
    )
    return WrittenPage(head=_head(visit, cover), html=framed(visit, html))


def others_of(cover: CarouselItem, covers: list[CarouselItem]) -> list[CarouselItem]:
    """Return what is shown below a cover: those of its genre first, in the order of all."""
    others = [one for one in covers if one.id != cover.id]
    return sorted(others, key=lambda one: one.genre != cover.genre)[:MORE]


def genre_name(texts: Words, genre: str) -> str:
    """Name a genre in the visitor's language; one that an administrator made up stays as written."""
    names: Mapping[str, str] = texts["genre"]
    return names.get(re.sub("[^a-z]", "", genre.lower()), genre)


def _head(visit: Visit, cover: CarouselItem) -> list[str]:
    """Write the head; what is said about the cover comes in the language that it was written in."""
    texts, pages = visit.words("translation", visit.head_language), visit.words("pages", visit.head_language)
    assert texts is not None and pages is not None
    said = pages["pages"]["examples"]
    title = _cover_of(texts, cover.title)
    about: str = said["about"].replace("{{name}}", visit.site)
    about = about.replace("{{genre}}", genre_name(texts, cover.genre)).replace("{{title}}", cover.title)
    description = cover.description or about
    path, language, image = f"{SCREEN}/{cover.id}", visit.head_language, visit.base + cover.image_url
    head = head_of(visit, path, title=title, description=description, image=image, image_words=title)
    data = example_data(
        base=visit.base,
        name=visit.site,
        trail=(
            (said["title"], page_address(visit.base, language, SCREEN)),
            (cover.title, page_address(visit.base, language, path)),
        ),
        image=image,
        description=description,
    )
    return [*head, f'<script type="application/ld+json">{data}</script>']


def _card(visit: Visit, texts: Words, cover: CarouselItem) -> str:
    address = escape(visit.link(f"{SCREEN}/{cover.id}"))
    words = _words(texts, cover.title, cover.genre)
    return f'<li><a href="{address}">{_picture(cover.thumbnail_url, _alt(texts, cover))}{words}</a></li>'


def _samples(visit: Visit, texts: Words) -> str:
    return "".join(
        f"<li>{_picture(one.thumbnail, _cover_of(texts, one.title))}{_words(texts, one.title, one.genre)}</li>"
        for one in samples(visit.static_files)
    )


def _words(texts: Words, title: str, genre: str) -> str:
    return (
        f'<p class="mt-4 truncate text-sm font-medium"><bdi>{escape(title)}</bdi></p>'
        f'<p class="text-note text-ink-2">{escape(genre_name(texts, genre))}</p>'
    )


def _picture(address: str, alt: str, *, loading: str = "lazy") -> str:
    return (
        f'<div class="book bg-sunken"><img src="{escape(address)}" alt="{escape(alt)}" loading="{loading}" '
        'class="size-full object-contain"></div>'
    )


def _alt(texts: Words, cover: CarouselItem) -> str:
    return cover.description or _cover_of(texts, cover.title)


def _cover_of(texts: Words, title: str) -> str:
    said: str = texts["landing"]["cover"]
    return said.replace("{{title}}", title)
