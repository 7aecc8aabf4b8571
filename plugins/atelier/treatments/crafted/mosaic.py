"""Mosaic: small stones, set in rows about the figure, each a little different."""

import math
from collections import defaultdict
from typing import Any, Final

import numpy as np

from plugins.atelier.atmosphere import paper, vignette
from plugins.atelier.color import mix, oklch, shift
from plugins.atelier.drawing import BLACK, WHITE, Path, fill, skia
from plugins.atelier.family import Family
from plugins.atelier.noise import blur
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import BOTTOM, TOP, Layout, choose, few, lay_out, trace, turned
from plugins.atelier.treatments.staging import Spot, stage

STONE: Final = 23.0  # full-page pixels
CELLS: Final = 400  # of the plan of colors across the page
SHADES: Final = 5
ALONG: Final = 0.004  # slope of the blurred figure from which stones turn along its outline
FRAMED: Final = Layout(Zone(0.12, 0.735, 0.76, 0.145), Zone(0.14, 0.908, 0.72, 0.030), Zone(0.16, 0.115, 0.68, 0.52))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("floor", "apse", "framed"))
    pale = mix(p.paper, p.light, 0.25)
    grounds = {
        "floor": [pale, p.light, mix(p.light, p.accent, 0.3)],
        "apse": [mix(p.deep, p.mid, 0.3), p.deep, mix(p.dark, p.deep, 0.5)],
        "framed": [mix(p.mid, p.light, 0.4), pale],
    }
    ground = ground_for(scene, [*turned(scene, "mosaic ground", grounds[way], 0.4), pale, p.deep])
    deep = oklch(ground)[0] < 0.6
    ink = p.paper if deep else p.dark
    mortar = mix(ground, p.dark, 0.6) if deep else mix(ground, p.mid, 0.42)
    plain = way == "framed"
    layout = lay_out(scene, (FRAMED,) if plain else (TOP, BOTTOM), p.dark if plain else ink, p.dark if plain else ink)
    scene.hints.shadow, scene.hints.grain = deep and not plain, 0.06
    wall = mix(p.paper, p.light, 0.12)
    scene.flood(wall if plain else mortar)
    spots = stage(scene, layout.picture, scene.fork("mosaic"), 0.98)
    plan, near = _plan(scene, spots, ground, layout, way)
    z = layout.picture
    rect = None
    if plain:
        rect = skia.Rect.MakeLTRB(
            scene.width * 0.075, scene.width * 0.075, scene.width * 0.925, (z.y + z.h + 0.055) * scene.height
        )
        scene.canvas.drawRect(rect, fill(mortar))
    _set(scene, plan, near, layout, way, rect)
    paper(scene, 0.7)
    if not plain:
        vignette(scene, 0.22, BLACK)


def _plan(scene: Scene, spots: list[Spot], ground: str, layout: Layout, way: str) -> tuple[Any, Any]:
    """The color of each cell, and whether it belongs to a figure."""
    rows = round(CELLS * scene.height / scene.width)
    surface = skia.Surface(CELLS, rows)
    canvas = surface.getCanvas()
    canvas.scale(CELLS / scene.width, rows / scene.height)
    scale = CELLS / scene.width
    cover = skia.Surface(CELLS, rows)
    shape_canvas = cover.getCanvas()
    shape_canvas.scale(scale, rows / scene.height)
    p = scene.palette
    canvas.clear(0xFF000000)
    canvas.drawPaint(fill(ground))
    z = layout.picture
    x, y = (z.x + z.w / 2) * scene.width, (z.y + z.h / 2) * scene.height
    if way == "apse" and not any(spot.figure.celestial for spot in spots):
        r = min(z.w * scene.width * 0.58, z.h * scene.height * 0.52)
        halo = mix(ground, p.dark if oklch(ground)[0] < 0.5 else p.paper, 0.35)
        for k, color in ((1.0, mix(p.light, p.accent, 0.5)), (0.93, halo)):
            canvas.drawCircle(x, y, r * k, fill(color))
        ground = halo
    role = p.accent if way != "apse" else mix(p.light, p.paper, 0.4)
    for spot in spots:
        inks = inks_of(scene, spot.figure, ground, role)
        solid = trace(scene, spot)
        shape_canvas.drawPath(solid, fill(WHITE))
        for path, ink in dressed(spot.figure.outline, inks):
            canvas.drawPath(spot.place(path), fill(ink))
    colors = surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3]
    inside = cover.toarray(colorType=skia.kRGBA_8888_ColorType)[..., 3] > 127
    return colors, inside


def _set(scene: Scene, plan: Any, inside: Any, layout: Layout, way: str, rect: Any) -> None:
    """Lay the stones: in the figure in rows along its outline, around it in rings or a fan."""
    w, h, u = scene.width, scene.height, scene.unit
    rows, columns = inside.shape
    rng = scene.fork("stones")
    field = blur(inside.astype(np.float32), 7.0)
    gy, gx = np.gradient(field)
    turned = np.arctan2(blur(gy, 2.0), blur(gx, 2.0))
    strength = np.hypot(gx, gy)
    step = STONE * u
    z = layout.picture
    cx, cy = (z.x + z.w / 2) * w, (z.y + z.h / 2) * h
    paths: dict[str, Path] = defaultdict(skia.Path)
    fan = way == "floor"
    count_y, count_x = math.ceil(h / step) + 2, math.ceil(w / step) + 2
    draws = rng.random((count_y * count_x, 4)).tolist()
    half = step * 0.43
    at = 0
    for j in range(count_y):
        for i in range(count_x):
            a, b, c, d = draws[at]
            at += 1
            x, y = (i + 0.5 * (j % 2)) * step, (j + 0.5) * step
            if rect is not None and not (
                rect.left() + half < x < rect.right() - half and rect.top() + half < y < rect.bottom() - half
            ):
                continue
            iy, ix = min(rows - 1, max(0, int(y / h * rows))), min(columns - 1, max(0, int(x / w * columns)))
            turn = 0.0 if fan else math.atan2(y - cy, x - cx)
            if strength[iy, ix] > ALONG:
                turn = float(turned[iy, ix])
            turn += (a - 0.5) * 0.22
            r, g, bl = plan[iy, ix]
            color = f"#{r:02x}{g:02x}{bl:02x}"
            shade = (int(b * SHADES) - SHADES // 2) * 0.021
            k = half * (0.93 + 0.12 * c)
            cos, sin = math.cos(turn) * k, math.sin(turn) * k
            px, py = x + (d - 0.5) * step * 0.10, y + (a - 0.5) * step * 0.10
            path = paths[shift(color, shade)]
            path.moveTo(px + cos - sin, py + sin + cos)
            path.lineTo(px - cos - sin, py - sin + cos)
            path.lineTo(px - cos + sin, py - sin - cos)
            path.lineTo(px + cos + sin, py + sin - cos)
            path.close()
    for color, path in sorted(paths.items()):
        scene.canvas.drawPath(path, fill(color))


MOSAIC = Family("mosaic", paint, shows=few)
