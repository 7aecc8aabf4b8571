"""Which rule runs now: recordings keep and find requests by it."""

from typing import Final

RUNNING: Final[list[str]] = []
"""The id of the current rule, as `IMG_01`; empty between rules."""


def running_rule() -> str:
    """Return the id of the current rule; empty outside of one."""
    return RUNNING[-1] if RUNNING else ""
