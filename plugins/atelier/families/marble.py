"""Marble: ink poured on water: a field warped three times over, gold veins of even width, and a paper label."""

import numpy as np

from plugins.atelier.atmosphere import paper, shadow
from plugins.atelier.color import Bytes, mix, oklab, oklab_to_bytes, oklch
from plugins.atelier.drawing import WHITE, area, fill, rectangle, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import Floats, enlarge, fbm, warp
from plugins.atelier.scene import Scene, Zone

COARSE, FINE = 4, 2  # full-size pixels per cell of the warped field, and of the picture
SHADES = 64  # steps of fine light and dark laid over the colors
# level of the field a gold vein follows, and its width in cells of the picture
VEINS = ((0.46, 1.6), (0.63, 1.0), (0.30, 0.8))
LABEL = (0.17, 0.30, 0.66, 0.36)


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p = scene.palette
    title, author = Zone(0.225, 0.335, 0.55, 0.22), Zone(0.26, 0.605, 0.48, 0.024)
    scene.set_type(title, author, p.dark, mix(p.dark, p.deep, 0.6), Zone(0.25, 0.575, 0.5, 0.02))
    scene.hints.shadow, scene.hints.max_title = False, 0.095
    gold = p.accent if oklch(p.accent)[0] > 0.55 else p.light

    rows, columns = scene.grid(FINE)
    flow, bend = _pour(scene)
    field = enlarge(flow, rows, columns)
    scene.picture(_inks(scene, field))
    _veins(scene, field, enlarge(bend, rows, columns), gold)
    _flecks(scene, flow, gold)
    _label(scene, gold)


def _pour(scene: Scene) -> tuple[Floats, Floats]:
    """The field the colors follow, 0..1, and the one that bent it."""
    rng = scene.fork("pour")
    rows, columns = scene.grid(COARSE)
    a, b = fbm(rng, rows, columns, 1.6, 5, 0.5), fbm(rng, rows, columns, 1.6, 5, 0.5)
    first = warp(fbm(rng, rows, columns, 1.4, 5, 0.5, (1, 1.5)), a, b, columns * 0.9)
    second = warp(a, first, b, columns * 0.8)
    field = warp(first, second, a, columns * 0.45)
    field = (field - field.min()) / (field.max() - field.min())
    return np.clip((field - 0.08) / 0.84, 0, 1), second


def _inks(scene: Scene, field: Floats) -> Bytes:
    p = scene.palette
    tones = [p.dark, p.deep, mix(p.deep, p.mid, 0.6), p.mid, p.light, p.paper, mix(p.paper, WHITE, 0.4)]
    # One table of colors by fine shade: a lookup per cell instead of color maths per cell.
    lab = np.array([oklab(c) for c in tones], np.float32)
    x = np.linspace(0, len(tones) - 1.001, 512, dtype=np.float32)
    i = x.astype(int)
    t = (x - i)[:, None]
    t = t * t * (3 - 2 * t)
    table = np.repeat((lab[i] * (1 - t) + lab[i + 1] * t)[None], SHADES, 0)
    table[..., 0] += ((np.arange(SHADES, dtype=np.float32) / (SHADES - 1)) - 0.5)[:, None] * np.float32(0.05)
    colors = oklab_to_bytes(table)
    rows, columns = scene.grid(COARSE)
    height, width = field.shape
    fine = enlarge(fbm(scene.fork("tooth"), rows, columns, 30, 3, 0.6), height, width, cubic=False)
    shade = np.clip(fine * (SHADES - 1), 0, SHADES - 1).astype(np.uint8)
    return colors[shade, np.clip(field * 511, 0, 511).astype(np.uint16)]


def _veins(scene: Scene, field: Floats, bend: Floats, gold: str) -> None:
    gy, gx = np.gradient(field)
    slope = np.hypot(gx, gy) + np.float32(1e-5)
    leaf = np.zeros_like(field)
    groove = np.zeros_like(field)
    for level, width in VEINS:
        away = np.abs(field - np.float32(level)) / slope  # distance to the level line, in cells
        np.maximum(leaf, np.clip(width * (0.6 + 1.4 * bend) + 0.6 - away, 0, 1), out=leaf)
        np.maximum(groove, np.clip(1 - np.abs(away - 2.2 * width) / 1.2, 0, 1), out=groove)
    scene.mask(groove, scene.palette.dark, 0.15)
    scene.mask(leaf, mix(gold, WHITE, 0.2), 0.9)


def _flecks(scene: Scene, flow: Floats, gold: str) -> None:
    rows, columns = flow.shape
    ink = fill(mix(gold, WHITE, 0.25), 0.9)
    for x, y, q in scene.fork("flecks").random((380, 3)).tolist():
        if abs(float(flow[int(y * (rows - 1)), int(x * (columns - 1))]) - VEINS[0][0]) < 0.07:
            scene.canvas.drawCircle(x * scene.width, y * scene.height, (0.8 + 3.6 * q**4) * scene.unit, ink)


def _label(scene: Scene, gold: str) -> None:
    p, u = scene.palette, scene.unit
    x, y, w, h = (v * side for v, side in zip(LABEL, (scene.width, scene.height) * 2, strict=True))
    label = area(x, y, w, h)
    shadow(scene, rectangle(x, y, x + w, y + h), dy=10 * u, soft=22 * u, alpha=0.45)
    scene.canvas.drawRect(label, fill(mix(p.paper, WHITE, 0.35)))
    hairline = mix(gold, p.deep, 0.35)
    scene.canvas.drawRect(label.makeInset(20 * u, 20 * u), stroke(hairline, 3 * u))
    scene.canvas.drawRect(label.makeInset(28 * u, 28 * u), stroke(hairline, 1.4 * u, 0.7))
    paper(scene, 0.5)


MARBLE = Family("marble", paint)
