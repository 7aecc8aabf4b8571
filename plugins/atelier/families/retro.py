"""Retro: seven seventies bands as an arch, a sunset or a river, a planet, hard flat color, coarse grain."""

import math
from typing import NamedTuple

from plugins.atelier.atmosphere import paper, speckle, stars
from plugins.atelier.color import mix, oklch, ramp
from plugins.atelier.drawing import bezier, box, curve, fill, linear, placed, skia, stops, stroke
from plugins.atelier.family import Family
from plugins.atelier.motifs.vessels import rocket
from plugins.atelier.scene import Scene, Zone

BANDS = 7


class Sweep(NamedTuple):
    """The arch: center, outer radius, width of a band in pixels; which way it runs off (1 right, -1 left)."""

    x: float
    y: float
    r: float
    band: float
    side: int
    light: bool  # whether the ground is paper

    def at(self, x: float) -> float:
        """A column, mirrored when the sweep runs left."""
        return self.x + self.side * (x - self.x)


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("retro"), scene.width, scene.height
    dark = scene.sfork("ground").random() < 0.5
    side = 1 if scene.sfork("sweep").random() < 0.5 else -1
    ink = p.paper if dark else p.dark
    # The bands fill the foot of the page, so the author's name is under the title.
    tagline, author = Zone(0.12, 0.228, 0.76, 0.022), Zone(0.15, 0.262, 0.70, 0.026)
    scene.set_type(Zone(0.09, 0.065, 0.82, 0.155), author, ink, ink, tagline)
    scene.hints.type_style, scene.hints.grain, scene.hints.max_title = "retro", 0.22, 0.12

    scene.flood(p.dark if dark else mix(p.paper, p.light, 0.15))
    if dark:
        stars(scene, 420, 1.2, p.paper)
    bands = ramp([p.deep, p.mid, p.accent if oklch(p.accent)[0] < 0.75 else p.mid, p.light, p.paper], BANDS)
    r = scene.span * rng.uniform(0.28, 0.33)
    sweep = Sweep(width * 0.5, height * rng.uniform(0.52, 0.55), r, r / (BANDS + 0.5), side, not dark)
    design = int(scene.sfork("design").integers(0, 3))
    (_rainbow, _sunset, _river)[design](scene, sweep, bands)
    _planet(scene, sweep, dark)
    if scene.has("space", "future", "robot", "ship"):
        size = scene.span * 0.085
        shape = placed(rocket(), size, size, 18 * side, sweep.at(width * 0.13), height * 0.40)
        scene.canvas.drawPath(shape, fill(ink))
    paper(scene, 0.9)
    speckle(scene, 900, ink, 0.35)


def _rainbow(scene: Scene, s: Sweep, bands: list[str]) -> None:
    width, height, canvas = scene.width, scene.height, scene.canvas
    pens = [stroke(color, s.band + 1.2 * scene.unit) for color in bands]
    for i, pen in enumerate(pens):  # the leg that drops, turns a quarter and runs off the page
        x = s.x - s.r + (i + 0.5) * s.band
        reach = width * 0.62 - i * s.band
        bend = height * 0.70
        curve = (
            s.at(x),
            bend + reach * 0.62,
            s.at(x + reach * 0.42),
            bend + reach * 0.92,
            s.at(width * 1.2),
            bend + reach * 0.97,
        )
        canvas.drawPath(bezier((s.at(x), s.y), (s.at(x), bend), curve, close=False), pen)
    for i, pen in enumerate(pens):
        r = s.r - (i + 0.5) * s.band
        arch = skia.Path()
        arch.addArc(box(s.x - r, s.y - r, s.x + r, s.y + r), 180, 180)
        canvas.drawPath(arch, pen)
    for i, pen in enumerate(pens):  # the other leg, ending in steps
        x = s.at(s.x + s.r - (i + 0.5) * s.band)
        canvas.drawLine(x, s.y - 1, x, s.y + height * (0.13 + 0.012 * i), pen)
    sun = max(s.r - BANDS * s.band, s.band * 0.4)
    canvas.drawCircle(s.x, s.y, sun, fill(scene.palette.accent))


def _sunset(scene: Scene, s: Sweep, bands: list[str]) -> None:
    """A striped sun over seven rolling bands."""
    width, height, canvas = scene.width, scene.height, scene.canvas
    x, y, r = s.at(width * 0.42), height * 0.56, scene.span * 0.30
    canvas.drawCircle(x, y, r, fill(scene.palette.accent))
    rng = scene.fork("bands")
    phase, swell = rng.uniform(0, math.tau), rng.uniform(0.022, 0.038)
    slat = fill(mix(scene.palette.paper, scene.palette.light, 0.15) if s.light else scene.palette.dark)
    for i in range(4):  # the sun sets in slats
        top = y + r * (0.02 + 0.22 * i)
        canvas.drawRect(box(x - r, top, x + r, top + r * (0.03 + 0.025 * i)), slat)
    for i, color in enumerate(bands):
        top = height * (0.66 + 0.052 * i)
        wave = [math.sin(k * 0.75 * s.side + phase + i * 0.32) for k in range(-1, 12)]
        edge = [(width * (k - 1) / 10, top + height * swell * w) for k, w in enumerate(wave)]
        band = curve(edge, False)
        band.lineTo(width * 1.2, height * 1.1)
        band.lineTo(-width * 0.2, height * 1.1)
        band.close()
        canvas.drawPath(band, fill(color))


def _river(scene: Scene, s: Sweep, bands: list[str]) -> None:
    """Seven bands in one great S from the upper edge to the foot."""
    width, height = scene.width, scene.height
    wide = width * 0.075
    for i, color in enumerate(bands):
        o = (i - 3) * wide
        top, turn = height * 0.46 + o, s.at(width * 0.30 + o)
        first = (s.at(width * 0.86), top, turn, top, turn, height * 0.64)
        second = (turn, height * 0.85, s.at(width * 0.62 + o), height * 0.78, s.at(width * 0.66 + o), height * 1.1)
        path = bezier((s.at(width * 1.25), top), first, second, close=False)
        scene.canvas.drawPath(path, stroke(color, wide + 1.2 * scene.unit))


def _planet(scene: Scene, s: Sweep, dark: bool) -> None:
    p, canvas = scene.palette, scene.canvas
    r, x, y = scene.span * 0.085, s.at(scene.width * 0.83), scene.height * 0.355
    shader = linear((x - r, y - r), (x + r, y + r), stops([p.accent, p.companion, p.deep]))
    canvas.drawCircle(x, y, r, fill(shader=shader))
    canvas.save()
    canvas.translate(x, y)
    canvas.rotate(-22 * s.side)
    ring = stroke(p.light if dark else p.mid, r * 0.05, 0.9)
    for k in (1.5, 1.68):
        canvas.drawOval(box(-r * k, -r * k * 0.24, r * k, r * k * 0.24), ring)
    upper = skia.Path()  # the half of the globe that hides the ring behind it
    upper.addArc(box(-r, -r, r, r), 180, 180)
    upper.close()
    canvas.drawPath(upper, fill(p.accent))
    canvas.restore()


RETRO = Family("retro", paint)
