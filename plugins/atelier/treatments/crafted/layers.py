"""Layers: everything cut from sheets of paper that lie over each other and cast shadows."""

import math
from typing import Final

import numpy as np

from plugins.atelier.atmosphere import paper, shadow
from plugins.atelier.color import mix, oklch, ramp
from plugins.atelier.drawing import BLACK, WHITE, Path, curve, disc, fill, polygon, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import fbm_line
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import Inks, ground_for, ink_of, inks_of
from plugins.atelier.treatments.kit import BOTTOM, TOP, Layout, anything, choose, lay_out, trace, turned, weather
from plugins.atelier.treatments.staging import Spot, stage

RIM: Final = 90  # points of a cut edge
SHEETS: Final = 5
STAND: Final = Layout(Zone(0.09, 0.065, 0.82, 0.21), Zone(0.12, 0.925, 0.76, 0.032), Zone(0.13, 0.33, 0.74, 0.465))
HOLE: Final = Layout(Zone(0.09, 0.06, 0.82, 0.175), Zone(0.12, 0.93, 0.76, 0.032), Zone(0.205, 0.375, 0.59, 0.40))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("hole", "hills", "burst"))
    light = [
        mix(p.paper, p.light, 0.2),
        mix(p.light, p.accent, 0.25),
        mix(p.mid, p.light, 0.4),
        mix(p.paper, p.companion, 0.3),
    ]
    if scene.has("night", "midnight"):
        light = [mix(p.deep, p.mid, 0.4), *light]
    ground = ground_for(scene, turned(scene, "sheet", light, 0.3))
    scene.hints.grain = 0.08
    rim = turned(scene, "rim", [p.deep, p.mid, mix(p.dark, p.deep, 0.5)], 0.3)[0]
    outer = rim if way == "hole" else ground
    ink = p.paper if oklch(outer)[0] < 0.62 else p.dark
    layout = lay_out(
        scene, {"hole": (HOLE,), "hills": (STAND,)}.get(way, (TOP, BOTTOM)), ink, p.paper if way != "burst" else ink
    )
    scene.hints.shadow = way == "hole"
    scene.flood(ground)
    spots = stage(scene, layout.picture, scene.fork("layers"), standing=way == "hills")
    if way == "hole":
        _hole(scene, layout.picture, ground, rim)
    elif way == "burst":
        _burst(scene, layout.picture, ground)
    weather(scene, mix(ground, WHITE if oklch(ground)[0] < 0.8 else p.mid, 0.7), 0.9)
    if way == "hills":
        _hill(scene, spots, ground, 0)
    for group in (False, True):
        _cut(scene, [spot for spot in spots if spot.main is group], ground)
    if way == "hills":
        _hill(scene, spots, ground, 1)
        _hill(scene, spots, ground, 2)
    paper(scene, 1.3)


def _cut(scene: Scene, spots: list[Spot], ground: str) -> None:
    """The figures out of their shapes, each a sheet with its shadow on those below it."""
    if not spots:
        return
    p, u = scene.palette, scene.unit
    solids = [trace(scene, spot) for spot in spots]
    size = max(spot.size for spot in spots) / (scene.width * 0.6)
    lift = max(0.35, min(1.0, size))
    shadow(scene, solids, dx=4 * u, dy=16 * u * lift, soft=18 * u * lift, color=mix(p.dark, BLACK, 0.3), alpha=0.5)
    inks = {spot.figure.id: _inks(scene, spot, ground) for spot in spots}
    for spot, solid in zip(spots, solids, strict=True):
        outline = spot.figure.outline
        deep = len(outline.shapes)
        scene.canvas.drawPath(solid, fill(inks[spot.figure.id].main))
        for i, shape in enumerate(outline.shapes):
            path, color = spot.place(shape.path), ink_of(shape, outline.main, inks[spot.figure.id])
            if i > 0 and deep <= 24 and len(spots) <= 4:
                fall = fill(mix(p.dark, BLACK, 0.4), 0.42, blur=6 * u * lift)
                scene.canvas.save()
                scene.canvas.clipPath(solid, True)
                scene.canvas.translate(1.5 * u, 6 * u * lift)
                scene.canvas.drawPath(path, fall)
                scene.canvas.restore()
            scene.canvas.drawPath(path, fill(color))
            scene.canvas.drawPath(path, stroke(mix(color, WHITE, 0.4), 1.8 * u, 0.6))


def _inks(scene: Scene, spot: Spot, ground: str) -> Inks:
    p = scene.palette
    return inks_of(scene, spot.figure, ground, p.accent if spot.main else p.companion)


