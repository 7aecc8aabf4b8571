"""Pictures out of Noto Emoji (OFL): line drawings as they are, silhouettes from their outer contours."""

from functools import lru_cache
from typing import Literal

from kernel.press.typesetting import face, glyph_path
from plugins.atelier.drawing import Path, placed, skia, solid

Weight = Literal["emoji", "emoji-l", "emoji-b"]


@lru_cache(256)
def line_art(character: str, weight: Weight = "emoji") -> Path | None:
    """The glyph centered on (0, 0), its longer side 1; None when the font does not have it."""
    if not face(weight).covers(character[:1]):
        return None
    path = glyph_path(weight, character[:1], 1000)
    bounds = path.getBounds()
    path.offset(-bounds.centerX(), -bounds.centerY())
    return placed(path, 1 / max(bounds.width(), bounds.height()))


def contours(path: Path) -> list[Path]:
    """The closed outlines a path is made of, one path each."""
    out: list[Path] = []
    current = skia.Path()
    pieces = skia.Path.Iter(path, False)
    while (step := pieces.next())[0] != skia.Path.kDone_Verb:
        verb, points = step
        if verb == skia.Path.kMove_Verb:
            current = skia.Path()
            current.moveTo(points[0])
            out.append(current)
        elif verb == skia.Path.kLine_Verb:
            current.lineTo(points[1])
        elif verb == skia.Path.kQuad_Verb:
            current.quadTo(points[1], points[2])
        elif verb == skia.Path.kConic_Verb:
            current.conicTo(points[1], points[2], pieces.conicWeight())
        elif verb == skia.Path.kCubic_Verb:
            current.cubicTo(points[1], points[2], points[3])
        elif verb == skia.Path.kClose_Verb:
            current.close()
    return out


@lru_cache(256)
def silhouette(character: str) -> Path | None:
    """The glyph filled solid, standing on (0, 0), 1 high; None when the font does not have it.

    Only contours that lie in no other one are kept, which suits closed drawings (deer, horse, cat, whale ...).
    """
    drawing = line_art(character)
    if drawing is None:
        return None
    parts = contours(drawing)
    bounds = [p.getBounds() for p in parts]

    def is_inner(i: int) -> bool:
        size = bounds[i].width() * bounds[i].height()
        return any(j != i and b.contains(bounds[i]) and b.width() * b.height() > size for j, b in enumerate(bounds))

    outer = solid(*(p for i, p in enumerate(parts) if not is_inner(i)))
    edge = outer.getBounds()
    outer.offset(-edge.centerX(), -edge.bottom())
    return placed(outer, 1 / edge.height())
