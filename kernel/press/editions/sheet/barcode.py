"""EAN-13 as exact vectors (GS1 General Specifications, 5.2): bars as rectangles, digits as type, on white."""

from typing import Final

from kernel.press.editions.isbn import Isbn
from kernel.press.editions.sheet.scene import UPRIGHT, EvenArea, Run
from kernel.press.shaping import Voicing, shape
from kernel.press.trade.geometry import SheetBox

BLACK, WHITE = "#000000", "#ffffff"
MODULE: Final = 0.33 / 25.4  # inches: the nominal width of the narrowest bar
QUIET: Final = (11, 7)  # modules of white, left and right
MODULES: Final = 95
BAR_HEIGHT: Final = 22.85 / 25.4
GUARD_MORE: Final = 5  # modules that guard bars are longer
DIGIT: Final = 0.118  # inches per em of the digits below the bars
LABEL: Final = 0.104  # of the line above: 7.5 points
PADDING: Final = 0.055
FACE: Final = "inter-m"

_L: Final = (
    "0001101",
    "0011001",
    "0010011",
    "0111101",
    "0100011",
    "0110001",
    "0101111",
    "0111011",
    "0110111",
    "0001011",
)
_PARITY: Final = (
    "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
)  # fmt: skip


def modules(digits: str) -> str:
    """Return the 95 modules of thirteen digits, `1` for a bar."""
    right = [code.translate(str.maketrans("01", "10")) for code in _L]
    gap = [code[::-1] for code in right]
    left = "".join(
        (_L if kind == "L" else gap)[int(digit)]
        for kind, digit in zip(_PARITY[int(digits[0])], digits[1:7], strict=True)
    )
    return "101" + left + "01010" + "".join(right[int(digit)] for digit in digits[7:]) + "101"


def drawn_barcode(isbn: Isbn, place: SheetBox, price: str = "") -> tuple[list[EvenArea], list[Run]]:
    """Return the symbol at its nominal width in the middle of a place, on white, with the ISBN above and digits below.

    Where the place is low, its bars are shorter: scanners do not mind (GS1, 5.2.3.2).
    """
    wide = (MODULES + sum(QUIET)) * MODULE
    areas = [EvenArea(place.x, place.y, place.width, place.height, WHITE)]
    x = place.x + (place.width - wide) / 2 + QUIET[0] * MODULE
    label = f"ISBN {isbn.written}"
    top = place.y + PADDING
    runs = _line(label, place.x + place.width / 2, top + LABEL * 0.73, LABEL, place.width - 2 * PADDING)
    top += LABEL * 0.73 + 0.05
    foot = place.y + place.height - PADDING
    base = foot
    if price:
        foot -= LABEL
        runs += _line(price, place.x + place.width / 2, base, LABEL, place.width - 2 * PADDING)
        base = foot - 0.02
    tall = min(BAR_HEIGHT, base - DIGIT * 0.73 - 0.03 - top)
    code = modules(isbn.digits)
    start = 0
    while start < MODULES:
        if code[start] == "0":
            start += 1
            continue
        end = start
        while end < MODULES and code[end] == "1":
            end += 1
        guard = start < 3 or 45 <= start < 50 or start >= 92
        height = tall + GUARD_MORE * MODULE if guard else tall
        areas.append(EvenArea(x + start * MODULE, top, (end - start) * MODULE, height, BLACK))
        start = end
    line = top + tall + 0.03 + DIGIT * 0.73
    runs += _digit(isbn.digits[0], x - (QUIET[0] - 3.5) * MODULE, line)
    for index, digit in enumerate(isbn.digits[1:]):
        at = 3 + index * 7 if index < 6 else 50 + (index - 6) * 7
        runs += _digit(digit, x + (at + 3.5) * MODULE, line)
    return areas, runs


def _digit(digit: str, middle: float, base: float) -> list[Run]:
    return _line(digit, middle, base, DIGIT, 1.0)


def _line(text: str, middle: float, base: float, size: float, most: float) -> list[Run]:
    line = shape(text, Voicing(font=FACE, voice="sans"))
    size = min(size, most / max(line.width, 1e-6))
    left = middle - line.width * size / 2 - line.ink.left * size
    matrix = (*UPRIGHT[:4], left, base)
    return [Run(run.face, run.ids, run.xs, run.ys, run.chars, size, matrix, BLACK) for run in line.runs]
