"""The page's content: the picture, even areas, and text with every glyph exactly where the press set it."""

from collections.abc import Callable
from typing import Final

from kernel.press.editions.pdf.fonts import EMS, UsedFace
from kernel.press.editions.sheet.scene import EvenArea, Run, Scene, TypePage

POINTS: Final = 72.0
NEAR: Final = 0.4  # thousandths of an em: closer than this two places are the same
Inked = Callable[[str, bool], str]
"""The operator that sets the fill to a color; the second argument says that it is that of small type or a barcode."""

SMALL_TYPE: Final = 24 / 72  # inches per em: type that a shifted plate would blur


def content_of(scene: TypePage, faces: dict[int, UsedFace], inked: Inked, left: float, bottom: float) -> bytes:
    """Return the operators that draw a scene whose left lower corner is at (left, bottom), in points.

    The faces that are used are added to `faces` by the id of their Face.
    """
    width, height = scene.width * POINTS, scene.height * POINTS
    parts = []
    if isinstance(scene, Scene):
        parts.append(f"q {_n(width)} 0 0 {_n(height)} {_n(left)} {_n(bottom)} cm /Im0 Do Q")
    top = bottom + height
    color = ""
    for area in scene.areas:
        if (wanted := inked(area.color, True)) != color:
            parts.append(color := wanted)
        parts.append(_rectangle(area, left, top))
    parts.append("BT")
    for run in scene.runs:
        if not run.ids:
            continue
        if (wanted := inked(run.color, run.size < SMALL_TYPE)) != color:
            parts.append(color := wanted)
        face = faces.setdefault(id(run.face), UsedFace(run.face, len(faces)))
        parts += _text(run, face, left, top)
    parts.append("ET")
    return "\n".join(parts).encode("ascii") + b"\n"


def _rectangle(area: EvenArea, left: float, top: float) -> str:
    x, y = left + area.x * POINTS, top - (area.y + area.height) * POINTS
    return f"{_n(x)} {_n(y)} {_n(area.width * POINTS)} {_n(area.height * POINTS)} re f"


def _text(run: Run, face: UsedFace, left: float, top: float) -> list[str]:
    """Return the operators of one run; glyphs at one height share an operator."""
    parts: list[str] = []
    shown: list[str] = []
    pen = y_now = 0.0
    for glyph, chars, x, y in zip(run.ids, run.chars, run.xs, run.ys, strict=True):
        face.use(glyph, chars)
        if not shown or abs(y - y_now) * EMS > NEAR:
            _show(parts, shown)
            parts.append(_placed(run, face, x, y, left, top))
            pen, y_now = x, y
        else:
            moved = (x - pen) * EMS
            if abs(moved) > NEAR:
                shown.append(f"{_n(-moved, 2)}")
                pen = x
        shown.append(f"<{glyph:04X}>")
        pen += face.width(glyph) / EMS
    _show(parts, shown)
    return parts


def _placed(run: Run, face: UsedFace, x: float, y: float, left: float, top: float) -> str:
    """Return font and text matrix for a glyph at (x, y) ems: PDF's y runs up, ours down."""
    a, b, c, d, e, f = run.matrix
    size = run.size * POINTS
    at_x = (a * x + c * y) * run.size + e
    at_y = (b * x + d * y) * run.size + f
    matrix = f"{_n(a)} {_n(-b)} {_n(-c)} {_n(d)} {_n(left + at_x * POINTS)} {_n(top - at_y * POINTS)} Tm"
    return f"{face.name} {_n(size)} Tf {matrix}"


def _show(parts: list[str], shown: list[str]) -> None:
    if shown:
        parts.append(f"[{''.join(shown).replace('><', '')}] TJ")
        shown.clear()


def _n(value: float, digits: int = 4) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
