"""The frame around a page: head, search, list of pages, contents, and the way to the next one."""

import re
from html import escape, unescape
from itertools import pairwise
from typing import Final, NamedTuple

from kernel.docs.site.pages import GROUPS, PAGES_IN_ORDER, Page

SITE: Final = "Coverwright for plugin authors"
_HEADING: Final = re.compile(r'<h([23]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
_TAG: Final = re.compile(r"<[^>]+>")
_WITHIN_WORDS: Final = re.compile(r"</?(?:a|code|em|mark|span|strong)\b[^>]*>")


class Assets(NamedTuple):
    """Addresses of what every page loads; they change with the content. `entries` is what the search looks through."""

    style: str
    script: str
    entries: str


class Heading(NamedTuple):
    """A heading of a page: 2 or 3, its anchor, its words."""

    level: int
    anchor: str
    words: str


def headings_of(body: str) -> list[Heading]:
    """Return the headings that the contents list."""
    return [Heading(int(level), anchor, plain(words)) for level, anchor, words in _HEADING.findall(body)]


def plain(html: str) -> str:
    """Return the words of HTML."""
    return " ".join(unescape(_TAG.sub(" ", _WITHIN_WORDS.sub("", html))).split())


def framed(page: Page, body: str, assets: Assets) -> str:
    """Return a whole page."""
    first = re.search(r"<p>(.*?)</p>", body, re.DOTALL)
    description = plain(first[1])[:200] if first else SITE
    title = SITE if not page.slug else f"{page.title} · {SITE}"
    return _document(
        title,
        description,
        assets,
        f'<div class="columns"><nav class="pages" aria-label="Pages"><details class="fold"><summary>All pages</summary>'
        f"{_pages(page)}</details></nav>{_contents(body)}"
        f'<main id="content" tabindex="-1"><article>{body}</article>{_neighbors(page)}</main></div>',
    )


def not_found(assets: Assets) -> str:
    """Return the page for an address that is none."""
    body = (
        '<div class="columns"><main id="content" tabindex="-1"><article><h1>There is no such page</h1>'
        '<p>Perhaps it has another name now. <a href="/docs">All pages are listed here.</a></p></article></main></div>'
    )
    return _document(f"Not found · {SITE}", SITE, assets, body)


def _document(title: str, description: str, assets: Assets, body: str) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(description)}">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{assets.style}">
<script src="{assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="/docs">Coverwright <span>for plugin authors</span></a>
<div class="search" role="search" data-index="{assets.entries}" hidden>
<input type="search" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/"
 autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<p class="found" role="status"></p>
<ul class="results" hidden></ul>
</div>
<a class="app" href="/">Open Coverwright</a>
</header>
{body}
</body>
</html>
"""


def _pages(current: Page) -> str:
    lists = (
        (group, "".join(_page(page, current) for page in PAGES_IN_ORDER if page.group == group)) for group in GROUPS
    )
    return "".join(f"<p>{escape(group)}</p><ul>{items}</ul>" for group, items in lists)


def _page(page: Page, current: Page) -> str:
    here = ' aria-current="page"' if page is current else ""
    return f'<li><a href="{page.address}"{here}>{escape(page.title)}</a></li>'


def _contents(body: str) -> str:
    """Return the contents: headings of the second level, those of the third within them."""
    found = headings_of(body)
    if len(found) < 2:
        return ""
    top = min(heading.level for heading in found)
    items: list[str] = []
    for heading in found:
        link = f'<a href="#{heading.anchor}">{escape(heading.words)}</a>'
        items.append(f"<li>{link}</li>" if heading.level == top else f'<li class="inner">{link}</li>')
    return (
        '<nav class="contents" aria-label="On this page"><details class="fold"><summary>On this page</summary>'
        f"<ul>{''.join(items)}</ul></details></nav>"
    )


def _neighbors(page: Page) -> str:
    before = next((one for one, two in pairwise(PAGES_IN_ORDER) if two is page), None)
    after = next((two for one, two in pairwise(PAGES_IN_ORDER) if one is page), None)
    links = [
        f'<a rel="{rel}" href="{one.address}"><span>{words}</span> {escape(one.title)}</a>'
        for rel, words, one in (("prev", "Previous", before), ("next", "Next", after))
        if one is not None
    ]
    return f'<nav class="neighbors" aria-label="Previous and next page">{"".join(links)}</nav>'
