"""The texts of the landing page's head: built-in ones, and the keywords that administrators have added."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.site.seo.schemas import SeoKeywordOut

TEXTS: Final = Path(__file__).with_name("words.toml")
META_KEYWORDS: Final = 20


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
    go into its structured data. Title and description are sentences for people, to whom lists of words say nothing.
    """
    own = words()[language]
    subjects = [one.keyword for one in keywords if one.placement != "meta"]
    return HeadWords(
        title=own.title.replace("{{name}}", name),
        description=own.description,
        keywords=[one.keyword for one in keywords if one.placement != "content"][:META_KEYWORDS],
        subjects=subjects[:META_KEYWORDS],
    )
