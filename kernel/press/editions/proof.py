"""The proof that people look at: the sheet with guides and its measures, never sent to a printer."""

import io
import math
from typing import Final

import msgspec
import numpy as np
from PIL import Image

from kernel.press.editions.files import binding_of, needs_inks
from kernel.press.editions.order import EditionOrder
from kernel.press.editions.pdf.content import POINTS
from kernel.press.editions.pdf.document import Bleeds, rgb_pdf
from kernel.press.editions.pdf.separation import FOGRA39
from kernel.press.editions.sheet.guides import Guide, guides_of
from kernel.press.editions.sheet.scene import UPRIGHT, Pixels, Run, Scene, drawn, paint_type, pixels_of, surface_of
from kernel.press.editions.sheet.wrap import MadeWrap
from kernel.press.engine import skia
from kernel.press.shaping import Voicing, shape
from kernel.press.trade.table import printers

PROOF_DPI: Final = 110
MARGIN: Final = 0.6
CAPTION: Final = 9 / 72
FACE: Final = "inter-m"
LINE: Final = 1.1  # points
DASHES: Final = (6.0, 4.0)
WATERMARK: Final = 0.16  # opacity
GREY: Final = "#3a3d42"


def proof_pdf(order: EditionOrder, made: MadeWrap, watermark: str) -> bytes:
    """Return the proof: the sheet on a larger page, guides over it, its measures below it."""
    small = _small(made.scene, watermark)
    height = made.scene.height
    runs = list(small.runs)
    for index, line in enumerate(captions(order, made)):
        runs += _caption(line, 0.0, height + 0.22 + index * CAPTION * 1.5)
    page = (made.scene.width + 2 * MARGIN, height + 2 * MARGIN)
    scene = msgspec.structs.replace(small, runs=tuple(runs))
    return rgb_pdf(scene, Bleeds(made.sheet.bleed, page, _guide_operators(guides_of(made.sheet), height)))


def proof_png(order: EditionOrder, made: MadeWrap, watermark: str) -> bytes:
    """Return the proof as a picture, without the larger page."""
    del order
    pixels = drawn(_small(made.scene, watermark), PROOF_DPI)
    surface = surface_of(pixels, pixels.shape[1], pixels.shape[0])
    canvas = surface.getCanvas()
    canvas.scale(PROOF_DPI, PROOF_DPI)
    for guide in guides_of(made.sheet):
        box = guide.box
        paint = skia.Paint(AntiAlias=True, Color=0xFF000000 | int(guide.color[1:], 16))
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(1.6 / PROOF_DPI)
        if guide.dashed:
            paint.setPathEffect(skia.DashPathEffect.Make([dash / POINTS for dash in DASHES], 0.0))
        canvas.drawRect(skia.Rect.MakeXYWH(box.x, box.y, box.width, box.height), paint)
    return png_of(pixels_of(surface), PROOF_DPI)


def captions(order: EditionOrder, made: MadeWrap) -> list[str]:
    """Return the measures in signs that need no translation: numbers, names of printers and of color conditions."""
    edition, sheet = order.edition, made.sheet
    printer = printers()[edition.printer].name
    trim = f"{edition.trim[0]:g} × {edition.trim[1]:g} in"
    first = [printer, edition.form, trim, f"{sheet.pages} pp", edition.paper.replace("_", " ")]
    second = [
        f"{sheet.width:.4f} × {sheet.height:.4f} in",
        f"{sheet.width * 25.4:.2f} × {sheet.height * 25.4:.2f} mm",
        f"↔ {sheet.spine.width:.4f} in",
        f"{made.dpi:.0f} dpi",
    ]
    if needs_inks(edition):
        second.append(f"CMYK {'ICC' if edition.profile else FOGRA39.identifier + ' Coverwright'}")
    binding = binding_of(edition)
    third = [binding.source, binding.read] if binding else []
    return [" · ".join(part for part in line if part) for line in (first, second, third)]


def png_of(pixels: Pixels, dpi: float, effort: int = 6) -> bytes:
    """Return pixels as PNG; less effort is for what is only looked at."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=effort, dpi=(dpi, dpi))
    return buffer.getvalue()


def _small(scene: Scene, watermark: str) -> Scene:
    size = round(scene.width * PROOF_DPI), round(scene.height * PROOF_DPI)
    picture = np.asarray(Image.fromarray(scene.picture).resize(size, Image.Resampling.BOX, reducing_gap=2.0))
    small = msgspec.structs.replace(scene, picture=picture)
    return _watermarked(small, watermark) if watermark else small


def _watermarked(scene: Scene, text: str) -> Scene:
    """Return the scene as one picture with a text across it: its type could otherwise be taken out from under it."""
    height, width = scene.picture.shape[:2]
    surface = surface_of(drawn(scene, PROOF_DPI), width, height)
    canvas = surface.getCanvas()
    line = shape(text, Voicing(font="inter-b", voice="sans"))
    size = math.hypot(width, height) * 0.7 / max(line.width, 1.0)
    canvas.translate(width / 2, height / 2)
    canvas.rotate(-math.degrees(math.atan2(height, width)))
    canvas.scale(size, size)
    runs = [
        Run(run.face, run.ids, run.xs, run.ys, run.chars, 1.0, (*UPRIGHT[:4], -line.width / 2, line.cap / 2), "#808080")
        for run in line.runs
    ]
    canvas.saveLayerAlpha(None, round(255 * WATERMARK * 2))
    paint_type(canvas, Scene(width=1, height=1, picture=scene.picture, runs=tuple(runs)))
    canvas.restore()
    return msgspec.structs.replace(scene, picture=pixels_of(surface), runs=(), areas=())


def _caption(text: str, left: float, base: float) -> list[Run]:
    line = shape(text, Voicing(font=FACE, voice="sans"))
    matrix = (*UPRIGHT[:4], left - line.ink.left * CAPTION, base)
    return [Run(run.face, run.ids, run.xs, run.ys, run.chars, CAPTION, matrix, GREY) for run in line.runs]


def _guide_operators(guides: list[Guide], height: float) -> bytes:
    parts = [f"{LINE} w"]
    for guide in guides:
        red, green, blue = (int(guide.color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        box = guide.box
        dashes = f"[{DASHES[0]:g} {DASHES[1]:g}]" if guide.dashed else "[]"
        parts.append(
            f"{dashes} 0 d {red:.3g} {green:.3g} {blue:.3g} RG {box.x * POINTS:.3f} "
            f"{(height - box.y - box.height) * POINTS:.3f} {box.width * POINTS:.3f} {box.height * POINTS:.3f} re S"
        )
    return "\n".join(parts).encode("ascii")
