"""Our own reading of a blurb: four compositions of words that it holds. Nothing is added that it does not say."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final, Literal

from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.covers.ideas.schemas import COMPOSITIONS, Composition, Idea
from kernel.covers.ideas.vocabulary import language_of, words_in
from kernel.press.lettering.styles import genre_named

_FILE: Final = Path(__file__).with_name("wording.toml")
Mood = Literal["calm", "dark", "warm", "bright"]
INSTEAD: Final[tuple[Composition, ...]] = ("object", "symbol", "place", "person")
"""What stands in for a composition of which a text has no word: the first of these that it has."""

MOST_TITLE: Final = 100
MOST_TITLES: Final = 3
QUOTED: Final = re.compile(
    '“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|"([^"\n]+)"'
)
SPOKEN: Final = ".,!?…。、！？،؟।"

PALETTES: Final[dict[Mood, list[str]]] = {
    "calm": ["#20343d", "#5f8591", "#c9d6d3", "#f3efe4"],
    "dark": ["#0f1118", "#2b2f42", "#7a2430", "#d9cdb8"],
    "warm": ["#4a1f16", "#b4532a", "#e6a75c", "#f7ead2"],
    "bright": ["#14456b", "#2f9aa0", "#f2c14e", "#fbf6e9"],
}
MOODS: Final[dict[str, tuple[Mood, Mood, Mood, Mood]]] = {
    "thriller": ("dark", "dark", "calm", "bright"),
    "mystery": ("dark", "calm", "dark", "warm"),
    "horror": ("dark", "dark", "calm", "warm"),
    "romance": ("warm", "bright", "warm", "calm"),
    "children": ("bright", "bright", "warm", "calm"),
    "cookbook": ("warm", "bright", "warm", "calm"),
}
USUAL: Final[tuple[Mood, Mood, Mood, Mood]] = ("calm", "dark", "warm", "bright")


SHELVES: Final = ("fantasy", "scifi", "adventure", "romance", "thriller", "mystery", "children", "poetry", "cookbook")
"""Genres that the interface names in the user's language; others are told by the text's own word."""


@cache
def _wording() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


def read(text: str, language: str) -> list[Idea]:
    """Return four ideas, worded in the text's language. Raises InvalidFields for a text that names nothing to show.

    `language` is the user's, a hint where the script leaves a choice.
    """
    own = language_of(text, language)
    found, others = words_in(text, own)
    whole = [word for composition in INSTEAD for word in found[composition]] or others
    if not whole:
        words = "There is nothing in these words that could be shown. Please paste a few sentences about the book."
        raise InvalidFields({"text": FieldError("nothing_to_show", words)})
    wording, titles = _wording()[own], titles_in(text)
    genre, named = genre_named(text)
    ideas = []
    for composition, mood in zip(COMPOSITIONS, MOODS.get(genre, USUAL), strict=True):
        shown = _shown(composition, found, whole)
        words = wording["comma"].join(shown)
        ideas.append(
            Idea(
                composition=composition,
                subject=words,
                mood=wording[mood],
                palette=PALETTES[mood],
                description=wording[composition].format(words=words),
                genre=genre if genre in SHELVES else named,
                titles=titles,
            )
        )
    return ideas


def titles_in(text: str) -> list[str]:
    """Return names in quotation marks that may be the book's, without what somebody says."""
    quoted = (next(filter(None, match.groups())).strip() for match in QUOTED.finditer(text))
    names = (name for name in quoted if name and len(name) <= MOST_TITLE and name[-1] not in SPOKEN)
    return [name for name in dict.fromkeys(names) if not name[0].islower() and len(name.split()) <= 8][:MOST_TITLES]


def _shown(composition: Composition, found: dict[Composition, list[str]], whole: list[str]) -> list[str]:
    """Return the words of one idea: its own, and what it stands in; another of the text where it has none."""
    own = found[composition][: 2 if composition in ("place", "person") else 1]
    beside: dict[Composition, Composition] = {"place": "symbol", "person": "place"}
    more = found[beside[composition]][:1] if composition in beside else []
    return [*own, *more] if own else whole[:1]
