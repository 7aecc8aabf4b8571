"""The vocabulary of a reader: for each of twelve languages, which words and phrases mean what.

`terms/<language>.txt` has lines `kind id: name, synonym, ...`. Kinds that a picture shows are `setting`, `time`,
`weather`, `season`, `era`, `mood` and `idea`; there the first name is the label. `subject` adds names to those of the
catalog (`plugins/atelier/subjects`); a `+` after a name says that it is a plural. `absent` lists things that are in no
catalog, with the subject that comes nearest; subjects that the catalog does not have are absent, too. `color`, `number`
and `group` are what they say; `people` name the subject that is drawn for them where a number says how many; `idiom`
and `means` are figures of speech, without a meaning for the eye or with another one, and `idiom nonfiction` only in
such books; `ignore` are phrases that only look like things or denials.

The other kinds are words of grammar: `deny`, `and`, `or`, `det`, `prep`, `loc` and `stop` (what ends a noun's words),
`title` and `naming` (what a name follows), `given` (first names that are also things), `verbal` (nouns that are also
verbs), `unit`, `many`, `about`, `agent` (last parts of German occupations), `business` (words of books about work);
with `-after` where they follow instead.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from plugins.atelier.semantics.inflection import dictionary_forms
from plugins.atelier.semantics.languages import UNSPACED, fold, without_accents, words_of
from plugins.atelier.subjects.catalog import names, subjects

FOLDER: Final = Path(__file__).parent / "terms"
SHOWN: Final = ("setting", "time", "weather", "season", "era", "mood", "idea")
_NEVER_ONE_LISTED: Final = "glasses friends children stars houses skis dress compass cactus chess atlas"
_NEVER_ONE: Final = frozenset(_NEVER_ONE_LISTED.split())
"""Subjects whose names end in `s` and do not become one thing without it."""
SHARED: Final = frozenset(
    {"subject", "color", "setting", "number", "verbal", "group", "people", "given", "title", "title-after"}
)
"""Kinds whose words may also be the name of a subject; a word of any other kind means only that."""


class Sense(NamedTuple):
    """One meaning of a word or phrase."""

    kind: str
    id: str


class Entry(msgspec.Struct, frozen=True):
    """A word or phrase: its senses; `plural` of a name that is one; `proper`: it begins with a capital letter."""

    senses: tuple[Sense, ...]
    plural: bool
    proper: bool


class Vocabulary(msgspec.Struct, frozen=True):
    """All phrases of a language by their words; in a language without spaces, each is one word.

    `longest` is the number of words (of characters, without spaces) of the longest phrase that begins with a word
    (a character). `beginnings` are the first words, one to all but one, of the phrases. `labels` are the
    labels of what is no subject.
    """

    language: str
    entries: Mapping[tuple[str, ...], Entry]
    beginnings: frozenset[tuple[str, ...]]
    longest: Mapping[str, int]
    labels: Mapping[Sense, str]


class _Making:
    """A vocabulary while it is filled."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.senses: dict[tuple[str, ...], list[Sense]] = {}
        self.plural: set[tuple[str, ...]] = set()
        self.proper: set[tuple[str, ...]] = set()

    def add(self, name: str, sense: Sense) -> None:
        phrase = words_in(fold(name.removesuffix("+")), self.language)
        if not phrase:
            return
        known = self.senses.setdefault(phrase, [])
        if sense in known or (sense.kind in ("subject", "absent") and any(_excludes(other) for other in known)):
            return
        known.append(sense)
        if name.endswith("+"):
            self.plural.add(phrase)
        if name[0].isupper():
            self.proper.add(phrase)

    def knows(self, name: str) -> bool:
        return words_in(fold(name), self.language) in self.senses

    def made(self, labels: Mapping[Sense, str]) -> Vocabulary:
        if self.language not in UNSPACED and self.language != "de":  # who types `leon` means `león`
            for phrase in list(self.senses):
                bare = tuple(without_accents(word) for word in phrase)
                self.senses.setdefault(bare, self.senses[phrase])
                if phrase in self.proper and bare not in self.proper:
                    self.proper.add(bare)
        entries = {
            phrase: Entry(tuple(senses), phrase in self.plural, phrase in self.proper)
            for phrase, senses in self.senses.items()
        }
        longest: dict[str, int] = {}
        for phrase in entries:
            first, length = (phrase[0][0], len(phrase[0])) if self.language in UNSPACED else (phrase[0], len(phrase))
            longest[first] = max(longest.get(first, 0), length)
        beginnings = frozenset(phrase[:size] for phrase in entries for size in range(1, len(phrase)))
        return Vocabulary(self.language, entries, beginnings, longest, labels)


def _excludes(sense: Sense) -> bool:
    return sense.kind not in SHARED and not (sense.kind == "idiom" and sense.id)


def words_in(folded: str, language: str) -> tuple[str, ...]:
    """Split a folded name into the words under which it is known: parts of `sea-horse` and `l'océan` are words."""
    if language in UNSPACED:
        return (folded.replace(" ", ""),) if folded.strip() else ()
    return tuple(words_of(folded.replace("-", " ").replace("'s ", "'s_").replace("'", "' ").replace("' s_", "'s ")))


@lru_cache(maxsize=12)
def vocabulary(language: str) -> Vocabulary:
    """Return the vocabulary of one of the twelve languages."""
    making, labels = _Making(language), dict[Sense, str]()
    terms = list(_terms(language))
    for sense, listed in terms:
        if sense.kind in SHOWN:
            labels.setdefault(sense, listed[0])
        if _is_absent(sense):
            continue
        for name in listed:
            making.add(name, sense)
    catalog = names(language)
    for first in (True, False):  # a label is a better reason than a synonym
        for subject, titles in catalog.items():
            for name in titles[:1] if first else titles[1:]:
                making.add(name, Sense("subject", subject))
    for subject, titles in catalog.items():
        if subject.endswith("s") and subject not in _NEVER_ONE:  # gloves: a single one is a glove
            for form in dictionary_forms(fold(titles[0]), language)[1:]:
                if not making.knows(form.text):
                    making.add(form.text, Sense("subject", subject))
    for sense, listed in terms:
        for name in listed if _is_absent(sense) else ():
            if not making.knows(name):
                making.add(name, Sense("absent", sense.id))
    return making.made(labels)


def _is_absent(sense: Sense) -> bool:
    return sense.kind == "absent" or (sense.kind == "subject" and sense.id not in subjects())


def label(kind: str, name: str, language: str) -> str:
    """Return the label of an element that is no subject; English in a language that we do not have."""
    return vocabulary(language).labels.get(Sense(kind, name), name)


@lru_cache(maxsize=12)
def shown_names(language: str) -> tuple[tuple[Sense, tuple[str, ...]], ...]:
    """Return the names of everything that a picture shows besides subjects; the first of each is the label."""
    return tuple((sense, tuple(listed)) for sense, listed in _terms(language) if sense.kind in SHOWN)


def _terms(language: str) -> Iterator[tuple[Sense, list[str]]]:
    for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, listed = line.partition(": ")
            kind, _, name = head.partition(" ")
            yield Sense(kind, name), [name for part in listed.split(",") if (name := part.strip())]
