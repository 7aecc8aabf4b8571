"""What a book's words describe: the things to be seen with their number and color, where and when, and how it feels."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from kernel.spi.depiction import MANY, MOST_COUNTED, Depiction, Element, ElementColor, ElementKind, Missing
from plugins.atelier.semantics.grammar import (
    case_weight,
    color_of,
    count_of,
    deny,
    is_color,
    is_measure,
    is_oblique,
    number_of,
    said_within,
)
from plugins.atelier.semantics.languages import LANGUAGES, fold
from plugins.atelier.semantics.matching import Item, items_of
from plugins.atelier.semantics.names import hide_fragments, hide_metaphors, hide_names, hide_verbs
from plugins.atelier.semantics.reading import genre_named, language_of
from plugins.atelier.semantics.vocabulary import SHOWN, Sense, label, vocabulary
from plugins.atelier.subjects.catalog import names, subjects

LONGEST: Final = 6000
"""Characters that are read; what comes after them is not what a cover shows."""

_MOST: Final[Mapping[str, int]] = {
    "subject": 6,
    "setting": 2,
    "time": 1,
    "weather": 2,
    "season": 1,
    "era": 1,
    "mood": 2,
    "idea": 2,
}
_LANDSCAPES_LISTED: Final = """
    sea underwater beach harbor river lake city street road village field forest jungle swamp garden park mountains
    desert arctic space sky kitchen island
    """
_LANDSCAPES: Final = frozenset(_LANDSCAPES_LISTED.split())
"""Settings that are never things: a mountain that is named is the place."""

_ANYBODY_LISTED: Final = """
    man woman brother sister girl boy child children baby person old-man old-woman mother father
    mother-and-child father-and-child family couple friends crowd student walker runner standing-person
    two-women two-men twins
    """
_ANYBODY: Final = frozenset(_ANYBODY_LISTED.split())
_GROUPED_LISTED: Final = "couple two-women two-men twins friends children family crowd stars skis"
_GROUPED: Final = frozenset(_GROUPED_LISTED.split())
"""Subjects that are several already: two sisters are one picture of two women."""

_FRIENDS: Final = frozenset({"friends", "best-friends"})
_LIVING: Final = frozenset({"animal", "bird", "fish", "insect", "dinosaur", "creature", "person"})

_FAINT_GROUPS: Final[Mapping[str, float]] = {
    "body": 0.5,
    "symbol": 0.8,
    "sky": 0.9,
    "household": 0.9,
    "building": 0.85,
    "garment": 0.85,
}
_EVERYDAY_LISTED: Final = """
    artist baker blacksmith builder businessman businesswoman chef doctor explorer farmer fisherman gardener general
    hiker hunter judge miner nurse painter police-officer prisoner reader sailor scientist singer teacher waiter writer
    guard
    """
_EVERYDAY: Final = frozenset(_EVERYDAY_LISTED.split())
"""Occupations: what such people have to do with says more than they do."""

_IN_TITLE, _IN_FIRST, _LATER = 2.2, 2.0, 1.0
_IN_TITLE_ONLY: Final = 1.3  # a title is often a figure of speech: what only it names is not what the book is about
_FADING: Final = 0.9  # of each further thing in a sentence
_ANYBODY_WEIGHT: Final = 0.3
_EVERYDAY_WEIGHT: Final = 0.6
_OBLIQUE: Final = 0.65  # what stands behind a preposition
_ABOUT: Final = 1.5
_WORK: Final = "nonfiction"
_REPEATED: Final = 0.4
_SAID_MORE: Final = 0.08  # number and color


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """The result for a text. `plain` is the text without figures of speech, proper names and what is denied."""

    language: str
    depiction: Depiction
    plain: str


class _Seen(NamedTuple):
    """A mention: what, how weighty, and how many of which color."""

    sense: Sense
    weight: float
    number: int | None = None
    color: ElementColor = ""


def read_story(description: str, *, title: str = "", genre: str = "", language: str = "") -> Story:
    """Read a description, in any of the twelve languages; `language` is that of the labels, and a hint at the text's.

    The first subject is the main one: what the title and the first sentence name, what is counted or repeated, and
    what no preposition precedes.
    """
    text = f"{title}\n{description}"[:LONGEST]
    hint = language[:2].lower()
    spoken = language_of(fold(text), hint)
    kind = _register(genre, text, spoken)
    items = items_of(text, vocabulary(spoken), kind)
    _hide_figures(items, kind)
    hide_fragments(items, spoken)
    hide_names(items, spoken, kind)
    hide_verbs(items, spoken)
    hide_metaphors(items)
    deny(items, spoken)
    titled = sum(1 for item in items if item.end <= len(title))
    seen = _mentions(items, spoken, titled)
    labels = hint if hint in LANGUAGES else "en"
    elements = _elements(seen, _denied(items), labels)
    return Story(
        language=spoken,
        depiction=Depiction(elements=elements, missing=_missing(items, text, labels)),
        plain=_plain(items, text),
    )


def named(kind: ElementKind, name: str, language: str, count: int = 1, color: ElementColor = "") -> Element:
    """Return an element with its label in one of the twelve languages."""
    text = names(language)[name][0] if kind == "subject" else label(kind, name, language)
    return Element(kind=kind, id=name, label=text, count=count, color=color)


def _register(genre: str, text: str, language: str) -> str:
    """Return the genre as far as it says what words mean: jargon is read in books about work."""
    named = genre_named(genre, language) if genre else ""
    if not named and any(item.has("business") for item in items_of(f"{genre}\n{text}", vocabulary(language))):
        return _WORK
    return named


def _hide_figures(items: list[Item], genre: str) -> None:
    for item in items:
        item.hidden = item.has("ignore") or any(
            sense.kind == "idiom" and sense.id in ("", genre) for sense in item.senses
        )


def _mentions(items: list[Item], language: str, titled: int) -> list[_Seen]:
    """Return every mention of what a picture can show, in order."""
    found: list[_Seen] = []
    told = {sense.id for item in items[titled:] if not item.hidden for sense in item.senses if sense.kind == "subject"}
    opening = items[titled].sentence if titled < len(items) else 0
    rank: dict[int, int] = defaultdict(int)
    for place, item in enumerate(items):
        if item.hidden or item.denied:
            continue
        weight = _IN_TITLE if place < titled else _IN_FIRST if item.sentence == opening else _LATER
        for sense in _meanings(items, place, language):
            if sense.kind != "subject":
                found.append(_Seen(sense, weight))
                continue
            if place < titled and told and sense.id not in told:
                weight = _IN_TITLE_ONLY
            count, color = count_of(items, place, language), color_of(items, place, language)
            weight *= _FADING ** rank[item.sentence] * _standing(items, place, language, sense.id)
            weight *= 1 + _SAID_MORE * ((count or 0) > 1) + _SAID_MORE * bool(color)
            rank[item.sentence] += 1
            found.append(_Seen(sense, weight, count, color))
    return found


def _meanings(items: list[Item], place: int, language: str) -> list[Sense]:
    """Return what an item means here: one thing, or a place, or what a figure of speech stands for."""
    item = items[place]
    meant = [sense for sense in item.senses if sense.kind in SHOWN]
    for sense in item.senses:
        if sense.kind == "means":
            kind, _, name = sense.id.partition(":")
            meant.append(Sense(kind, name))
    subject = next((sense for sense in item.senses if sense.kind == "subject"), None)
    if subject is None and (subject := _counted_people(items, place, language)):
        return [subject]
    if subject is None or is_color(items, place, language) or is_measure(items, place):
        return meant
    places = [sense for sense in meant if sense.kind == "setting"]
    if not places:
        return [subject, *meant, *said_within(item, language, "time", "weather", "season")]
    if any(sense.id in _LANDSCAPES for sense in places) or is_oblique(items, place, language):
        return meant
    return [subject, *(sense for sense in meant if sense.kind != "setting")]


def _counted_people(items: list[Item], place: int, language: str) -> Sense | None:
    """Return what is drawn for *three people*: people in general are not a picture."""
    drawn = items[place].id_of("people")
    following = items[place + 1 : place + 3]
    if drawn is None or (items[place].has("number") and any(item.has("subject") for item in following)):
        return None
    number = number_of(items, place, language)
    return Sense("subject", drawn) if number is not None and 1 < number <= MOST_COUNTED else None


def _standing(items: list[Item], place: int, language: str, subject: str) -> float:
    """Return how likely a thing is what the book is about, from its place in the sentence and from what it is."""
    factor = _FAINT_GROUPS.get(subjects()[subject].group, 1.0)
    if subject in _ANYBODY:
        factor = _ANYBODY_WEIGHT
    elif subject in _EVERYDAY:
        factor = _EVERYDAY_WEIGHT
    factor *= case_weight(items[place], language)
    before = next((other for other in reversed(items[max(0, place - 3) : place]) if other.has("about")), None)
    if before is not None:
        return factor * _ABOUT
    return factor * (_OBLIQUE if is_oblique(items, place, language) else 1.0)


def _denied(items: list[Item]) -> frozenset[Sense]:
    return frozenset(sense for item in items if item.denied for sense in item.senses)


def _elements(seen: list[_Seen], denied: frozenset[Sense], language: str) -> tuple[Element, ...]:
    weights: dict[Sense, float] = {}
    counts: dict[Sense, int] = {}
    colors: dict[Sense, ElementColor] = {}
    for mention in seen:
        before = weights.get(mention.sense, 0.0)
        weights[mention.sense] = before + mention.weight * (_REPEATED if before else 1.0)
        if mention.number is not None and mention.sense.id not in _GROUPED:
            vague = counts.get(mention.sense) == MANY and mention.number > 1
            counts[mention.sense] = mention.number if vague else counts.get(mention.sense, mention.number)
        if mention.color:
            colors.setdefault(mention.sense, mention.color)
    groups = {sense.id for sense in denied if sense.kind == "group"}
    things = any(sense.kind == "subject" for sense in weights)
    found: list[Element] = []
    for kind, most in _MOST.items():
        listed = [
            sense
            for sense in weights
            if sense.kind == kind
            and sense not in denied
            and not (kind == "subject" and (sense.id not in subjects() or _is_in(sense.id, groups)))
            and not (kind == "idea" and things and weights[sense] < _IN_FIRST)
        ]
        if kind == "subject":
            listed = _without_general(listed)
        listed.sort(key=lambda sense: -weights[sense])
        found += [
            named(sense.kind, sense.id, language, counts.get(sense, 1), colors.get(sense, ""))  # type: ignore[arg-type]
            for sense in listed[:most]
        ]
    return tuple(found)


def _without_general(listed: list[Sense]) -> list[Sense]:
    """Leave out what is named more closely elsewhere: the cats of a title are the two black cats of the text."""

    def is_closer(other: str, name: str) -> bool:
        return other.endswith(f"-{name}") or subjects()[other].kind_of == name

    living = [sense for sense in listed if subjects()[sense.id].group in _LIVING and sense.id not in _FRIENDS]
    known = _FRIENDS if len(living) > 1 else frozenset()  # they are the friends
    return [
        sense
        for sense in listed
        if sense.id not in known and not any(is_closer(other.id, sense.id) for other in listed)
    ]


_GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "animal": frozenset({"animal", "bird", "fish", "insect", "dinosaur"}),
    "plant": frozenset({"plant", "flower", "tree", "leaf"}),
}


def _is_in(subject: str, groups: set[str]) -> bool:
    group = subjects()[subject].group
    return any(group in _GROUPS.get(name, frozenset({name})) for name in groups)


def _missing(items: list[Item], text: str, language: str) -> tuple[Missing, ...]:
    found: dict[str, Missing] = {}
    for item in items:
        nearest = item.id_of("absent")
        if nearest is None or item.hidden or item.denied:
            continue
        near = named("subject", nearest, language) if nearest in subjects() else None
        found.setdefault(item.text, Missing(word=text[item.start : item.end], nearest=near))
    return tuple(found.values())[:3]


def _plain(items: list[Item], text: str) -> str:
    parts, place = [], 0
    for item in items:
        if item.hidden or item.denied or item.has("deny"):
            parts.append(text[place : item.start])
            place = item.end
    return "".join([*parts, text[place:]])
