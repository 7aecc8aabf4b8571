"""Rules about pixels: white strips, empty pages, and the barcode as a scanner sees it."""

from typing import Final

from kernel.press.editions.findings import Finding
from kernel.press.editions.preflight.facts import Greys, PdfFacts
from kernel.press.editions.preflight.rules.judged import Aim, checked, overlap
from kernel.press.editions.preflight.symbols import Symbol
from kernel.press.trade.geometry import SheetBox

WHITE: Final = 252
STRIP: Final = 0.03  # inches along an edge
BESIDE: Final = 0.2  # from the edge: where the cover itself begins for certain
STRIP_SHARE: Final = 0.97
LIVELY_SHARE: Final = 0.6
EVEN: Final = 3.0  # of 255: the deviation of a page with nothing on it
QUIET: Final = (11.0, 7.0)  # modules (GS1 General Specifications, 5.2.3.4)
QUIET_SLACK: Final = 0.6
LEAST_CONTRAST: Final = 0.7
MODULE: Final = 0.33 / 25.4
LEAST_SCALE: Final = 0.8  # GS1: 80 % of the nominal size at least


def white_strip(pixels: Greys, dpi: float, aim: Aim) -> Finding:
    """No white line along an edge of a cover that is not white there."""
    found = []
    high, wide = pixels.shape[0] / dpi, pixels.shape[1] / dpi
    thick, deep = max(1, round(STRIP * dpi)), max(2, round(BESIDE * dpi))
    light = pixels.min(axis=2) >= WHITE
    sides = (
        (light[:, :thick], light[:, deep : deep + thick], SheetBox(0, 0, STRIP, high)),
        (light[:, -thick:], light[:, -deep - thick : -deep], SheetBox(wide - STRIP, 0, STRIP, high)),
        (light[:thick], light[deep : deep + thick], SheetBox(0, 0, wide, STRIP)),
        (light[-thick:], light[-deep - thick : -deep], SheetBox(0, high - STRIP, wide, STRIP)),
    )
    for edge, beside, box in sides:
        if edge.size and beside.size and edge.mean() >= STRIP_SHARE and beside.mean() < LIVELY_SHARE:
            found.append(box)
    large_page = aim.page != (aim.sheet.width, aim.sheet.height)
    return checked("white_strip", found and not large_page, areas=found, count=len(found))


def blank_page(pixels: Greys, dpi: float, aim: Aim) -> Finding:
    """There is something on the page."""
    return checked("blank_page", float(pixels.std(axis=(0, 1)).max()) < EVEN)


def barcode_rules(symbol: Symbol | None, facts: PdfFacts, aim: Aim) -> list[Finding]:
    """The barcode can be scanned; without one its place is free for the printer's."""
    place = aim.sheet.barcode
    left, top = aim.offset
    box = SheetBox(place.x + left, place.y + top, place.width, place.height)
    if symbol is None:
        under = [text.box for text in facts.texts if not text.hidden and overlap(text.box, box)]
        return [checked("barcode_place", under, "warn", under, count=len(under))]
    left_quiet, right_quiet = symbol.quiet
    quiet_bad = left_quiet < QUIET[0] - QUIET_SLACK or right_quiet < QUIET[1] - QUIET_SLACK
    low = symbol.contrast < LEAST_CONTRAST
    scale = symbol.module / MODULE
    found = [
        checked("barcode_quiet", quiet_bad, areas=[box], left=left_quiet, right=right_quiet),
        checked("barcode_contrast", low, areas=[box], percent=round(symbol.contrast * 100), least=70),
        checked("barcode_size", scale < LEAST_SCALE - 0.03, areas=[box], percent=round(scale * 100), least=80),
    ]
    wrong = not symbol.digits or (aim.isbn and symbol.digits != aim.isbn)
    return [*found, checked("barcode_number", wrong, areas=[box], digits=symbol.digits, wanted=aim.isbn)]
