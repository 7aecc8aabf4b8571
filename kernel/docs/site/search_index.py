"""What the search in the pages looks through: one entry for each section."""

import re
from typing import Final

import msgspec

from kernel.docs.site.layout import plain
from kernel.docs.site.pages import Page

LONGEST: Final = 1200
"""Characters of a section that are kept: enough to find it."""

_SECTION: Final = re.compile(r'<h[1-4](?: id="([^"]+)")?>(.*?)</h[1-4]>', re.DOTALL)
_ROW: Final = re.compile(r'<tr id="([^"]+)"><th scope="row">(.*?)</th>(.*?)</tr>', re.DOTALL)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A section: its page's title, its heading, its address, and its words."""

    page: str
    heading: str
    address: str
    text: str


def entries_of(page: Page, body: str) -> list[Entry]:
    """Return the sections of a page, each up to the next heading; rules of the kit are sections, too."""
    found = list(_SECTION.finditer(body))
    ends = [*(section.start() for section in found[1:]), len(body)]
    entries = [
        _entry(page, plain(section[2]), section[1] or "", body[section.end() : end])
        for section, end in zip(found, ends, strict=True)
    ]
    rules = [_entry(page, plain(row[2]), row[1], row[3]) for row in _ROW.finditer(body) if "_" in row[1][:6]]
    return entries + [rule for rule in rules if re.fullmatch(r"[A-Z]+_\d\d", rule.heading)]


def _entry(page: Page, heading: str, anchor: str, html: str) -> Entry:
    address = f"{page.address}#{anchor}" if anchor else page.address
    return Entry(page=page.title, heading=heading, address=address, text=plain(html)[:LONGEST])
