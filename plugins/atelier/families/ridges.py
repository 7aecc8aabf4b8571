"""Ridges: seven mountain ranges fading into haze before a low sun or moon; the story's noun on a promontory."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import clouds, mist, stars, vignette
from plugins.atelier.color import luminance, mix, ramp
from plugins.atelier.drawing import BLACK, WHITE, area, disc, fill, placed, polygon, vertical
from plugins.atelier.family import Family, sky_colors
from plugins.atelier.motifs.animals import bird, dragon
from plugins.atelier.motifs.plants import pine
from plugins.atelier.motifs.subject import stand_subject
from plugins.atelier.noise import Random, fbm, smoothstep
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.terrain import Line, below, crest, shade_faces
from plugins.atelier.treatments.shades import hang, heavenly, line_up, named, shade, stands

RANGES = 7
OWN = frozenset({"wolf", "fox", "bear", "owl", "deer", "horse", "castle", "dragon", "house", "lighthouse", "tree"})


class Luminary(NamedTuple):
    """The sun or moon: center and radius in pixels."""

    x: float
    y: float
    r: float


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("ridges")
    mood = _mood(scene)
    sky = sky_colors(p, mood)
    ink = p.paper if luminance(sky[1]) < 0.3 else p.dark
    scene.set_type(Zone(0.09, 0.065, 0.82, 0.27), Zone(0.12, 0.915, 0.76, 0.035), ink, p.paper)

    scene.gradient(sky, 0, 0.70, 24)
    if mood == "night":
        stars(scene, 700, 0.5)
    sun = _sky_light(scene, rng, mood == "night")
    clouds(scene, mix(sky[-1], p.paper, 0.4), 0.34 if mood == "night" else 0.5, 0.12, 0.62, 1.8, (6, 1), 0.5, 0.98)
    clouds(scene, p.deep, 0.30, 0.02, 0.42, 2.2, (5, 1), 0.52, 1, name="dark cloud")

    told = named(scene, OWN)
    xs, ys = _ranges(scene, rng, sun, sky[-1], told)
    _promontory(scene, sun, xs, ys, sky[-1], told, mood == "night")
    _foreground(scene, rng)
    if not scene.figures:
        _birds(scene, rng, sun)
    vignette(scene, 0.35)


def _mood(scene: Scene) -> str:
    if scene.has("night", "moon", "star", "dark"):
        return "night"
    if scene.has("morning", "day", "spring", "child"):
        return "day"
    return scene.hints.mood or str(scene.sfork("mood").choice(["dusk", "night", "dusk"]))


def _sky_light(scene: Scene, rng: Random, night: bool) -> Luminary:
    p = scene.palette
    x = scene.width * float(rng.choice([0.5, 0.5, 0.36, 0.64]))
    sun = Luminary(x, scene.height * rng.uniform(0.46, 0.515), scene.span * rng.uniform(0.15, 0.235))
    tone = mix(p.paper, p.accent, 0.25 if night else 0.55)
    scene.glow(sun.x, sun.y, sun.r * 3.6, mix(p.accent, p.paper, 0.4), 0.62)
    shine = vertical(sun.y - sun.r, sun.y + sun.r, [mix(tone, WHITE, 0.35), tone, mix(tone, p.accent, 0.45)])
    if heavenly(scene):
        hang(scene, Zone(0.12, 0.345, 0.76, 0.105))
        return sun
    scene.canvas.drawCircle(*sun, shine)
    if night:
        craters = smoothstep(0.5, 0.95, fbm(scene.fork("moon"), 120, 120, 4, 4, 0.6))
        rect = area(sun.x - sun.r, sun.y - sun.r, 2 * sun.r, 2 * sun.r)
        scene.mask(craters, p.mid, 0.30, rect=rect, clip=disc(*sun))
    return sun


def _ranges(scene: Scene, rng: Random, sun: Luminary, horizon: str, told: bool) -> tuple[Line, Line]:
    """The ranges from far to near; returns the crest of the sixth, where the subject stands."""
    p, width, height = scene.palette, scene.width, scene.height
    haze = mix(horizon, mix(p.mid, p.deep, 0.35), 0.45)
    colors = ramp([haze, mix(p.deep, p.mid, 0.38), p.deep, p.dark], RANGES)
    at = sun.x / width
    beside = at + 0.22 * (1 if at < 0.5 else -1)

    def massif(x: Line) -> Line:  # the farthest range rises next to the sun
        return 0.55 + 0.6 * np.exp(-(((x - beside) / 0.16) ** 2))

    def valley(x: Line) -> Line:  # nearer ranges stay low in front of it
        return 0.45 + 1.05 * np.abs(x - at) ** 0.7

    base = rng.uniform(0.545, 0.58)
    stage: tuple[Line, Line] = (np.zeros(1), np.zeros(1))
    feet = [(base + 0.07 * i + 0.02 * i * i / (RANGES - 1)) * height for i in range(RANGES)]
    for i, color in enumerate(colors):
        t, y = i / (RANGES - 1), feet[i]
        relief = height * (0.15 - 0.055 * t) * rng.uniform(0.85, 1.15)
        rocky = i < 4
        bias = valley if i else massif
        xs, ys = crest(rng, width, y, relief, 2.2 + 1.1 * i, 7 if rocky else 5, 0.52, rocky, bias)
        # the next range hides what is lower than its own foot
        land, top = below(xs, ys, (*feet[1:], height)[i]), float(ys.min())
        foot = mix(color, horizon, 0.62 * (1 - t) ** 0.8 + 0.02)
        scene.canvas.drawPath(land, vertical(top, top + 0.10 * height, [color, foot]))
        if rocky:
            lit = mix(color, mix(p.paper, p.accent, 0.3), 0.55)
            faces = scene.fork(f"faces{i}")
            shade_faces(
                scene,
                faces,
                xs,
                ys,
                land,
                lit,
                mix(color, p.dark, 0.55),
                0.13 + 0.02 * i,
                0.40 - 0.03 * i,
                0.32 + 0.05 * i,
                at > 0.5,
            )
        if i in (4, 5):
            _forest(scene, i, xs, ys, mix(color, horizon, 0.10 if i == 4 else 0.02))
        if 1 <= i <= 4:
            mist(scene, y / height + 0.045, 0.10, mix(horizon, p.paper, 0.25), 0.78 * (1 - t * 0.6), f"mist{i}")
        if i == 1 and not told and scene.has("dragon"):  # else it stands with the others
            side = 1 if at <= 0.5 else -1
            shape = placed(
                dragon(), scene.span * 0.16 * side, scene.span * 0.16, -10 * side, sun.x - side * sun.r * 0.05, sun.y
            )
            scene.canvas.drawPath(shape, fill(mix(p.dark, p.deep, 0.1)))
        if i == 4:
            mist(scene, y / height + 0.03, 0.16, mix(horizon, p.paper, 0.3), 0.55, "valley mist")
        if i == 5:
            stage = xs, ys
    return stage


def _forest(scene: Scene, i: int, xs: Line, ys: Line, color: str) -> None:
    rng, paint_ = scene.fork(f"trees{i}"), fill(color)
    for x in np.sort(rng.random(130 if i == 4 else 80)).tolist():
        x *= scene.width
        size = scene.height * rng.uniform(0.022, 0.05) * (1 if i == 4 else 1.7)
        y = float(np.interp(x, xs, ys)) + size * 0.08
        scene.canvas.drawPath(placed(pine(rng), size, size, 0, x, y), paint_)


def _promontory(scene: Scene, sun: Luminary, xs: Line, ys: Line, horizon: str, told: bool, night: bool) -> None:
    """A hump near the third, lit from behind, with the subject on it."""
    p, width, height = scene.palette, scene.width, scene.height
    fortress = scene.has("castle", "crown")
    middle = abs(sun.x - width * 0.5) < width * 0.001
    x = width * (0.5 if middle else 0.36 if sun.x > width * 0.5 else 0.64)
    y = min(float(np.interp(x, xs, ys)), height * 0.915)  # so that the subject stands clear of the author's name
    rise, half = 0.075, 0.46 if fortress else 0.30
    if told:  # without it dark figures would be lost before the dark wood
        mist(scene, y / height - 0.10, 0.26, mix(horizon, p.paper, 0.35), 0.95, "subject mist")
    scene.glow(x, y - height * 0.09, width * 0.26, mix(horizon, p.paper, 0.3), 0.34 if night else 0.5)
    hill = []
    for a in np.linspace(-1, 1, 40).tolist():
        hump = height * (0.03 - rise * math.exp(-((a * 2.1) ** 2)) + 0.004 * math.sin(9 * a + 1))
        hill.append((x + a * width * half, y + hump))
    foot = [(x + width * (half + 0.06), height * 1.1), (x - width * (half + 0.06), height * 1.1)]
    scene.canvas.drawPath(polygon([*hill, *foot]), fill(mix(p.dark, p.deep, 0.15)))
    stand = y + height * ((0.038 if fortress else 0.033) - rise)
    if told:
        for spot in line_up(scene, x, stand + height * 0.004, (width * half * 1.1, height * 0.215)):
            shade(scene, spot, mix(p.dark, BLACK, 0.3), mix(horizon, p.paper, 0.3))
        return
    stand_subject(scene, x, stand, height * (0.15 if fortress else 0.165), mix(p.dark, BLACK, 0.3), p.accent)


def _foreground(scene: Scene, rng: Random) -> None:
    p, width, height = scene.palette, scene.width, scene.height

    def bowl(x: Line) -> Line:
        return 0.2 + 2.2 * np.abs(x - 0.5)

    xs, ys = crest(rng, width, height * 0.985, height * 0.07, 4, 5, bias=bowl)
    scene.canvas.drawPath(below(xs, ys, height), fill(p.dark))
    if scene.has("desert", "snow", "ocean"):
        return
    frame, dark = scene.fork("frame"), fill(mix(p.dark, BLACK, 0.25))
    for q in np.sort(frame.random(34))[::-1].tolist():
        side, inward = (-1 if frame.random() < 0.5 else 1), frame.random() ** 1.7 * 0.36
        size = height * (0.30 - 0.55 * inward) * frame.uniform(0.55, 1.1)
        x, y = width * (0.5 + side * (0.52 - inward)), height * (0.985 + 0.02 * q)
        if size > 0:
            scene.canvas.drawPath(placed(pine(frame, 0.30), size, size, 0, x, y), dark)


def _birds(scene: Scene, rng: Random, sun: Luminary) -> None:
    ink = fill(mix(scene.palette.dark, scene.palette.deep, 0.35), 0.85)
    for _ in range(int(rng.integers(5, 11))):
        x, y = sun.x + rng.normal(0, 0.16) * scene.width, sun.y + rng.normal(-0.04, 0.04) * scene.height
        size, tilt, shape = scene.width * rng.uniform(0.012, 0.032), rng.uniform(-15, 15), bird(rng)
        if scene.type_free(x, y, 0.03):
            scene.canvas.drawPath(placed(shape, size, size, tilt, x, y), ink)


def _shows(figures: Sequence[Figure]) -> bool:
    standing = {"animal", "dinosaur", "creature", "person", "building", "landmark", "tree", "bird", ""}
    return stands(figures, standing, 4)


RIDGES = Family("ridges", paint, mirror=True, shows=_shows)
