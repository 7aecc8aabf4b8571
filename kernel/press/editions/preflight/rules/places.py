"""Rules about places: page, bleed, safe areas, spine, hinge."""

from collections.abc import Callable
from typing import Final

from kernel.press.editions.findings import Finding
from kernel.press.editions.preflight.facts import PdfFacts, TextFact
from kernel.press.editions.preflight.rules.judged import (
    CLOSE,
    EXACT,
    Aim,
    checked,
    foot_of,
    inside,
    overlap,
    right_of,
    said,
)
from kernel.press.trade.geometry import SheetBox

TINY: Final = 5.0  # points: type that disappears in print
SMALL: Final = 6.0
MARK_LINE: Final = 2.0  # points: printers' marks are hairlines
MARK_LEAST: Final = 2  # of them
POINTS: Final = 72.0
SPINE_SLACK: Final = 0.005
INK_SLACK: Final = 0.02
"""Bounds of type are those of its glyphs' outlines in some files, of their line in others."""


def page_size(facts: PdfFacts, aim: Aim) -> Finding:
    """The page is the sheet, to 0.01 inches."""
    return checked(
        "page_size",
        not aim.matches(facts),
        width=facts.media.width,
        height=facts.media.height,
        wanted_width=aim.page[0],
        wanted_height=aim.page[1],
    )


def spine_width(facts: PdfFacts, aim: Aim) -> Finding | None:
    """A page that is only too wide or too narrow was made for another number of pages."""
    if abs(facts.media.height - aim.page[1]) > CLOSE or aim.target.template:
        return None
    found = facts.media.width - (aim.sheet.width - aim.sheet.spine.width)
    if found < 0:
        return None
    bad = abs(found - aim.sheet.spine.width) > CLOSE
    return checked("spine_width", bad, spine=found, wanted=aim.sheet.spine.width)


def rotation(facts: PdfFacts, aim: Aim) -> Finding:
    """A turned page is printed turned."""
    return checked("rotation", facts.rotated, degrees=facts.rotated)


def crop_box(facts: PdfFacts, aim: Aim) -> Finding:
    """A crop box that is smaller than the page hides its bleed."""
    bad = not inside(facts.media, facts.crop, CLOSE)
    return checked("crop_box", bad, "warn", [facts.crop] if bad else ())


