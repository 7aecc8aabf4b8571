"""The spine calculator: sheets, and their templates."""

import asyncio
import logging
from typing import Final

import msgspec

from kernel.books.editions import ASKED
from kernel.books.spine.asking import Asked
from kernel.books.spine.guides import guides_svg
from kernel.books.spine.schemas import (
    Sheet,
    SheetArea,
    TemplateFormat,
    TemplateOrder,
    TradeBinding,
    TradePaper,
    TradePrinter,
)
from kernel.core.errors import NoProvider
from kernel.press.children.once import ProgramFailed, run_program
from kernel.press.trade.geometry import DPI, SheetBox
from kernel.press.trade.table import Binding, printers, trim_name

log = logging.getLogger(__name__)

DRAWING_S: Final = 30.0
AGAIN_S: Final = 30.0
MM_PER_INCH: Final = 25.4
DECIMALS: Final = 4


class SpineService:
    """Answers what a cover measures; templates are drawn one at a time, in a process of their own."""

    def __init__(self) -> None:
        self._drawing = asyncio.Lock()

    async def template(self, asked: Asked, format: TemplateFormat) -> bytes:
        """Return the template of a sheet. Raises NoProvider where nothing can be drawn."""
        sheet = asked.sheet
        order = TemplateOrder(svg=guides_svg(sheet), width=sheet.width, height=sheet.height, format=format)
        async with self._drawing:
            try:
                return await run_program("kernel.books.spine.drawing", msgspec.msgpack.encode(order), seconds=DRAWING_S)
            except ProgramFailed as error:
                log.error("a template cannot be drawn: %s", error)
                raise NoProvider("The template cannot be drawn at the moment.", retry_after=AGAIN_S) from error


def sheet_out(asked: Asked) -> Sheet:
    """Return a sheet as an answer."""
    sheet = asked.sheet
    pixels = sheet.pixels
    return Sheet(
        pages=sheet.pages,
        spine=round(sheet.spine.width, DECIMALS),
        width=round(sheet.width, DECIMALS),
        height=round(sheet.height, DECIMALS),
        spine_mm=round(sheet.spine.width * MM_PER_INCH, 2),
        width_mm=round(sheet.width * MM_PER_INCH, 2),
        height_mm=round(sheet.height * MM_PER_INCH, 2),
        spine_pixels=round(sheet.spine.width * DPI),
        width_pixels=pixels[0],
        height_pixels=pixels[1],
        bleed=round(sheet.bleed, DECIMALS),
        spine_text=_area(sheet.spine_text) if sheet.spine_text else None,
        spine_text_pages=asked.rules.spine_text_pages,
        computed=sheet.computed,
        svg=guides_svg(sheet),
    )


def trade_out() -> list[TradePrinter]:
    """Return what there is to choose from."""
    return [
        TradePrinter(
            id=printer_id,
            name=printer.name,
            bindings=[_binding(binding_id, binding) for binding_id, binding in printer.bindings.items()],
        )
        for printer_id, printer in printers().items()
    ]


def _binding(binding_id: str, binding: Binding) -> TradeBinding:
    return TradeBinding(
        id=binding_id,
        trims=[trim_name(*trim) for trim in binding.trims],
        any_trim=binding.any_trim,
        custom_width=list(binding.custom_width) if binding.custom_width else None,
        custom_height=list(binding.custom_height) if binding.custom_height else None,
        papers=[
            TradePaper(
                id=paper_id,
                caliper=paper.caliper,
                least_pages=paper.pages[0] if paper.pages else None,
                most_pages=paper.pages[1] if paper.pages else None,
            )
            for paper_id, paper in binding.papers.items()
        ],
        computed=binding.computed,
        asks=[ASKED[name] for name in binding.asks],
        source=binding.source,
        read=binding.read,
    )


def _area(area: SheetBox) -> SheetArea:
    return SheetArea(
        x=round(area.x, DECIMALS),
        y=round(area.y, DECIMALS),
        width=round(area.width, DECIMALS),
        height=round(area.height, DECIMALS),
    )
