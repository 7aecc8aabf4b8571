"""The meaning of a text: its language, its concepts with their weights, its genre, manner and main noun."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from plugins.atelier.semantics.inflection import dictionary_forms
from plugins.atelier.semantics.languages import (
    COMMON_WORDS,
    LANGUAGES,
    UNSPACED,
    fold,
    forms,
    language_of_script,
    without_accents,
    words_of,
)
from plugins.atelier.semantics.lexicon import IGNORED, lexicon
from plugins.atelier.semantics.pictures import CONCEPT_PICTURES
from plugins.atelier.semantics.vocabulary import vocabulary

LONGEST: Final = 10  # characters of the longest word searched for in a text without spaces
COMPOUND: Final = 4  # letters of the shortest part searched for in a German compound
PHRASE_WEIGHT: Final = 3
CERTAIN: Final = 3.0  # common words by which a language is ahead of all others
KNOWN: Final = 0.6  # what a known word says about the language, in common words
GENRE, MANNER = "genre=", "manner="


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The result for a text. `tags` counts concepts; `genre` and `manners` are empty when nothing names them."""

    language: str
    tags: Mapping[str, float]
    genre: str
    manners: tuple[str, ...]
    emblem: str


class _Hit(NamedTuple):
    word: str
    language: str
    concepts: tuple[str, ...]


def read(text: str, hint: str = "") -> Reading:
    """Read a text in any of the twelve languages; `hint` is the language that the author named, or empty."""
    folded, hint = fold(text), hint[:2].lower()
    language = language_of(folded, hint)
    hits = list(_hits(folded, language))
    names: Counter[str] = Counter()
    for hit in hits:  # `science fiction` says more about the genre than `science`
        names.update({name: PHRASE_WEIGHT if "=" in name and " " in hit.word else 1 for name in hit.concepts})
    del names[IGNORED]
    tags = {name: float(count) for name, count in names.items() if "=" not in name}
    genres = [name.removeprefix(GENRE) for name, _ in names.most_common() if name.startswith(GENRE)]
    manners = [name.removeprefix(MANNER) for name, _ in names.most_common() if name.startswith(MANNER)]
    return Reading(
        language=language,
        tags=tags,
        genre=genres[0] if genres else "",
        manners=tuple(manners),
        emblem=_emblem(hits),
    )


def genre_named(text: str, language: str) -> str:
    """Return the genre that a few words in a language or in English name; empty when none."""
    folded = fold(text)
    for code in dict.fromkeys((language, "en")):
        names = Counter(name for hit in _hits(folded, code) for name in hit.concepts if name.startswith(GENRE))
        if names:
            return names.most_common(1)[0][0].removeprefix(GENRE)
    return ""


def language_of(folded: str, hint: str = "") -> str:
    """Guess the language of a folded text: by script, and among Latin languages by common and known words."""
    if any("\u3041" <= char <= "\u30ff" for char in folded):  # kana: the only certain sign of Japanese
        return "ja"
    words = words_of(folded)
    scripts = Counter(code for word in words if (code := language_of_script(word, hint)))
    if scripts and sum(scripts.values()) * 2 >= len(words):
        return scripts.most_common(1)[0][0]
    votes = {code: float(hint.startswith(code)) for code in COMMON_WORDS}
    for code, common in COMMON_WORDS.items():
        votes[code] += sum(1.0 for word in words if word in common)
    first, second = sorted(votes.values())[:-3:-1]
    if first - second >= CERTAIN:  # without the lexicons of all languages
        return max(votes, key=lambda code: votes[code])
    if hint in COMMON_WORDS and votes[hint] == first and _known(words, hint) * 2 >= len(words):
        return hint
    for code in COMMON_WORDS:
        votes[code] += KNOWN * _known(words, code)
    votes["en"] += 0.1
    return max(votes, key=lambda code: (votes[code], -LANGUAGES.index(code)))


def _known(words: list[str], language: str) -> int:
    """Return how many of the words a language has."""
    entries, known = vocabulary(language).entries, lexicon(language)
    return sum(
        any((form.text,) in entries for form in dictionary_forms(word, language))
        or bool(known.find(forms(word, language)))
        for word in words
    )


def _hits(folded: str, main: str) -> Iterator[_Hit]:
    latin = main if main in COMMON_WORDS else "en"
    for word in words_of(folded):
        language = language_of_script(word, main) or latin
        if language in UNSPACED:
            yield from _unspaced(word, "ja" if main == "ja" else language)
        else:
            yield _word(word, language)
    known = lexicon(main if main in LANGUAGES else "en")
    padded = f" {' '.join(without_accents(word) for word in words_of(folded))} "
    for phrase in map(without_accents, known.phrases):
        if " " in phrase and f" {phrase} " in padded:
            yield _Hit(phrase, main, known.concepts.get(phrase, ()))


def _word(word: str, language: str) -> _Hit:
    known, candidates = lexicon(language), forms(word, language)
    concepts = known.find(candidates)
    if language == "de" and all("=" in name for name in concepts):
        concepts += _compound(word, language)
    elif not concepts and language == "ko":
        inside = [phrase for phrase in known.phrases if len(phrase) > 1 and phrase in word]
        concepts = tuple(name for phrase in inside[:2] for name in known.concepts[phrase])
    return _Hit(word, language, concepts)


def _compound(word: str, language: str) -> tuple[str, ...]:
    """Split a compound: Winternacht is winter and night."""
    known = lexicon(language)
    ends = [
        known.find((part,))
        for cut in range(COMPOUND, len(word) - COMPOUND + 1)
        for part in (word[:cut], word[:cut].removesuffix("s"), word[cut:])
        if len(part) >= COMPOUND
    ]
    return tuple(dict.fromkeys(name for concepts in ends for name in concepts))


def _unspaced(text: str, language: str) -> Iterator[_Hit]:
    """Go through a text without spaces and take the longest known word at each place."""
    others = ("ja",) if language == "zh" else ()  # Han without kana may be either; many words are the same
    known = [lexicon(code) for code in (language, *others)]
    place = 0
    while place < len(text):
        for length in range(min(LONGEST, len(text) - place), 0, -1):
            part = text[place : place + length]
            concepts = next((book.concepts[part] for book in known if part in book.concepts), ())
            if concepts:
                yield _Hit(part, language, concepts)
                place += length
                break
        else:
            place += 1


def _emblem(hits: list[_Hit]) -> str:
    """Return the picture of the first concept that has one, or none."""
    concepts = (concept for hit in hits for concept in hit.concepts)
    return next((CONCEPT_PICTURES[concept] for concept in concepts if concept in CONCEPT_PICTURES), "")
