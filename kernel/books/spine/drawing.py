"""Draws the template of a cover: `python -m kernel.books.spine.drawing` reads a TemplateOrder and writes PDF or PNG.

A separate program, because the drawing library is large and holds the interpreter's lock.
"""

import io
import os
import sys
from typing import Any, Final

import msgspec
from pypdf import PdfWriter
from pypdf.generic import RectangleObject

from kernel.books.spine.schemas import TemplateOrder
from kernel.press.engine import skia
from kernel.press.trade.geometry import DPI

NICENESS: Final = 5
POINTS_PER_INCH: Final = 72.0


def draw(order: TemplateOrder) -> bytes:
    """Return a PDF page of exactly the sheet's size, or a PNG of it at 300 dpi."""
    svg = order.svg.encode()  # the stream does not keep it
    picture = skia.SVGDOM.MakeFromStream(skia.MemoryStream(svg))
    if order.format == "pdf":
        width, height = order.width * POINTS_PER_INCH, order.height * POINTS_PER_INCH
        stream = skia.DynamicMemoryWStream()
        with skia.PDF.MakeDocument(stream) as document, document.page(width, height) as canvas:
            _fill(canvas, picture, width, height)
        return _boxed(bytes(stream.detachAsData()), width, height)
    size = round(order.width * DPI), round(order.height * DPI)
    surface = skia.Surface(*size)
    with surface as canvas:
        canvas.clear(skia.ColorWHITE)
        _fill(canvas, picture, *size)
    return bytes(surface.makeImageSnapshot().encodeToData())


def _boxed(pdf: bytes, width: float, height: float) -> bytes:
    """Return a PDF of one page with its exact size: the drawing library rounds it to whole points."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    page = writer.pages[0]
    top = page.mediabox.top
    page.mediabox = RectangleObject((0, float(top) - height, width, float(top)))
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def _fill(canvas: Any, picture: Any, width: float, height: float) -> None:
    own = picture.containerSize()
    canvas.scale(width / own.width(), height / own.height())
    picture.render(canvas)


if __name__ == "__main__":
    os.nice(NICENESS)
    sys.stdout.buffer.write(draw(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=TemplateOrder)))
