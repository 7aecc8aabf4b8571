"""Measurements as a table."""

import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

AIM_KEPT: Final = "kept"
AIM_MISSED: Final = "missed"


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table. `at_most` or `at_least` is the target, in the same unit; None where there is none."""

    what: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one benchmark and the conditions under which they were measured."""

    title: str
    conditions: str
    figures: Sequence[Figure]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """Return the 50th percentile."""
    return percentile(values, 0.5)


def machine() -> str:
    """Return what the figures depend on: processors, load, Python, platform."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{os.cpu_count()} CPUs, load {load}, Python {sys.version.split()[0]}, {sys.platform}"


def lines(section: Section) -> Iterator[str]:
    """Yield a section as lines of text, aligned."""
    yield ""
    yield section.title
    yield f"  {section.conditions}"
    width = max((len(figure.what) for figure in section.figures), default=0)
    for figure in section.figures:
        yield "  " + "  ".join(_cells(figure, width)).rstrip()


def _cells(figure: Figure, width: int) -> Iterable[str]:
    yield figure.what.ljust(width)
    yield _number(figure.value).rjust(10)
    yield figure.unit.ljust(8)
    aim = ""
    if figure.at_most is not None:
        verdict = AIM_KEPT if figure.value <= figure.at_most else AIM_MISSED
        aim = f"aim ≤ {_number(figure.at_most)}: {verdict}"
    if figure.at_least is not None:
        verdict = AIM_KEPT if figure.value >= figure.at_least else AIM_MISSED
        aim = f"aim ≥ {_number(figure.at_least)}: {verdict}"
    yield "; ".join(filter(None, (aim, figure.note)))


def _number(value: float) -> str:
    """Return a number with three significant digits."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
