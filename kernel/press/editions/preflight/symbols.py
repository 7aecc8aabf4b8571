"""Finds and reads an EAN-13 in pixels: its digits, its quiet zones and its contrast."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kernel.press.editions.isbn import check_digit
from kernel.press.editions.preflight.facts import Greys
from kernel.press.editions.sheet.barcode import modules

RUNS: Final = 59  # bars and spaces of an EAN-13
MODULES: Final = 95
ROWS: Final = 24
CLEAR: Final = 40  # of 255 between bars and spaces, else there is nothing to read
ROUND: Final = 0.42  # of a module that an edge may be off
_DIGIT: Final = 7


class Symbol(NamedTuple):
    """A barcode: digits, "" where they cannot be read; quiet zones in modules; contrast 0..1; pixels of a module."""

    digits: str
    quiet: tuple[float, float]
    contrast: float
    module: float


def symbol_in(pixels: Greys) -> Symbol | None:
    """Return the barcode in grey pixels, None where no row looks like one."""
    if pixels.size == 0:
        return None
    height = pixels.shape[0]
    best: Symbol | None = None
    for row in np.unique(np.linspace(0, height - 1, ROWS).astype(int)):
        found = _read(pixels[row])
        if found and (best is None or (found.digits and not best.digits)):
            best = found
        if best and best.digits:
            return best
    return best


def _read(row: npt.NDArray[np.uint8]) -> Symbol | None:
    low, high = int(row.min()), int(row.max())
    if high - low < CLEAR:
        return None
    dark = row < (low + high) / 2
    edges = np.flatnonzero(np.diff(dark.astype(np.int8))) + 1
    bounds = np.concatenate(([0], edges, [len(row)]))
    lengths = np.diff(bounds)
    first = 0 if dark[0] else 1
    looked: Symbol | None = None
    for start in range(first, len(lengths) - RUNS + 1, 2):
        runs = lengths[start : start + RUNS].astype(float)
        module = float(runs.sum()) / MODULES
        if np.abs(runs[:3] / module - 1).max() > ROUND or np.abs(runs[-3:] / module - 1).max() > ROUND:
            continue
        if np.abs(runs[27:32] / module - 1).max() > ROUND:
            continue
        left = float(lengths[start - 1]) / module if start else 0.0
        right = float(lengths[start + RUNS]) / module if start + RUNS < len(lengths) else 0.0
        inside = row[bounds[start] : bounds[start + RUNS]]
        contrast = (float(np.percentile(inside, 90)) - float(np.percentile(inside, 10))) / 255
        symbol = Symbol(_digits(runs / module), (left, right), contrast, module)
        if symbol.digits:
            return symbol
        looked = looked or symbol
    return looked


def _digits(widths: npt.NDArray[np.float64]) -> str:
    """Return the digits whose modules these widths are, "" for none: known patterns are compared, none is guessed."""
    drawn = "".join(str((index + 1) % 2) * max(1, round(width)) for index, width in enumerate(widths))
    if len(drawn) != MODULES:
        return ""
    halves = [drawn[3 + _DIGIT * n : 10 + _DIGIT * n] for n in range(6)]
    halves += [drawn[50 + _DIGIT * n : 57 + _DIGIT * n] for n in range(6)]
    values = [_PATTERNS.get(part) for part in halves]
    if None in values:
        return ""
    tail = "".join(str(value) for value in values)
    for head in "0123456789":
        digits = head + tail
        if modules(digits) == drawn and check_digit(digits[:12]) == digits[12]:
            return digits
    return ""


def _patterns() -> dict[str, int]:
    """Return every pattern of a digit, taken from symbols that hold each digit at each place."""
    found: dict[str, int] = {}
    for head in range(10):
        for digit in range(10):
            drawn = modules(f"{head}{str(digit) * 12}")
            for place in range(12):
                start = 3 + _DIGIT * place if place < 6 else 50 + _DIGIT * (place - 6)
                found[drawn[start : start + _DIGIT]] = digit
    return found


_PATTERNS: Final = _patterns()
