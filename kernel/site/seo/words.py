"""The texts of the landing page's head: built-in ones, and the keywords that administrators have added."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.site.seo.schemas import SeoKeywordOut

TEXTS: Final = Path(__file__).with_name("words.toml")
DESCRIPTION_CHARS: Final = 160
"""Search engines cut a description about here (seen 2025), so no keyword goes beyond."""
META_KEYWORDS: Final = 20
BETWEEN: Final = " · "


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of one language; `{{name}}` in the title is the site."""

    title: str
    description: str
    image: str


class HeadWords(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a head: `keywords` for its meta tag, `subjects` for its structured data."""

    title: str
    description: str
    keywords: list[str]
    subjects: list[str]


@cache
def words() -> dict[str, Words]:
    """Return the built-in texts by language."""
    return msgspec.convert(tomllib.loads(TEXTS.read_text("utf-8")), dict[str, Words])


def head_words(language: str, name: str, keywords: Sequence[SeoKeywordOut]) -> HeadWords:
    """Compose the head of a language; `keywords` are that language's, the most important ones first.

    Those placed in `meta` go into the meta tag of keywords. Those placed in `content` are what the page is about: they
    go into its structured data, and as many as fit are added to the built-in description.
    """
    own = words()[language]
    subjects = [one.keyword for one in keywords if one.placement != "meta"]
    return HeadWords(
        title=own.title.replace("{{name}}", name),
        description=_with_room(own.description, subjects),
        keywords=[one.keyword for one in keywords if one.placement != "content"][:META_KEYWORDS],
        subjects=subjects[:META_KEYWORDS],
    )


def _with_room(description: str, subjects: Sequence[str]) -> str:
    said = description.casefold()
    for subject in subjects:
        longer = f"{description}{BETWEEN}{subject}"
        if subject.casefold() not in said and len(longer) <= DESCRIPTION_CHARS:
            description = longer
    return description
