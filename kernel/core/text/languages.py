"""The languages of the interface, as `languages.json` lists them. The web application reads the same file."""

from pathlib import Path
from typing import Final, Literal

import msgspec


class _Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the file. `flag` is an ISO 3166 country code, `locale` the language as Open Graph names it."""

    name: str
    flag: str
    direction: Literal["ltr", "rtl"]
    locale: str


_FILE: Final = Path(__file__).with_name("languages.json")
_LISTED: Final = msgspec.json.decode(_FILE.read_bytes(), type=dict[str, _Language])

LANGUAGES: Final = tuple(_LISTED)
"""ISO 639-1 codes in the order in which the pickers show them."""

NAMES: Final = {code: language.name for code, language in _LISTED.items()}
"""Languages as their speakers call them."""

LOCALES: Final = {code: language.locale for code, language in _LISTED.items()}
"""Languages as Open Graph names them."""

FALLBACK: Final = "en"

RIGHT_TO_LEFT: Final = frozenset(code for code, language in _LISTED.items() if language.direction == "rtl")


def is_language(code: str) -> bool:
    """Return whether the interface has this language."""
    return code in LANGUAGES


def spoken(code: str | None) -> str:
    """Return the language if the interface has it, else English."""
    return code if code is not None and is_language(code) else FALLBACK


def direction(language: str) -> Literal["ltr", "rtl"]:
    """Return the text direction of a language, as HTML names it."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def accepted_language(header: str) -> str:
    """Return the first language of an `Accept-Language` header that the interface has, else English."""
    wished = (part.split(";")[0].strip()[:2].lower() for part in header.split(","))
    return next((code for code in wished if is_language(code)), FALLBACK)
