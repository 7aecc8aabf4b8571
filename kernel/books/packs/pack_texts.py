"""The words of what people read in a pack: one file for each language of the interface."""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

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


class ReportTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What only the printed report says: `{date}`, `{page}` and `{pages}` stand in it. The rest are the interface's."""

    heading: str
    note: str
    date: str
    page: str
    pixels: str


class ProofTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What only proofs say: the mark across one that is no more, and how a fact is written, `{label}` and `{value}`."""

    mark: str
    fact: str


class PackTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of one language."""

    disclosure: DisclosureTexts
    report: ReportTexts
    proof: ProofTexts


@cache
def pack_texts(language: str) -> PackTexts:
    """Return the texts of a language that the interface has."""
    return msgspec.toml.decode((_FOLDER / f"{language}.toml").read_bytes(), type=PackTexts)


def filled(sentence: str, **values: str) -> str:
    """Fill in values for `{name}`; braces in them mean nothing."""
    parts = sentence.split("{")
    found = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}")
        found.append(values[name] + rest)
    return "".join(found)
