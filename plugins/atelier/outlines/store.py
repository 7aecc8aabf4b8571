"""The bodies of all icons of the installed sets, in one file that opens at once.

`python -m plugins.atelier.outlines.store` writes it beside the sets; `make build` does so. Without it the sets
themselves are read, which takes up to a second for each.
"""

import logging
import sqlite3
import zlib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.press.fonts import fonts_folder

SETS: Final = ("fluent-emoji-flat", "mdi", "tabler", "temaki", "maki", "healthicons", "ph")
FILE: Final = ".outlines.sqlite"
_log = logging.getLogger(__name__)


class Body(msgspec.Struct, frozen=True):
    """The inside of an icon's `svg` element, and the size of its view box."""

    text: str
    width: float
    height: float


class _Icon(msgspec.Struct, frozen=True):
    body: str = ""
    width: float | None = None
    height: float | None = None


class _Alias(msgspec.Struct, frozen=True):
    parent: str
    hFlip: bool = False
    rotate: int = 0


class _Set(msgspec.Struct, frozen=True):
    icons: dict[str, _Icon]
    aliases: dict[str, _Alias] = {}
    width: float = 16
    height: float = 16


def sets_folder() -> Path:
    """Return the folder of the icon sets: it is installed beside the fonts. Raises PressError where there is none."""
    return fonts_folder().parent / "@iconify-json"


@cache
def body_of(picture: str) -> Body | None:
    """Return the icon `set:name`, None where no installed set has it."""
    file = sets_folder() / FILE
    if file.is_file():
        row = _opened(file).execute("SELECT width, height, body FROM icons WHERE picture = ?", (picture,)).fetchone()
        return Body(zlib.decompress(row[2]).decode(), row[0], row[1]) if row else None
    folder, _, name = picture.partition(":")
    return _read_set(folder).get(name) if folder in SETS else None


@cache
def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True, check_same_thread=False)


@cache
def _read_set(name: str) -> dict[str, Body]:
    file = sets_folder() / name / "icons.json"
    if not file.is_file():
        return {}
    _log.warning("The file of outlines is missing, so %s is read as a whole: `make build` makes it.", file)
    return _bodies(file)


def _bodies(file: Path) -> dict[str, Body]:
    read = msgspec.json.decode(file.read_bytes(), type=_Set)
    bodies = {
        name: Body(icon.body, icon.width or read.width, icon.height or read.height) for name, icon in read.icons.items()
    }
    for name, alias in read.aliases.items():
        if alias.parent in bodies and not alias.hFlip and not alias.rotate:
            bodies[name] = bodies[alias.parent]
    return bodies


def write() -> int:
    """Write the file anew and return how many outlines it has."""
    file = sets_folder() / FILE
    made = file.with_suffix(".new")
    made.unlink(missing_ok=True)
    rows = [
        (f"{name}:{icon}", body.width, body.height, zlib.compress(body.text.encode(), 6))
        for name in SETS
        for icon, body in _bodies(sets_folder() / name / "icons.json").items()
    ]
    connection = sqlite3.connect(made)
    connection.execute(
        "CREATE TABLE icons (picture TEXT PRIMARY KEY, width REAL, height REAL, body BLOB) WITHOUT ROWID"
    )
    connection.executemany("INSERT INTO icons VALUES (?, ?, ?, ?)", sorted(rows))
    connection.commit()
    connection.close()
    made.replace(file)
    return len(rows)


if __name__ == "__main__":
    write()
