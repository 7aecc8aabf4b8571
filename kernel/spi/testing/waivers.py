"""Rules that do not apply to a provider, because it does not claim the feature: counted in the report."""

from typing import Final

WAIVED: Final[list[str]] = []
"""Why the current rule does not apply; cleared before each."""


def waived(why: str) -> None:
    """Record that the rule does not apply, and why; the rule then returns."""
    WAIVED.append(why)
