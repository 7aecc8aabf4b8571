"""The twelve languages of the interface."""

from typing import Final

LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")
"""ISO 639-1 codes in the order the pickers show them."""


def is_language(code: str) -> bool:
    """Say whether the interface speaks it."""
    return code in LANGUAGES
