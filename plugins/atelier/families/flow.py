"""Flow: thousands of brush strokes along a swirling field: a night or dusk sky around a lamp of a moon, a bare tree."""

import math
from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import paper, vignette
from plugins.atelier.color import argb, mix, ramp, shift
from plugins.atelier.drawing import BLACK, WHITE, area, box, fill, placed, skia, stroke, vertical
from plugins.atelier.family import Family
from plugins.atelier.motifs.buildings import cabin
from plugins.atelier.motifs.plants import bare_tree, cypress
from plugins.atelier.noise import blur, fbm
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.terrain import Line

STROKES = 4600
STEPS = 9  # points of a stroke after its first
FIELD = (135, 90)  # rows and columns of the direction field
LAND = 0.70  # horizon, of the page height


class Disc(NamedTuple):
    """The moon in pixels."""

    x: float
    y: float
    r: float


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("flow"), scene.width, scene.height
    scene.set_type(Zone(0.09, 0.06, 0.82, 0.23), Zone(0.12, 0.92, 0.76, 0.034), mix(p.paper, WHITE, 0.3), p.paper)
    sky = [p.dark, p.deep, mix(p.deep, p.mid, 0.7), p.mid, mix(p.mid, p.light, 0.8)]
    land = [mix(p.deep, p.mid, 0.6), p.deep, p.dark]
    scene.gradient(sky, 0, LAND, 12)
    scene.canvas.drawRect(box(0, LAND * height, width, height), vertical(LAND * height, height, land))
    moon = Disc(
        width * rng.uniform(0.30, 0.70), height * rng.uniform(0.40, 0.47), scene.span * rng.uniform(0.115, 0.155)
    )
    _strokes(scene, moon, ramp(sky, 20), ramp([mix(p.deep, p.mid, 0.7), p.deep, p.dark], 12))
    _moon(scene, moon)
    _stand(scene, width * (0.72 if moon.x < width * 0.5 else 0.28), height * 0.845)
    paper(scene, 0.8)
    vignette(scene, 0.35)


def _stand(scene: Scene, x: float, y: float) -> None:
    """On the land: a bare tree, cypresses, or a house with one lit window."""
    p, height, rng = scene.palette, scene.height, scene.fork("stand")
    ink = fill(mix(p.dark, BLACK, 0.3))
    kind = int(scene.sfork("stand").integers(0, 3))
    if scene.has("house", "family"):
        kind = 2
    elif scene.has("tree", "forest"):
        kind = 0
    if kind == 0:
        size = height * rng.uniform(0.26, 0.33)
        scene.canvas.drawPath(placed(bare_tree(scene.fork("tree"), 7), size, size, 0, x, y), ink)
        return
    for dx, k in ((-0.09, 0.26), (-0.03, 0.34), (0.07, 0.22)) if kind == 1 else ((0.13, 0.22), (0.18, 0.16)):
        size = height * k * rng.uniform(0.85, 1.1)
        scene.canvas.drawPath(placed(cypress(), size, size, 0, x + dx * scene.width, y + size * 0.05), ink)
    if kind == 2:
        size = height * 0.13
        scene.canvas.drawPath(placed(cabin(), size, size, 0, x, y), ink)
        lamp = mix(p.accent, p.paper, 0.3)
        scene.canvas.drawRect(area(x - size * 0.09, y - size * 0.27, size * 0.16, size * 0.15), fill(lamp))
        scene.glow(x, y - size * 0.2, size * 0.6, lamp, 0.5)


