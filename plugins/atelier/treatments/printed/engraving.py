"""Engraving: a figure out of lines that swell with its tone, as on a bank note or a plate of natural history."""

import math
from typing import Any, Final

import numpy as np

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import contrast, mix, oklch
from plugins.atelier.drawing import Path, box, fill, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import Floats, blur
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import COLORS, distance, ground_for
from plugins.atelier.treatments.kit import BOTTOM, TOP, Layout, anything, choose, lay_out, trace, turned, weather
from plugins.atelier.treatments.staging import Spot, stage

CELLS: Final = 420  # of the field of tones across the page
LEGIBLE: Final = 5.5  # contrast of the lines
LINE: Final = 11.0  # full-page pixels between two lines
STEPS: Final = 3.0  # cells between two points of a line
PLATE: Final = Layout(Zone(0.13, 0.70, 0.74, 0.165), Zone(0.15, 0.892, 0.70, 0.03), Zone(0.17, 0.115, 0.66, 0.50))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("plate", "note", "night"))
    pale = turned(
        scene, "sheet", [mix(p.paper, "#f5efe0", 0.4), mix(p.paper, p.light, 0.4), mix(p.paper, p.accent, 0.22)], 0.5
    )[0]
    inks = turned(scene, "ink", [mix(p.dark, p.deep, 0.35), p.deep, mix(p.dark, p.accent, 0.35)], 0.3)
    if way == "night":
        sheet = ground_for(scene, [*turned(scene, "night", [mix(p.dark, p.deep, 0.5), p.dark, p.deep], 0.4), pale])
    else:
        sheet = ground_for(scene, [pale, mix(p.light, p.paper, 0.55)])
    deep = oklch(sheet)[0] < 0.6
    chalk = turned(scene, "chalk", [mix(p.paper, p.light, 0.25), p.light, mix(p.paper, p.accent, 0.35)], 0.4)[0]
    ink = chalk if deep else next((c for c in inks if contrast(c, sheet) > LEGIBLE), inks[0])
    layout = lay_out(scene, (PLATE,) if way == "plate" else (TOP, BOTTOM), ink, ink)
    scene.hints.shadow, scene.hints.grain = False, 0.07
    scene.flood(sheet)
    if way == "plate":
        _frame(scene, ink)
    else:
        _rosette(scene, layout, mix(sheet, p.accent if distance(p.accent, sheet) > 0.2 else ink, 0.7))
    weather(scene, mix(sheet, ink, 0.6), 0.8)
    spots = stage(scene, layout.picture, scene.fork("engraving"))
    for spot in spots:
        solid = trace(scene, spot)
        scene.canvas.drawPath(solid, fill(mix(sheet, p.paper, 0.5) if not deep else sheet))
        _engrave(scene, spot, solid, ink if not spot.figure.color else _strong(spot, sheet), deep)
    paper(scene, 0.8)


def _strong(spot: Spot, sheet: str) -> str:
    """The color word as an ink: strong enough for thin lines."""
    color = COLORS[spot.figure.color]
    return color if distance(color, sheet) > 0.3 else mix(color, "#000000" if oklch(sheet)[0] > 0.5 else "#ffffff", 0.3)


def _tones(spot: Spot, left: float, top: float, cell: float, columns: int, rows: int, deep: bool) -> Floats:
    """How much ink each cell takes, 0..1: the tone of its shape, and a round shade towards the lower right."""
    surface = skia.Surface(columns, rows)
    canvas = surface.getCanvas()
    canvas.clear(0)
    canvas.scale(1 / cell, 1 / cell)
    canvas.translate(-left, -top)
    tones = [shape.tone for shape in spot.figure.outline.seen]
    low, high = min(tones), max(tones)
    for shape in spot.figure.outline.seen:
        level = (shape.tone - low) / (high - low) if high - low > 0.05 else 0.45
        grey = round(255 * (0.12 + 0.76 * level))
        canvas.drawPath(spot.place(shape.path), fill(f"#{grey:02x}{grey:02x}{grey:02x}"))
    pixels = surface.toarray(colorType=skia.kRGBA_8888_ColorType)
    alpha, light = pixels[..., 3].astype(np.float32) / 255, pixels[..., 0].astype(np.float32) / 255
    inside = alpha > 0.5
    wide = max(2.0, spot.size / cell * 0.075)
    height = blur(inside.astype(np.float32), wide)
    dy, dx = np.gradient(height)
    shade = np.clip(0.5 - (dx + dy) * wide * 1.5, 0, 1)
    soft = blur(light * alpha, 1.0) / np.maximum(blur(alpha, 1.0), 1e-3)
    lit = np.clip(soft * 0.72 + (1 - shade) * 0.48 - 0.12, 0, 1)
    amount = lit if deep else 1 - lit
    out: Floats = np.where(inside, np.clip(0.10 + 0.86 * amount, 0.10, 0.94), 0).astype(np.float32)
    return out


