"""The first texts of a screen, sent before its scripts so that a slow phone shows them at once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

SCREENS: Final = {("/", False): "landing", ("/", True): "home"}
"""(path, signed in) → the screen's name in the file that the web build writes."""


class FirstScreens:
    """HTML by screen and language. Empty while the web application has not been built."""

    def __init__(self, folder: Path) -> None:
        path = folder / ".vite" / "first-screens.json"
        built = msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, str]]) if path.is_file() else {}
        self._screens = {address: built.get(name, {}) for address, name in SCREENS.items()}

    def find(self, path: str, *, signed_in: bool) -> Mapping[str, str]:
        """Return language → HTML for a page, empty for most; `path` is without a language and a trailing slash."""
        return self._screens.get((path, signed_in), {})
