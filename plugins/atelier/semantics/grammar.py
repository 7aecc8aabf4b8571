"""Grammar of the items of a text: what is denied, how many of a thing there are, its color, its place."""

from collections.abc import Iterator
from typing import Final

from kernel.spi.depiction import MANY, MOST_COUNTED, ElementColor
from plugins.atelier.semantics.inflection import dictionary_forms
from plugins.atelier.semantics.matching import SENTENCE, Item
from plugins.atelier.semantics.vocabulary import SHOWN, Sense, vocabulary

CONTENT: Final = ("subject", "absent", "group", *SHOWN)
"""Kinds that a picture can show, or must not show."""

_COLOR_FOLLOWS: Final = frozenset({"es", "fr", "it", "pt", "ar"})
_NUMBER_FOLLOWS: Final = frozenset({"ja", "ko"})
_DENIAL_FOLLOWS: Final = frozenset({"ja", "ko", "hi"})
_KOREAN_PLACES: Final = ("에", "으로", "로", "의", "속", "위")
_STRANGERS: Final = 2  # unknown words (adjectives) between a number, color or denial and its noun
_BREAKS: Final = ("stop", "prep", "loc", "and", "or", "deny", "naming", "title", "about", "ignore", "idiom", "means")
_PAIRED: Final = (
    "boot shoe hiking-boot sneaker slipper high-heeled-shoe cowboy-boot rubber-boot glass-slipper boxing-glove "
    "ice-skate roller-skate inline-skate wing ear eye hand foot"
)
_PAIRS: Final = frozenset(_PAIRED.split())
"""Subjects that are drawn alone: without a number, their plural is a pair of them."""
_ONE_GERMAN_LISTED: Final = "dem des ein einen einem einer eines jeder jeden jedes jedem"
_ONE_GERMAN: Final = frozenset(_ONE_GERMAN_LISTED.split())


def deny(items: list[Item], language: str) -> None:
    """Mark what must not be drawn."""
    for place, item in enumerate(items):
        if item.has("deny"):
            _deny_after(items, place)
        if language in _DENIAL_FOLLOWS and item.has("deny-after"):
            _deny_before(items, place, language)


def _deny_after(items: list[Item], place: int) -> None:
    strangers, found = 0, False
    for index in range(place + 1, len(items)):
        item, after = items[index], index + 1 < len(items) and items[index + 1]
        if item.gap == SENTENCE:
            return
        if item.gap and index > place + 1 and not _listed(items, index):
            return
        if item.joined and strangers and not found:
            return
        if item.has(*CONTENT):
            if found and not (item.gap or item.joined or items[index - 1].has("or", "and")):
                return
            if found and after and after.has("deny", "ignore") and not after.gap:
                return  # without a ship and an island without a name
            item.denied = found = True
        elif item.has("or"):
            strangers, found = 0, False
        elif item.has("and"):
            if not (found and after and after.has(*CONTENT)):
                return
            found = False
        elif item.has("deny", "stop", "prep", "loc", "of-after", "naming", "about") or found:
            return
        elif not item.senses:
            strangers += 1
            if strangers > _STRANGERS:
                return


def _listed(items: list[Item], start: int) -> bool:
    """Return whether a comma continues what is denied: the list ends with `or`, or has nothing but nouns."""
    for index in range(start, len(items)):
        item = items[index]
        if item.gap == SENTENCE:
            return True
        if item.has("or"):
            return True
        if not item.has(*CONTENT):
            return False
    return True


def _deny_before(items: list[Item], place: int, language: str) -> None:
    """Deny the noun in front of `없는`, `のない` or `नहीं`, and what is listed with it."""
    found = joined = False
    for index in range(place - 1, -1, -1):
        item = items[index]
        if items[index + 1].gap:
            return
        if item.has(*CONTENT):
            if found and language == "ko" and not item.tail.endswith(("도", "나", "과", "와", "랑")):
                return
            if found and language != "ko" and not joined:
                return
            item.denied = found = True
            joined = False
        elif item.has("and", "or", "joint"):
            joined = True
        elif language == "ko" and not item.senses and item.text.endswith("도"):
            found = False
        elif found or not item.has("particle", "det", "number", "color"):
            return


