"""The lexicon: words of twelve languages to concepts, genres and manners.

`words/<language>.txt` is ours: `concept: word word …`; lines of `genre=…` and `manner=…` name genres and manners;
an underscore stands for a space; the concept `-` lists words that look like others and have no meaning here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from plugins.atelier.semantics.languages import fold, forms

FOLDER: Final = Path(__file__).parent
IGNORED: Final = "-"


class Lexicon(msgspec.Struct, frozen=True):
    """The known words of one language: form to concepts; the phrases, longest first."""

    concepts: Mapping[str, tuple[str, ...]]
    phrases: tuple[str, ...]

    def find(self, candidates: Iterable[str]) -> tuple[str, ...]:
        """Return the concepts of the first form that is known."""
        return next((self.concepts[form] for form in candidates if form in self.concepts), ())


@lru_cache(maxsize=16)
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of one of the twelve languages."""
    known: dict[str, list[str]] = defaultdict(list)
    phrases: list[str] = []
    for line in (FOLDER / "words" / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        concept, _, words = line.partition(":")
        for word in fold(words).split():
            word = word.replace("_", " ")
            phrases.append(word)
            for form in forms(word, language, parts=False):
                if concept.strip() not in known[form]:
                    known[form].append(concept.strip())
    concepts = {form: tuple(found) for form, found in known.items()}
    return Lexicon(concepts, tuple(sorted(dict.fromkeys(phrases), key=len, reverse=True)))
