"""The geometry of a whole cover: back, spine and front as one sheet, seen from outside. Pure; all sizes in inches.

KDP: pages are rounded up to an even number; a paperback is two trims, the spine and the bleed around; a hardcover is
two boards, the spine and what is turned in around them. IngramSpark: the same, with the numbers of its own templates.
"""

from typing import Final, NamedTuple

import msgspec

from kernel.press.trade.table import AskedMeasure, Binding, CaseMeasures, trim_name

DPI: Final = 300
MOST_SIDE: Final = 20.0
"""Inches of a trim where the printer alone knows which there are."""

MOST_SPINE: Final = 4.0
"""Inches; 828 pages of the thickest paper are 2.1."""

MOST_OVER: Final = 1.5
"""Inches that a board is larger than the trim, which it covers: KDP's are 0.24. More is a number of the whole sheet."""

MEASURES: Final[dict[AskedMeasure, tuple[float, float]]] = {"wrap": (0.25, 1.5), "hinge": (0.125, 1.0)}
"""Inches. KDP turns in 0.59 and has hinges of 0.39. Less than these does not hold or bend, more is another number of
the template, or millimeters."""


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

    `spine` is the width that the printer states, in inches; it takes the place of what the table says. `case` counts
    where the table asks for it.
    """

    trim: tuple[float, float]
    pages: int
    paper: str
    spine: float | None = None
    case: CaseMeasures = CaseMeasures()
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


class _Case(NamedTuple):
    """What surrounds the spine: a panel's size, what is turned in around the panels, and the hinge on them."""

    width: float
    height: float
    wrap: float
    hinge: float


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
        return [*found, TradeFault("paper", "no_such_paper"), *_asked_faults(binding, block)]
    least, most = paper.page_range(trim_name(*block.trim))
    if not most:
        found.append(TradeFault("paper", "not_for_trim"))
    elif not least <= block.pages <= most:
        found.append(TradeFault("pages", "page_range", least=least, most=most))
    if block.spine is None and paper.caliper is None:
        found.append(TradeFault("spine", "ask_printer"))
    if block.spine is not None and not 0 < block.spine <= MOST_SPINE:
        found.append(TradeFault("spine", "spine_range", most=MOST_SPINE))
    return [*found, *_asked_faults(binding, block)]


def wrap_of(binding: Binding, block: BookBlock) -> Wrap:
    """Return the geometry of a cover. Raises TradeFault for what `faults` finds first."""
    for fault in faults(binding, block):
        raise fault
    caliper = binding.papers[block.paper].caliper or 0.0
    pages = block.pages + block.pages % 2
    spine = block.spine if block.spine is not None else pages * caliper + binding.spine_extra
    case = _case_of(binding, block)
    outside = binding.bleed + case.wrap
    panel = (case.width, case.height)
    left = SheetBox(outside, outside, *panel)
    middle = SheetBox(outside + panel[0], outside, spine, panel[1])
    right = SheetBox(outside + panel[0] + spine, outside, *panel)
    back, front = (right, left) if block.right_to_left else (left, right)
    return Wrap(
        pages=pages,
        width=2 * (outside + panel[0]) + spine,
        height=2 * outside + panel[1],
        bleed=outside,
        spine=middle,
        back=back,
        front=front,
        back_safe=_safe(binding, case, back, middle),
        front_safe=_safe(binding, case, front, middle),
        spine_text=_spine_text(binding, middle, pages),
        hinges=_hinges(case, middle),
        barcode=_barcode(binding, case, back, middle),
        computed=binding.computed and block.spine is None,
    )


def _makes_trim(binding: Binding, trim: tuple[float, float]) -> bool:
    if trim in binding.trims:
        return True
    if binding.any_trim:
        return all(0 < side <= MOST_SIDE for side in trim)
    wide, high = binding.custom_width, binding.custom_height
    return bool(wide and high and wide[0] <= trim[0] <= wide[1] and high[0] <= trim[1] <= high[1])


def _asked_faults(binding: Binding, block: BookBlock) -> list[TradeFault]:
    """Return what the printer's template must still say, and what it cannot have said."""
    found = []
    for name in binding.asks:
        value: float | None = getattr(block.case, name)
        if value is None:
            found.append(TradeFault(name, "ask_printer"))
            continue
        match name:
            case "board_width" | "board_height":
                trim = block.trim[0 if name == "board_width" else 1]
                least, most = trim, trim + MOST_OVER
            case _:
                least, most = MEASURES[name]
        if not least <= value <= most:
            found.append(TradeFault(name, "measure_range", least=least, most=most))
    return found


def _case_of(binding: Binding, block: BookBlock) -> _Case:
    def stated(name: AskedMeasure, known: float) -> float:
        value: float | None = getattr(block.case, name) if name in binding.asks else None
        return known if value is None else value

    return _Case(
        width=stated("board_width", block.trim[0] + binding.board[0]),
        height=stated("board_height", block.trim[1] + binding.board[1]),
        wrap=stated("wrap", binding.wrap),
        hinge=stated("hinge", binding.hinge),
    )


def _safe(binding: Binding, case: _Case, panel: SheetBox, spine: SheetBox) -> SheetBox:
    """Return where type may stand on a panel: inside its margin, and not on the hinge."""
    safe = panel.inside(binding.safe)
    if not case.hinge:
        return safe
    kept = max(case.hinge - binding.safe, 0.0)
    at = safe.x + kept if panel.x > spine.x else safe.x
    return SheetBox(at, safe.y, max(safe.width - kept, 0.0), safe.height)


def _spine_text(binding: Binding, spine: SheetBox, pages: int) -> SheetBox | None:
    if pages < binding.spine_text_pages:
        return None
    aside = binding.thin_spine_safe if spine.width < binding.thin_spine else binding.spine_safe
    place = spine.inside(aside, binding.safe)
    return place if place.width > 0 else None


def _hinges(case: _Case, spine: SheetBox) -> tuple[SheetBox, ...]:
    if not case.hinge:
        return ()
    right = spine.x + spine.width
    return (
        SheetBox(spine.x - case.hinge, spine.y, case.hinge, spine.height),
        SheetBox(right, spine.y, case.hinge, spine.height),
    )


def _barcode(binding: Binding, case: _Case, back: SheetBox, spine: SheetBox) -> SheetBox:
    """Return the lower corner of the back that is next to the spine."""
    width, height = binding.barcode
    aside = binding.barcode_margin + case.hinge
    x = back.x + back.width - aside - width if back.x < spine.x else back.x + aside
    return SheetBox(x, back.y + back.height - binding.barcode_margin - height, width, height)
