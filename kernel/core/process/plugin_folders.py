"""Plugins in the data folder, where `coverwright plugins install` puts them: the environment may be read-only.

`plugins/<distribution>` is a link to one of the folders in `plugins/.versions`, each made once and never changed. So a
version replaces another one by one rename, and processes that have loaded the old one go on with its files.
"""

import fcntl
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FOLDER: Final = "plugins"
VERSIONS: Final = ".versions"
DRAFT: Final = ".new-"
REPLACED: Final = ".replaced"
"""Marks a version that was in use: processes may have loaded it."""

KEPT_S: Final = 7 * 86_400.0
"""How long a version is kept that was replaced or removed. By then its processes have long been started anew."""

_entered: Final[set[str]] = set()


def canonical(name: str) -> str:
    """Return the one way of writing the name of a distribution."""
    return re.sub(r"[-_.]+", "-", name).lower()


def in_data(data_dir: Path) -> dict[str, Path]:
    """Return the canonical name of each distribution in the data folder → the folder of its version."""
    root = data_dir / FOLDER
    try:
        links = sorted(path for path in root.iterdir() if not path.name.startswith(".") and path.is_dir())
    except OSError:
        return {}
    return {link.name: link.resolve() for link in links}


def enter(data_dir: Path) -> None:
    """Let this process import the plugins in the data folder. They come last: nothing of the product is hidden."""
    for folder in map(str, in_data(data_dir).values()):
        if folder not in sys.path:
            sys.path.append(folder)
            _entered.add(folder)


def own_path() -> list[str]:
    """Return where the environment has distributions: without the plugins in the data folder."""
    return [place for place in sys.path if place not in _entered]


def search_path(data_dir: Path) -> list[str]:
    """Return where a process that started now would find distributions."""
    return own_path() + list(map(str, in_data(data_dir).values()))


@contextmanager
def changing(data_dir: Path) -> Iterator[Path]:
    """Change the plugins in the data folder, alone; return an empty folder for what is prepared.

    Raises BlockingIOError when another command does, OSError when nothing can be written. What an interrupted change
    has left is removed first, and versions that nobody has used for long.
    """
    root = data_dir / FOLDER
    (root / VERSIONS).mkdir(parents=True, exist_ok=True, mode=0o700)
    with (root / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _sweep(root)
        draft = Path(tempfile.mkdtemp(prefix=DRAFT, dir=root))
        try:
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def put(data_dir: Path, site: Path, name: str, version: str) -> None:
    """Move a prepared folder into place, instead of another version of the distribution if there is one."""
    root = data_dir / FOLDER
    folder = root / VERSIONS / f"{name}-{version}-{secrets.token_hex(4)}"
    site.rename(folder)
    _mark(data_dir, name)
    link = root / f"{DRAFT}{folder.name}"
    link.symlink_to(Path(VERSIONS) / folder.name)
    link.replace(root / name)


def take_away(data_dir: Path, name: str) -> None:
    """Remove a distribution; its files stay for processes that have loaded it."""
    _mark(data_dir, name)
    (data_dir / FOLDER / name).unlink()


def _mark(data_dir: Path, name: str) -> None:
    if (old := in_data(data_dir).get(name)) is not None:
        (old / REPLACED).touch()
        os.utime(old / REPLACED)


def _sweep(root: Path) -> None:
    for left in root.glob(f"{DRAFT}*"):
        if left.is_symlink():
            left.unlink()
        else:
            shutil.rmtree(left, ignore_errors=True)
    used = set(in_data(root.parent).values())
    for folder in (root / VERSIONS).iterdir():
        mark = folder / REPLACED
        if folder.resolve() not in used and not (mark.exists() and time.time() - mark.stat().st_mtime < KEPT_S):
            shutil.rmtree(folder, ignore_errors=True)
