"""Markdown as HTML: anchors, colored code, and links to every name of the contracts that a text mentions."""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from kernel.docs.site.code import code_block
from kernel.docs.site.contracts import address_of, symbols
from kernel.docs.site.sources import excerpt

PLACES: Final[Mapping[str, str]] = {
    "kernel/spi/errors.py": "/docs/errors",
    "kernel/docs/pages/checkout.md": "/docs/checkout",
}
"""Files that the README links to → where the documentation says the same."""

SHORT: Final = 30
"""Characters of code within a text that stay on one line."""
LONG: Final = '<code class="long">'

_FILE: Final = re.compile(r"(\w*) file=(\S+)")
_CALL: Final = re.compile(r"([A-Za-z_][\w.]*)(?:\(.*\))?")
_TABLE: Final = '<div class="table" tabindex="0" role="group" aria-label="Table">'


class Writer:
    """Writes one page: anchors are unique in it. `claims` names a type whose fields a text may mention without it."""

    def __init__(self, claims: str = "") -> None:
        self._anchors: set[str] = set()
        self._claims = claims

    def text(self, markdown: str, *, within: str = "", deeper: int = 0) -> str:
        """Return Markdown as HTML. Names without an owner may be members of `within`; headings are `deeper`."""
        tokens = _parser().parse(markdown)
        for token, content in pairwise(tokens):
            if token.type == "heading_open":
                token.tag = f"h{int(token.tag[1]) + deeper}"
                token.attrSet("id", self.anchor(_slug(content.content)))
        for token in tokens:
            if token.type == "heading_close":
                token.tag = f"h{int(token.tag[1]) + deeper}"
        html: str = _parser().renderer.render(tokens, _parser().options, self._names(within))
        return html.replace("<table>", f"{_TABLE}<table>").replace("</table>", "</table></div>")

    def inline(self, markdown: str, *, within: str = "") -> str:
        """Return one line of Markdown as HTML, without a paragraph around it."""
        html: str = _parser().renderInline(markdown, self._names(within))
        return html

    def _names(self, within: str) -> dict[str, str]:
        return {"within": within, "claims": self._claims}

    def anchor(self, wanted: str) -> str:
        """Return an anchor that the page does not have yet."""
        free, number = wanted, 1
        while free in self._anchors:
            number += 1
            free = f"{wanted}-{number}"
        self._anchors.add(free)
        return free

    def heading(self, level: int, text: str, *, anchor: str = "", code: bool = False) -> str:
        """Return a heading that is a link to itself."""
        place = self.anchor(anchor or _slug(text))
        shown = f"<code>{escape(text)}</code>" if code else escape(text)
        return f'<h{level} id="{place}"><a href="#{place}">{shown}</a></h{level}>'


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.lower().replace("`", "")).strip("-")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for name, rule in {
        "fence": _fence,
        "code_block": _indented,
        "code_inline": _name,
        "text": _errors,
        "link_open": _link,
        "heading_open": _heading_open,
        "heading_close": _heading_close,
    }.items():
        parser.add_render_rule(name, rule)
    return parser


def _fence(_: RendererHTML, tokens: list[Token], at: int, __: Any, ___: Any) -> str:
    """Write a block of code; one with `file=` shows that file, or parts of it."""
    info = tokens[at].info.strip()
    if (found := _FILE.fullmatch(info)) is not None:
        return code_block(excerpt(found[2]), found[1], found[2].partition("#")[0])
    return code_block(tokens[at].content, info)


def _indented(_: RendererHTML, tokens: list[Token], at: int, __: Any, ___: Any) -> str:
    text = tokens[at].content
    return code_block(text, "python" if "class " in text or "def " in text else "")


def _name(_: RendererHTML, tokens: list[Token], at: int, __: Any, env: Mapping[str, str]) -> str:
    """Write words of code; a name of the contracts is a link."""
    text = tokens[at].content
    shown = f"{'<code>' if len(text) <= SHORT else LONG}{escape(text)}</code>"
    found = _CALL.fullmatch(text)
    if found is None or _in_link(tokens, at):
        return shown
    places = [found[1], *(f"{env[owner]}.{found[1]}" for owner in ("within", "claims") if env.get(owner))]
    address = next(filter(None, map(address_of, places)), None)
    return shown if address is None else f'<a href="{address}">{shown}</a>'


def _errors(_: RendererHTML, tokens: list[Token], at: int, __: Any, ___: Any) -> str:
    """Write a text; the names of errors in it are links, as docstrings name them without a mark."""
    text = escape(tokens[at].content, quote=False)
    if _in_link(tokens, at):
        return text
    return _error_names().sub(lambda found: f'<a href="/docs/errors#{found[0]}">{found[0]}</a>', text)


@cache
def _error_names() -> re.Pattern[str]:
    names = [one.name for one in symbols().values() if one.shape == "error"]
    return re.compile(rf"\b({'|'.join(names)})\b")


def _link(renderer: RendererHTML, tokens: list[Token], at: int, options: Any, env: Any) -> str:
    """Write the beginning of a link; what leads to a file of the sources leads to its page instead."""
    target = str(tokens[at].attrGet("href"))
    tokens[at].attrSet("href", PLACES.get(target, target))
    return renderer.renderToken(tokens, at, options, env)


def _in_link(tokens: list[Token], at: int) -> bool:
    before = [token.type for token in tokens[:at]]
    return before.count("link_open") > before.count("link_close")


def _heading_open(_: RendererHTML, tokens: list[Token], at: int, __: Any, ___: Any) -> str:
    token = tokens[at]
    if token.tag == "h1":
        return "<h1>"
    return f'<{token.tag} id="{token.attrGet("id")}"><a href="#{token.attrGet("id")}">'


def _heading_close(_: RendererHTML, tokens: list[Token], at: int, __: Any, ___: Any) -> str:
    tag = tokens[at].tag
    return f"</{tag}>\n" if tag == "h1" else f"</a></{tag}>\n"
