"""The disclosure of how a cover was made: for readers of the ZIP, and for the questions that shops ask.

Amazon KDP asks at every upload whether images were created by an AI-based tool, and means it "even if you applied
substantial edits afterwards" (help page on AI content, read 2026-11-01).
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.books.packs.ordering import OrderedPack
from kernel.covers.provenance.origin import Step

_FOLDER: Final = Path(__file__).with_name("texts")


class DisclosureTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sentences of one language; `{provider}`, `{model}`, `{date}`, `{words}`, `{count}` stand in some."""

    heading: str
    by_model: str
    by_program: str
    changed_by_model: str
    changed_by_program: str
    words: str
    references: str
    lettering: str
    letters_by_model: str
    kdp: str
    kdp_yes: str
    kdp_no: str


@cache
def disclosure_texts(language: str) -> DisclosureTexts:
    """Return the texts of a language that the interface has."""
    return msgspec.toml.decode((_FOLDER / f"{language}.toml").read_bytes(), type=DisclosureTexts)


def disclosure(ordered: OrderedPack) -> str:
    """Return the text, in the language of the order."""
    texts, origin = disclosure_texts(ordered.language), ordered.origin
    lines = [f"{ordered.book.title}", "", texts.heading, ""]
    for number, step in enumerate(origin.steps):
        lines += _lines(texts, step, is_first=number == 0)
    lines += [texts.letters_by_model if origin.letters_by_model else texts.lettering, ""]
    lines += [texts.kdp, texts.kdp_yes if origin.ai_made else texts.kdp_no]
    return "\n".join(lines) + "\n"


def _lines(texts: DisclosureTexts, step: Step, *, is_first: bool) -> list[str]:
    if step.by_program:
        sentence = texts.by_program if is_first else texts.changed_by_program
    else:
        sentence = texts.by_model if is_first else texts.changed_by_model
    model = step.model or step.provider
    lines = [_said(sentence, provider=step.provider, model=model, date=step.made_at.strftime("%Y-%m-%d"))]
    if step.words:
        lines.append(_said(texts.words, words=" ".join(step.words.split())))
    if step.references > 0:
        lines.append(_said(texts.references, count=str(step.references)))
    return [*lines, ""]


def _said(sentence: str, **values: str) -> str:
    """Fill in values; braces in them mean nothing."""
    parts = sentence.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}")
        filled.append(values[name] + rest)
    return "".join(filled)
