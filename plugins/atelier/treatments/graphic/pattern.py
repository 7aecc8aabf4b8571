"""Pattern: a regular field of plain marks, in which the figures are the exceptions; or many figures, one unlike all."""

import math
from typing import Final

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import Path, disc, fill, placed, polygon, rectangle, skia
from plugins.atelier.family import Family
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Random, Scene, Zone
from plugins.atelier.treatments.inks import Inks, distance, dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import Layout, alike, lay_out, trace
from plugins.atelier.treatments.staging import Spot

FIELD: Final = Layout(Zone(0.10, 0.075, 0.80, 0.19), Zone(0.12, 0.915, 0.76, 0.034), Zone(0.075, 0.315, 0.85, 0.555))
LOW_FIELD: Final = Layout(Zone(0.10, 0.69, 0.80, 0.19), Zone(0.12, 0.915, 0.76, 0.034), Zone(0.075, 0.065, 0.85, 0.575))
GRIDS: Final = {"large": (4, 4), "middle": (5, 5), "small": (6, 6)}
MOST: Final = 0.5  # of the cells may be figures


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    grounds = [p.paper, p.deep, p.light, mix(p.mid, p.light, 0.5), p.accent]
    turn = int(scene.sfork("pattern ground").integers(len(grounds)))
    ground = ground_for(scene, [*grounds[turn:], *grounds[:turn]])
    ink = p.paper if oklch(ground)[0] < 0.62 else p.dark
    layout = lay_out(scene, (FIELD, LOW_FIELD), ink, ink)
    scene.hints.shadow, scene.hints.grain = False, 0.08
    scene.flood(ground)
    if scene.cast[0].count == 0:
        _many(scene, layout.picture, ground)
    else:
        _exceptions(scene, layout.picture, ground)
    paper(scene, 0.8)


def _cells(zone: Zone, scene: Scene, columns: int, rows: int, staggered: bool) -> list[tuple[float, float]]:
    w, h = zone.w * scene.width / columns, zone.h * scene.height / rows
    out = []
    for j in range(rows):
        shift = 0.5 if staggered and j % 2 else 0.0
        for i in range(columns - (1 if shift else 0)):
            out.append((zone.x * scene.width + (i + 0.5 + shift) * w, zone.y * scene.height + (j + 0.5) * h))
    return out


def _many(scene: Scene, zone: Zone, ground: str) -> None:
    """Many of the main figure in one tone, one of them in another ink and turned; a second figure takes its place."""
    p = scene.palette
    figure, *others = scene.cast
    aspect = figure.outline.width / figure.outline.height
    columns = 5 if aspect < 1.4 else 4
    rows = max(4, min(8, round(columns * zone.h * scene.height / (zone.w * scene.width) * aspect)))
    cells = _cells(zone, scene, columns, rows, bool(scene.sfork("stagger").random() < 0.5))
    size = 0.84 * min(
        zone.w * scene.width / columns / figure.outline.width, zone.h * scene.height / rows / figure.outline.height
    )
    odd = len(cells) // 2 + int(scene.fork("odd").integers(-1, 2))
    role = next((c for c in (p.deep, p.mid, p.light, p.dark) if distance(c, ground) > 0.25), p.dark)
    inks = inks_of(scene, figure, ground, role)
    exception = Inks(p.dark, p.accent if distance(p.accent, ground) > 0.2 else p.companion, p.paper, p.companion)
    for i, (x, y) in enumerate(cells):
        if i == odd and others:
            other = others[0]
            fit = (
                size
                * 1.1
                * min(figure.outline.width, figure.outline.height)
                / max(other.outline.width, other.outline.height)
            )
            _draw(scene, Spot(other, x, y, max(fit, size * 0.9)), inks_of(scene, other, ground, p.accent))
        else:
            alone = i == odd and not figure.color
            _draw(scene, Spot(figure, x, y, size, flip=i == odd and figure.faces), exception if alone else inks)


def _exceptions(scene: Scene, zone: Zone, ground: str) -> None:
    """A field of marks; as many of its cells as there are figures hold one of them, the main ones first."""
    p = scene.palette
    main, *others = scene.cast[:3]
    single = main.count == 1
    wanted = [figure for figure in (others if single else [main, *others]) for _ in range(figure.count or 3)]
    fitting = [n for n in GRIDS if len(wanted) <= MOST * GRIDS[n][0] * GRIDS[n][1]] or ["small"]
    name = str(scene.sfork("grid").choice(fitting[:2])) if single else fitting[0]
    columns, rows = GRIDS[name]
    cells = _cells(zone, scene, columns, rows, False)
    rng = scene.fork("exceptions")
    cell = min(zone.w * scene.width / columns, zone.h * scene.height / rows)
    stands: list[tuple[Figure, float, float, float]] = []
    taken: set[int] = set()
    if single:  # a single one takes nine cells
        j, i = int(rng.integers(0, rows - 2)), int(rng.integers(0, columns - 2))
        block = [(j + dy) * columns + i + dx for dy in range(3) for dx in range(3)]
        stands.append((main, *cells[block[4]], cell * 2.8))
        taken.update(block)
    free = [k for k in _apart(columns, rows, rng) if k not in taken]
    for figure, k in zip(wanted, free, strict=False):
        stands.append((figure, *cells[k], cell * 0.94))
        taken.add(k)
    tone = mix(ground, p.dark if oklch(ground)[0] > 0.6 else p.paper, 0.26)
    second = mix(ground, p.mid if distance(p.mid, ground) > 0.15 else p.accent, 0.55)
    shape = _mark(str(scene.sfork("mark").choice(["disc", "diamond", "leaf", "quarter", "star", "square"])))
    for k, (x, y) in enumerate(cells):
        if k in taken:
            continue
        turn = 90 * ((k % columns + k // columns) % 4)
        color = second if (k % columns + k // columns) % 2 else tone
        scene.canvas.drawPath(placed(shape, cell * 0.34, cell * 0.34, turn, x, y), fill(color))
    for figure, x, y, size in stands:
        _draw(scene, Spot(figure, x, y, size), inks_of(scene, figure, ground, p.accent))


def _apart(columns: int, rows: int, rng: Random) -> list[int]:
    """All cells, the next one always far from the last: a walk by a step that visits every cell once."""
    total = columns * rows
    step = next(s for s in (11, 7, 13, 17) if math.gcd(s, total) == 1)
    first = int(rng.integers(total))
    return [(first + step * i) % total for i in range(total)]


def _mark(name: str) -> Path:
    if name == "diamond":
        return polygon([(0, -1), (0.72, 0), (0, 1), (-0.72, 0)])
    if name == "leaf":
        return placed(leaf(1), 0.9, 2.0, 45, -0.7, 0.7)
    if name == "quarter":
        path = skia.Path()
        path.moveTo(-0.85, 0.85)
        path.lineTo(-0.85, -0.85)
        path.cubicTo(0.09, -0.85, 0.85, -0.09, 0.85, 0.85)
        path.close()
        return path
    if name == "star":
        return star(8, 0.5)
    if name == "square":
        return rectangle(-0.8, -0.8, 0.8, 0.8)
    return disc(0, 0, 0.88)


def _draw(scene: Scene, spot: Spot, inks: Inks) -> None:
    solid = trace(scene, spot)
    scene.canvas.drawPath(solid, fill(inks.main))
    for path, ink in dressed(spot.figure.outline, inks):
        scene.canvas.drawPath(spot.place(path), fill(ink))


PATTERN = Family("pattern", paint, shows=alike)
