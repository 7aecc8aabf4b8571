"""A sheet as it is printed: a picture, even areas on it, and type on top; drawn as pixels here, as PDF in `pdf`.

All lengths are inches from the sheet's left upper corner, y down.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from kernel.press.block import TextBlock
from kernel.press.box import EMPTY, Box, union
from kernel.press.engine import skia
from kernel.press.fonts import Face
from kernel.press.lettering.outlines import SetBlock
from kernel.press.trade.geometry import DPI

Pixels = npt.NDArray[np.uint8]
Matrix = tuple[float, float, float, float, float, float]

UPRIGHT: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Run(NamedTuple):
    """Glyphs of one face: positions in ems, `size` inches per em, `matrix` (a, b, c, d, e, f) onto the sheet.

    A point (x, y) of the text goes to (a·x + c·y + e, b·x + d·y + f).
    """

    face: Face
    ids: Sequence[int]
    xs: Sequence[float]
    ys: Sequence[float]
    chars: Sequence[str]
    size: float
    matrix: Matrix
    color: str

    @property
    def box(self) -> Box:
        """Return the box of the ink on the sheet."""
        a, b, c, d, e, f = self.matrix
        boxes = []
        for glyph, x, y in zip(self.ids, self.xs, self.ys, strict=True):
            ink = self.face.ink(glyph)
            if ink.width <= 0 or ink.height <= 0:
                continue
            left, top = (x + ink.left) * self.size, (y + ink.top) * self.size
            right, bottom = (x + ink.right) * self.size, (y + ink.bottom) * self.size
            us = [a * u + c * v + e for u, v in ((left, top), (right, bottom))]
            vs = [b * u + d * v + f for u, v in ((left, top), (right, bottom))]
            boxes.append(Box(min(us), min(vs), max(us), max(vs)))
        return union(boxes)


class EvenArea(NamedTuple):
    """An even rectangle."""

    x: float
    y: float
    width: float
    height: float
    color: str


class TypePage(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet with even areas and type only."""

    width: float
    height: float
    areas: tuple[EvenArea, ...] = ()
    runs: tuple[Run, ...] = ()


class Scene(TypePage, frozen=True, kw_only=True):
    """Everything on a sheet. `picture` is sRGB (h, w, 3) at 300 dpi and fills the sheet."""

    picture: Pixels

    @property
    def smallest(self) -> float:
        """Return the smallest type in points; 0 without type."""
        return min((run.size * 72 for run in self.runs if run.ids), default=0.0)


def runs_of(text: TextBlock, color: str, small_color: str, scale: float, matrix: Matrix) -> list[Run]:
    """Return set text as runs; `scale` is inches per pixel of the text, `matrix` applies to inches."""
    a, b, c, d, e, f = matrix
    found = []
    for row in text.rows:
        x, y = (row.x - row.line.ink.left * row.size) * scale, row.y * scale
        moved = (a, b, c, d, a * x + c * y + e, b * x + d * y + f)
        ink = small_color if row.small else color
        found += [
            Run(run.face, run.ids, run.xs, run.ys, run.chars, row.size * scale, moved, ink) for run in row.line.runs
        ]
    return found


def rules_of(text: TextBlock, color: str, scale: float, matrix: Matrix) -> list[EvenArea]:
    """Return the hairlines of set text."""
    found = []
    for rule in text.rules:
        found.append(_turned(Box(rule.x0, rule.y - rule.width / 2, rule.x1, rule.y + rule.width / 2), scale, matrix))
    return [EvenArea(box.left, box.top, box.width, box.height, color) for box in found]


def type_of(items: Sequence[SetBlock], scale: float, left: float, top: float) -> tuple[list[Run], list[EvenArea]]:
    """Return the letters and hairlines of a lettering that was set in pixels, on a panel at (left, top)."""
    runs: list[Run] = []
    areas: list[EvenArea] = []
    for item in items:
        a, b, c, d, e, f = item.turned
        matrix = (a, b, c, d, e * scale + left, f * scale + top)
        small = item.block.small_color or item.block.color
        runs += runs_of(item.text, item.block.color, small, scale, matrix)
        areas += rules_of(item.text, small, scale, matrix)
    return runs, areas


def type_box(runs: Sequence[Run]) -> Box:
    """Return the box of the ink of runs."""
    boxes = [box for run in runs if (box := run.box) != EMPTY]
    return union(boxes)


def drawn(scene: Scene, dpi: float = DPI) -> Pixels:
    """Return the sheet as sRGB pixels (h, w, 3)."""
    width, height = round(scene.width * dpi), round(scene.height * dpi)
    surface = surface_of(scene.picture, width, height)
    canvas = surface.getCanvas()
    canvas.scale(width / scene.width, height / scene.height)
    paint_type(canvas, scene)
    return pixels_of(surface)


def paint_type(canvas: Any, scene: Scene) -> None:
    """Draw areas and type on a canvas that is measured in inches."""
    for area in scene.areas:
        canvas.drawRect(skia.Rect.MakeXYWH(*area[:4]), skia.Paint(AntiAlias=True, Color=_argb(area.color)))
    for run in scene.runs:
        paint = skia.Paint(AntiAlias=True, Color=_argb(run.color))
        a, b, c, d, e, f = run.matrix
        canvas.save()
        canvas.concat(skia.Matrix.MakeAll(a, c, e, b, d, f, 0, 0, 1))
        canvas.drawPath(_outline(run), paint)
        canvas.restore()


def surface_of(picture: Pixels, width: int, height: int) -> Any:
    """Return a surface of this size with the picture filling it."""
    surface = skia.Surface(width, height)
    image = skia.Image.fromarray(rgba_of(picture), colorType=skia.kRGBA_8888_ColorType)
    if (image.width(), image.height()) == (width, height):
        surface.getCanvas().drawImage(image, 0, 0)
    else:
        sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
        surface.getCanvas().drawImageRect(image, skia.Rect.MakeWH(width, height), sampling)
    return surface


def rgba_of(picture: Pixels) -> Pixels:
    """Return the pixels with an opaque fourth channel."""
    full = np.full((*picture.shape[:2], 4), 255, np.uint8)
    full[..., :3] = picture
    return full


def pixels_of(surface: Any) -> Pixels:
    """Return what is on a surface."""
    pixels: Pixels = np.ascontiguousarray(surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3])
    return pixels


def _outline(run: Run) -> Any:
    path = skia.Path()
    upem = run.face.upem
    font = run.face.font(upem)
    scale = run.size / upem
    for glyph, x, y in zip(run.ids, run.xs, run.ys, strict=True):
        outline = font.getPath(glyph)
        if outline:
            outline.transform(skia.Matrix.MakeAll(scale, 0, x * run.size, 0, scale, y * run.size, 0, 0, 1))
            path.addPath(outline)
    return path


def _turned(box: Box, scale: float, matrix: Matrix) -> Box:
    a, b, c, d, e, f = matrix
    corners = ((box.left * scale, box.top * scale), (box.right * scale, box.bottom * scale))
    xs, ys = [a * x + c * y + e for x, y in corners], [b * x + d * y + f for x, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _argb(color: str) -> int:
    return 0xFF000000 | int(color[1:], 16)
