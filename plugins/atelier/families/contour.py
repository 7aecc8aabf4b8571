"""Contour: a topographic sheet: tinted relief, crisp height lines, a dashed route to a cross, a label for the type."""

import math
from collections.abc import Sequence

import numpy as np

from plugins.atelier.atmosphere import paper, shadow
from plugins.atelier.color import mix, ramp, rgb
from plugins.atelier.drawing import area, box, curve, fill, rectangle, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import Floats, blur, enlarge, enlarge_rows, fbm
from plugins.atelier.scene import Box, Scene, Zone

LEVELS = 17
COARSE, TINT = 8, 3  # full-size pixels per cell of the height field, and of the tints
BAND = 300  # rows of the page whose lines are computed at a time: limits memory
MAJOR = 4  # every fourth line is heavy


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p = scene.palette
    title = Zone(0.125, 0.095, 0.75, 0.25, "top", "left")
    author = Zone(0.125, 0.365, 0.75, 0.030, "middle", "left")
    scene.set_type(title, author, p.dark, p.dark, Zone(0.125, 0.325, 0.75, 0.026, "middle", "left"))
    hints = scene.hints
    hints.shadow, hints.max_title, hints.left, hints.flow = False, 0.15, True, True
    hints.panel = lambda boxes: _label(scene, boxes)

    rows, columns = scene.grid(COARSE)
    heights = fbm(scene.fork("heights"), rows, columns, 1.8, 4, 0.42)
    heights = blur(heights, columns / 300)
    _tints(scene, heights)
    _lines(scene, heights)
    _route(scene)
    paper(scene, 0.6)


def _tints(scene: Scene, heights: Floats) -> None:
    p = scene.palette
    field = enlarge(heights, *scene.grid(TINT))
    stops = [
        p.dark,
        mix(p.dark, p.deep, 0.6),
        p.deep,
        mix(p.deep, p.mid, 0.6),
        p.mid,
        mix(p.mid, p.light, 0.6),
        p.light,
    ]
    tints = np.array([rgb(c) for c in ramp([*stops, p.paper], LEVELS + 2)], np.float32)
    relief = np.clip((np.roll(np.roll(field, 3, 0), 3, 1) - field) * 15, -1, 1)
    # A table of tint by relief: a lookup per cell instead of arithmetic on three planes.
    steps = np.linspace(-1, 1, 65, dtype=np.float32)[:, None, None]
    table = tints[None] * (1 - 0.16 * np.clip(steps, 0, 1)) + 0.05 * np.clip(-steps, 0, 1)
    colors = np.clip(table * 255 + 0.5, 0, 255).astype(np.uint8)
    shade = ((relief + 1) * 32).astype(np.uint8)
    scene.picture(colors[shade, np.clip(field * LEVELS, 0, LEVELS).astype(np.uint8)])


def _lines(scene: Scene, heights: Floats) -> None:
    """Height lines of constant width, drawn at full size in bands of rows."""
    p, u = scene.palette, scene.unit
    levels = heights * np.float32(LEVELS)
    gy, gx = np.gradient(levels)
    cell = scene.width / heights.shape[1]
    slope = np.hypot(gx, gy) / np.float32(cell) + np.float32(1e-4)  # levels per page pixel
    ink = mix(p.paper, p.light, 0.3)
    for first in range(0, scene.height, BAND):
        last = min(scene.height, first + BAND)
        x = enlarge_rows(levels, scene.height, scene.width, first, last)
        g = enlarge_rows(slope, scene.height, scene.width, first, last)
        nearest = np.rint(x)
        away = np.abs(x - nearest) / np.maximum(g, np.float32(1e-4))
        heavy = nearest % MAJOR == 0
        reach = np.where(heavy, np.float32(2.2 * u + 0.5), np.float32(1.05 * u + 0.5))
        scene.mask(np.clip(reach - away, 0, 1), ink, 0.55, rect=area(0, first, scene.width, last - first))


def _route(scene: Scene) -> None:
    p, u, width, height = scene.palette, scene.unit, scene.width, scene.height
    rng = scene.fork("route")
    sway, phase = rng.uniform(0.05, 0.12), rng.uniform(0, math.tau)
    side = 1 if rng.random() < 0.5 else -1
    points = []
    for t in np.linspace(0, 1, 14).tolist():
        x = 0.5 + side * (-0.38 + 0.76 * t + sway * math.sin(t * 9 + phase))
        y = 0.93 - 0.40 * t + 0.03 * math.sin(t * 13 + phase * 2)
        points.append((width * min(0.93, max(0.07, x)), height * y))
    line = curve(points, False)
    scene.canvas.drawPath(line, stroke(p.dark, 15 * u, 0.35, round_ends=True, blur=6 * u))
    pen = stroke(p.accent, 9 * u, round_ends=True)
    pen.setPathEffect(skia.DashPathEffect.Make([26 * u, 24 * u], 0))
    scene.canvas.drawPath(line, pen)
    (x0, y0), (x1, y1) = points[0], points[-1]
    scene.canvas.drawCircle(x0, y0, 22 * u, fill(p.accent))
    scene.canvas.drawCircle(x0, y0, 9 * u, fill(p.paper))
    cross = stroke(p.accent, 13 * u, round_ends=True)
    for side in (-1, 1):
        scene.canvas.drawLine(x1 - 26 * u, y1 + side * 26 * u, x1 + 26 * u, y1 - side * 26 * u, cross)


def _label(scene: Scene, boxes: Sequence[Box]) -> None:
    """A framed label hugging the laid-out type."""
    p, u, width = scene.palette, scene.unit, scene.width
    margin = width * 0.055
    left, top = width * 0.07, min(b[1] for b in boxes) - margin
    right = max(max(b[2] for b in boxes) + margin, width * 0.62)
    foot = max(b[3] for b in boxes) + margin * 0.9
    shadow(scene, rectangle(left, top, right, foot), dy=8 * u, soft=20 * u, alpha=0.4)
    label = box(left, top, right, foot)
    scene.canvas.drawRect(label, fill(p.paper))
    scene.canvas.drawRect(label.makeInset(16 * u, 16 * u), stroke(p.dark, 3 * u))


CONTOUR = Family("contour", paint)
