"""What a browser may fetch while it still reads the entry's scripts: the screen's own code and the first responses."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

FRAME: Final = "src/routes/_site/route.tsx"
FRONT: Final = "src/routes/_site/index.tsx"
GALLERY: Final = "src/routes/_site/gallery.tsx"
HOME: Final = "src/routes/-home.tsx"
LANDING: Final = "src/features/landing/landing.tsx"
ENTRY: Final = "index.html"
FIRST_ANSWERS: Final = ("/api/branding", "/api/plan-limits")
"""What every page requests before it shows itself. Fetched with cookies, as pages do, or it would be fetched twice."""
USER: Final = "/api/auth/user"
"""Requested as well by a page that was asked for with a session."""
HOME_ANSWERS: Final = ("/api/generator-settings", "/api/capabilities", "/api/themes")
"""What the generator of the signed-in home screen begins with."""


class Chunk(msgspec.Struct, frozen=True):
    """A chunk in Vite's manifest: its file, and its static imports.

    A route's chunks are listed by its source and `?tsr-split=` with what the router split off.
    """

    file: str
    imports: list[str] = []


class PreloadHints:
    """Tags for the head of the shell. Empty while the web application has not been built."""

    def __init__(self, folder: Path) -> None:
        path = folder / ".vite" / "manifest.json"
        built = msgspec.json.decode(path.read_bytes(), type=dict[str, Chunk]) if path.is_file() else {}
        manifest = built | {source.partition("?")[0]: chunk for source, chunk in built.items()}
        entry = _files(manifest, [ENTRY])

        def tags(*chunks: str) -> tuple[str, ...]:
            files = [file for file in _files(manifest, [FRAME, *chunks]) if file not in entry]
            return tuple(f'<link rel="modulepreload" crossorigin href="/{file}">' for file in files)

        self._elsewhere = tags() if manifest else ()
        self._screens = {
            ("/", False): tags(FRONT, LANDING),
            ("/", True): (*tags(FRONT, HOME), *_fetches(HOME_ANSWERS)),
            ("/gallery", True): (*tags(GALLERY, HOME), *_fetches(HOME_ANSWERS)),
        }

    def tags(self, path: str, *, signed_in: bool) -> tuple[str, ...]:
        """Return the tags for a page; `path` is without a language and a trailing slash."""
        if not self._elsewhere:
            return ()
        answers = (USER, *FIRST_ANSWERS) if signed_in else FIRST_ANSWERS
        return (*self._screens.get((path, signed_in), self._elsewhere), *_fetches(answers))


def _fetches(addresses: Iterable[str]) -> tuple[str, ...]:
    return tuple(f'<link rel="preload" as="fetch" crossorigin="use-credentials" href="{at}">' for at in addresses)


def _files(manifest: Mapping[str, Chunk], keys: list[str]) -> list[str]:
    """Return the scripts of chunks and of all their static imports, each once, the chunks themselves first."""
    found: dict[str, None] = {}
    for key in keys:
        chunk = manifest.get(key)
        if chunk is not None and chunk.file not in found:
            found[chunk.file] = None
            found.update(dict.fromkeys(_files(manifest, chunk.imports)))
    return list(found)