def trim_box(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Where the file says what is cut off, it is right."""
    if facts.trim is None:
        return said("trim_box", "fail" if aim.wants_inks else "pass")
    if not aim.matches(facts):
        return None
    left, top = aim.offset
    wanted = SheetBox(left, top, aim.sheet.width, aim.sheet.height).inside(aim.sheet.bleed)
    whole = inside(facts.media, facts.trim, CLOSE) and not aim.wants_inks
    bad = not (inside(facts.trim, wanted, CLOSE) and inside(wanted, facts.trim, CLOSE)) and not whole
    return checked("trim_box", bad, "warn", [facts.trim] if bad else ())


def bleed(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Something is drawn up to all edges of the sheet."""
    if not aim.matches(facts):
        return None
    drawn = [item.box for item in facts.images] + [path.box for path in facts.paths if path.filled]
    if not drawn:
        return said("bleed", "fail", missing=aim.sheet.bleed)
    left, top = aim.offset
    lacks = (
        min(box.x for box in drawn) - left,
        min(box.y for box in drawn) - top,
        left + aim.sheet.width - max(right_of(box) for box in drawn),
        top + aim.sheet.height - max(foot_of(box) for box in drawn),
    )
    return checked("bleed", max(lacks) > CLOSE, missing=max(0.0, *lacks))


def safe_area(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Type stays away from where the printer cuts."""
    if not aim.matches(facts):
        return None
    sheet = aim.sheet
    cut = SheetBox(0, 0, sheet.width, sheet.height).inside(sheet.bleed)
    outside: list[SheetBox] = []
    near: list[SheetBox] = []
    for text in _seen(facts):
        box = aim.on_sheet(text.box)
        if overlap(box, sheet.spine):
            continue
        safe = sheet.front_safe if overlap(box, sheet.front) else sheet.back_safe
        if not inside(box, cut, INK_SLACK):
            outside.append(text.box)
        elif not (inside(box, safe, INK_SLACK) or inside(box, sheet.barcode, INK_SLACK)) and not _on_hinge(box, aim):
            near.append(text.box)
    if outside:
        return said("safe_area", "fail", [*outside, *near], count=len(outside), margin=aim.binding.safe)
    return checked("safe_area", near, "warn", near, count=len(near), margin=aim.binding.safe)


def spine_type(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Thin books carry no type on the spine."""
    if not aim.matches(facts):
        return None
    found = _spine_texts(facts, aim)
    bad = found and aim.sheet.pages < aim.binding.spine_text_pages
    least = aim.binding.spine_text_pages
    return checked("spine_type", bad, areas=[text.box for text in found], pages=aim.sheet.pages, least=least)


def spine_safe(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Type on the spine keeps its distance from the folds."""
    place = aim.sheet.spine_text
    if not aim.matches(facts) or place is None:
        return None
    wide = SheetBox(place.x, aim.sheet.spine.y, place.width, aim.sheet.spine.height)
    bad = [text.box for text in _spine_texts(facts, aim) if not inside(aim.on_sheet(text.box), wide, SPINE_SLACK)]
    return checked("spine_safe", bad, areas=bad, margin=(aim.sheet.spine.width - place.width) / 2)


def hinge(facts: PdfFacts, aim: Aim) -> Finding | None:
    """A hardcover bends at its hinges: no type there."""
    if not aim.matches(facts) or not aim.sheet.hinges:
        return None
    bad = [text.box for text in _seen(facts) if _on_hinge(aim.on_sheet(text.box), aim)]
    return checked("hinge", bad, areas=bad, count=len(bad))


def text_size(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Type under five points is not read, under six hardly."""
    small = sorted((text for text in _seen(facts) if 0 < text.size < SMALL - EXACT), key=lambda text: text.size)
    if not facts.texts:
        return None
    if not small:
        return said("text_size", "pass", least=SMALL)
    tiny = small[0].size < TINY - EXACT
    return said("text_size", "fail" if tiny else "warn", [text.box for text in small], size=small[0].size, least=SMALL)


def hidden_text(facts: PdfFacts, aim: Aim) -> Finding:
    """Type that nobody sees, such as that of a scanned page, confuses printers."""
    found = [text.box for text in facts.texts if text.hidden]
    return checked("hidden_text", found, "warn", found, count=len(found))


def printer_marks(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Crop marks and guides of a template are printed as they are."""
    if not aim.matches(facts):
        return None
    cut = SheetBox(0, 0, aim.sheet.width, aim.sheet.height).inside(aim.sheet.bleed)
    found = []
    for path in facts.paths:
        box = aim.on_sheet(path.box)
        thin = min(box.width, box.height) * POINTS <= MARK_LINE
        if thin and max(box.width, box.height) > 0.05 and not overlap(_grown(box), cut):
            found.append(path.box)
    return checked("printer_marks", len(found) >= MARK_LEAST, areas=found, count=len(found))


def _grown(box: SheetBox) -> SheetBox:
    return SheetBox(box.x, box.y, max(box.width, 0.004), max(box.height, 0.004))


def _seen(facts: PdfFacts) -> list[TextFact]:
    return [text for text in facts.texts if not text.hidden and text.box.width > 0 and text.box.height > 0]


def _spine_texts(facts: PdfFacts, aim: Aim) -> list[TextFact]:
    """Return the type whose middle is on the spine."""
    spine = aim.sheet.spine
    found = []
    for text in _seen(facts):
        box = aim.on_sheet(text.box)
        if spine.x < box.x + box.width / 2 < right_of(spine) and box.width < max(spine.width * 2, 0.3):
            found.append(text)
    return found


def _on_hinge(box: SheetBox, aim: Aim) -> bool:
    return any(overlap(box, place) for place in aim.sheet.hinges) and not inside(box, aim.sheet.barcode, INK_SLACK)


RULES: Final[tuple[Callable[[PdfFacts, Aim], Finding | None], ...]] = (
    page_size,
    spine_width,
    rotation,
    crop_box,
    trim_box,
    bleed,
    safe_area,
    spine_type,
    spine_safe,
    hinge,
    text_size,
    hidden_text,
    printer_marks,
)
