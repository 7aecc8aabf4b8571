"""Which tests go to the same process of pytest-xdist: those of a file that makes something for all of them."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from xdist.scheduler.loadscope import LoadScopeScheduling  # type: ignore[import-untyped]

ROOT: Final = Path(__file__).resolve().parents[2]
SHARED: Final = 'scope="module"'
TOGETHER: Final = ("tests/faults/",)
"""Their products are shared by several files; each of them costs seconds and stands most of the time."""


@cache
def shares(file: str) -> bool:
    """Say whether something is made once for all tests of a file."""
    return file.startswith(TOGETHER) or SHARED in (ROOT / file).read_text()


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives out single tests, and whole files where `shares`."""

    def _split_scope(self, nodeid: str) -> Any:
        file = nodeid.partition("::")[0]
        return file if shares(file) else nodeid
