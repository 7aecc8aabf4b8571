"""The styles a lettering can begin with: read from `styles.toml`, chosen by genre."""

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from kernel.press.catalogue import Voice
from kernel.press.lettering.document import EffectKind
from kernel.press.scripts import IDEOGRAPHIC, script_of
from kernel.press.style import Align, Case, Mode

PlaceName = Literal["split", "reverse", "top", "bottom", "center", "band", "edge", "left", "right"]
"""Where the words stand: title above and author below, or reverse; both above, below, in the middle; on a band over the
whole width; the title along an edge; both in the left or right column of a wide panel."""

Inked = Literal["auto", "light", "accent"]
"""The ink a style likes best; `accent` is the most colorful one of the theme or the picture."""

_FILE: Final = Path(__file__).with_name("styles.toml")


class Manner(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the text of one role is set; fields as in `Block`. `size` bounds the em, in units (see `arranging`)."""

    font: str
    size: float
    voice: Voice = "serif"
    case: Case = "typed"
    track: float = 0.0
    leading: float = 1.12
    mode: Mode = "fit"
    align: Align = "center"
    rules: bool = False
    small: str = ""


class Style(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document without words. `genres` begins with the family; `places` and `effects` are in order of preference.

    Titles of more than `longest` characters are better set in another style. A `loud_author` may be as large as the
    title.
    """

    id: str
    name: str
    genres: tuple[str, ...]
    title: Manner
    author: Manner
    subtitle: Manner
    series: Manner
    tagline: Manner
    places: tuple[PlaceName, ...]
    effects: tuple[EffectKind, ...]
    ink: Inked = "auto"
    longest: int = 200
    loud_author: bool = False

    @property
    def family(self) -> str:
        """Return the genre the style belongs to."""
        return self.genres[0]


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


def _style(entry: dict[str, Any], authors: dict[str, Any], lines: dict[str, Any]) -> Style:
    line = lines[entry["line"]]
    author = authors[entry["author"]]
    side = entry["title"].get("align", "center")
    small = {**line, "size": line["size"] * 0.86}
    # a series' name is a label: the author's face, small and wide
    label = {**author, "size": min(0.042, author["size"] * 0.66), "track": max(0.1, author.get("track", 0.0))}
    full = {
        **{key: value for key, value in entry.items() if key != "line"},
        "author": {**author, "align": side},
        "subtitle": {**line, "leading": 1.3, "align": side},
        "tagline": {**small, "leading": 1.3, "align": side},
        "series": {**label, "align": side},
    }
    return msgspec.convert(full, Style)


@cache
def styles() -> tuple[Style, ...]:
    """Return all styles, in families by genre."""
    data = _file()
    return tuple(_style(entry, data["authors"], data["lines"]) for entry in data["style"])


@cache
def _by_id() -> dict[str, Style]:
    return {style.id: style for style in styles()}


def style(id: str) -> Style:
    """Return the style of this id. Raises KeyError."""
    return _by_id()[id]


def is_style(id: str) -> bool:
    """Return whether there is a style of this id."""
    return id in _by_id()


def genres() -> tuple[str, ...]:
    """Return the genres that styles are made for."""
    return tuple(entry["id"] for entry in _file()["genre"])


def genre_of(text: str) -> str:
    """Return which of `genres()` a genre is that was written by hand in one of the twelve languages; "" when none."""
    return genre_named(text)[0]


@lru_cache(maxsize=256)
def genre_named(text: str) -> tuple[str, str]:
    """Return which of `genres()` a text names, and the word by which it does; blanks when none."""
    said = unicodedata.normalize("NFC", text).casefold()
    for entry in _file()["genre"]:
        if said.replace(" ", "") == entry["id"]:
            return entry["id"], text
        if word := next((word for word in entry["words"] if _says(said, word)), ""):
            return entry["id"], word
    return "", ""


def _says(said: str, word: str) -> bool:
    """Return whether the word stands in the text: anywhere in scripts without spaces, else as a whole word."""
    if script_of(word[0]) in IDEOGRAPHIC:
        return word in said
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) is not None


@lru_cache(maxsize=256)
def styles_for(genre: str) -> tuple[Style, ...]:
    """Return all styles, best first for a genre (any words a person writes); an unknown one is taken as literary."""
    known = genre_of(genre) or "literary"

    def rank(item: Style) -> int:
        return item.genres.index(known) if known in item.genres else len(item.genres) + 10

    return tuple(sorted(styles(), key=rank))
