"""The catalog of subjects: what can be drawn by name, its picture, its names in twelve languages, and the search.

`catalog.txt` has a heading for each group and under it one line for each subject: id, picture and, for a kind that
is drawn as another (an oak as a deciduous tree), the id of that other. `names/<language>.txt` has a line
`id: name, synonym, ...` for each subject; the first name is its label.

Pictures are read from the installed packages `@iconify-json/*` and never changed: fluent-emoji-flat, tabler,
healthicons and ph (MIT), mdi (Apache 2.0), temaki and maki (CC0). Their licenses are named in each package's
`info.json`; none of them asks that a cover names its source.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from plugins.atelier.semantics.languages import fold, without_accents, words_of

FOLDER: Final = Path(__file__).parent

_FIGURES: Final = frozenset({"animal", "bird", "creature", "dinosaur", "person"})

_WANTED_LISTED: Final = """
woman man child couple family cat dog horse bird wolf fox dragon rose deciduous-tree heart skull moon sun star crown
key castle house lighthouse sailboat mountain raven owl butterfly snake sword candle book clock hourglass compass
train bicycle ghost angel robot rocket red-apple mushroom feather eye mask violin bear whale lion bee
"""
_WANTED: Final = tuple(_WANTED_LISTED.split())
"""What an empty search answers, as people ask for it most often."""


class Subject(msgspec.Struct, frozen=True):
    """A thing that can be drawn.

    `id` is its English name as lower-case letters, digits and hyphens. `picture` is `set:icon` of an installed icon
    package or `own:name` of a silhouette that the artist draws itself. `figure`: a living being, which may stand in a
    scene. `kind_of` is the id of the subject whose picture it shares, empty for one that has its own.
    """

    id: str
    picture: str
    group: str
    figure: bool
    kind_of: str = ""


class _Name(msgspec.Struct, frozen=True):
    """A name as the search compares it: folded, without accents, and whether it is the first of its subject."""

    text: str
    subject: str
    first: bool


@lru_cache(maxsize=1)
def subjects() -> Mapping[str, Subject]:
    """Return all subjects by their ids, in the catalog's order."""
    found: dict[str, Subject] = {}
    group = ""
    for line in (FOLDER / "catalog.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            subject, picture, *kind = line.split()
            found[subject] = Subject(subject, picture, group, group in _FIGURES, *kind)
    return found


@lru_cache(maxsize=12)
def names(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of each subject in one of the twelve languages; the first of them is the label."""
    found: dict[str, tuple[str, ...]] = {}
    for line in (FOLDER / "names" / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            subject, _, listed = line.partition(": ")
            found[subject] = tuple(listed.split(", "))
    return found


@lru_cache(maxsize=12)
def _searchable(language: str) -> tuple[_Name, ...]:
    return tuple(
        _Name(_comparable(name), subject, place == 0)
        for subject, listed in names(language).items()
        for place, name in enumerate(listed)
    )


def _comparable(text: str) -> str:
    return " ".join(without_accents(word) for word in words_of(fold(text)))


def search(text: str, language: str, limit: int) -> list[str]:
    """Return the ids of up to `limit` subjects that a text finds by their names in a language, the best first.

    Best is the same name, then a name that begins with the text, then one of its words, then a name that contains it;
    among these, first names before synonyms and short before long. An empty text finds what is wanted most often.
    """
    wanted = _comparable(text)
    if not wanted:
        return [subject for subject in _WANTED if subject in subjects()][:limit]
    ranks: dict[str, tuple[int, bool, int]] = {}
    for name in _searchable(language):
        if wanted not in name.text:
            continue
        if name.text == wanted:
            place = 0
        elif name.text.startswith(wanted):
            place = 1
        else:
            place = 2 if f" {wanted}" in name.text else 3
        rank = (place, not name.first, len(name.text))
        ranks[name.subject] = min(rank, ranks.get(name.subject, rank))
    return sorted(ranks, key=lambda subject: ranks[subject])[:limit]
