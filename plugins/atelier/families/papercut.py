"""Papercut: eight sheets of paper with growing holes, one behind the other, around a lit core with a small scene."""

import math
from collections.abc import Sequence

import numpy as np

from plugins.atelier.atmosphere import dust, paper, shadow
from plugins.atelier.color import argb, mix, ramp
from plugins.atelier.drawing import BLACK, WHITE, Path, curve, fill, placed, radial, skia, stroke, vertical
from plugins.atelier.family import Family
from plugins.atelier.motifs.animals import dragon
from plugins.atelier.motifs.buildings import castle
from plugins.atelier.motifs.plants import bare_tree, leaf, pine, round_tree
from plugins.atelier.motifs.subject import animal
from plugins.atelier.motifs.vessels import tall_ship
from plugins.atelier.noise import Random, fbm_line
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.kit import edge as edged
from plugins.atelier.treatments.shades import hang, heavenly, line_up, named, shade, stands

SHEETS = 8
RIM = 90  # points around a hole
EDGE = 3.0  # full-page pixels of light paper around a figure
STAGE = 2  # the sheet the subject stands on
SUBJECTS = ("fox", "deer", "wolf", "bear", "rabbit", "owl", "horse", "cat", "whale", "bird", "castle", "ship", "dragon")

Points = list[tuple[float, float]]


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, width, height = scene.palette, scene.width, scene.height
    scene.set_type(Zone(0.10, 0.055, 0.80, 0.21), Zone(0.14, 0.93, 0.72, 0.032), mix(p.paper, WHITE, 0.3), p.paper)
    scene.hints.max_title = 0.12
    x, y = width * float(scene.sfork("hole").choice([0.5, 0.44, 0.56])), height * 0.56
    colors = ramp(
        [
            mix(p.paper, p.accent, 0.25),
            mix(p.light, p.accent, 0.3),
            p.light,
            mix(p.light, p.mid, 0.6),
            p.mid,
            mix(p.mid, p.deep, 0.6),
            p.deep,
            mix(p.deep, p.dark, 0.55),
            p.dark,
        ],
        SHEETS + 1,
    )
    tones = [argb(WHITE), argb(colors[0]), argb(mix(colors[0], p.light, 0.5))]
    scene.canvas.drawRect(scene.page(), fill(shader=radial((x, y), width * 0.5, tones)))
    rng = scene.fork("moon")
    mx, my, mr = (
        x + width * rng.uniform(-0.08, 0.08),
        y - width * rng.uniform(0.02, 0.12),
        width * rng.uniform(0.08, 0.13),
    )
    if heavenly(scene):
        hang(scene, Zone(0.30, 0.425, 0.40, 0.12))
    else:
        scene.canvas.drawCircle(mx, my, mr, fill(mix(p.accent, WHITE, 0.35)))
        scene.glow(mx, my, mr * 3, WHITE, 0.6)
    streams = [scene.fork(f"sheet{k}") for k in range(1, SHEETS + 1)]
    rims = [_hole(scene, rng, k, x, y) for k, rng in enumerate(streams, 1)]
    for k, (rng, rim) in enumerate(zip(streams, rims, strict=True), 1):
        scene.canvas.save()
        if k < SHEETS:  # the next sheet hides what is beyond its hole
            scene.canvas.clipRect(skia.Rect.Make(curve(rims[k]).getBounds().makeOutset(2, 2).roundOut()))
        _sheet(scene, rng, k, x, y, rim, colors[k])
        scene.canvas.restore()
        if k == STAGE:
            _stand(scene, rng, x, _lip(scene, rim, y))
    dust(scene, 60, WHITE, (0.25, 0.39, 0.5, 0.34), (1, 3), (0.1, 0.7), "sparks")
    paper(scene, 1.2)


def _hole(scene: Scene, rng: Random, k: int, x: float, y: float) -> Points:
    """The rim of a hole: a noisy ellipse, wider from sheet to sheet."""
    t = k / SHEETS
    rx, ry = scene.width * (0.22 + 0.37 * t**1.1), scene.height * (0.17 + 0.37 * t**1.1)
    rough = fbm_line(rng, RIM, 5 + k * 0.4, 4, 0.5)
    rough = rough - np.linspace(rough[0], rough[-1], RIM) + rough[0]  # so that the rim closes
    points = []
    for i, f in enumerate(rough.tolist()):
        a = math.tau * i / RIM
        wobble = 1 + (f - 0.5) * 0.42 + 0.05 * math.sin(a * 3 + k)
        points.append((x + math.cos(a) * rx * wobble, y + scene.height * 0.02 * t + math.sin(a) * ry * wobble))
    return points


