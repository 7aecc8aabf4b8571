"""The search for elements by name, and what stands for an idea that cannot be drawn as such."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.spi.depiction import Element
from plugins.atelier.semantics.languages import LANGUAGES, fold, without_accents, words_of
from plugins.atelier.semantics.story import named
from plugins.atelier.semantics.vocabulary import Sense, shown_names
from plugins.atelier.subjects.catalog import search

_WANTED: Final = (
    Sense("time", "night"),
    Sense("weather", "rain"),
    Sense("setting", "forest"),
    Sense("setting", "sea"),
    Sense("season", "winter"),
    Sense("setting", "city"),
    Sense("weather", "snow"),
    Sense("setting", "mountains"),
)
"""What an empty search answers besides subjects."""
_SAME, _BEGINS, _WORD = 0, 1, 2
_OTHERS: Final = 3  # one of so many answers is no subject, where there are enough of both


def find_elements(text: str, language: str, limit: int) -> tuple[Element, ...]:
    """Return up to `limit` elements by their names in a language: equal names, then subjects, then what else there is.

    Settings, times, weathers and so on get a third of the places, where as many are found.
    """
    language = language[:2].lower()
    language = language if language in LANGUAGES else "en"
    others = _others(text, language)
    equal = [sense for rank, sense in others if rank == _SAME][:limit]
    rest = [sense for rank, sense in others if rank != _SAME]
    places = limit - len(equal)
    subjects = search(text, language, places)
    kept = max(places - len(rest), places - places // _OTHERS)
    found = [*equal, *(Sense("subject", subject) for subject in subjects[:kept])]
    found += rest[: limit - len(found)]
    return tuple(named(sense.kind, sense.id, language) for sense in found)  # type: ignore[arg-type]


def _others(text: str, language: str) -> list[tuple[int, Sense]]:
    wanted = _comparable(text)
    if not wanted:
        return [(_BEGINS, sense) for sense in _WANTED]
    ranks: dict[Sense, tuple[int, int]] = {}
    for sense, listed in shown_names(language):
        for place, name in enumerate(map(_comparable, listed)):
            if wanted not in name:
                continue
            rank = _SAME if name == wanted else _BEGINS if name.startswith(wanted) else _WORD
            best = (rank, place)
            ranks[sense] = min(best, ranks.get(sense, best))
    return sorted(((rank, sense) for sense, (rank, _) in ranks.items()), key=lambda found: ranks[found[1]])


@lru_cache(maxsize=8192)
def _comparable(text: str) -> str:
    return " ".join(without_accents(word) for word in words_of(fold(text)))


class _StandIns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    idea: dict[str, list[str]]
    setting: dict[str, list[str]]


@lru_cache(maxsize=1)
def stand_ins() -> _StandIns:
    """Return the subjects that stand for ideas and places: id to subjects."""
    path = Path(__file__).parent / "stand_ins.toml"
    return msgspec.toml.decode(path.read_bytes(), type=_StandIns)


def standing_in(elements: Sequence[Element], seed: int) -> tuple[Element, ...]:
    """Return the subject that is drawn for the first idea, else for the first place, where the words name no thing."""
    if any(element.kind == "subject" for element in elements):
        return ()
    table = {"idea": stand_ins().idea, "setting": stand_ins().setting}
    for kind, known in table.items():
        for element in elements:
            if element.kind == kind and (choices := known.get(element.id)):
                return (Element(kind="subject", id=choices[seed % len(choices)]),)
    return ()
