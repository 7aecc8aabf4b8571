"""Wire of the spine calculator. Sizes in inches, rounded to 4 decimals, unless a name says otherwise."""

from typing import Literal

import msgspec

from kernel.books.editions import AskedName
from kernel.core.schemas import Out

TemplateFormat = Literal["pdf", "png"]


class TradePaper(Out, frozen=True, kw_only=True):
    """A paper; `caliper` in inches a page. What only the printer knows is null."""

    id: str
    caliper: float | None
    least_pages: int | None
    most_pages: int | None


class TradeBinding(Out, frozen=True, kw_only=True):
    """A binding of a printer. `trims` are like `6x9`; with `anyTrim` there are others, which its templates say.

    `customWidth` and `customHeight` are the ranges of sizes of one's own. `computed` says that the printer publishes no
    formula: the result is to be compared with its own calculator. `asks` names what must be stated from its template.
    """

    id: str
    trims: list[str]
    any_trim: bool
    custom_width: list[float] | None
    custom_height: list[float] | None
    papers: list[TradePaper]
    computed: bool
    asks: list[AskedName]
    source: str
    read: str


class TradePrinter(Out, frozen=True, kw_only=True):
    """A printer and what it binds."""

    id: str
    name: str
    bindings: list[TradeBinding]


class SheetArea(Out, frozen=True, kw_only=True):
    """A rectangle on the sheet, from its left upper corner."""

    x: float
    y: float
    width: float
    height: float


class Sheet(Out, frozen=True, kw_only=True):
    """A whole cover, seen from outside. `pages` are even. `svg` draws it to scale with the printer's guides.

    `spineText` is where type may stand on the spine, null where the printer takes none; it takes some from
    `spineTextPages` on.
    """

    pages: int
    spine: float
    width: float
    height: float
    spine_mm: float
    width_mm: float
    height_mm: float
    spine_pixels: int
    width_pixels: int
    height_pixels: int
    bleed: float
    spine_text: SheetArea | None
    spine_text_pages: int
    computed: bool
    svg: str


class TemplateOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What the program that draws templates reads: the drawing with its guides, the sheet's size in inches, a format.

    It is here, so that nothing else loads the drawing library.
    """

    svg: str
    width: float
    height: float
    format: TemplateFormat
