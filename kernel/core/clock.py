"""The one clock. Tests shift it with a file that holds an offset in seconds."""

import os
import time
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def _offset_file() -> Path | None:
    if os.environ.get("COVERWRIGHT_ENV") != "test":
        return None
    name = os.environ.get("COVERWRIGHT_CLOCK_FILE")
    return Path(name) if name else None


def now_unix() -> float:
    """Return the time in unix seconds."""
    path = _offset_file()
    if path is None:
        return time.time()
    try:
        return time.time() + float(path.read_text() or 0)
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