def _engrave(scene: Scene, spot: Spot, solid: Path, ink: str, deep: bool) -> None:
    """Wavy lines across the figure, each as wide as the tone under it; then a thin contour."""
    u, canvas = scene.unit, scene.canvas
    cell = scene.width / CELLS
    bounds = solid.getBounds()
    left, top = bounds.left() - 4 * cell, bounds.top() - 4 * cell
    columns, rows = int(bounds.width() / cell) + 8, int(bounds.height() / cell) + 8
    tones = _tones(spot, left, top, cell, columns, rows, deep)
    rng = scene.fork("lines")
    pitch = LINE * u * (0.62 + 0.38 * min(1.0, spot.size / (scene.width * 0.55)))
    swing, waves = float(rng.uniform(0.02, 0.05)), float(rng.uniform(0.6, 1.2))
    turn = math.radians(float(rng.choice([-24, -12, 14, 26])))
    cos, sin = math.cos(turn), math.sin(turn)
    reach = math.hypot(bounds.width(), bounds.height()) / 2 + pitch
    t = np.arange(-reach, reach, cell * STEPS * 0.6, dtype=np.float32)
    path = skia.Path()
    offset = -reach
    while offset < reach:
        bow = offset + np.sin(t / reach * math.pi * waves) * spot.size * swing - (t / reach) ** 2 * spot.size * 0.05
        xs, ys = spot.x + t * cos - bow * sin, spot.y + t * sin + bow * cos
        ix = np.clip(((xs - left) / cell).astype(int), 0, columns - 1)
        iy = np.clip(((ys - top) / cell).astype(int), 0, rows - 1)
        within = (xs > left) & (xs < left + columns * cell) & (ys > top) & (ys < top + rows * cell)
        wide = np.where(within, tones[iy, ix], 0) * pitch * 0.5
        for first, last in _runs(wide > 0.02 * pitch):
            _ribbon(path, xs[first:last], ys[first:last], wide[first:last], -sin, cos)
        offset += pitch
    canvas.save()
    canvas.clipPath(solid, True)
    canvas.drawPath(path, fill(ink))
    canvas.restore()
    line = max(1.0 * u, min(4.0 * u, spot.size * 0.004))
    for shape in spot.figure.outline.seen:
        canvas.drawPath(spot.place(shape.path), stroke(ink, line, round_ends=True))
    canvas.drawPath(solid, stroke(ink, line * 1.5, round_ends=True))


def _runs(on: Any) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], on.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 1]


def _ribbon(path: Path, xs: Any, ys: Any, wide: Any, nx: float, ny: float) -> None:
    upper = zip((xs + nx * wide).tolist(), (ys + ny * wide).tolist(), strict=True)
    lower = zip((xs - nx * wide)[::-1].tolist(), (ys - ny * wide)[::-1].tolist(), strict=True)
    path.addPoly([skia.Point(x, y) for x, y in (*upper, *lower)], True)


def _frame(scene: Scene, ink: str) -> None:
    w, h, u = scene.width, scene.height, scene.unit
    m = 0.055 * w
    for inset, wide in ((0, 7.0), (16, 2.0), (24, 1.2)):
        k = m + inset * u
        scene.canvas.drawRect(box(k, k, w - k, h - k), stroke(ink, wide * u))
    y = h * 0.665
    scene.canvas.drawLine(w * 0.3, y, w * 0.7, y, stroke(ink, 2 * u))
    scene.canvas.drawCircle(w * 0.5, y, 7 * u, fill(ink))


def _rosette(scene: Scene, layout: Layout, ink: str) -> None:
    """Guilloche: many turns of one waved ring, behind the figure."""
    z, u = layout.picture, scene.unit
    x, y = (z.x + z.w / 2) * scene.width, (z.y + z.h / 2) * scene.height
    rng = scene.sfork("rosette")
    r = min(z.w * scene.width, z.h * scene.height) * float(rng.uniform(0.46, 0.58))
    lobes, turns = int(rng.choice([7, 9, 12, 16])), int(rng.choice([10, 14]))
    a = np.linspace(0, math.tau, 420, dtype=np.float32)
    paint = stroke(ink, 2.6 * u, 0.9)
    for k in range(turns):
        radius = r * (0.82 + 0.16 * np.sin(lobes * a + k * math.tau / turns) + 0.05 * np.sin(lobes * 3 * a))
        points = [
            skia.Point(px, py)
            for px, py in zip((x + radius * np.cos(a)).tolist(), (y + radius * np.sin(a)).tolist(), strict=True)
        ]
        ring = skia.Path()
        ring.addPoly(points, True)
        scene.canvas.drawPath(ring, paint)


ENGRAVING = Family("engraving", paint, shows=anything)