def _strokes(scene: Scene, moon: Disc, sky: list[str], land: list[str]) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    rng = scene.fork("strokes")
    x0, y0, chance = rng.random(STROKES) * 1.1 - 0.05, rng.random(STROKES) * 1.05, rng.random((STROKES, 4))
    on_land = y0 > LAND + 0.05 * np.sin(x0 * 5 + 1) - 0.03 * np.sin(x0 * 11)
    xs, ys = _trace(scene, moon, x0 * width, y0 * height, on_land, 11 * scene.unit * (1 + 0.7 * chance[:, 0]))

    jitter = chance[:, 1] - 0.5
    near = np.hypot(x0 * width - moon.x, y0 * height - moon.y) / moon.r
    land_tone = np.clip((y0 - LAND) / (1.05 - LAND) * 11 + jitter * 5, 0, 11).astype(int).tolist()
    sky_tone = np.clip(y0 / LAND * 19 + jitter * 6, 0, 19).astype(int).tolist()
    heat = np.round(0.35 + 0.5 * np.exp(-((np.maximum(0, near - 1) / 0.7) ** 2)), 1).tolist()
    is_hot = (chance[:, 2] < 0.85 * np.exp(-((np.maximum(0, near - 1) / 1.5) ** 2))).tolist()
    hot = [p.accent, mix(p.accent, p.paper, 0.5), p.paper]
    pen = stroke(BLACK, 1, round_ends=True)
    for i in range(STROKES):
        if on_land[i]:
            color = shift(land[land_tone[i]], round(float(jitter[i]) * 0.10, 2))
        else:
            color = sky[sky_tone[i]]
            if is_hot[i]:
                color = mix(color, hot[int(chance[i, 3] * 2.99)], heat[i])
            elif chance[i, 2] > 0.965:
                color = mix(color, p.light, 0.5)
        x, y = xs[i], ys[i]
        path = skia.Path()
        path.moveTo(x[0], y[0])
        path.quadTo(x[3], y[3], x[5], y[5])
        path.quadTo(x[7], y[7], x[9], y[9])
        pen.setColor(argb(color, 0.9))
        pen.setStrokeWidth((4.5 + 7.5 * float(chance[i, 3])) * scene.unit)
        scene.canvas.drawPath(path, pen)


def _trace(
    scene: Scene, moon: Disc, x: Line, y: Line, on_land: Line, step: Line
) -> tuple[list[list[float]], list[list[float]]]:
    """Follow the field from every starting point: curl noise in the sky, circles at the moon, furrows on the land."""
    rows, columns = FIELD
    field: Line = blur(fbm(scene.fork("field"), rows, columns, 2.0, 3, 0.5), 2)
    gy, gx = (np.asarray(g, float) for g in np.gradient(field))
    xs, ys = [x], [y]
    for _ in range(STEPS):
        i = np.clip(x / scene.width * columns, 0, columns - 1).astype(int)
        j = np.clip(y / scene.height * rows, 0, rows - 1).astype(int)
        vx, vy = -gy[j, i], gx[j, i]
        length = np.hypot(vx, vy) + 1e-6
        vx, vy = vx / length, vy / length
        ex, ey = x - moon.x, y - moon.y
        away = np.hypot(ex, ey)
        pull = np.exp(-((away / (moon.r * 2.6)) ** 2))
        far = away + scene.unit
        vx, vy = (
            np.where(on_land, 0.93 * vx + 1.6, vx * (1 - pull) - pull * ey / far * 1.4 + 0.35),
            np.where(
                on_land, 0.25 * vy + 0.25 * np.cos(x / scene.width * 5 + 1), vy * (1 - pull) + pull * ex / far * 1.4
            ),
        )
        length = np.hypot(vx, vy) + 1e-6
        x, y = x + vx / length * step, y + vy / length * step
        xs.append(x)
        ys.append(y)
    return np.array(xs).T.tolist(), np.array(ys).T.tolist()


def _moon(scene: Scene, moon: Disc) -> None:
    p, rng = scene.palette, scene.fork("moon strokes")
    scene.canvas.drawCircle(moon.x, moon.y, moon.r * 0.98, fill(mix(p.accent, p.paper, 0.45)))
    scene.glow(moon.x, moon.y, moon.r * 2.4, p.accent, 0.45)
    tones = [p.accent, mix(p.accent, p.paper, 0.6), p.paper]
    for start, reach, long, thick, tone in rng.random((70, 5)).tolist():
        r = moon.r * (0.15 + 0.8 * reach)
        arc = skia.Path()
        rect = box(moon.x - r, moon.y - r, moon.x + r, moon.y + r)
        arc.addArc(rect, math.degrees(start * math.tau), 40 + 60 * long)
        pen = stroke(tones[int(tone * 3)], (4 + 6 * thick) * scene.unit, 0.85, round_ends=True)
        scene.canvas.drawPath(arc, pen)


FLOW = Family("flow", paint, mirror=True)
