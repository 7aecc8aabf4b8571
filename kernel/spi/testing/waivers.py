"""What a provider need not show, because it does not claim it: counted in the report, never hidden."""

from typing import Final

WAIVED: Final[list[str]] = []
"""Why the rule that runs now does not apply; emptied before each."""


def waived(why: str) -> None:
    """Say that the rule does not apply, and why; the rule then returns."""
    WAIVED.append(why)
