"""The proof that people look at: the sheet with guides and its measures, never sent to a printer."""

import io
import math
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from PIL import Image

from kernel.press.editions.files import binding_of, needs_inks
from kernel.press.editions.order import EditionOrder, ProofWords
from kernel.press.editions.pdf.content import POINTS
from kernel.press.editions.pdf.document import Bleeds, rgb_pdf
from kernel.press.editions.pdf.separation import FOGRA39
from kernel.press.editions.sheet.guides import Guide, guides_of
from kernel.press.editions.sheet.scene import (
    UPRIGHT,
    EvenArea,
    Pixels,
    Run,
    Scene,
    drawn,
    paint_type,
    pixels_of,
    surface_of,
)
from kernel.press.editions.sheet.wrap import MadeWrap
from kernel.press.engine import skia
from kernel.press.shaping import Line, Voicing, shape
from kernel.press.trade.table import printers

PROOF_DPI: Final = 110
MARGIN: Final = 1.1
CAPTION: Final = 9 / 72
BELOW: Final = 0.24
LEADING: Final = 1.5
SWATCH: Final = (0.22, 0.045)
BESIDE: Final = 0.08
APART: Final = 0.24
FACE: Final = "inter-m"
LINE: Final = 1.1  # points
DASHES: Final = (6.0, 4.0)
WATERMARK: Final = 0.16  # opacity
GREY: Final = "#3a3d42"


def proof_pdf(order: EditionOrder, made: MadeWrap, words: ProofWords) -> bytes:
    """Return the proof: the sheet on a larger page, guides over it, its measures and the guides' meaning below it."""
    small = _small(made.scene, words.mark)
    width, height = made.scene.width, made.scene.height
    below = _Below(width, height + BELOW, right_to_left=words.right_to_left)
    for line in captions(order, made, words):
        below.line(line)
    guides = guides_of(made.sheet)
    below.legend([(guide.color, words.legend[kind]) for kind, guide in _kinds(guides).items() if kind in words.legend])
    page = (width + 2 * MARGIN, height + 2 * MARGIN)
    scene = msgspec.structs.replace(small, runs=(*small.runs, *below.runs), areas=(*small.areas, *below.areas))
    return rgb_pdf(scene, Bleeds(made.sheet.bleed, page, _guide_operators(guides, height)))


def proof_png(made: MadeWrap, watermark: str) -> bytes:
    """Return the proof as a picture, without the larger page."""
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


def captions(order: EditionOrder, made: MadeWrap, words: ProofWords) -> list[str]:
    """Return what is printed, in words, and its measures in signs that need no translation: numbers and names."""
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
    lines = [" · ".join(part for part in line if part) for line in (first, second, third)]
    return [words.printed or lines[0], *lines[1:]]


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


class _Below:
    """Lines of small type below a sheet, begun at the side where its reader begins."""

    def __init__(self, width: float, base: float, *, right_to_left: bool) -> None:
        self._width = width
        self._base = base
        self._right_to_left = right_to_left
        self.runs: list[Run] = []
        self.areas: list[EvenArea] = []

    def line(self, text: str) -> None:
        """Set a line."""
        self._text(text, 0.0)
        self._base += CAPTION * LEADING

    def legend(self, items: Sequence[tuple[str, str]]) -> None:
        """Set what colors mean, as many beside each other as there is room for."""
        start = 0.0
        for color, text in items:
            width = SWATCH[0] + BESIDE + _shaped(text).ink.width * CAPTION
            if start and start + width > self._width:
                start, self._base = 0.0, self._base + CAPTION * LEADING
            left = self._width - start - SWATCH[0] if self._right_to_left else start
            middle = self._base - CAPTION * 0.36
            self.areas.append(EvenArea(left, middle - SWATCH[1] / 2, *SWATCH, color))
            self._text(text, start + SWATCH[0] + BESIDE)
            start += width + APART

    def _text(self, text: str, start: float) -> None:
        line = _shaped(text)
        left = self._width - start - line.ink.width * CAPTION if self._right_to_left else start
        matrix = (*UPRIGHT[:4], left - line.ink.left * CAPTION, self._base)
        self.runs += [Run(run.face, run.ids, run.xs, run.ys, run.chars, CAPTION, matrix, GREY) for run in line.runs]


def _shaped(text: str) -> Line:
    return shape(text, Voicing(font=FACE, voice="sans"))


def _kinds(guides: Sequence[Guide]) -> dict[str, Guide]:
    """Return one guide of each kind."""
    return {guide.kind: guide for guide in guides}


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
