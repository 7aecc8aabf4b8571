"""A text as a row of items: the words and phrases that the vocabulary has, and the words between them."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec

from kernel.press.scripts import script_of
from plugins.atelier.semantics.inflection import dictionary_forms
from plugins.atelier.semantics.languages import UNSPACED, fold
from plugins.atelier.semantics.vocabulary import Entry, Sense, Vocabulary

_TOKEN: Final = re.compile(
    r"'s\b|[^\W_]+(?:[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0962\u0963\u064b-\u0652\u200c\u200d][^\W_]*)*",
    re.UNICODE,
)
_ENDS: Final = frozenset(".!?…。！？؟।:;：；\n—–|")
_ABBREVIATED_LISTED: Final = "mr mrs ms dr prof st sr sra sig dott m mme mlle hr fr nr"
_ABBREVIATED: Final = frozenset(_ABBREVIATED_LISTED.split())
_SMALLEST_COMPOUND: Final = 7  # letters
_SMALLEST_PART: Final = 3
COMMA, SENTENCE = ",", "."


class Item(msgspec.Struct):
    """A word, or a phrase of the vocabulary.

    `gap` is what separates it from the item before: nothing, a comma (also a bracket or quotation mark) or the end of a
    sentence. `tail` is what follows the dictionary form: the particle of a Korean word.
    `joined`: an Arabic word begins with `and`. `capital` and `first` (of its
    sentence) tell proper names from things. `hidden`: a proper name, a verb or a figure of speech; `denied`: it must
    not be drawn.
    """

    text: str
    senses: tuple[Sense, ...]
    sentence: int
    gap: str
    capital: bool
    first: bool
    proper: bool = False
    plural: bool | None = False
    dual: bool = False
    tail: str = ""
    joined: bool = False
    start: int = 0
    end: int = 0
    hidden: bool = False
    denied: bool = False

    def id_of(self, kind: str) -> str | None:
        """Return the id of its sense of a kind; None where it has none."""
        return next((sense.id for sense in self.senses if sense.kind == kind), None)

    def has(self, *kinds: str) -> bool:
        """Return whether it has a sense of one of the kinds."""
        return any(sense.kind in kinds for sense in self.senses)


class _Token(msgspec.Struct, frozen=True):
    text: str
    original: str
    start: int
    end: int
    gap: str


def items_of(text: str, vocabulary: Vocabulary, genre: str = "") -> list[Item]:
    """Return the items of a text in a language, in order; figures of speech of other genres are not known."""
    if vocabulary.language in UNSPACED:
        return list(_unspaced(text, vocabulary, genre))
    return list(_spaced(text, vocabulary, genre))


def _known(phrase: tuple[str, ...], vocabulary: Vocabulary, genre: str) -> Entry | None:
    entry = vocabulary.entries.get(phrase)
    if entry is None or any(sense.kind != "idiom" or sense.id in ("", genre) for sense in entry.senses):
        return entry
    return None


def _gap(between: str) -> str:
    if any(char in _ENDS for char in between) or " - " in between:
        return SENTENCE
    return COMMA if any(unicodedata.category(char)[0] == "P" and char not in "'’-" for char in between) else ""


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place = 0
    for match in _TOKEN.finditer(text):
        between = text[place : match.start()]
        gap = "" if between == ". " and tokens and tokens[-1].text in _ABBREVIATED else _gap(between)
        tokens.append(_Token(fold(match.group()), match.group(), match.start(), match.end(), gap))
        place = match.end()
    return tokens


def _spaced(text: str, vocabulary: Vocabulary, genre: str) -> Iterator[Item]:
    tokens = _tokens(text)
    language = vocabulary.language
    capitals = language == "de" and any(
        token.original[0].isupper() and not token.gap for token in tokens[1:]
    )  # somebody who types nouns in small letters means nouns
    place, sentence = 0, 0
    while place < len(tokens):
        token = tokens[place]
        first = token.gap == SENTENCE or place == 0
        sentence += token.gap == SENTENCE and place > 0
        length, entry, plural, dual, tail, head = _longest(tokens, place, vocabulary, genre)
        capital = token.original[0].isupper()
        if entry is not None and capitals and entry.proper and not capital:
            entry = _without_nouns(entry)
        item = Item(
            text=" ".join(part.text for part in tokens[place : place + length]),
            senses=entry.senses if entry is not None else (),
            sentence=sentence,
            gap=token.gap if place else "",
            capital=capital,
            first=first,
            proper=entry is not None and entry.proper,
            plural=True if entry is not None and entry.plural else plural,
            dual=dual,
            tail=tail,
            joined=head.startswith("و"),
            start=token.start,
            end=tokens[place + length - 1].end,
        )
        if not item.senses and language == "de" and (item.capital or not capitals):
            _split_compound(item, vocabulary)
        yield item
        place += length


def _without_nouns(entry: Entry) -> Entry | None:
    kept = tuple(sense for sense in entry.senses if sense.kind not in ("subject", "absent"))
    return Entry(kept, entry.plural, entry.proper) if kept else None


def _longest(
    tokens: list[_Token], place: int, vocabulary: Vocabulary, genre: str
) -> tuple[int, Entry | None, bool | None, bool, str, str]:
    """Return the longest phrase that begins at a place: its length in tokens, its entry, and what its form says.

    The form says plural, dual, and what stands behind and in front of the dictionary form.
    """
    forms = dictionary_forms(tokens[place].text, vocabulary.language)
    most = max((vocabulary.longest.get(form.text, 0) for form in forms), default=0)
    for length in range(min(most, len(tokens) - place), 0, -1):
        span = tokens[place : place + length]
        if any(token.gap for token in span[1:]):
            continue
        rows: list[tuple[tuple[str, ...], bool | None, bool]] = [
            ((form.text,), form.plural, form.dual) for form in forms if vocabulary.longest.get(form.text, 0) >= length
        ]
        for token in span[1:]:
            rows = [
                ((*row, form.text), True if plural or form.plural else plural, dual or form.dual)
                for row, plural, dual in rows
                for form in dictionary_forms(token.text, vocabulary.language)
                if (*row, form.text) in (vocabulary.entries if token is span[-1] else vocabulary.beginnings)
            ]
        for row, plural, dual in rows:
            if (entry := _known(row, vocabulary, genre)) is not None:
                tail = span[-1].text[len(row[-1]) :] if span[-1].text.startswith(row[-1]) else ""
                head = span[0].text[: span[0].text.find(row[0])] if row[0] in span[0].text else ""
                return length, entry, plural, dual, tail, head
    return 1, None, False, False, "", ""


def _split_compound(item: Item, vocabulary: Vocabulary) -> None:
    """Read a German compound: its last part says what it is, the first may say when and where."""
    word = item.text
    if len(word) < _SMALLEST_COMPOUND:
        return
    for cut in range(_SMALLEST_PART, len(word) - _SMALLEST_PART + 1):
        modifier, head = word[:cut], word[cut:]
        before = _modifier(modifier, vocabulary)
        if not before and (len(head) < 5 or cut < 4):
            continue
        for form in dictionary_forms(head, "de"):
            entry = vocabulary.entries.get((form.text,))
            if entry is None or not entry.proper:
                continue
            senses = [
                sense for sense in entry.senses if sense.kind in ("subject", "setting", "time", "weather", "season")
            ]
            if entry.senses and entry.senses[0].kind == "agent":
                item.senses = before
                return
            if senses:
                around = [sense for sense in before if sense.kind != "subject"]
                item.senses, item.plural = (*senses, *around), form.plural
                return
    best = max(range(4, len(word) - 2), key=lambda cut: (bool(_modifier(word[:cut], vocabulary)), cut), default=0)
    if best:
        item.senses = tuple(
            sense for sense in _modifier(word[:best], vocabulary) if sense.kind in ("time", "weather", "season")
        )


def _modifier(part: str, vocabulary: Vocabulary) -> tuple[Sense, ...]:
    for known in (part, part.removesuffix("s"), part.removesuffix("n"), part.removesuffix("en"), part + "e"):
        entry = vocabulary.entries.get((known,))
        if entry is not None and entry.proper:
            kinds = ("subject", "setting", "time", "weather", "season", "era")
            if senses := tuple(sense for sense in entry.senses if sense.kind in kinds):
                return senses
    return ()


def _unspaced(text: str, vocabulary: Vocabulary, genre: str) -> Iterator[Item]:
    """Go through a text without spaces and take the longest phrase at each place; other characters are items."""
    plain = [fold(char) or " " for char in text]
    folded = "".join(char[0] for char in plain)
    place, sentence, gap, new = 0, 0, "", True
    while place < len(folded):
        char = folded[place]
        if char.isspace() or unicodedata.category(char)[0] in "PSZC":
            ends = text[place] in _ENDS
            gap = SENTENCE if ends or gap == SENTENCE else gap if char.isspace() and gap else COMMA
            sentence, new = sentence + (ends and not new), new or ends
            place += 1
            continue
        length, entry = 1, None
        for size in range(min(vocabulary.longest.get(char, 0), len(folded) - place), 0, -1):
            entry = _known((folded[place : place + size],), vocabulary, genre)
            if entry is not None and _whole(folded, place, place + size):
                length = size
                break
            entry = None
        else:
            length = _run(folded, place)
        yield Item(
            text=folded[place : place + length],
            senses=entry.senses if entry is not None else (),
            sentence=sentence,
            gap=gap,
            capital=False,
            first=new,
            plural=True if entry is not None and entry.plural else None,
            start=place,
            end=place + length,
        )
        place, gap, new = place + length, "", False


def _run(folded: str, place: int) -> int:
    """Return how many characters at a place are one unknown word: katakana, Latin letters or digits."""
    end = place + 1
    kind = _kind(folded[place])
    while kind in ("katakana", "latin", "digit") and end < len(folded) and _kind(folded[end]) == kind:
        end += 1
    return end - place


def _kind(char: str) -> str:
    if "\u30a1" <= char <= "\u30fe":
        return "katakana"
    if char.isdigit():
        return "digit"
    return script_of(char)


def _whole(folded: str, start: int, end: int) -> bool:
    """Return whether a phrase is not a part of a longer word in katakana, of a number or a foreign word."""
    kinds = {_kind(folded[start]), _kind(folded[end - 1])} & {"katakana", "digit", "latin"}
    before = _kind(folded[start - 1]) if start else ""
    after = _kind(folded[end]) if end < len(folded) else ""
    return not (
        kinds
        and (
            (before == _kind(folded[start]) and before in kinds) or (after == _kind(folded[end - 1]) and after in kinds)
        )
    )
