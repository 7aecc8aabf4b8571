"""Set text: rows of shaped lines with their positions, drawn on any Skia canvas."""

from typing import Any, NamedTuple

import msgspec

from kernel.press.box import EMPTY, Box, union
from kernel.press.engine import skia
from kernel.press.shaping import Line, draw_line, line_path


class TextRow(NamedTuple):
    """A positioned line: left ink edge and baseline in pixels, pixels per em; `small` for a lone function word."""

    line: Line
    x: float
    y: float
    size: float
    small: bool = False

    @property
    def ink(self) -> Box:
        """Return the box of the row's ink, in pixels."""
        ink = self.line.ink
        right = self.x + ink.width * self.size
        return Box(self.x, self.y + ink.top * self.size, right, self.y + ink.bottom * self.size)


class Rule(NamedTuple):
    """A hairline from (x0, y) to (x1, y), `width` pixels thick."""

    x0: float
    x1: float
    y: float
    width: float


class TextBlock(msgspec.Struct, frozen=True, kw_only=True):
    """Text set into a box. `size` is that of its largest row; `missing` the characters that no face has.

    The same block draws onto a raster canvas and onto a PDF page, where it stays real text in embedded fonts.
    """

    text: str
    rows: tuple[TextRow, ...] = ()
    rules: tuple[Rule, ...] = ()
    align: str = "center"
    missing: str = ""

    @property
    def size(self) -> float:
        """Return the pixels per em of the largest row; 0 for an empty block."""
        return max((row.size for row in self.rows), default=0.0)

    @property
    def box(self) -> Box:
        """Return the box of the ink, in pixels."""
        return union([row.ink for row in self.rows]) if self.rows else EMPTY

    def moved(self, dx: float, dy: float) -> "TextBlock":
        """Return the block, moved by an offset in pixels."""
        return msgspec.structs.replace(
            self,
            rows=tuple(row._replace(x=row.x + dx, y=row.y + dy) for row in self.rows),
            rules=tuple(Rule(r.x0 + dx, r.x1 + dx, r.y + dy, r.width) for r in self.rules),
        )

    def draw(self, canvas: Any, paint: Any, small_paint: Any = None) -> None:
        """Draw it; `small_paint` is for the small rows and the rules, `paint` for everything where it is None."""
        second = small_paint or paint
        for row in self.rows:
            draw_line(canvas, row.line, row.x, row.y, row.size, second if row.small else paint)
        for rule in self.rules:
            stroke = skia.Paint(second)
            stroke.setStyle(skia.Paint.kStroke_Style)
            stroke.setStrokeWidth(rule.width)
            canvas.drawLine(rule.x0, rule.y, rule.x1, rule.y, stroke)

    def path(self) -> Any:
        """Return the outline of all its letters."""
        path = skia.Path()
        for row in self.rows:
            path.addPath(line_path(row.line, row.x, row.y, row.size))
        return path
