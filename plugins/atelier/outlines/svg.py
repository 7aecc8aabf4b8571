"""SVG as icon sets write it, read into Skia paths: paths and basic shapes, groups, uses, clips, strokes."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree import ElementTree

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path.parser import parse_path

from plugins.atelier.drawing import Path, Point, skia

HREF: Final = "{http://www.w3.org/1999/xlink}href"
INHERITED: Final = ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule")
FAINT: Final = 0.5  # opacity under which a shape of an icon in one color is its second, lighter tone
FINENESS: Final = 16.0  # curves of stroked lines are as exact as at this scale
_CALL: Final = re.compile(r"(\w+)\s*\(([^)]*)\)")
_CAPS: Final = {"round": skia.Paint.kRound_Cap, "square": skia.Paint.kSquare_Cap}
_JOINS: Final = {"round": skia.Paint.kRound_Join, "bevel": skia.Paint.kBevel_Join}


class Piece(NamedTuple):
    """A filled area. `color` is `#rrggbb`, empty for the ink of an icon in one color; `faint` is its lighter tone."""

    path: Path
    color: str
    faint: bool


def read_body(body: str) -> list[Piece]:
    """Return the filled areas of an icon's body in the order in which they are painted, in its own units."""
    root = ElementTree.fromstring(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{body}</svg>')
    return list(_Reader(root).read())


class _Reader:
    def __init__(self, root: ElementTree.Element) -> None:
        self._root = root
        self._named = {element.get("id", ""): element for element in root.iter()}

    def read(self) -> Iterator[Piece]:
        yield from self._children(self._root, skia.Matrix(), {}, 1.0)

    def _children(
        self, parent: ElementTree.Element, matrix: object, style: Mapping[str, str], opacity: float
    ) -> Iterator[Piece]:
        for element in parent:
            yield from self._element(element, matrix, style, opacity)

    def _element(
        self, element: ElementTree.Element, matrix: object, style: Mapping[str, str], opacity: float
    ) -> Iterator[Piece]:
        kind = element.tag.rsplit("}", 1)[-1]
        if kind in {"defs", "clipPath", "mask", "filter"}:
            return
        style = {**style, **{name: element.attrib[name] for name in INHERITED if name in element.attrib}}
        opacity *= float(element.get("opacity", 1)) * float(element.get("fill-opacity", 1))
        matrix = _concat(matrix, _matrix(element.get("transform", "")))
        clip = self._clip(element, matrix)
        pieces: Iterator[Piece]
        if kind == "use":
            target = self._named.get((element.get("href") or element.get(HREF) or "").removeprefix("#"))
            offset = skia.Matrix.Translate(float(element.get("x", 0)), float(element.get("y", 0)))
            if target is None:
                return
            pieces = self._element(target, _concat(matrix, offset), style, opacity)
        elif kind in {"g", "svg"}:
            pieces = self._children(element, matrix, style, opacity)
        else:
            pieces = self._painted(element, kind, matrix, style, opacity)
        for piece in pieces:
            path = piece.path if clip is None else _clipped(piece.path, clip)
            if not path.isEmpty():
                yield piece._replace(path=path)

    def _clip(self, element: ElementTree.Element, matrix: object) -> Path | None:
        name = re.search(r"#([^)]+)\)", element.get("clip-path", ""))
        clip = self._named.get(name.group(1)) if name else None
        if clip is None:
            return None
        paths = [
            _moved(_shape(child, child.tag.rsplit("}", 1)[-1]), _concat(matrix, _matrix(child.get("transform", ""))))
            for child in clip
        ]
        out = paths[0] if paths else skia.Path()
        for path in paths[1:]:
            out.addPath(path)
        return out

    def _painted(
        self, element: ElementTree.Element, kind: str, matrix: object, style: Mapping[str, str], opacity: float
    ) -> Iterator[Piece]:
        path = _shape(element, kind)
        if path.isEmpty() or opacity == 0:
            return
        if style.get("fill-rule") == "evenodd":
            path.setFillType(skia.PathFillType.kEvenOdd)
        if (color := self._color(style.get("fill", "currentColor"))) is not None:
            yield Piece(_moved(path, matrix), color, opacity < FAINT)
        if (color := self._color(style.get("stroke", "none"))) is not None:
            paint = skia.Paint(Style=skia.Paint.kStroke_Style, StrokeWidth=float(style.get("stroke-width", 1)))
            paint.setStrokeCap(_CAPS.get(style.get("stroke-linecap", ""), skia.Paint.kButt_Cap))
            paint.setStrokeJoin(_JOINS.get(style.get("stroke-linejoin", ""), skia.Paint.kMiter_Join))
            outline = skia.Path()
            paint.getFillPath(path, outline, None, FINENESS)
            yield Piece(_moved(outline, matrix), color, opacity < FAINT)

    def _color(self, value: str) -> str | None:
        """Return a paint as color: None for none, empty for the icon's ink; of a gradient its middle stop."""
        if value == "none":
            return None
        if value.startswith("url("):
            gradient = self._named.get(value[5:-1])
            colors = [stop.get("stop-color", "") for stop in gradient if stop.get("stop-color")] if gradient else []
            return _hex(colors[len(colors) // 2]) if colors else ""
        return _hex(value) if value.startswith("#") else ""


def _clipped(path: Path, clip: Path) -> Path:
    try:
        return skia.Op(path, clip, skia.PathOp.kIntersect_PathOp) or skia.Path()
    except RuntimeError:  # the engine fails on nearly coinciding curves, which a clip hardly cuts
        return path


def _hex(color: str) -> str:
    digits = color.removeprefix("#").lower()
    return f"#{''.join(c * 2 for c in digits) if len(digits) == 3 else digits[:6]}"


def _concat(first: object, second: object) -> object:
    return skia.Matrix.Concat(first, second)


def _moved(path: Path, matrix: object) -> Path:
    out = skia.Path()
    path.transform(matrix, out)
    return out


def _matrix(text: str) -> object:
    out = skia.Matrix()
    for name, arguments in _CALL.findall(text):
        v = [float(number) for number in re.findall(r"[-+.\deE]+", arguments)]
        step = skia.Matrix()
        if name == "translate":
            step.setTranslate(v[0], v[1] if len(v) > 1 else 0)
        elif name == "scale":
            step.setScale(v[0], v[-1])
        elif name == "rotate":
            step.setRotate(*v)
        elif name == "matrix":
            step.setAll(v[0], v[2], v[4], v[1], v[3], v[5], 0, 0, 1)
        out = skia.Matrix.Concat(out, step)
    return out


def _shape(element: ElementTree.Element, kind: str) -> Path:
    def number(name: str, default: float = 0.0) -> float:
        return float(element.get(name, default))

    path = skia.Path()
    if kind == "path":
        return path_of(element.get("d", ""))
    if kind == "circle":
        path.addCircle(number("cx"), number("cy"), number("r"))
    elif kind == "ellipse":
        rx, ry = number("rx"), number("ry")
        path.addOval(skia.Rect.MakeLTRB(*_around(number("cx"), number("cy"), rx, ry)))
    elif kind == "rect":
        rect = skia.Rect.MakeXYWH(number("x"), number("y"), number("width"), number("height"))
        rx = number("rx", number("ry"))
        path.addRoundRect(rect, rx, number("ry", rx))
    return path


def _around(x: float, y: float, rx: float, ry: float) -> tuple[float, float, float, float]:
    return x - rx, y - ry, x + rx, y + ry


class _Pen(BasePen):
    """Draws on a Skia path what a font editor would draw on a glyph."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.path: Path = skia.Path()

    def _moveTo(self, pt: Point) -> None:
        self.path.moveTo(*pt)

    def _lineTo(self, pt: Point) -> None:
        self.path.lineTo(*pt)

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:
        self.path.cubicTo(*pt1, *pt2, *pt3)

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:
        self.path.quadTo(*pt1, *pt2)

    def _closePath(self) -> None:
        self.path.close()


def path_of(data: str) -> Path:
    """Return the path of SVG path data."""
    pen = _Pen()
    parse_path(data, pen)  # type: ignore[no-untyped-call]
    return pen.path
