"""The words of twelve languages that an idea is made of: which of them a text holds, in the order of their weight."""

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.covers.ideas.schemas import COMPOSITIONS, Composition
from kernel.press.scripts import script_of

_FILE: Final = Path(__file__).with_name("vocabulary.toml")
UNSPACED: Final = ("ja", "zh")
LATIN: Final = ("en", "de", "es", "fr", "it", "pt")
BY_SCRIPT: Final = {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "japanese": "ja", "korean": "ko"}
ENDING: Final = {"ru": 3}
"""So many letters an inflected word may have more than the dictionary's; two elsewhere."""

HEADS: Final = {"ar": ("وال", "بال", "كال", "فال", "لل", "ال", "و", "ب", "ل")}
SHORT: Final = 4  # letters of a dictionary's word up to which its last letter may not differ
SHORTEST: Final = 5  # letters of any other word that is worth showing
MOST_OTHERS: Final = 6
_PARTICLES: Final = (
    "은 는 이 가 을 를 의 에 에서 에게 과 와 도 로 으로 만 까지 부터 처럼 보다 들 들의 들이 들은 들을 인"
)
PARTICLES: Final = frozenset(_PARTICLES.split())


class Vocabulary(msgspec.Struct, frozen=True):
    """The words of one language: each with what it is, folded, the longest first; and those that say nothing."""

    entries: tuple[tuple[str, str, Composition], ...]
    stop: frozenset[str]


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the words of one of the twelve languages."""
    entry = tomllib.loads(_FILE.read_text("utf-8"))[language]
    words = [(word, word.casefold(), kind) for kind in COMPOSITIONS for word in entry[kind].split()]
    words.sort(key=lambda known: -len(known[0]))
    return Vocabulary(tuple(words), frozenset(entry["stop"].casefold().split()))


def language_of(text: str, hint: str) -> str:
    """Return the language of a text: by its script, among Latin languages by the words that say nothing."""
    scripts = Counter(script_of(letter) for letter in text if letter.isalpha())
    if scripts["japanese"]:  # kana are the only certain sign
        return "ja"
    main = scripts.most_common(1)[0][0] if scripts else "latin"
    if main == "chinese":
        return "ja" if hint == "ja" else "zh"
    if main in BY_SCRIPT:
        return BY_SCRIPT[main]
    found = Counter(text.casefold().split())
    votes = {code: sum(found[word] for word in vocabulary(code).stop) + (code == hint) * 0.5 for code in LATIN}
    return max(votes, key=lambda code: votes[code])


def words_in(text: str, language: str) -> tuple[dict[Composition, list[str]], list[str]]:
    """Return what can be shown of a text, as a dictionary has the words, and the longer ones of its other words.

    Each most frequent first, then in their order.
    """
    known = vocabulary(language)
    hits: Counter[tuple[str, Composition]] = Counter()
    others: Counter[str] = Counter()
    if language in UNSPACED:
        hits.update(_inside(text, known))
    else:
        for token, times in Counter(_tokens(text)).items():
            word = token.casefold()
            if hit := _entry(word, known, language):
                hits[hit] += times
            elif len(word) >= SHORTEST and word not in known.stop and (language != "de" or token[0].isupper()):
                others[token] += times
    found: dict[Composition, list[str]] = {kind: [] for kind in COMPOSITIONS}
    for (word, kind), _ in hits.most_common():
        found[kind].append(word)
    return found, [word for word, _ in others.most_common(MOST_OTHERS)]


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", text)
    letters = "".join(char if unicodedata.category(char)[0] in "LMN" or char == "-" else " " for char in plain)
    return [token.strip("-") for token in letters.split() if token.strip("-")]


def _inside(text: str, known: Vocabulary) -> Iterator[tuple[str, Composition]]:
    """Yield the longest words that a text without spaces holds, at their places."""
    place = 0
    while place < len(text):
        hit = next(((entry, kind) for entry, _, kind in known.entries if text.startswith(entry, place)), None)
        if hit:
            yield hit
        place += len(hit[0]) if hit else 1


def _entry(word: str, known: Vocabulary, language: str) -> tuple[str, Composition] | None:
    """Return the dictionary's word that this is a form of: itself, else the longest that it begins with."""
    rests = [word, *(word.removeprefix(head) for head in HEADS.get(language, ()) if word.startswith(head))]
    exact = next(((entry, kind) for entry, plain, kind in known.entries if plain in rests), None)
    return exact or next(
        ((entry, kind) for entry, plain, kind in known.entries if any(_is(rest, plain, language) for rest in rests)),
        None,
    )


def _is(word: str, entry: str, language: str) -> bool:
    """Say whether a word is an inflected form of the dictionary's."""
    if language == "ko":
        return word.startswith(entry) and word[len(entry) :] in PARTICLES
    stem = entry if len(entry) <= SHORT or language == "en" else entry[:-1]
    most = min(ENDING.get(language, 2), max(1, len(entry) - 2))
    return len(entry) >= SHORT - 1 and word.startswith(stem) and len(word) - len(stem) <= most
