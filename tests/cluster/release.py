"""An older release beside this one: a checkout of its commit, which runs on the libraries and pages of this one."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kernel.core.config import PROJECT_ROOT

SCHEMA: Final = "kernel/migrations/versions"
SHARED: Final = ("node_modules", "kernel/pages/static", "kernel/pages/docs")
"""What is built or installed, and no part of a commit."""


def same_schema() -> str:
    """Return the oldest commit whose programs serve on the schema of this checkout: that of the newest migration.

    Programs of before refuse it, unless the migration says that they need not (kernel/migrations/README.md).
    """
    return _git("log", "-1", "--format=%H", "--diff-filter=AR", "--", SCHEMA)


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Give a folder with a commit in it, for the length of the block."""
    name = _git("rev-parse", "--short", f"{commit}^{{commit}}")
    folder = Path(tempfile.mkdtemp(prefix="cw-release-")) / name
    _git("worktree", "prune")
    _git("worktree", "add", "--quiet", "--detach", str(folder), commit)
    try:
        for path in SHARED:
            (folder / path).symlink_to(PROJECT_ROOT / path)
        yield folder
    finally:
        shutil.rmtree(folder.parent, ignore_errors=True)
        _git("worktree", "prune")


def short_name(folder: Path) -> str:
    """Return which commit a checkout is, and whether more was changed in it."""
    return _git("describe", "--always", "--dirty", "--exclude=*", folder=folder)


def _git(*words: str, folder: Path = PROJECT_ROOT) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
