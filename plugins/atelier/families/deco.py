"""Deco: a gold sunburst behind towers, a fountain, a fan or a portal, a floor of scallops, a stepped triple frame."""

import math

from plugins.atelier.atmosphere import vignette
from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import BLACK, area, box, disc, fill, polygon, radial
from plugins.atelier.families.deco_motifs import MOTIFS
from plugins.atelier.family import Family, metal
from plugins.atelier.gilding import Gold
from plugins.atelier.scene import Scene, Zone

PLATE_TOP = 0.855


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, gold = scene.palette, metal(scene.palette)
    author = Zone(0.22, PLATE_TOP + 0.018, 0.56, 0.026)
    scene.set_type(Zone(0.13, 0.075, 0.74, 0.17), author, mix(gold, p.paper, 0.4), mix(gold, p.paper, 0.45))
    hints = scene.hints
    hints.foil, hints.type_style, hints.max_title = gold, "deco", 0.105
    leaf = Gold(scene, gold)
    stage = scene.sfork("stage")
    x, y = scene.width * 0.5, scene.height * stage.uniform(0.625, 0.675)
    _sunburst(scene, leaf, x, y, int(stage.integers(12, 21)) * 2, stage.uniform(0.1, 0.75))
    motif = "towers" if scene.has("city") else str(scene.sfork("motif").choice(sorted(MOTIFS)))
    MOTIFS[motif](scene, leaf, x, y)
    _scallops(scene, leaf, x, y, scene.width * stage.uniform(0.072, 0.115))
    _frame(scene, leaf)
    hints.panel_for, hints.panel_color = ("author",), mix(p.dark, BLACK, 0.25)
    hints.panel = lambda _: _plate(scene, leaf)
    vignette(scene, 0.35, BLACK)


def _sunburst(scene: Scene, gold: Gold, x: float, y: float, rays: int, depth: float) -> None:
    """`rays` wedges over a half circle with gold lines along them; `depth` 0..1 is how much color the ground has."""
    p, far = scene.palette, scene.height
    ground, step = mix(p.dark, p.deep, round(depth, 2)), 180 / rays
    scene.flood(ground)
    tones = [argb(mix(p.deep, p.mid, 0.5)), argb(mix(ground, p.deep, 0.8)), argb(ground)]
    wedge = fill(shader=radial((x, y), scene.height * 0.66, tones))
    for i in range(rays):
        edges = [math.radians(-180 + (i + d) * step) for d in (0, 0.5)]
        scene.canvas.drawPath(
            polygon([(x, y), *((x + math.cos(a) * far, y + math.sin(a) * far) for a in edges)]), wedge
        )
    for i in range(rays + 1):
        a = math.radians(-180 + i * step)
        near = scene.width * (0.375 if i % 2 else 0.3225)
        end = scene.width * (0.93 if i % 4 == 2 else 0.705)
        c, s = math.cos(a), math.sin(a)
        line = gold.line(3 if i % 2 == 0 else 1.5, 0.8)
        scene.canvas.drawLine(x + c * near, y + s * near, x + c * end, y + s * end, line)


def _scallops(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    scene.canvas.drawRect(box(0, y, width, height), fill(mix(p.dark, BLACK, 0.15)))
    scene.canvas.save()
    scene.canvas.clipRect(box(0, y + 3 * scene.unit, width, height))
    inner, outer = argb(mix(p.dark, p.deep, 0.25)), argb(mix(p.dark, p.deep, 0.9))
    row, top = 0, y
    while top < height + r:
        start = (x + (r if row % 2 else 0)) % (2 * r) - 2 * r
        for i in range(int(width / r / 2) + 3):
            cx, cy = start + i * 2 * r, top + r
            scene.canvas.drawPath(disc(cx, cy, r), fill(shader=radial((cx, cy), r, [inner, outer])))
            for k in (1, 0.82, 0.62, 0.40):
                scene.canvas.drawCircle(cx, cy, r * k, gold.line(3 if k == 1 else 1.5, 0.85 if k == 1 else 0.55))
        top += r * 0.62
        row += 1
    scene.canvas.restore()
    scene.canvas.drawRect(box(0, y - 5 * scene.unit, width, y + 5 * scene.unit), gold.area())


def _frame(scene: Scene, gold: Gold) -> None:
    width, height, u = scene.width, scene.height, scene.unit
    s = width * 0.055
    corner = [(1, 0), (1, 0.5), (0.5, 0.5), (0.5, 1), (0, 1)]  # a corner in steps, in units of s
    for inset, line in ((0, 8), (20, 2), (32, 2)):
        a = width * 0.045 + inset * u
        right, bottom = width - a, height - a
        top_right = [(right - s * dx, a + s * dy) for dx, dy in corner]
        low_right = [(right - s * dx, bottom - s * dy) for dx, dy in reversed(corner)]
        low_left = [(a + s * dx, bottom - s * dy) for dx, dy in corner]
        top_left = [(a + s * dx, a + s * dy) for dx, dy in reversed(corner)]
        scene.canvas.drawPath(polygon([*top_right, *low_right, *low_left, *top_left]), gold.line(line))


def _plate(scene: Scene, gold: Gold) -> None:
    """The author's plate: it belongs to the words, an empty one would stand beside other type."""
    width, height, u = scene.width, scene.height, scene.unit
    wide, high, top = width * 0.66, height * 0.062, height * PLATE_TOP
    plate = area((width - wide) / 2, top, wide, high)
    scene.canvas.drawRect(plate, fill(scene.hints.panel_color))
    scene.canvas.drawRect(plate, gold.line(4))
    scene.canvas.drawRect(plate.makeInset(10 * u, 10 * u), gold.line(1.5))


DECO = Family("deco", paint)
