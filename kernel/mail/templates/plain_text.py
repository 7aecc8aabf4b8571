"""The plain text of an HTML email, for mail programs and people that read without markup."""

import re
from html.parser import HTMLParser
from typing import Final

_APART: Final = frozenset(("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"))
"""Blocks with an empty line around them."""

_BLOCKS: Final = _APART | {"center", "div", "figcaption", "figure", "hr", "li", "tbody", "tfoot", "thead", "tr"}


def plain_text(html: str) -> str:
    """Return the text of sanitized HTML: link text with its address, list items with a dash, pictures by their alt
    text.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._links: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line where the tag does, and remember where a link begins."""
        given = dict(attrs)
        if tag == "br":
            self._parts.append("\n")
        elif tag in _BLOCKS:
            self._break(tag)
            if tag == "li":
                self._parts.append("- ")
        elif tag in ("td", "th"):
            self._parts.append(" ")
        elif tag == "a":
            self._links.append((given.get("href") or "", len(self._parts)))
        elif tag == "img" and given.get("alt"):
            self._parts.append(f"[{given['alt']}]")

    def handle_endtag(self, tag: str) -> None:
        """End a line where the tag does; put a link's address after its text unless they are the same."""
        if tag in _BLOCKS:
            self._break(tag)
        elif tag == "a" and self._links:
            href, begun = self._links.pop()
            words = "".join(self._parts[begun:]).strip()
            if href and href.removeprefix("mailto:") != words:
                self._parts.append(f" ({href.removeprefix('mailto:')})" if words else href)

    def handle_data(self, data: str) -> None:
        """Collect the text, with single spaces."""
        self._parts.append(re.sub(r"[ \t\r\n\f]+", " ", data))

    def _break(self, tag: str) -> None:
        if tag in _APART:
            self._parts.append("\n\n")
        elif not (self._parts and self._parts[-1].endswith("\n")):
            self._parts.append("\n")

    def text(self) -> str:
        """Return the collected text, without spaces at the ends of lines and with at most one empty line in a row."""
        lines = [" ".join(line.split(" ")).strip(" ") for line in "".join(self._parts).split("\n")]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
