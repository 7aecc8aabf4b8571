"""What preflight says of a file. The words for people are made of `rule` and `params`, not here."""

from typing import Literal

import msgspec

Outcome = Literal["pass", "warn", "fail"]


class FindingArea(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A rectangle of the page in inches, from its left upper corner."""

    x: float
    y: float
    width: float
    height: float


class Finding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One rule and how it ended. `rule` is a stable code (see `kernel.press.editions.rules`).

    `params` are numbers and names that its sentence needs; `areas` are the places, the worst first, none where the
    whole file is meant.
    """

    rule: str
    outcome: Outcome
    params: dict[str, float | str] = {}
    areas: tuple[FindingArea, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All rules that apply to a file, the worst first; `picture` is a PNG of its page at `picture_dpi`, or empty.

    `page` is its size in inches, of a picture at its resolution.
    """

    findings: tuple[Finding, ...]
    page: tuple[float, float] = (0.0, 0.0)
    picture: bytes = b""
    picture_dpi: float = 0.0

    @property
    def outcome(self) -> Outcome:
        """Return the worst outcome."""
        found = {finding.outcome for finding in self.findings}
        return "fail" if "fail" in found else "warn" if "warn" in found else "pass"
