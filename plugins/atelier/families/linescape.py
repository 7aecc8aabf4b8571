"""Linescape: scan lines that rise over the story's noun, each hiding what lies behind it."""

import numpy as np

from plugins.atelier.colour import argb, mix
from plugins.atelier.drawing import BLACK, WHITE, fill, linear, placed, polygon, skia, stroke
from plugins.atelier.families.base import Family
from plugins.atelier.motifs.glyphs import line_art, silhouette
from plugins.atelier.motifs.ornaments import heart
from plugins.atelier.noise import Floats, blur, fbm_line
from plugins.atelier.scene import Scene, Zone

LINES = 92
SAMPLES = 700  # points of a line
RELIEF = 300  # cells of the square the noun is drawn on
TOP, FOOT = 0.315, 0.885


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("linescape"), scene.width, scene.height
    dark = rng.random() < 0.7
    ground, ink = mix(p.dark, BLACK, 0.25), mix(p.paper, p.light, 0.15)
    if not dark:
        ground, ink = p.paper, mix(p.dark, p.deep, 0.3)
    scene.set_type(Zone(0.09, 0.06, 0.82, 0.205), Zone(0.12, 0.92, 0.76, 0.03), ink)
    scene.hints.shadow, scene.hints.max_title = False, 0.12
    scene.flood(ground)

    relief = _relief(scene)
    noise = scene.fork("tremor")
    xs = np.linspace(width * 0.05, width * 0.95, SAMPLES)
    columns = np.linspace(-0.10, 1.10, SAMPLES) * (RELIEF - 1)
    inside = (columns >= 0) & (columns <= RELIEF - 1)
    fade = np.exp(-((np.linspace(-1, 1, SAMPLES) / 0.55) ** 4))
    cover = fill(ground)
    for i in range(LINES):
        t = i / (LINES - 1)
        y = height * (TOP + (FOOT - TOP) * t)
        row = np.zeros(SAMPLES)
        at = (t * 1.22 - 0.11) * (RELIEF - 1)
        if 0 <= at <= RELIEF - 1:
            row[inside] = relief[int(at), columns[inside].astype(int)]
        tremor = fbm_line(noise, SAMPLES, 38, 3, 0.6) - 0.45
        swell = fbm_line(noise, SAMPLES, 5, 2, 0.5)
        rise = row * 0.040 * (0.8 + 0.5 * swell) + np.abs(tremor) * 0.012 * (0.16 + row * 1.1) * fade + 0.0015 * tremor
        points = list(zip(xs.tolist(), (y - height * rise).tolist(), strict=True))
        skirt = [(float(xs[-1]), y + height * 0.05), (float(xs[0]), y + height * 0.05)]
        scene.canvas.drawPath(polygon([*points, *skirt]), cover)
        hot = mix(ink, p.accent, round(0.95 * min(1.0, float(row.max()) * 1.2), 3))
        tones = [argb(ink, 0.25), argb(ink, 0.9), argb(hot), argb(ink, 0.9), argb(ink, 0.25)]
        shader = linear((width * 0.07, 0), (width * 0.93, 0), tones)
        pen = stroke(BLACK, 3.1 * scene.unit, round_ends=True, shader=shader)
        scene.canvas.drawPath(polygon(points, close=False), pen)


def _relief(scene: Scene) -> Floats:
    """The noun as heights 0..1: its silhouette half as high as its lines."""
    surface = skia.Surface(RELIEF, RELIEF)
    canvas = surface.getCanvas()
    canvas.clear(0xFF000000)
    solid = silhouette(scene.emblem) or heart()
    bounds = solid.getBounds()
    size = RELIEF * 0.83
    k = size / max(bounds.width(), bounds.height())
    middle = RELIEF / 2
    canvas.drawPath(
        placed(solid, k, k, 0, middle - bounds.centerX() * k, middle - bounds.centerY() * k), fill(WHITE, 0.45)
    )
    lines = line_art(scene.emblem, "emoji-b")
    if lines is not None:
        canvas.drawPath(placed(lines, size, None, 0, middle, middle), fill(WHITE))
    return blur(surface.toarray()[..., 0].astype(np.float32) / 255, 2.2)


LINESCAPE = Family("linescape", paint)
