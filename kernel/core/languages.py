"""The twelve languages of the interface."""

from typing import Final

LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")
"""ISO 639-1 codes in the order the pickers show them."""


FALLBACK: Final = "en"

RIGHT_TO_LEFT: Final = frozenset({"ar"})


def is_language(code: str) -> bool:
    """Say whether the interface speaks it."""
    return code in LANGUAGES


def accepted_language(header: str) -> str:
    """Return the first language of an `Accept-Language` header that the interface speaks, else English."""
    wished = (part.split(";")[0].strip()[:2].lower() for part in header.split(","))
    return next((code for code in wished if is_language(code)), FALLBACK)
