"""The texts of the interface, for what the server writes itself: one sentence has one home."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

BUILT: Final = Path(__file__).resolve().parents[2] / "pages" / "static"
"""Where the interface lies once it has been built."""


@lru_cache(maxsize=24)
def interface_texts(name: str, language: str) -> Mapping[str, Any] | None:
    """Return the texts of one file (`books`) in a language; None while the interface has not been built."""
    file = BUILT / "locales" / language / f"{name}.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any]) if file.is_file() else None


def interpolated(sentence: str, values: Mapping[str, str]) -> str:
    """Fill in values for `{{name}}`, as the interface does."""
    return re.sub(r"{{(\w+)}}", lambda found: values[found[1]], sentence)
