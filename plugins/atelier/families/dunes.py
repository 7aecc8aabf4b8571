"""Dunes: seven lopsided crests with shadowed slip faces under a low sun, and a caravan."""

import math
from collections.abc import Sequence

import numpy as np

from plugins.atelier.atmosphere import mist, stars, vignette
from plugins.atelier.color import luminance, mix, oklch, ramp
from plugins.atelier.drawing import WHITE, Path, curve, fill, placed, skia, stroke, vertical
from plugins.atelier.family import Family
from plugins.atelier.motifs.figures import cloaked, person
from plugins.atelier.noise import Random
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.terrain import Line, below
from plugins.atelier.treatments.shades import hang, heavenly, line_up, named, shade, stands

CRESTS = 7
ROLL = 0.012  # of the page's height: how far the ground between dunes goes up and down
SAMPLES = 220
COLD_HUE = 120  # OKLCH degrees: an accent beyond it makes a better sky than the mid tones do


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("dunes")
    night = scene.has("night", "star")
    sky = _sky(scene, night)
    ink = p.paper if luminance(sky[0]) < 0.35 else p.dark
    scene.set_type(Zone(0.08, 0.065, 0.84, 0.24), Zone(0.12, 0.915, 0.76, 0.036), ink, p.paper)
    scene.gradient(sky, 0, 0.6, 20)
    if night:
        stars(scene, 900, 0.6)
    _sun(scene, rng)
    lit = ramp([mix(p.light, p.paper, 0.45), p.light, mix(p.light, p.mid, 0.6), p.mid, mix(p.mid, p.deep, 0.6)], CRESTS)
    shade = ramp([mix(p.light, p.mid, 0.5), p.mid, mix(p.mid, p.deep, 0.7), p.deep, p.dark], CRESTS)
    walk = scene.sfork("caravan").integers(2, 4)
    for i in range(CRESTS):
        xs, ys, peak = _dune(scene, i, lit[i], shade[i])
        if i < 3:
            mist(scene, 0.50 + 0.075 * i + 0.03, 0.07, p.paper, 0.35, f"haze{i}")
        if i == walk:
            _caravan(scene, xs, ys, peak)
    vignette(scene, 0.25)


def _sky(scene: Scene, night: bool) -> list[str]:
    p = scene.palette
    if night:
        return [p.dark, p.deep, mix(p.deep, p.mid, 0.6), mix(p.mid, p.light, 0.5)]
    if oklch(p.accent)[2] > COLD_HUE:
        return [mix(p.accent, p.deep, 0.35), mix(p.accent, p.light, 0.4), mix(p.light, p.paper, 0.35), p.paper]
    return [p.deep, p.mid, mix(p.mid, p.light, 0.7), mix(p.light, p.paper, 0.75)]


def _sun(scene: Scene, rng: Random) -> None:
    p = scene.palette
    x, y = scene.width * float(rng.choice([0.32, 0.5, 0.68])), scene.height * rng.uniform(0.385, 0.43)
    r = scene.span * rng.uniform(0.12, 0.18)
    scene.glow(x, y, r * 4, mix(p.paper, p.accent, 0.2), 0.6)
    if heavenly(scene):
        hang(scene, Zone(0.12, 0.325, 0.76, 0.105))
        return
    scene.canvas.drawCircle(x, y, r, vertical(y - r, y + r, [WHITE, p.paper, mix(p.paper, p.light, 0.7)]))


