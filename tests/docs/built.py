"""The documentation as it is built from the present sources, read as a browser reads it."""

from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from kernel.docs.site.__main__ import build


class Html(HTMLParser):
    """What a page links to, the anchors that it has, and what no page may hold."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.inline: list[str] = []
        self.headings: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what matters of an element."""
        found = dict(attrs)
        self.links += [str(found[name]) for name in ("href", "src", "data-index") if found.get(name)]
        if anchor := found.get("id"):
            self.anchors.append(anchor)
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag == "style" or (tag == "script" and "src" not in found):
            self.inline.append(tag)
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]


class Built(NamedTuple):
    """The folder of the pages, and each page by its address."""

    folder: Path
    pages: Mapping[str, Html]


@cache
def built() -> Built:
    """Build the documentation, once for each process of the tests."""
    folder = Path(mkdtemp(prefix="cw-docs-")) / "docs"
    build(folder)
    return Built(folder, dict(_pages(folder)))


def _pages(folder: Path) -> Iterator[tuple[str, Html]]:
    for file in sorted(folder.glob("*.html")):
        page = Html()
        page.feed(file.read_text())
        yield "/docs" if file.stem == "index" else f"/docs/{file.stem}", page
