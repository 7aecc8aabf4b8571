"""The outline of a subject: filled shapes from back to front, centered on (0, 0), the longer side 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from plugins.atelier.color import oklch
from plugins.atelier.drawing import Path, difference, placed, skia, solid, union
from plugins.atelier.motifs.glyphs import contours
from plugins.atelier.outlines.own import OWN
from plugins.atelier.outlines.sketches import drawings, marks, tone_of
from plugins.atelier.outlines.store import body_of
from plugins.atelier.outlines.svg import Piece, read_body

INK_TONE: Final = 0.25  # of an icon in one color
LIGHT_TONE: Final = 0.85  # of what it leaves open inside, and of its faint shapes
GROWN: Final = 1024.0
SAMPLES: Final = 72  # points of a contour
SPECK: Final = 0.00004  # of the square: smaller shapes are accidents of drawing
OWN_SET: Final = "own:"


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One filled area. `tone` is its lightness 0..1, `hue` in degrees and `chroma` its color's; grays have chroma 0."""

    path: Path
    tone: float
    chroma: float = 0.0
    hue: float = 0.0


@dataclass(frozen=True, eq=False)
class Outline:
    """A subject's shapes. `width` and `height` are those of its bounds; one of them is 1."""

    shapes: tuple[Shape, ...]
    width: float
    height: float

    @cached_property
    def mask(self) -> Path:
        """Everything that any shape covers."""
        return joined([shape.path for shape in self.shapes])

    @cached_property
    def solid(self) -> Path:
        """The mask without its holes, smoothly closed: for cutting and for halos."""
        return filled(self.mask)

    @cached_property
    def seen(self) -> tuple[Shape, ...]:
        """The shapes as far as no later one covers them: they do not overlap."""
        out: list[Shape] = []
        over: Path = skia.Path()
        for shape in reversed(self.shapes):
            path = shape.path if over.isEmpty() else without(shape.path, over)
            if area_of(path) > SPECK:
                out.append(Shape(path, shape.tone, shape.chroma, shape.hue))
            over = joined([over, shape.path])
        return tuple(reversed(out))

    @cached_property
    def main(self) -> Shape:
        """The shape that is seen most."""
        areas: dict[tuple[float, float, float], float] = {}
        for shape in self.seen:
            key = (shape.tone, shape.chroma, shape.hue)
            areas[key] = areas.get(key, 0.0) + area_of(shape.path)
        best = max(areas, key=lambda key: areas[key])
        return next(shape for shape in self.seen if (shape.tone, shape.chroma, shape.hue) == best)


def area_of(path: Path) -> float:
    """Return about how much a path covers, in its own units squared."""
    parts = contours(simple(path))
    total = 0.0
    for part in parts:
        measure = skia.PathMeasure(part, True, GROWN)
        length = measure.getLength()
        points = [measure.getPosTan(length * i / SAMPLES)[0] for i in range(SAMPLES)]
        corners = [(point.x(), point.y()) for point in points]
        twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True))
        around = sum(other is not part and _within(part, other) for other in parts)
        total += abs(twice) / 2 * (-1 if around % 2 else 1)
    return max(0.0, total)


def _within(inner: Path, outer: Path) -> bool:
    """Whether one contour lies in another: its first corner does, and its bounds are clear of the other's."""
    a, b = inner.getBounds(), outer.getBounds()
    clear = a.left() > b.left() and a.top() > b.top() and a.right() < b.right() and a.bottom() < b.bottom()
    first = inner.getPoint(0)
    return clear and bool(outer.contains(first.x(), first.y()))


def simple(path: Path) -> Path:
    """Return the path without overlaps; as it is where the engine fails on it, as with nearly coinciding curves."""
    try:
        return _small(skia.Simplify(_large(path)))
    except RuntimeError:
        return path


def joined(paths: Sequence[Path]) -> Path:
    """Return the union. One sweep over all would fill rings (the path builder of skia-python 144 drops their holes)."""
    first, *others = [_large(simple(path)) for path in paths]
    for other in others:
        try:
            first = union(first, other)
        except RuntimeError:
            first = solid(first, other)
    return _small(first)


def without(path: Path, other: Path) -> Path:
    """Return the path as far as the other does not cover it; the whole path where the engine fails."""
    try:
        return _small(difference(_large(path), _large(other)))
    except RuntimeError:
        return path


def _large(path: Path) -> Path:
    """The engine's operations are made for pixels: on paths one unit large they lose parts."""
    return placed(path, GROWN)


def _small(path: Path) -> Path:
    return placed(path, 1 / GROWN)


def filled(path: Path) -> Path:
    """Return the path without its holes."""
    return joined(contours(simple(path)))


@lru_cache(512)
def outline(picture: str) -> Outline | None:
    """Return the outline `set:icon` or `own:name`, None where there is none of that name."""
    if picture.startswith(OWN_SET):
        name = picture.removeprefix(OWN_SET)
        if name in drawings():
            return normal(_drawn(name))
        draw = OWN.get(name)
        return normal([Shape(path, tone) for path, tone in draw()]) if draw else None
    body = body_of(picture)
    if body is None:
        return None
    pieces = read_body(body.text)
    plain = all(not piece.color for piece in pieces)
    shapes = _plain(pieces) if plain else [_colored(piece) for piece in pieces]
    return normal(shapes) if shapes else None


def _drawn(name: str) -> list[Shape]:
    """Shapes of a drawing of ours, with those of the outlines that it takes up."""
    shapes: list[Shape] = []
    for mark in marks(name):
        if not mark.other:
            shapes.append(Shape(mark.path, *tone_of(mark.color)))
        elif (other := outline(mark.other)) is not None:
            size, x, y, *rest = mark.where
            side, turn = (*rest, 1.0, 0.0)[:2] if len(rest) < 2 else rest[:2]
            shapes += [
                Shape(placed(s.path, size * side, size, turn, x, y), s.tone, s.chroma, s.hue) for s in other.shapes
            ]
    return shapes


def _colored(piece: Piece) -> Shape:
    lightness, chroma, hue = oklch(piece.color or "#222222")
    return Shape(piece.path, round(lightness, 3), round(chroma, 3), round(hue, 1))


def _plain(pieces: list[Piece]) -> list[Shape]:
    """Shapes of an icon in one color: the ink, and behind it what it encloses, as if that were colored light."""
    ink = [piece.path for piece in pieces if not piece.faint]
    faint = [piece.path for piece in pieces if piece.faint]
    if not ink:
        return [Shape(path, INK_TONE) for path in faint]
    drawn = joined(ink)
    whole = filled(drawn)
    inside = without(whole, drawn)
    shapes = [Shape(path, LIGHT_TONE) for path in faint]
    if not inside.isEmpty():
        shapes.insert(0, Shape(whole, LIGHT_TONE))
    return [*shapes, Shape(drawn, INK_TONE)]


def normal(shapes: list[Shape]) -> Outline:
    """Return an outline of shapes in any units: centered, its longer side 1."""
    bounds = joined([shape.path for shape in shapes]).computeTightBounds()
    k = 1 / max(bounds.width(), bounds.height(), 1e-6)
    dx, dy = -bounds.centerX() * k, -bounds.centerY() * k
    moved = tuple(Shape(placed(s.path, k, k, 0, dx, dy), s.tone, s.chroma, s.hue) for s in shapes)
    return Outline(moved, bounds.width() * k, bounds.height() * k)
