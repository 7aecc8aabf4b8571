"""The geometry of a whole cover: back, spine and front as one sheet, seen from outside. Pure; all sizes in inches.

KDP: pages are rounded up to an even number; a paperback is two trims, the spine and the bleed around; a hardcover is
two boards, the spine and what is turned in around them.
"""

from typing import Final

import msgspec

from kernel.press.trade.table import Binding, trim_name

DPI: Final = 300
MOST_SIDE: Final = 20.0
"""Inches of a trim where the printer alone knows which there are."""

MOST_SPINE: Final = 4.0
"""Inches; 828 pages of the thickest paper are 2.1."""


class SheetBox(msgspec.Struct, frozen=True):
    """A rectangle on the sheet: its left upper corner and its size in inches."""

    x: float
    y: float
    width: float
    height: float

    def inside(self, margin_x: float, margin_y: float | None = None) -> "SheetBox":
        """Return the rectangle without a margin on all sides; no side is negative."""
        vertical = margin_x if margin_y is None else margin_y
        return SheetBox(
            self.x + margin_x,
            self.y + vertical,
            max(0.0, self.width - 2 * margin_x),
            max(0.0, self.height - 2 * vertical),
        )


class BookBlock(msgspec.Struct, frozen=True, kw_only=True):
    """The book inside the cover: its trim, its pages, and the direction in which they are read.

    `spine` is the width that the printer states, in inches; it takes the place of what the table says.
    """

    trim: tuple[float, float]
    pages: int
    paper: str
    spine: float | None = None
    right_to_left: bool = False


class Wrap(msgspec.Struct, frozen=True, kw_only=True):
    """A whole cover, seen from outside. `back` and `front` are the panels as they are trimmed or boarded.

    `spine_text` is where type may stand on the spine, None where the printer takes none. `hinges` bend, and carry no
    type. `barcode` is the printer's place for it, on the back beside the spine.
    """

    pages: int
    width: float
    height: float
    bleed: float
    spine: SheetBox
    back: SheetBox
    front: SheetBox
    back_safe: SheetBox
    front_safe: SheetBox
    spine_text: SheetBox | None
    hinges: tuple[SheetBox, ...]
    barcode: SheetBox
    computed: bool

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels at 300 dpi."""
        return round(self.width * DPI), round(self.height * DPI)


class TradeFault(ValueError):
    """A field of a book that this binding does not take: `field`, a code and what is allowed instead."""

    def __init__(self, field: str, code: str, **allowed: float) -> None:
        super().__init__(f"{field}: {code}")
        self.field = field
        self.code = code
        self.allowed = allowed


def faults(binding: Binding, block: BookBlock) -> list[TradeFault]:
    """Return everything that this binding does not take of a book, empty when it can be made."""
    found = []
    if not _makes_trim(binding, block.trim):
        found.append(TradeFault("trim", "no_such_trim"))
    paper = binding.papers.get(block.paper)
    if paper is None:
        return [*found, TradeFault("paper", "no_such_paper")]
    least, most = paper.page_range(trim_name(*block.trim))
    if not most:
        found.append(TradeFault("paper", "not_for_trim"))
    elif not least <= block.pages <= most:
        found.append(TradeFault("pages", "page_range", least=least, most=most))
    if block.spine is None and paper.caliper is None:
        found.append(TradeFault("spine", "ask_printer"))
    if block.spine is not None and not 0 < block.spine <= MOST_SPINE:
        found.append(TradeFault("spine", "spine_range", most=MOST_SPINE))
    return found


def wrap_of(binding: Binding, block: BookBlock) -> Wrap:
    """Return the geometry of a cover. Raises TradeFault for what `faults` finds first."""
    for fault in faults(binding, block):
        raise fault
    caliper = binding.papers[block.paper].caliper or 0.0
    pages = block.pages + block.pages % 2
    spine = block.spine if block.spine is not None else pages * caliper + binding.spine_extra
    outside = binding.bleed + binding.wrap
    panel = (block.trim[0] + binding.board[0], block.trim[1] + binding.board[1])
    left = SheetBox(outside, outside, *panel)
    middle = SheetBox(outside + panel[0], outside, spine, panel[1])
    right = SheetBox(outside + panel[0] + spine, outside, *panel)
    back, front = (right, left) if block.right_to_left else (left, right)
    return Wrap(
        pages=pages,
        width=2 * (outside + panel[0]) + spine,
        height=2 * outside + panel[1],
        bleed=binding.bleed or binding.wrap,
        spine=middle,
        back=back,
        front=front,
        back_safe=_safe(binding, back, middle),
        front_safe=_safe(binding, front, middle),
        spine_text=_spine_text(binding, middle, pages),
        hinges=_hinges(binding, middle),
        barcode=_barcode(binding, back, middle),
        computed=binding.computed and block.spine is None,
    )


def _makes_trim(binding: Binding, trim: tuple[float, float]) -> bool:
    if trim in binding.trims:
        return True
    if binding.any_trim:
        return all(0 < side <= MOST_SIDE for side in trim)
    wide, high = binding.custom_width, binding.custom_height
    return bool(wide and high and wide[0] <= trim[0] <= wide[1] and high[0] <= trim[1] <= high[1])


def _safe(binding: Binding, panel: SheetBox, spine: SheetBox) -> SheetBox:
    """Return where type may stand on a panel: inside its margin, and not on the hinge."""
    safe = panel.inside(binding.safe)
    if not binding.hinge:
        return safe
    kept = max(binding.hinge - binding.safe, 0.0)
    at = safe.x + kept if panel.x > spine.x else safe.x
    return SheetBox(at, safe.y, safe.width - kept, safe.height)


def _spine_text(binding: Binding, spine: SheetBox, pages: int) -> SheetBox | None:
    if pages < binding.spine_text_pages:
        return None
    aside = binding.thin_spine_safe if spine.width < binding.thin_spine else binding.spine_safe
    place = spine.inside(aside, binding.safe)
    return place if place.width > 0 else None


def _hinges(binding: Binding, spine: SheetBox) -> tuple[SheetBox, ...]:
    if not binding.hinge:
        return ()
    right = spine.x + spine.width
    return (
        SheetBox(spine.x - binding.hinge, spine.y, binding.hinge, spine.height),
        SheetBox(right, spine.y, binding.hinge, spine.height),
    )


def _barcode(binding: Binding, back: SheetBox, spine: SheetBox) -> SheetBox:
    """Return the lower corner of the back that is next to the spine."""
    width, height = binding.barcode
    aside = binding.barcode_margin + binding.hinge
    x = back.x + back.width - aside - width if back.x < spine.x else back.x + aside
    return SheetBox(x, back.y + back.height - binding.barcode_margin - height, width, height)
