"""Modernist: a grid of quarter discs, rings, stripes, triangles, dots and leaves; type flush left above it."""

from typing import NamedTuple

from plugins.atelier.atmosphere import paper, speckle
from plugins.atelier.color import contrast, mix
from plugins.atelier.drawing import area, fill, placed, polygon
from plugins.atelier.family import Family
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.scene import Scene, Zone

MARGIN = 0.07
PRIMITIVES = 9
FLAT = 1.35  # contrast below which foreground and background of a cell merge


class Cell(NamedTuple):
    """One cell: corner and side in pixels, which corner its form grows from (0..3), and its two colors."""

    x: float
    y: float
    side: float
    corner: int
    figure: str
    ground: str


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, width, height = scene.palette, scene.width, scene.height
    columns = 4 if width <= height * 1.02 else 7
    side = width * (1 - 2 * MARGIN) / columns
    rows = int(max(1, min(4, height * 0.60 // side)))
    top = height * 0.955 - rows * side
    fold = top / height
    title = Zone(MARGIN, 0.05, 1 - 2 * MARGIN, fold - 0.17, "top", "left")
    author = Zone(MARGIN, fold - 0.056, 1 - 2 * MARGIN, 0.030, "middle", "left")
    scene.set_type(title, author, p.dark, p.dark, Zone(MARGIN, fold - 0.092, 1 - 2 * MARGIN, 0.026, "top", "left"))
    hints = scene.hints
    hints.shadow, hints.grain, hints.max_title, hints.flow = False, 0.17, 0.13, True

    ground = mix(p.paper, p.light, 0.08)
    scene.flood(ground)
    colors = [p.dark, p.accent, p.mid, p.light, p.companion, p.deep]
    rng = scene.fork("cells")
    for j in range(rows):
        for i in range(columns):
            primitive = int(rng.integers(0, PRIMITIVES))
            a, b = rng.permutation(6)[:2].tolist()
            figure, under = colors[a], colors[b]
            if rng.random() < 0.45:
                under = ground
            if contrast(figure, under) < FLAT:
                figure = p.dark if under != p.dark else p.accent
            cell = Cell(width * MARGIN + i * side, top + j * side, side, int(rng.integers(0, 4)), figure, under)
            _draw(scene, cell, primitive)
    paper(scene, 1.0)
    speckle(scene, 800, p.dark, 0.28)


def _draw(scene: Scene, cell: Cell, primitive: int) -> None:
    canvas, (x, y, s, corner, figure, ground) = scene.canvas, cell
    ink, under = fill(figure), fill(ground)
    overlap = 0.5 * scene.unit  # hides the hairline between neighbors
    canvas.save()
    canvas.clipRect(area(x, y, s + overlap, s + overlap))
    canvas.drawRect(area(x, y, s + 1, s + 1), under)
    cx, cy = x + s * (corner % 2), y + s * (corner // 2)
    if primitive in (0, 1):
        canvas.drawCircle(cx, cy, s, ink)
        if primitive == 1:
            canvas.drawCircle(cx, cy, s * 0.5, under)
    elif primitive == 2:
        canvas.drawCircle(x + s / 2, y + s / 2, s * 0.5, ink)
        canvas.drawCircle(x + s / 2, y + s / 2, s * 0.2, under)
    elif primitive == 3:
        for k in range(4):
            canvas.drawRect(area(x, y + s * k / 4, s + 1, s / 8), ink)
    elif primitive == 4:
        canvas.drawPath(polygon([(x, y + s), (x + s, y + s), (x + (s if corner % 2 else 0), y)]), ink)
    elif primitive == 5:
        canvas.drawCircle(x + s / 2, y + (s if corner % 2 else 0), s * 0.5, ink)
    elif primitive == 6:
        for k, radius in enumerate((1, 0.8, 0.6, 0.4, 0.2)):
            canvas.drawCircle(cx, cy, s * radius, under if k % 2 else ink)
    elif primitive == 7:
        for i in range(3):
            for j in range(3):
                canvas.drawCircle(x + s * (0.2 + 0.3 * i), y + s * (0.2 + 0.3 * j), s * 0.085, ink)
    else:
        canvas.drawRect(area(x, y, s + 1, s + 1), ink)
        leans_right = corner % 2 == 1
        blade = placed(leaf(0), s * 1.35, s * 1.41, 45 if leans_right else -45, x if leans_right else x + s, y + s)
        canvas.drawPath(blade, under)
    canvas.restore()


MODERNIST = Family("modernist", paint)