def number_of(items: list[Item], place: int, language: str) -> int | None:
    """Return the number that is said of the thing at a place, `MANY` for a large one; None without a number."""
    item = items[place]
    if item.has("people") and (number := item.id_of("number")) is not None:  # 二人
        return _count(number)
    for before in _before(items, place):
        if (number := before.id_of("number")) is not None:
            return _count(number)
        if before.text.isdigit() and not before.senses:
            return _digits(int(before.text))
    if language in _NUMBER_FOLLOWS and not (language == "ko" and item.tail.startswith(_KOREAN_PLACES)):
        for following in _after(items, place, ("particle", "unit", "det")):
            if (number := following.id_of("number")) is not None and (language == "ko" or len(following.text) > 1):
                return _count(number)
    return 2 if item.dual else None


def count_of(items: list[Item], place: int, language: str) -> int | None:
    """Return how many there are of the thing at a place; None where nothing says it."""
    item = items[place]
    if (number := number_of(items, place, language)) is not None:
        return number
    after = items[place + 1] if place + 1 < len(items) and not items[place + 1].gap else None
    if after is not None and after.has("many-after"):
        return MANY
    if not _is_plural(items, place, language):
        return None
    said = place > 0 and not item.gap and items[place - 1].has("many")
    return MANY if said or item.id_of("subject") not in _PAIRS else 2


def _count(number: str) -> int:
    return MANY if int(number) > MOST_COUNTED else int(number)


def _digits(number: int) -> int | None:
    if number >= 1000:  # a year
        return None
    return number if 1 <= number <= MOST_COUNTED else MANY


def _is_plural(items: list[Item], place: int, language: str) -> bool:
    item = items[place]
    before = items[place - 1] if place and not item.gap else None
    if before is not None and before.has("many"):
        return True
    if language == "de" and item.plural is not False:
        dets = [other.text for other in _before(items, place) if other.has("det", "number")]
        if item.text in {form.text for form in dictionary_forms(item.text, "de")[:1]} and item.plural is None:
            return not (dets and (dets[0] in _ONE_GERMAN or dets[0] in ("den", "der", "das")))
        return not (dets and dets[0] in _ONE_GERMAN)
    if language == "ru" and item.plural is None:
        return before is None or before.text.endswith(("ые", "ие", "ых", "их")) or before.has("and")
    if language == "hi" and item.plural is None:
        after = items[place + 1] if place + 1 < len(items) else None
        return after is None or after.gap != "" or not after.has("particle", "prep", "loc")
    return bool(item.plural)


def color_of(items: list[Item], place: int, language: str) -> ElementColor:
    """Return the color that the thing at a place is said to have; empty where nothing says it."""
    beside = _after(items, place, ("and",)) if language in _COLOR_FOLLOWS else _before(items, place)
    found = [color for item in beside if (color := item.id_of("color")) is not None]
    subject = items[place].id_of("subject") or ""
    found = found or [sense.id for sense in said_within(items[place], language, "color") if sense.id not in subject]
    if found or language in _COLOR_FOLLOWS:
        return _color(found[0]) if found else ""
    after = items[place + 1 : place + 4]
    if (
        len(after) > 1
        and after[0].text in ("is", "are", "was", "ist", "sind")
        and not after[0].gap
        and not after[1].gap
    ):
        said = after[1].id_of("color")
        if said is not None and not (len(after) > 2 and not after[2].gap and after[2].has("subject")):
            return _color(said)
    return ""


def said_within(item: Item, language: str, *kinds: str) -> list[Sense]:
    """Return what the words of a name say besides: a golden key is golden, a night train goes at night."""
    words = item.text.split()
    if len(words) < 2 or not item.has("subject"):
        return []
    entries = vocabulary(language).entries
    known = [
        entries[form.text,] for word in words for form in dictionary_forms(word, language) if (form.text,) in entries
    ]
    return [sense for entry in known for sense in entry.senses if sense.kind in kinds]


