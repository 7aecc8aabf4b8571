"""Words that look like things and are none: proper names, verbs, metaphors and parts of longer words."""

from itertools import pairwise
from typing import Final

from plugins.atelier.semantics.grammar import CONTENT
from plugins.atelier.semantics.languages import UNSPACED
from plugins.atelier.semantics.matching import COMMA, SENTENCE, Item
from plugins.atelier.semantics.vocabulary import SHOWN
from plugins.atelier.subjects.catalog import subjects

_CASELESS: Final = frozenset({"ja", "zh", "ko", "ar", "hi"})
_ARTICLED: Final = frozenset({"es", "fr", "it", "pt"})
_ALIVE: Final = frozenset({"animal", "bird", "fish", "insect", "creature", "dinosaur"})
_COPULAS_LISTED: Final = "is was are ist war sind est était es era son è é são foi है"
_COPULAS: Final = frozenset(_COPULAS_LISTED.split())
_TITLE_CASE: Final = 0.6  # share of capitals within sentences above which they say nothing


def hide_names(items: list[Item], language: str, genre: str) -> None:
    """Hide what is a proper name: Rose Miller is no rose. In children's books Mr. Fox is a fox, though."""
    known: set[str] = set()
    inner = [item for item in items if not item.first]
    shouted = language != "de" and inner and sum(item.capital for item in inner) > _TITLE_CASE * len(inner)
    for place, item in enumerate(items):
        if not item.has("subject", "absent", *SHOWN):
            continue
        before = items[place - 1] if place and not item.gap else None
        after = items[place + 1] if place + 1 < len(items) and not items[place + 1].gap else None
        pet = genre == "children" and _group(item) in _ALIVE
        titled = _titled(items, place) and not pet
        titled = titled or (after is not None and after.has("title-after") and not pet)
        named = before is not None and before.has("naming") and (item.capital or language in _CASELESS)
        named = named or (after is not None and after.has("naming-after"))
        if language in _CASELESS or shouted:
            capitals = False
        elif language == "de":
            capitals = _german_name(items, place) and not pet
        else:
            capitals = _name_by_capitals(items, place) and not pet
        if language == "ar" and item.has("given") and after is not None and not after.has("setting", "color"):
            named = named or (after.text.startswith("ال") and not item.text.startswith("ال"))
            after.hidden = after.hidden or named
        if titled or named or capitals:
            item.hidden = True
            known.add(item.text)
        elif before is not None and before.hidden and item.has("title-after"):
            item.hidden = True
    for place, item in enumerate(items):
        if item.has("title-after") and language in UNSPACED and genre != "children":
            _hide_name_before(items, place)
    for item, after in pairwise(items):
        named = after.hidden or (after.capital and not after.has("subject"))
        if item.has("title") and named and not (after.gap or after.joined):
            item.hidden = True  # who is called Inspector Merle is not what the book is about
        if after.has("title-after") and not after.gap and (item.hidden or (len(item.text) == 1 and not item.senses)):
            after.hidden = True
    for place, item in enumerate(items):
        determined = place > 0 and not item.gap and items[place - 1].has("det", "number")
        if item.text in known and item.capital and not (language == "de" and determined):
            item.hidden = True


def _hide_name_before(items: list[Item], place: int) -> None:
    """Hide the characters of a name in front of a title: 熊谷刑事 has no bear."""
    for index in range(place - 1, max(-1, place - 4), -1):
        if items[index + 1].gap or len(items[index].text) > 1 or items[index].has("particle", "stop", "of-after"):
            return
        items[index].hidden = True


def _titled(items: list[Item], place: int) -> bool:
    """Return whether a title stands before a noun, perhaps with other names between: Inspector Rosa Fox."""
    for index in range(place - 1, max(-1, place - 4), -1):
        if items[index + 1].gap or items[index + 1].joined:
            return False
        if items[index].has("title"):
            return True
        if not items[index].capital or not items[place].capital:
            return False
    return False


def _group(item: Item) -> str:
    subject = item.id_of("subject")
    return subjects()[subject].group if subject is not None and subject in subjects() else ""


