"""The twelve languages of the interface."""

from typing import Final, Literal

LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")
"""ISO 639-1 codes in the order the pickers show them."""

FALLBACK: Final = "en"

RIGHT_TO_LEFT: Final = frozenset({"ar"})


def is_language(code: str) -> bool:
    """Say whether the interface speaks it."""
    return code in LANGUAGES


def spoken(code: str | None) -> str:
    """Return a language that the interface speaks: this one, else English."""
    return code if code is not None and is_language(code) else FALLBACK


def direction(language: str) -> Literal["ltr", "rtl"]:
    """Return how a language runs, as HTML says it."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def accepted_language(header: str) -> str:
    """Return the first language of an `Accept-Language` header that the interface speaks, else English."""
    wished = (part.split(";")[0].strip()[:2].lower() for part in header.split(","))
    return next((code for code in wished if is_language(code)), FALLBACK)
