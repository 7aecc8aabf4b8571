"""Markdown of administrators as HTML that is safe to show to everybody.

CommonMark with tables. Raw HTML is shown as text and pictures are left out; the result is cleaned all the same, as that
of emails. Classes are the interface's own, so that the text looks like the page around it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

CLASSES: Final = {
    "h2": "display mt-10 text-2xl first:mt-0",
    "h3": "mt-8 text-lg font-medium first:mt-0",
    "h4": "mt-6 font-medium first:mt-0",
    "p": "mt-3 leading-relaxed text-ink-2",
    "ul": "mt-3 list-disc space-y-1 ps-6 text-ink-2",
    "ol": "mt-3 list-decimal space-y-1 ps-6 text-ink-2",
    "blockquote": "mt-4 border-s border-line-strong ps-4",
    "pre": "mt-4 overflow-x-auto rounded-md bg-sunken p-4 text-sm",
    "hr": "my-8 border-line",
    "table": "w-full border-collapse text-sm",
    "th": "border-b border-line py-2 pe-3 text-start font-medium",
    "td": "border-b border-line py-2 pe-3 align-top text-ink-2",
    "a": "text-ink underline underline-offset-4 break-words",
}
"""Tag → classes. All of them are in the interface's style sheet, which holds no others."""
LOWEST: Final = 4
"""Level of the lowest heading; the page's own title is the first, so that of a text begin at the second."""
SCROLLED: Final = '<div class="mt-4 overflow-x-auto" tabindex="0" role="group">'
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_CLEANER: Final = nh3.Cleaner(
    tags={*CLASSES, "li", "thead", "tbody", "tr", "em", "strong", "code", "br", "div"},
    attributes={
        **{tag: {"class"} for tag in CLASSES},
        "a": {"class", "href"},
        "div": {"class", "tabindex", "role"},
        "ol": {"class", "start"},
    },
    url_schemes={"https", "http", "mailto", "tel"},
    link_rel="noopener",
)


@lru_cache(maxsize=64)
def render_markdown(text: str, language: str) -> str:
    """Return HTML. Links within the site lead to the pages in `language`."""
    tokens = _MARKDOWN.parse(text)
    _set_levels(tokens)
    for token in tokens:
        _dress(token, language)
        for child in token.children or ():
            _dress(child, language)
    html: str = _MARKDOWN.renderer.render(_scrolled(tokens), _MARKDOWN.options, {})
    return _CLEANER.clean(html).strip()


def _set_levels(tokens: Sequence[Token]) -> None:
    """Let headings begin at the second level, whatever the writer began with, and leave none out on the way down."""
    begun, above = [0], 1
    for token in tokens:
        if token.type == "heading_open":
            typed = int(token.tag[1])
            while begun[-1] >= typed:
                begun.pop()
            begun.append(typed)
            above = min(len(begun), LOWEST)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{above}"


def _dress(token: Token, language: str) -> None:
    if token.type == "link_open":
        href = str(token.attrGet("href") or "")
        if href.startswith("/") and not href.startswith(("//", "/api/", f"/{language}/")):
            token.attrSet("href", f"/{language}{href}")
    if token.nesting >= 0 and token.tag in CLASSES and not token.hidden:
        token.attrs.pop("style", None)
        token.attrSet("class", CLASSES[token.tag])


def _scrolled(tokens: Sequence[Token]) -> list[Token]:
    """Put each table into a box of its own that scrolls sideways, also by keyboard."""
    found: list[Token] = []
    for token in tokens:
        if token.type == "table_open":
            found.append(Token("html_block", "", 0, content=SCROLLED))
        found.append(token)
        if token.type == "table_close":
            found.append(Token("html_block", "", 0, content="</div>"))
    return found
