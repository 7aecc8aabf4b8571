"""Reads what a page draws with PDFium: texts, pictures and paths with their places, and the page as pixels."""

import ctypes
from typing import Any, Final, NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from kernel.press.editions.preflight.facts import Greys, ImageFact, PathFact, TextFact
from kernel.press.trade.geometry import SheetBox

POINTS: Final = 72.0
MOST_OBJECTS: Final = 60_000
DEEPEST: Final = 5
MOST_SHOWN: Final = 1600  # pixels of the longer side of the page's picture
_HIDDEN: Final = 3
_Matrix = tuple[float, float, float, float, float, float]


class Drawn(NamedTuple):
    """What is on a page; `whole` is False where there is more than was read."""

    texts: tuple[TextFact, ...]
    images: tuple[ImageFact, ...]
    paths: tuple[PathFact, ...]
    whole: bool


def drawn_of(page: pdfium.PdfPage) -> Drawn:
    """Return the objects of a page."""
    media = page.get_mediabox()
    texts: list[TextFact] = []
    images: list[ImageFact] = []
    paths: list[PathFact] = []
    for count, item in enumerate(page.get_objects(max_depth=DEEPEST)):
        if count >= MOST_OBJECTS:
            return Drawn(tuple(texts), tuple(images), tuple(paths), False)
        try:
            box, matrix = _placed(item, media)
        except pdfium.PdfiumError:
            continue
        if item.type == raw.FPDF_PAGEOBJ_TEXT:
            texts.append(_text(item, box, matrix))
        elif item.type == raw.FPDF_PAGEOBJ_IMAGE:
            if fact := _image(item, box, matrix):
                images.append(fact)
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            paths.append(_path(item, box, matrix))
        elif item.type == raw.FPDF_PAGEOBJ_SHADING:
            paths.append(PathFact(box=box, line=0.0, filled=True))
    return Drawn(tuple(texts), tuple(images), tuple(paths), True)


def shown(page: pdfium.PdfPage, dpi: float) -> tuple[Greys, float]:
    """Return the page as RGB pixels, and their resolution: less than was asked for where the page is huge."""
    width, height = page.get_size()
    scale = min(dpi / POINTS, MOST_SHOWN / max(width, height, 1.0))
    bitmap = page.render(scale=scale, rev_byteorder=True, draw_annots=False, no_smoothtext=False)
    pixels = np.array(bitmap.to_numpy()[..., :3])
    bitmap.close()
    return pixels, scale * POINTS


def part_shown(page: pdfium.PdfPage, box: SheetBox, dpi: float) -> Greys:
    """Return a part of the page as grey pixels."""
    width, height = page.get_size()
    left, top = box.x * POINTS, box.y * POINTS
    crop = (left, height - top - box.height * POINTS, width - left - box.width * POINTS, top)
    if min(crop) < 0:
        return np.zeros((0, 0), np.uint8)
    bitmap = page.render(scale=dpi / POINTS, crop=crop, grayscale=True, draw_annots=False)
    pixels = np.array(bitmap.to_numpy())
    bitmap.close()
    return pixels[..., 0] if pixels.ndim == 3 else pixels


def _placed(item: Any, media: tuple[float, float, float, float]) -> tuple[SheetBox, _Matrix]:
    left, bottom, right, top = item.get_bounds()
    corners = [(left, bottom), (right, bottom), (left, top), (right, top)]
    matrix: _Matrix = tuple(item.get_matrix().get())
    holder = item.container
    while holder is not None:
        a, b, c, d, e, f = holder.get_matrix().get()
        corners = [(a * x + c * y + e, b * x + d * y + f) for x, y in corners]
        matrix = _product(matrix, (a, b, c, d, e, f))
        holder = holder.container
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    x, y = (min(xs) - media[0]) / POINTS, (media[3] - max(ys)) / POINTS
    return SheetBox(x, y, (max(xs) - min(xs)) / POINTS, (max(ys) - min(ys)) / POINTS), matrix


def _product(one: _Matrix, two: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = two
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _scale(matrix: _Matrix) -> float:
    a, b, c, d = matrix[:4]
    return float(abs(a * d - b * c) ** 0.5)


def _text(item: Any, box: SheetBox, matrix: _Matrix) -> TextFact:
    size = ctypes.c_float()
    raw.FPDFTextObj_GetFontSize(item.raw, size)
    mode = raw.FPDFTextObj_GetTextRenderMode(item.raw)
    return TextFact(box=box, size=abs(size.value) * _scale(matrix), hidden=mode == _HIDDEN)


def _image(item: Any, box: SheetBox, matrix: _Matrix) -> ImageFact | None:
    try:
        width, height = item.get_px_size()
    except pdfium.PdfiumError:
        return None
    wide = (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5 / POINTS
    high = (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5 / POINTS
    dpi = min(width / wide if wide else 0.0, height / high if high else 0.0)
    return ImageFact(box=box, dpi=dpi, width=width, height=height)


def _path(item: Any, box: SheetBox, matrix: _Matrix) -> PathFact:
    fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    raw.FPDFPath_GetDrawMode(item.raw, fill, stroke)
    raw.FPDFPageObj_GetStrokeWidth(item.raw, width)
    line = max(width.value * _scale(matrix), 1e-6) if stroke.value else 0.0
    return PathFact(box=box, line=line, filled=bool(fill.value))
