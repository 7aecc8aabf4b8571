"""What is known of a visit to a page for everybody, and what the server writes for it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from kernel.pages.page_content import LoadedContent
from kernel.pages.static_files import StaticFiles

Words = dict[str, Any]
"""The texts of one file in one language, as a tree."""
WORDS_KEPT: Final = 64
"""Decoded files: some for each language, of the present build."""


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a page for everybody.

    `screen` is its path without a language, `in_path` the language of its address if that names one, `language` the
    visitor's own. `base` is the site's address, `site` its name.
    """

    static_files: StaticFiles
    content: LoadedContent
    site: str
    base: str
    screen: str
    in_path: str | None
    language: str
    params: Mapping[str, str]

    @property
    def head_language(self) -> str:
        """The language of the head: that of the address, which search engines keep."""
        return self.in_path or self.language

    def link(self, path: str) -> str:
        """Return the address of another page, in the language of this one's."""
        return f"/{self.in_path}{path}" if self.in_path else path

    def words(self, name: str, language: str | None = None) -> Words | None:
        """Return the texts of a file (`pages`), in the visitor's language; None before the interface has been built."""
        file = self.static_files.find(f"/locales/{language or self.language}/{name}.json")
        return _decoded(file.etag, file.bodies["identity"]) if file else None


class WrittenPage(msgspec.Struct, frozen=True, kw_only=True):
    """What the server writes: the tags of the head, and the page itself. `found` is False for a page that is none."""

    head: Sequence[str]
    html: str
    found: bool = True


@lru_cache(maxsize=WORDS_KEPT)
def _decoded(_etag: str, body: bytes) -> Words:
    return msgspec.json.decode(body, type=Words)
