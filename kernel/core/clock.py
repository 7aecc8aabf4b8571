"""The one clock of all processes: that of the database server where there is one, so that hosts agree on what is due.

Tests shift it with a file that holds an offset in seconds, and simulate a host whose own clock is wrong with
`COVERWRIGHT_CLOCK_SKEW_S`.
"""

import os
import time
from datetime import UTC, date, datetime, timedelta
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


@lru_cache(maxsize=1)
def _skew_s() -> float:
    return float(os.environ.get("COVERWRIGHT_CLOCK_SKEW_S", 0)) if os.environ.get("COVERWRIGHT_ENV") == "test" else 0.0


_ahead_of_monotonic_s: float | None = None
"""The database server's unix time minus this machine's monotonic one; None where the host's own clock counts."""


def follow(server_unix: float) -> None:
    """Keep to the clock of a server whose unix time is this now, whatever happens to the host's own."""
    global _ahead_of_monotonic_s
    _ahead_of_monotonic_s = server_unix - time.monotonic()


def _unshifted_unix() -> float:
    if _ahead_of_monotonic_s is not None:
        return time.monotonic() + _ahead_of_monotonic_s
    return time.time() + _skew_s()


def now_unix() -> float:
    """Return the time in unix seconds."""
    path = _offset_file()
    if path is None:
        return _unshifted_unix()
    try:
        return _unshifted_unix() + _offset_s(path)
    except (OSError, ValueError):
        return _unshifted_unix()


def wall_unix() -> float:
    """Return the real time in unix seconds, which tests do not shift: for times that other systems wrote."""
    return _unshifted_unix()


def own_ahead_s() -> float:
    """Return how many seconds this machine's own clock is ahead of the one that counts; 0 where it is that itself."""
    return 0.0 if _ahead_of_monotonic_s is None else time.time() + _skew_s() - _unshifted_unix()


def now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.fromtimestamp(now_unix(), UTC)


def begin_of(day: date) -> datetime:
    """Return the first moment of a UTC day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def end_of(day: date) -> datetime:
    """Return the end of a UTC day; the last representable day has none."""
    return datetime.max.replace(tzinfo=UTC) if day == date.max else begin_of(day) + timedelta(days=1)


def month_of(moment: datetime) -> str:
    """Return the UTC calendar month as `YYYY-MM`, the period of the plan limits."""
    return moment.astimezone(UTC).strftime("%Y-%m")