def _color(name: str) -> ElementColor:
    return name  # type: ignore[return-value]  # a test compares the terms' colors with the contract's


def _before(items: list[Item], place: int) -> Iterator[Item]:
    """Go back through the words that belong to the noun at a place."""
    strangers = 0
    for index in range(place - 1, -1, -1):
        if items[index + 1].gap == SENTENCE or (items[index + 1].gap and not items[index].has("color", "number")):
            return
        item = items[index]
        if items[index + 1].joined:
            return
        if item.has("color", "number", "det", "unit", "particle", "many"):
            yield item
        elif (
            item.senses
            and not item.hidden
            and not (item.has("mood", "era", "weather", "season", "time") and not item.has("stop"))
        ):
            if not (item.has("and") and index and items[index - 1].has("color")):
                return
        elif not item.senses and item.text.isdigit():
            yield item
        else:
            strangers += 1
            if strangers > _STRANGERS or item.capital:
                return


def _after(items: list[Item], place: int, through: tuple[str, ...]) -> Iterator[Item]:
    """Go on through the words that belong to the noun at a place."""
    strangers = 0
    for index in range(place + 1, len(items)):
        item = items[index]
        if item.gap or (item.has("subject") and items[index - 1].has("number", "det")):
            return  # another noun: *una rosa* is a flower
        if item.has("color", "number"):
            yield item
        elif not item.senses:
            strangers += 1
            if strangers > 1:
                return
        elif not item.has(*through) and not item.has("mood"):
            return


def is_measure(items: list[Item], place: int) -> bool:
    """Return whether a word that is also a thing only counts here: 가방 세 개, пара сапог."""
    item = items[place]
    before = items[place - 1] if place and not item.gap else None
    if item.has("unit") and before is not None and before.has("number"):
        return True
    after = items[place + 1 : place + 3]
    return item.has("number") and any(other.has("subject") for other in after) and not after[0].gap


def is_color(items: list[Item], place: int, language: str) -> bool:
    """Return whether a word that is also a thing is a color here: an orange cat, une robe rose."""
    item = items[place]
    if not item.has("color"):
        return False
    if language in _COLOR_FOLLOWS:
        before = items[place - 1] if place and not item.gap else None
        return before is not None and (before.has("subject", "setting") or not before.senses)
    after = items[place + 1] if place + 1 < len(items) else None
    return after is not None and not after.gap and (after.has("subject", "color", "absent") or not after.senses)


def case_weight(item: Item, language: str) -> float:
    """Return how much its Korean particle makes a noun the subject of its sentence."""
    if language != "ko" or not item.tail:
        return 1.0
    if item.tail.startswith(("이", "가", "은", "는")):
        return 1.2
    return 0.9 if item.tail.startswith(("을", "를")) else 1.0


def is_oblique(items: list[Item], place: int, language: str) -> bool:
    """Return whether a noun depends on another: `in a castle`, `with a donkey`, `城で`, `공장에서`."""
    if language == "ko" and items[place].tail:
        return items[place].tail.startswith(_KOREAN_PLACES)
    after = items[place + 1] if place + 1 < len(items) and not items[place + 1].gap else None
    if after is not None and after.has("loc-after", "of-after"):
        return True
    head = _head(items, place)
    return head is not None and head.has("loc", "prep")


def _head(items: list[Item], place: int) -> Item | None:
    """Return the preposition in front of all that belongs to a noun, if there is one."""
    strangers, determined = 0, False
    for index in range(place - 1, -1, -1):
        if items[index + 1].gap:
            return None
        item = items[index]
        if item.has("loc", "prep"):
            return item
        if item.has("and") and index and items[index - 1].has(*CONTENT):
            return _head(items, index - 1)
        if item.has("det", "number"):
            determined = True
        elif determined:
            return None
        elif not item.senses and not item.capital:
            strangers += 1
            if strangers > _STRANGERS:
                return None
        elif not item.has("color", "unit", "mood", "season", "era", "many"):
            return None
    return None
