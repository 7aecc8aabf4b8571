"""The one clock. Tests shift it with a file that holds an offset in seconds."""

import os
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

MAX_BYTES: Final = 64


@lru_cache(maxsize=1)
def _offset_file() -> str | None:
    if os.environ.get("COVERWRIGHT_ENV") != "test":
        return None
    return os.environ.get("COVERWRIGHT_CLOCK_FILE") or None


def _offset_s(path: str) -> float:
    """Return what the file says; without Python's files, which take ten times as long to open."""
    file = os.open(path, os.O_RDONLY)
    try:
        return float(os.read(file, MAX_BYTES) or 0)
    finally:
        os.close(file)


def now_unix() -> float:
    """Return the time in unix seconds."""
    path = _offset_file()
    if path is None:
        return time.time()
    try:
        return time.time() + _offset_s(path)
    except (OSError, ValueError):
        return time.time()


def wall_unix() -> float:
    """Return the real time in unix seconds, which tests do not shift: for times that other systems wrote."""
    return time.time()


def now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.fromtimestamp(now_unix(), UTC)


def month_of(moment: datetime) -> str:
    """Return the UTC calendar month as `YYYY-MM`, the period of the plan limits."""
    return moment.astimezone(UTC).strftime("%Y-%m")
