"""The dictionary forms that an inflected noun or adjective may have, in languages that put spaces between words.

Each rule only removes endings of nouns: a name of the catalog is met as `wolves`, `Wölfen` or `волками`, never as a
verb. What is no word is harmless, because only forms that the vocabulary has are used.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from plugins.atelier.semantics.languages import arabic_forms, korean_stems

SHORTEST: Final = 2  # letters of a dictionary form


class Form(NamedTuple):
    """A possible dictionary form. `plural`: whether the word was a plural then; None where the ending does not say."""

    text: str
    plural: bool | None
    dual: bool = False


_ENGLISH: Final = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "people": "person",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "mice": "mouse",
    "oxen": "ox",
    "dwarves": "dwarf",
    "cacti": "cactus",
}
_HISSING: Final = ("ses", "xes", "zes", "ches", "shes", "oes")
_PLURALS: Final[Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "en": (("'s", ("",)), ("s", ("",)), ("ies", ("y",)), ("ves", ("f", "fe")), ("men", ("man",))),
    "es": (("s", ("",)), ("es", ("",)), ("ces", ("z",))),
    "pt": (
        ("s", ("",)),
        ("es", ("",)),
        ("ões", ("ão",)),
        ("ães", ("ão",)),
        ("ais", ("al",)),
        ("éis", ("el",)),
        ("eis", ("el", "il")),
        ("óis", ("ol",)),
        ("uis", ("ul",)),
        ("is", ("il",)),
        ("ns", ("m",)),
    ),
    "fr": (("s", ("",)), ("x", ("",)), ("aux", ("al", "ail"))),
    "it": (
        ("chi", ("co", "ca")),
        ("ghi", ("go", "ga")),
        ("che", ("ca",)),
        ("ghe", ("ga",)),
        ("ce", ("cia",)),
        ("ge", ("gia",)),
        ("i", ("o", "e", "io", "a")),
        ("e", ("a",)),
    ),
}
_FEMININE: Final = {"es": ("a", "o"), "pt": ("a", "o"), "it": ("a", "o")}
_GERMAN: Final = ("e", "n", "en", "s", "es", "er", "ern", "nen", "ens", "em")
_GERMAN_GENITIVES: Final = ("s", "es", "ens")
_ROUNDED: Final = str.maketrans("äöü", "aou")
_RUSSIAN_LISTED: Final = """
ами ями иями ах ях иях ов ев ей ью ом ем ой ам ям иям ую юю ого его ому ему ыми ими ых их ый ий ая яя ое ее ые ие ым им
ии ию ией а я у ю ы и е о ь й
"""
_RUSSIAN: Final = _RUSSIAN_LISTED.split()
_RUSSIAN_PLURALS_LISTED: Final = "ами ями иями ах ях иях ов ев ам ям иям ыми ими ых их ые ие"
_RUSSIAN_PLURALS: Final = frozenset(_RUSSIAN_PLURALS_LISTED.split())
_RUSSIAN_ENDINGS: Final = ("", "а", "я", "ь", "о", "е", "й", "ий", "ия", "ие", "ый", "ая", "ое", "ой")
_RUSSIAN_ADJECTIVES: Final = ("ый", "ий", "ой", "ая", "ое", "")
_RUSSIAN_ADJECTIVE_ENDS_LISTED: Final = "ую юю ого его ому ему ыми ими ых их ый ий ая яя ое ее ые ие ой"
_RUSSIAN_ADJECTIVE_ENDS: Final = frozenset(_RUSSIAN_ADJECTIVE_ENDS_LISTED.split())
_FUGITIVE: Final = "кцлрнвгтм"
_HINDI: Final = (
    ("ियों", ("ी", "ि"), True),
    ("ियाँ", ("ी", "ि"), True),
    ("ियां", ("ी", "ि"), True),
    ("ुओं", ("ू", "ु"), True),
    ("ुएँ", ("ू", "ु"), True),
    ("ओं", ("ा", ""), True),
    ("ों", ("ा", ""), True),
    ("ें", ("",), True),
    ("एँ", ("",), True),
    ("ाएँ", ("ा",), True),
    ("े", ("ा",), None),
    ("ी", ("ा",), False),
)


def _by_endings(word: str, language: str) -> Iterator[Form]:
    for ending, heads in _PLURALS[language]:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            yield from (Form(stem + head, ending != "'s") for head in heads)
    if language in _FEMININE:
        feminine, masculine = _FEMININE[language]
        for ending, plural in (
            (feminine, False),
            (feminine + "s", True),
            ("e", True) if language == "it" else ("", False),
        ):
            if ending and word.endswith(ending):
                yield Form(word[: -len(ending)] + masculine, plural)


def _english(word: str) -> Iterator[Form]:
    if word in _ENGLISH:
        yield Form(_ENGLISH[word], True)
    yield from _by_endings(word, "en")
    if word.endswith(_HISSING):
        yield Form(word[:-2], True)


def _german(word: str) -> Iterator[Form]:
    """Whether a form with an ending is a plural is only said by its article, except for the genitive."""
    stems = [(word, "")] + [(word[: -len(end)], end) for end in _GERMAN if word.endswith(end)]
    for stem, end in stems:
        plural = False if end in _GERMAN_GENITIVES or not end else None
        if end:
            yield Form(stem, plural)
            yield Form(stem + "er", plural)  # an adjective: a name has `weißer`, a text `weißen`
            yield Form(stem + "e", plural)
        for umlaut in ("äu", "ä", "ö", "ü"):
            place = stem.rfind(umlaut)
            if place >= 0:
                yield Form(stem[:place] + umlaut.translate(_ROUNDED) + stem[place + len(umlaut) :], True)
                break


def _russian(word: str) -> Iterator[Form]:
    for end in ("", *_RUSSIAN):
        if not word.endswith(end) or len(word) - len(end) < SHORTEST:
            continue
        stem = word[: len(word) - len(end)]
        plural = True if end in _RUSSIAN_PLURALS else None if end in ("ы", "и", "ей") else False
        endings = _RUSSIAN_ADJECTIVES if end in _RUSSIAN_ADJECTIVE_ENDS else _RUSSIAN_ENDINGS
        yield from (Form(stem + head, plural) for head in endings if head or end)
        last = stem[-1]
        if last in _FUGITIVE:  # замки, замок; орлы, орёл; огня, огонь
            softer = stem[:-2] if stem[-2:-1] == "ь" else stem[:-1]
            yield from (Form(softer + vowel + last + end_, plural) for vowel in "оеи" for end_ in ("", "ь") if end)
            if not end and len(stem) > 2 and stem[-2] in "ое":  # кошек, кошка; окон, окно
                yield from (
                    Form(stem[:-2] + soft + last + end_, True) for soft in ("", "ь") for end_ in ("а", "о", "я")
                )
    if word.endswith(("ята", "ят", "ятам", "ятами", "ятах")):  # котята, котёнок
        yield Form(word[: word.rindex("ят")] + "енок", True)
    elif word.endswith(("ата", "ат", "атами")):
        yield Form(word[: word.rindex("ат")] + "онок", True)


def _hindi(word: str) -> Iterator[Form]:
    for ending, heads, plural in _HINDI:
        if word.endswith(ending):
            yield from (Form(word[: -len(ending)] + head, plural) for head in heads)


def _arabic(word: str) -> Iterator[Form]:
    for form, tail in arabic_forms(word):
        dual = tail in ("ان", "تان", "تين", "ين")
        yield Form(form, dual or tail in ("ات", "ون"), dual)


def _korean(word: str) -> Iterator[Form]:
    for stem in korean_stems(word):
        yield Form(stem, True if word[len(stem) :].startswith("들") else None)


_RULES: Final[Mapping[str, Callable[[str], Iterator[Form]]]] = {
    "en": _english,
    "es": lambda word: _by_endings(word, "es"),
    "fr": lambda word: _by_endings(word, "fr"),
    "it": lambda word: _by_endings(word, "it"),
    "pt": lambda word: _by_endings(word, "pt"),
    "de": _german,
    "ru": _russian,
    "hi": _hindi,
    "ar": _arabic,
    "ko": _korean,
}


@lru_cache(maxsize=16384)
def dictionary_forms(word: str, language: str) -> tuple[Form, ...]:
    """Return the word itself and the forms it may come from, the likeliest first; `word` is folded."""
    found = {word: Form(word, False)}
    for form in _RULES[language](word) if language in _RULES else ():
        if len(form.text) >= SHORTEST or language == "ko":
            found.setdefault(form.text, form)
    return tuple(found.values())