def _sheet(scene: Scene, rim: Path, color: str, lift: float = 1.0, outside: bool = False) -> None:
    """Lay one sheet, the inside of its rim or all that is outside, with its shadow and a light cut edge."""
    u = scene.unit
    sheet = skia.Path(rim)
    if outside:
        sheet.setFillType(skia.PathFillType.kInverseWinding)
    shadow(scene, sheet, dy=12 * u * lift, soft=20 * u * lift, color=mix(scene.palette.dark, BLACK, 0.4), alpha=0.5)
    scene.canvas.drawPath(sheet, fill(color))
    # of the rim itself: a stroke of what is outside would be all but the stroke
    scene.canvas.drawPath(rim, stroke(mix(color, WHITE, 0.4), 2.2 * u, 0.6))


def _hole(scene: Scene, zone: Zone, inner: str, outer: str) -> None:
    """Sheets with ever wider holes about the picture."""
    w, h = scene.width, scene.height
    x, y = (zone.x + zone.w / 2) * w, (zone.y + zone.h / 2) * h
    tones = ramp([inner, mix(inner, outer, 0.35), mix(inner, outer, 0.7), outer], SHEETS + 1)
    lobes = int(scene.sfork("lobes").choice([0, 3, 5]))
    for k in range(1, SHEETS + 1):
        rng = scene.fork(f"rim{k}")
        rough = fbm_line(rng, RIM, 5, 3, 0.5)
        rough = rough - np.linspace(rough[0], rough[-1], RIM) + rough[0]
        t = (k - 1) / (SHEETS - 1)
        rx, ry = w * (0.365 + 0.13 * t), h * (0.262 + 0.085 * t)
        points = []
        for i, f in enumerate(rough.tolist()):
            a = math.tau * i / RIM
            wobble = 1 + (f - 0.5) * 0.16 + 0.035 * math.sin(lobes * a + k * 0.9)
            points.append((x + math.cos(a) * rx * wobble, y + math.sin(a) * ry * wobble))
        _sheet(scene, curve(points), tones[k], 0.7 + 0.12 * k, outside=True)


def _hill(scene: Scene, spots: list[Spot], ground: str, place: int) -> None:
    """One strip of land; the figures stand before the first and behind the others."""
    p, w, h = scene.palette, scene.width, scene.height
    foot = max(spot.bottom for spot in spots)
    level = (foot - 0.085 * h, foot - 0.018 * h, foot + 0.05 * h)[place]
    color = (mix(p.mid, p.light, 0.25), mix(p.mid, p.deep, 0.4), p.deep)[place]
    if abs(oklch(color)[0] - oklch(ground)[0]) < 0.08:
        color = mix(color, p.dark, 0.25)
    rough = fbm_line(scene.fork(f"hill{place}"), 40, 2.2, 3, 0.45)
    points = [
        (w * (-0.05 + 1.1 * i / 39), level + (f - 0.5) * 0.05 * h * (1 if place != 1 else 0.5))
        for i, f in enumerate(rough.tolist())
    ]
    path = curve(points, False)
    path.lineTo(w * 1.1, h * 1.1)
    path.lineTo(-w * 0.1, h * 1.1)
    path.close()
    _sheet(scene, path, color)


def _burst(scene: Scene, zone: Zone, ground: str) -> None:
    """Rays of a second paper, and discs behind the figure."""
    w, h, p = scene.width, scene.height, scene.palette
    x, y = (zone.x + zone.w / 2) * w, (zone.y + zone.h / 2) * h
    count = int(scene.sfork("rays").choice([9, 12, 16]))
    tone = mix(ground, p.light if oklch(ground)[0] < 0.75 else p.mid, 0.22)
    rays = skia.Path()
    far = math.hypot(w, h)
    for i in range(count):
        a, b = math.tau * i / count, math.tau * (i + 0.5) / count
        rays.addPath(
            polygon(
                [(x, y), (x + far * math.cos(a), y + far * math.sin(a)), (x + far * math.cos(b), y + far * math.sin(b))]
            )
        )
    scene.canvas.drawPath(rays, fill(tone))
    r = min(zone.w * w * 0.54, zone.h * h * 0.5)
    for k, color in ((1.0, mix(tone, p.mid, 0.25)), (0.84, mix(ground, WHITE, 0.25))):
        _sheet(scene, disc(x, y, r * k), color, 0.9)


LAYERS = Family("layers", paint, shows=anything)
