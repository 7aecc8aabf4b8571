"""The page's content: the picture, even areas, and text with every glyph exactly where the press set it."""

import codecs
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kernel.press.editions.pdf.fonts import EMS, UsedFace
from kernel.press.editions.sheet.scene import EvenArea, Run, Scene, TypePage
from kernel.press.scripts import Script, script_of

POINTS: Final = 72.0
NEAR: Final = 0.4  # thousandths of an em: closer than this two places are the same
Inked = Callable[[str, bool], str]
"""The operator that sets the fill to a color; the second argument says that it is that of small type or a barcode."""

REORDERED: Final[frozenset[Script]] = frozenset({"devanagari"})
"""Scripts whose glyphs do not stand in the order of their characters."""

SMALL_TYPE: Final = 24 / 72  # inches per em: type that a shifted plate would blur


def content_of(
    scene: TypePage, faces: dict[int, UsedFace], inked: Inked, left: float, bottom: float, *, spelled: bool = False
) -> bytes:
    """Return the operators that draw a scene whose left lower corner is at (left, bottom), in points.

    The faces that are used are added to `faces` by the id of their Face. `spelled` spells words beside their glyphs
    where these cannot (`ActualText`, which came with PDF 1.4), for who searches, copies or hears a text.
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
        parts += _text(run, face, left, top, _spellings(run.chars) if spelled else {})
    parts.append("ET")
    return "\n".join(parts).encode("ascii") + b"\n"


def _rectangle(area: EvenArea, left: float, top: float) -> str:
    x, y = left + area.x * POINTS, top - (area.y + area.height) * POINTS
    return f"{_n(x)} {_n(y)} {_n(area.width * POINTS)} {_n(area.height * POINTS)} re f"


def _spellings(chars: Sequence[str]) -> dict[int, tuple[str, int]]:
    """Return the words of scripts that reorder their letters: where each begins, its text, and where it ends."""
    found = {}
    start = 0
    for end in range(len(chars) + 1):
        if end == len(chars) or chars[end].isspace():
            word = "".join(chars[start:end])
            if any(script_of(char) in REORDERED for char in word):
                found[start] = (word, end)
            start = end + 1
    return found


def _text(run: Run, face: UsedFace, left: float, top: float, spellings: Mapping[int, tuple[str, int]]) -> list[str]:
    """Return the operators of one run; glyphs at one height share an operator."""
    ends = {end for _, end in spellings.values()}
    parts: list[str] = []
    shown: list[str] = []
    pen = y_now = 0.0
    for index, (glyph, chars, x, y) in enumerate(zip(run.ids, run.chars, run.xs, run.ys, strict=True)):
        face.use(glyph, chars)
        if index in ends:
            _show(parts, shown)
            parts.append("EMC")
        if index in spellings:
            _show(parts, shown)
            spelled = (codecs.BOM_UTF16_BE + spellings[index][0].encode("utf-16-be")).hex().upper()
            parts.append(f"/Span <</ActualText <{spelled}>>> BDC")
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
    if len(run.ids) in ends:
        parts.append("EMC")
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