def _dune(scene: Scene, i: int, lit: str, shade: str) -> tuple[Line, Line, float]:
    """One dune, from its gentle windward side to the steep lee; returns the crest and the peak's column."""
    width, height, rng = scene.width, scene.height, scene.fork(f"dune{i}")
    t = i / (CRESTS - 1)
    peak = width * rng.uniform(0.1, 0.9)
    relief = height * (0.055 + 0.06 * t) * rng.uniform(0.8, 1.2)
    windward, lee = width * rng.uniform(0.3, 0.5), width * rng.uniform(0.16, 0.3)
    xs = np.linspace(-0.012 * width, 1.012 * width, SAMPLES)
    up = np.exp(-(np.clip((peak - xs) / windward, 0, 9) ** 1.5)) * (xs <= peak)
    down = np.exp(-(np.clip((xs - peak) / lee, 0, 9) ** 1.2)) * (xs > peak)
    roll = np.sin(xs / width * rng.uniform(3, 6) + rng.uniform(0, 6))
    ys = height * _level(i) - relief * (up + down) - height * ROLL * roll
    # the next dune hides what is lower than its own foot
    foot = height if i == CRESTS - 1 else height * (_level(i + 1) + ROLL)
    land, top = below(xs, ys, foot), float(ys.min())
    scene.canvas.drawPath(land, vertical(top, top + height * 0.24, [lit, mix(lit, shade, 0.65)]))
    _slip_face(scene, rng, land, xs, ys, lit, shade, t)
    return xs, ys, peak


def _level(i: int) -> float:
    """The height on the page where a dune begins to rise, as a fraction."""
    return 0.50 + 0.075 * i + 0.004 * i * i


def _slip_face(scene: Scene, rng: Random, land: Path, xs: Line, ys: Line, lit: str, shade: str, t: float) -> None:
    """The shadowed side: bounded by an S-curve falling from the peak, streaked with ripples."""
    width, height = scene.width, scene.height
    j = int(np.argmin(ys))
    px, py = float(xs[j]), float(ys[j])
    face = skia.Path()
    face.moveTo(px, py)
    foot = px - width * 0.05 + width * rng.uniform(-0.1, 0.1)
    face.cubicTo(px + width * 0.05, py + height * 0.05, px - width * 0.16, py + height * 0.10, foot, py + height * 0.26)
    face.lineTo(width * 1.3, py + height * 0.34)
    face.lineTo(width * 1.3, float(ys[-1]))
    for x, y in zip(xs[:j:-1].tolist(), ys[:j:-1].tolist(), strict=True):
        face.lineTo(x, y)
    face.close()
    scene.canvas.save()
    scene.canvas.clipPath(land, True)
    scene.canvas.drawPath(face, vertical(py, py + height * 0.22, [shade, mix(shade, lit, 0.55)]))
    ripple = mix(shade, scene.palette.dark, 0.3)
    for k in range(26):
        y = py + height * (0.02 + 0.010 * k)
        line = [
            (a * width, y + height * (0.006 * math.sin(a * 9 + k * 0.6) + 0.02 * a))
            for a in np.linspace(-0.05, 1.05, 9).tolist()
        ]
        scene.canvas.drawPath(curve(line, False), stroke(ripple, (1 + 1.2 * t) * scene.unit, 0.10 * (1 - k / 26)))
    scene.canvas.restore()


def _caravan(scene: Scene, xs: Line, ys: Line, peak: float) -> None:
    if named(scene):
        p, x = scene.palette, min(max((scene.width * 0.5 + peak) / 2, scene.width * 0.3), scene.width * 0.7)
        foot = float(np.interp(x, xs, ys)) + scene.height * 0.012
        for spot in line_up(scene, x, foot, (scene.width * 0.6, scene.height * 0.2)):
            shade(scene, spot, p.dark, p.light)
        return
    ink, start = fill(scene.palette.dark), (scene.width * 0.5 + peak) / 2
    for k in range(1 if scene.has("person") else 4):
        size, x = scene.height * (0.042 - 0.002 * k), start + k * scene.width * 0.035
        hooded = k > 0 or scene.has("quest", "magic")
        y = float(np.interp(x, xs, ys)) + 2 * scene.unit
        scene.canvas.drawPath(placed(cloaked() if hooded else person(), size, size, 0, x, y), ink)


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, {"animal", "person", "vehicle", "plant", "dinosaur", ""}, 5)


DUNES = Family("dunes", paint, mirror=True, shows=_shows)