def _name_by_capitals(items: list[Item], place: int) -> bool:
    """Judge a common noun with a capital letter, in a language that writes these only for names."""
    item = items[place]
    if not item.capital or item.proper:
        return False
    after = items[place + 1] if place + 1 < len(items) else None
    beside = after is not None and not after.gap and after.capital and not after.has("det", "prep", "loc", "stop")
    if item.first:
        return beside
    before = items[place - 1]
    return item.gap != SENTENCE and not (before.has("det") and not before.capital and not item.gap and not beside)


def _german_name(items: list[Item], place: int) -> bool:
    """Judge a German noun: a name stands right behind another capital word that is no amount, or in front of one."""
    item = items[place]
    if not item.capital or not item.has("subject"):
        return False
    before = items[place - 1] if place and not item.gap else None
    after = items[place + 1] if place + 1 < len(items) and not items[place + 1].gap else None
    if after is not None and after.capital and after.has("setting") and item.text.endswith("er"):
        return True  # Hamburger Hafen
    if before is not None and before.first and before.text.endswith(("e", "en", "er", "es", "em")):
        return False  # the adjective that begins a sentence
    if (
        before is not None
        and before.capital
        and not (before.first and before.has("det", "prep", "loc", "stop", "deny"))
    ):
        return not before.has("number", "color", "unit") and (
            not before.senses or before.hidden or before.has("subject")
        )
    determined = before is not None and before.has("det", "number", "color", "deny", "prep", "loc")
    return (
        after is not None
        and after.capital
        and not after.has("number", "color", "unit", "setting", "era")
        and not determined
        and (after.has("subject") or not after.senses)
        and (before is None or not before.has("unit"))
    )


def hide_verbs(items: list[Item], language: str) -> None:
    """Hide words that are also verbs or the like where nothing says that a noun is meant: `she rose`, `cannot bear`."""
    for place, item in enumerate(items):
        before = items[place - 1] if place and not item.gap else None
        behind = before is not None and before.has("subject") and not before.hidden and not before.has("color")
        if item.hidden:
            continue
        if item.has("verbal") and not item.plural:
            opens = item.first and item.sentence == 0
            item.hidden = not (opens or item.gap == COMMA or _introduced(items, place))
        elif item.has("verbal"):
            item.hidden = before is not None and (before.has("stop") or (behind and not before.plural))
        elif language in _ARTICLED and item.has("subject") and not item.has("color") and not item.plural:
            item.hidden = behind  # un pescador saca: who follows a noun without an article is its verb


def _introduced(items: list[Item], place: int) -> bool:
    """Return whether a word that nouns follow stands in front, with one adjective between at most."""
    for before in reversed(items[max(0, place - 2) : place]):
        if before.has("det", "number", "color", "prep", "loc", "deny", "unit", "about"):
            return before.text != "to"
        if before.senses:
            return False
    return False


def hide_metaphors(items: list[Item]) -> None:
    """Hide what an idea is said to be: time is no thief."""
    for place, item in enumerate(items):
        if not item.has("subject") or place < 2 or item.gap:
            continue
        before = [other for other in items[max(0, place - 3) : place] if not other.has("det", "number")]
        if len(before) > 1 and before[-1].text in _COPULAS and before[-2].has("idea") and not before[-2].has("subject"):
            item.hidden = True


def hide_fragments(items: list[Item], language: str) -> None:
    """Hide single characters of Chinese and Japanese that stand inside an unknown word: a name, or a verb."""
    if language not in UNSPACED:
        return
    for place, item in enumerate(items):
        if not item.has(*CONTENT) or len(item.text) > 2 or (len(item.text) == 2 and not _is_kana(item.text)):
            continue
        before = items[place - 1] if place and not item.gap else None
        after = items[place + 1] if place + 1 < len(items) and not items[place + 1].gap else None
        item.hidden = item.hidden or any(
            beside is not None and not beside.senses and _is_kana(beside.text) == _is_kana(item.text)
            for beside in (before, after)
        )


def _is_kana(text: str) -> bool:
    return all("\u3041" <= char <= "\u30ff" for char in text)