def _lip(scene: Scene, rim: Points, y: float) -> Points:
    """The lower part of a rim, from left to right."""
    return sorted((q for q in rim if q[1] > y + scene.height * 0.06), key=lambda q: q[0])


def _sheet(scene: Scene, rng: Random, k: int, x: float, y: float, rim: Points, color: str) -> None:
    p, u, height = scene.palette, scene.unit, scene.height
    sheet = curve(rim)
    sheet.setFillType(skia.PathFillType.kInverseWinding)  # everything but the hole
    parts = [sheet]
    if k <= 6:
        parts += _trees(scene, rng, k, x, _lip(scene, rim, y))
    if k >= 5:
        parts += _leaves(scene, rng, [q for q in rim if q[1] < y - height * 0.1])
    shadow(scene, parts, dy=(10 + 3 * k) * u, soft=(9 + 2.2 * k) * u, color=mix(p.dark, BLACK, 0.5), alpha=0.55)
    edge = stroke(mix(color, WHITE, 0.35), 2.6 * u, 0.75)
    body = vertical(0, height, [mix(color, WHITE, 0.07), color, mix(color, p.dark, 0.18)])
    for part in (curve(rim), *parts[1:]):  # a light cut edge under the sheet, seen only where it stands out
        scene.canvas.drawPath(part, edge)
    for part in parts:
        scene.canvas.drawPath(part, body)


def _trees(scene: Scene, rng: Random, k: int, x: float, lip: Points) -> list[Path]:
    width, height = scene.width, scene.height
    xs, ys = np.array([q[0] for q in lip]), np.array([q[1] for q in lip])
    soft = scene.has("ocean", "garden", "dream")
    out = []
    for _ in range(5 + k):
        tx = rng.uniform(xs.min() + width * 0.01, xs.max() - width * 0.01)
        off = abs(tx - x) / width
        size = height * (0.035 + 0.028 * k * (0.25 + 1.5 * off)) * rng.uniform(0.7, 1.15)
        tree = round_tree() if soft else pine(rng, 0.40)
        out.append(placed(tree, size, size, 0, tx, float(np.interp(tx, xs, ys)) + size * 0.12))
    return out


def _leaves(scene: Scene, rng: Random, top: Points) -> list[Path]:
    width = scene.width
    return [
        placed(
            leaf(int(rng.integers(0, 2))),
            width * 0.05,
            width * rng.uniform(0.05, 0.10),
            180 + rng.uniform(-40, 40),
            lx,
            ly - width * 0.01,
        )
        for lx, ly in top[::2]
    ]


def _stand(scene: Scene, rng: Random, x: float, lip: Points) -> None:
    p, u = scene.palette, scene.unit
    size = scene.height * 0.15
    if named(scene, frozenset(SUBJECTS)):
        foot = float(np.interp(x, [q[0] for q in lip], [q[1] for q in lip])) + size * 0.03
        for spot in line_up(scene, x, foot, (scene.width * 0.42, scene.height * 0.19)):
            solid = spot.place(spot.figure.outline.solid)
            shadow(scene, solid, dy=6 * u, soft=8 * u, alpha=0.4)
            scene.canvas.drawPath(
                solid, edged(fill(mix(p.paper, WHITE, 0.3)), EDGE * u)
            )  # dark on dark trees otherwise
            shade(scene, spot, mix(p.deep, p.mid, 0.15), p.paper)
        return
    name = scene.first(*SUBJECTS, "tree") or "deer"
    shape = animal(name)
    if name == "castle":
        shape = castle(rng)[0]
    elif name == "ship":
        shape = tall_ship()
    elif name == "dragon":
        shape = placed(dragon(), 0.8, 0.8, -8, 0, -1.0)
    elif shape is None:
        shape = bare_tree(rng)
    y = float(np.interp(x, [q[0] for q in lip], [q[1] for q in lip]))
    shape = placed(shape, size, size, 0, x, y + size * 0.03)
    shadow(scene, shape, dy=6 * u, soft=8 * u, alpha=0.4)
    scene.canvas.drawPath(shape, fill(mix(p.deep, p.mid, 0.3)))


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, {"animal", "bird", "creature", "person", "building", "plant", "tree", "insect", ""}, 3)


PAPERCUT = Family("papercut", paint, shows=_shows)
