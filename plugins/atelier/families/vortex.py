"""Vortex: black and white rings, squares or checks winding into a bright disc; a figure falls."""

import math

from plugins.atelier.atmosphere import paper, speckle
from plugins.atelier.color import contrast, mix
from plugins.atelier.drawing import BLACK, Path, box, fill, placed, skia, solid
from plugins.atelier.family import Family
from plugins.atelier.motifs.figures import person
from plugins.atelier.scene import Scene, Zone

TURNS = 34
WEDGES = 24
RINGS, SQUARES = 0, 1  # 2 is checks


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("vortex"), scene.width, scene.height
    one, other = (p.paper, p.dark) if scene.sfork("ground").random() < 0.5 else (p.dark, p.paper)
    on = p.paper if contrast(p.accent, p.paper) > contrast(p.accent, p.dark) else p.dark
    author, tagline = Zone(0.10, 0.94, 0.8, 0.032), Zone(0.12, 0.247, 0.76, 0.024)
    scene.set_type(Zone(0.07, 0.045, 0.86, 0.19), author, on, on, tagline)
    scene.hints.shadow, scene.hints.grain, scene.hints.max_title = False, 0.18, 0.17

    scene.flood(one)
    x, y = width * rng.uniform(0.40, 0.60), height * rng.uniform(0.52, 0.62)
    kind, twist = int(scene.sfork("shapes").integers(0, 3)), (1 if rng.random() < 0.5 else -1) * rng.uniform(0.8, 1.2)
    for i in range(TURNS, 0, -1):
        t = i / TURNS
        cx = x + width * 0.10 * math.sin(t * 3.3) * (1 - t)
        cy = y + height * 0.03 * math.cos(t * 4) * (1 - t)
        r = height * 0.92 * t**1.9
        ink = fill(other if i % 2 else one)
        scene.canvas.save()
        scene.canvas.translate(cx, cy)
        if kind == RINGS:
            scene.canvas.drawCircle(0, 0, r, ink)
        elif kind == SQUARES:
            scene.canvas.rotate(i * 6.5 * twist)
            scene.canvas.drawRect(box(-r * 0.9, -r * 0.9, r * 0.9, r * 0.9), ink)
        else:
            scene.canvas.drawCircle(0, 0, r, fill(one))
            scene.canvas.rotate(i * 9.5 * twist)
            scene.canvas.drawPath(_checks(r, height * 0.92 * ((i - 1) / TURNS) ** 1.9, i), fill(other))
        scene.canvas.restore()
    _falling(scene, x, y, rng.uniform(140, 220))

    bar = fill(p.accent)
    scene.canvas.drawRect(box(0, 0, width, height * 0.285), bar)
    scene.canvas.drawRect(box(0, height * 0.915, width, height), bar)
    paper(scene, 0.9)
    speckle(scene, 900, p.dark, 0.3)


def _checks(outer: float, inner: float, i: int) -> Path:
    """Every other sector of a ring."""
    sector = 360 / WEDGES
    parts = []
    for j in range(WEDGES):
        if (j + i) % 2 == 0:
            continue
        wedge = skia.Path()
        wedge.arcTo(box(-outer, -outer, outer, outer), j * sector, sector, True)
        wedge.arcTo(box(-inner, -inner, inner, inner), (j + 1) * sector, -sector, False)
        wedge.close()
        parts.append(wedge)
    return solid(*parts)


def _falling(scene: Scene, x: float, y: float, turn: float) -> None:
    width, size = scene.width, scene.width * 0.15
    scene.canvas.drawCircle(x, y, width * 0.115, fill(scene.palette.accent))
    scene.canvas.save()
    scene.canvas.translate(x, y)
    scene.canvas.rotate(turn)
    scene.canvas.drawPath(
        placed(person(coat=False), size, size, 0, 0, size * 0.5), fill(mix(scene.palette.dark, BLACK, 0.3))
    )
    scene.canvas.restore()


VORTEX = Family("vortex", paint)
