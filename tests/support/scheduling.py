"""Which tests go to the same process of pytest-xdist: those that use something that is made once for all of them."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from xdist.scheduler.loadscope import LoadScopeScheduling  # type: ignore[import-untyped]

ROOT: Final = Path(__file__).resolve().parents[2]
SHARED: Final = 'scope="module"'
TOGETHER: Final = "tests/faults/"
"""Their products, one for each database, are shared by several files: to start one takes seconds."""
OWN: Final = "alone"
"""The fixture of those among them that have products of their own."""


@cache
def shares(file: str) -> bool:
    """Say whether something is made once for all tests of a file."""
    return file.startswith(TOGETHER) or SHARED in (ROOT / file).read_text()


def group(nodeid: str) -> str:
    """Return what a test shares with all others of the same group."""
    file = nodeid.partition("::")[0]
    if not shares(file):
        return nodeid
    if file.startswith(TOGETHER) and OWN not in (ROOT / file).read_text():
        return TOGETHER + ("postgresql" if "[postgresql" in nodeid else "sqlite")
    return file


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives out groups, each to one process."""

    def _split_scope(self, nodeid: str) -> Any:
        return group(nodeid)
