"""Linescape: scan lines that rise over the story's noun, each hiding what lies behind it."""

import math
from typing import NamedTuple

import numpy as np

from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import BLACK, WHITE, fill, linear, placed, polygon, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.motifs.glyphs import line_art, silhouette
from plugins.atelier.motifs.ornaments import heart
from plugins.atelier.noise import Floats, blur, fbm_line
from plugins.atelier.scene import Scene, Zone

SAMPLES = 700  # points of a line
RELIEF = 300  # cells of the square the noun is drawn on
TOP, FOOT = 0.315, 0.885
TINTS = ("heart", "sunset", "bold")  # accent where the noun is; from row to row; in every risen line


class Field(NamedTuple):
    """The layout of the lines: their number, the noun's scale and place across, their tint, and whether there is a
    disc.
    """

    lines: int
    zoom: float
    across: float
    tint: str
    round: bool


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p = scene.palette
    dark, light = mix(p.dark, BLACK, 0.25), mix(p.paper, p.light, 0.15)
    grounds = ((dark, light), (mix(p.dark, p.deep, 0.7), light), (p.paper, dark), (mix(p.paper, p.light, 0.55), dark))
    ground, ink = grounds[int(scene.sfork("ground").choice(4, p=[0.35, 0.30, 0.2, 0.15]))]
    tagline = Zone(0.12, 0.262, 0.76, 0.024)
    scene.set_type(Zone(0.09, 0.06, 0.82, 0.19), Zone(0.12, 0.92, 0.76, 0.03), ink, tagline=tagline)
    scene.hints.shadow, scene.hints.max_title = False, 0.12
    scene.flood(ground)

    rng, structure = scene.fork("linescape"), scene.sfork("lines")
    tint, is_round = TINTS[int(structure.integers(0, len(TINTS)))], bool(structure.random() < 0.4)
    zoom = rng.uniform(0.95, 1.2) * (0.92 if is_round else 1)
    field = Field(int(structure.integers(58, 100)), zoom, rng.uniform(-0.05, 0.05), tint, is_round)
    _lines(scene, field, ground, ink)


def _lines(scene: Scene, field: Field, ground: str, ink: str) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    relief, noise, cover = _relief(scene), scene.fork("tremor"), fill(ground)
    middle = height * (TOP + FOOT) / 2
    radius = min(width * 0.44, height * (FOOT - TOP) / 2)
    tall = height * (FOOT - TOP) if not field.round else 2 * radius
    span = np.linspace(-0.5, 0.5, SAMPLES)
    fade = np.exp(-((span / 0.275) ** 4))
    for i in range(field.lines):
        t = i / (field.lines - 1)
        y = middle + tall * (t - 0.5)
        half = width * 0.45
        if field.round:
            half = math.sqrt(max(0.0, radius**2 - (y - middle) ** 2)) + 2 * scene.unit
        xs = width * 0.5 + span * 2 * half
        # where on the square the noun is drawn on this line and its points fall
        row = ((t - 0.5) * tall / (width * 0.82) / field.zoom + 0.5) * (RELIEF - 1)
        column = ((span * 2 * half / (width * 0.82) - field.across) / field.zoom + 0.5) * (RELIEF - 1)
        lift = np.zeros(SAMPLES)
        if 0 <= row <= RELIEF - 1:
            inside = (column >= 0) & (column <= RELIEF - 1)
            lift[inside] = relief[int(row), column[inside].astype(int)]
        tremor = fbm_line(noise, SAMPLES, 38, 3, 0.6) - 0.45
        swell = fbm_line(noise, SAMPLES, 5, 2, 0.5)
        rise = (
            lift * 0.040 * (0.8 + 0.5 * swell) + np.abs(tremor) * 0.012 * (0.16 + lift * 1.1) * fade + 0.0015 * tremor
        )
        points = list(zip(xs.tolist(), (y - height * rise).tolist(), strict=True))
        skirt = [(float(xs[-1]), y + height * 0.05), (float(xs[0]), y + height * 0.05)]
        if not field.round:
            scene.canvas.drawPath(polygon([*points, *skirt]), cover)
        risen = min(1.0, float(lift.max()) * 1.2)
        edge = mix(ink, p.accent, round(0.9 * t, 3)) if field.tint == "sunset" else ink
        heat = {"heart": 0.95 * risen, "sunset": 0.9 * t, "bold": 1.0 if risen > 0.1 else 0.0}[field.tint]
        hot = mix(ink, p.accent, round(heat, 3))
        rim = 0.9 if field.round else 0.25
        tones = [argb(edge, rim), argb(edge, 0.9), argb(hot), argb(edge, 0.9), argb(edge, rim)]
        shader = linear((float(xs[0]), 0), (float(xs[-1]) + 1, 0), tones)
        pen = stroke(BLACK, 3.1 * scene.unit * (80 / field.lines) ** 0.5, round_ends=True, shader=shader)
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
