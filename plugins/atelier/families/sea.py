"""Sea: a sun half drowned in the horizon, its glitter path on the waves, and a boat, a fluke or a lighthouse."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import clouds, mist, rain, stars, vignette
from plugins.atelier.color import mix
from plugins.atelier.drawing import BLACK, WHITE, area, bezier, box, fill, placed, polygon, stroke, vertical
from plugins.atelier.family import Family
from plugins.atelier.motifs.animals import bird, dragon, whale_tail
from plugins.atelier.motifs.subject import stand_lighthouse
from plugins.atelier.motifs.vessels import sloop, tall_ship
from plugins.atelier.noise import Random, fbm_line
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.terrain import Line, below, crest, shade_faces
from plugins.atelier.treatments.shades import hang, heavenly, line_up, named, shade, stands

SWELL = 3.4  # how much higher waves are in a storm


OWN = frozenset({"lighthouse", "whale", "ship", "sailing-ship", "sailboat"})


class Light(NamedTuple):
    """The sun on the horizon: its column, radius and the horizon's height, in pixels; and the colors it makes."""

    x: float
    r: float
    horizon: float
    warm: str
    haze: str


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("sea")
    storm = scene.has("storm", "rain") or (not scene.figures and scene.has("fear", "ghost", "lighthouse"))
    other = named(scene, OWN)
    tower = scene.has("lighthouse") and not other
    title = Zone(0.09, 0.065, 0.82, 0.255 if storm else 0.28)
    scene.set_type(title, Zone(0.12, 0.905, 0.76, 0.038), p.paper, p.paper)

    light = _sky(scene, rng, storm, tower)
    _headlands(scene, rng, light)
    _water(scene, light, storm)
    mist(scene, light.horizon / scene.height + 0.005, 0.06, mix(light.haze, p.paper, 0.4), 0.6)
    if other:
        _named(scene, light)
    elif tower:
        _lighthouse_rock(scene, light)
    elif scene.has("whale"):
        _fluke(scene, light)
    else:
        _ship(scene, light)
    if not scene.figures:
        _flying(scene, rng, light)
    if storm:
        rain(scene, 420, p.paper)
    vignette(scene, 0.4)


def _sky(scene: Scene, rng: Random, storm: bool, tower: bool) -> Light:
    p, width, height = scene.palette, scene.width, scene.height
    level = rng.uniform(0.63, 0.67) if tower else rng.uniform(0.58, 0.63)
    calm = [mix(p.dark, p.deep, 0.4), p.deep, p.mid, mix(p.mid, p.light, 0.75), mix(p.light, p.accent, 0.35)]
    wild = [p.dark, mix(p.dark, p.deep, 0.7), p.deep, p.mid, mix(p.mid, p.light, 0.7)]
    sky = wild if storm else calm
    scene.gradient(sky, 0, level, 24)
    # The sun is off the axis with the whale or the ship, so that the page does not look like a target.
    x = 0.34 if tower else float(rng.choice([0.5, 0.38, 0.62]))
    r = scene.span * rng.uniform(0.19, 0.27) * (0.55 if storm else 1)
    light = Light(width * x, r, level * height, mix(p.accent, p.paper, 0.45), sky[-1])
    if storm or scene.has("night", "moon", "dark"):
        stars(scene, 500, level * 0.7)
    y = light.horizon - (0.13 if storm else 0.05) * height
    clouds(scene, p.dark, 0.40 if storm else 0.22, 0, level, 2.0, (4.5, 1), 0.45, 0.95, name="high cloud")
    scene.glow(light.x, y, r * 4.2, light.warm, 0.65)
    if heavenly(scene):
        hang(scene, Zone(0.12, 0.335, 0.76, 0.105))
        r = 0
    scene.canvas.save()
    scene.canvas.clipRect(box(0, 0, width, light.horizon))
    scene.canvas.drawCircle(light.x, y, r, vertical(y - r, y + r, [mix(light.warm, WHITE, 0.5), light.warm, p.accent]))
    scene.canvas.restore()
    clouds(scene, mix(light.haze, p.paper, 0.45), 0.5, 0.18, level, 1.7, (7, 1), 0.52, 0.96, name="low cloud")
    for i in range(5):  # strata crossing the disc
        bar_y = y + r * (0.1 + 0.19 * i) + rng.normal(0, 4) * scene.unit
        half, thick = r * rng.uniform(0.7, 1.8), (5 + 2 * i) * scene.unit
        rect = area(light.x - half + rng.normal(0, r * 0.5), bar_y, half * 2, thick)
        scene.canvas.drawRoundRect(rect, thick / 2, thick / 2, fill(mix(p.mid, light.haze, 0.35), 0.42))
    return light


def _headlands(scene: Scene, rng: Random, light: Light) -> None:
    for i, (relief, darker) in enumerate(((0.05, 0.35), (0.035, 0.6))):
        opening = 0.28 + 0.1 * i

        def bias(x: Line, opening: float = opening) -> Line:
            return np.clip(np.abs(x - light.x / scene.width) * 1.8 - opening, 0, 1)

        sea_line = light.horizon + 2 * scene.unit
        xs, ys = crest(rng, scene.width, sea_line, scene.height * relief, 2.5, 6, bias=bias)
        color = mix(light.haze, scene.palette.deep, darker)
        scene.canvas.drawPath(below(xs, ys, sea_line), fill(color))


def _water(scene: Scene, light: Light, storm: bool) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    tones = [mix(light.haze, p.mid, 0.45), p.mid, p.deep, mix(p.deep, p.dark, 0.7), p.dark]
    scene.canvas.drawRect(box(0, light.horizon, width, height), vertical(light.horizon, height, tones, 14))
    rng, level = scene.fork("waves"), light.horizon / height
    sheen = mix(p.mid, p.light, 0.4)
    y = level
    while y < 1.02:
        t = (y - level) / (1 - level)
        for x, long, thick, sparkle, glint, drift in rng.random((int(16 + 22 * (1 - t)), 6)).tolist():
            x = (x * 1.1 - 0.05) * width
            half = width * (0.02 + 0.07 * long) * (0.45 + 2.2 * t)
            rise = height * (0.0006 + 0.0042 * t) * (0.5 + 0.9 * thick) * (SWELL if storm else 1.0)
            lit = math.exp(-(((x - light.x) / (width * (0.10 + 0.26 * t))) ** 2))  # the glitter path
            if sparkle < (0.18 + 0.82 * lit) * 0.8:
                bright = glint < lit + 0.05
                color, alpha = (light.warm, 0.75 * lit * (1 - 0.55 * t)) if bright else (sheen, 0.26 * (1 - t * 0.7))
            else:
                color, alpha = p.dark, 0.20 + 0.15 * t
            wy = y * height + (drift - 0.5) * 7 * scene.unit
            lens = bezier((x - half, wy), (x, wy - rise * 2, x + half, wy), (x, wy + rise * 1.2, x - half, wy))
            scene.canvas.drawPath(lens, fill(color, alpha))
        y += 0.0035 + 0.022 * t


def _lighthouse_rock(scene: Scene, light: Light) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    rng, level = scene.fork("rock"), light.horizon / height
    xs = np.linspace(width * 0.46, width * 1.1, 90)
    profile = np.clip((xs - width * 0.47) / (width * 0.22), 0, 1) ** 0.8
    rough = fbm_line(rng, 90, 9, 5, 0.6)
    ys = height * (level + 0.075) - profile * height * 0.085 - rough * height * 0.028 * profile
    skyline = list(zip(xs.tolist(), ys.tolist(), strict=True))
    rock = polygon([*skyline, (width * 1.1, height * (level + 0.10)), (width * 0.44, height * (level + 0.082))])
    tones = [mix(p.dark, p.deep, 0.25), p.dark]
    scene.canvas.drawPath(rock, vertical(height * (level - 0.03), height * (level + 0.09), tones))
    shade_faces(scene, scene.fork("rock faces"), xs, ys, rock, p.mid, BLACK, 0.08, 0.4, 0.5)
    x = width * 0.74
    y = float(np.interp(x, xs, ys)) + 6 * scene.unit
    stand_lighthouse(scene, x, y, height * 0.20, mix(p.dark, p.deep, 0.3), light.warm)
    foam = fill(p.paper, 0.35)
    for _ in range(60):
        foam_y = height * (level + 0.083) + rng.normal(0, 4) * scene.unit
        scene.canvas.drawCircle(width * rng.uniform(0.43, 1.0), foam_y, rng.uniform(1, 5) * scene.unit, foam)


def _fluke(scene: Scene, light: Light) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    size, x, y = scene.span * 0.26, width * 0.5, light.horizon + height * 0.135
    tones = [p.dark, mix(p.dark, p.deep, 0.5)]
    scene.canvas.drawPath(placed(whale_tail(), size, size, -6, x, y), vertical(y - height * 0.235, y, tones))
    for i, k in enumerate((0.16, 0.26, 0.38)):
        ripple = area(x - k * size, y - height * 0.007 - k * size * 0.06, 2 * k * size, k * size * 0.13)
        scene.canvas.drawOval(ripple, stroke(mix(p.light, p.paper, 0.5), 3 * scene.unit, 0.5 - 0.12 * i))


def _ship(scene: Scene, light: Light) -> None:
    p, width, height, rng = scene.palette, scene.width, scene.height, scene.fork("wake")
    grand = scene.has("ship", "pirate", "quest", "war", "dragon")
    size = scene.span * (0.30 if grand else 0.17)
    x = light.x + width * (0.02 if grand else -0.02)
    y = light.horizon + height * (0.048 if grand else 0.04)
    scene.canvas.drawPath(
        placed(tall_ship() if grand else sloop(), size, size, 0, x, y), fill(mix(p.dark, p.deep, 0.2))
    )
    for i in range(14):  # its broken mirror image
        half = size * (0.42 - 0.02 * i) * rng.uniform(0.6, 1)
        left, top = x - half + rng.normal(0, size * 0.04), y + (2 + i * 9) * scene.unit
        scene.canvas.drawOval(area(left, top, 2 * half, 4.5 * scene.unit), fill(p.dark, 0.5 - 0.03 * i))


def _named(scene: Scene, light: Light) -> None:
    """What the story names, on the water before the light, with a broken mirror image."""
    p, width, height, rng = scene.palette, scene.width, scene.height, scene.fork("wake")
    foot = light.horizon + height * 0.062
    spots = line_up(scene, light.x, foot, (width * 0.86, scene.span * (0.30 if heavenly(scene) else 0.43)))
    for spot in spots:
        shade(scene, spot, mix(p.dark, p.deep, 0.2), mix(light.haze, p.paper, 0.4))
        half = spot.figure.outline.width * spot.size / 2
        for i in range(12):
            wide = half * (1.0 - 0.06 * i) * float(rng.uniform(0.6, 1))
            left, top = spot.x - wide + float(rng.normal(0, half * 0.08)), foot - (4 - i * 9) * scene.unit
            color = p.dark if i else mix(light.haze, p.paper, 0.5)
            scene.canvas.drawOval(area(left, top, 2 * wide, 5 * scene.unit), fill(color, 0.5 - 0.03 * i))


def _flying(scene: Scene, rng: Random, light: Light) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    if scene.has("dragon"):
        side, span = (1 if light.x < width * 0.55 else -1), scene.span * 0.16
        shape = placed(dragon(), -span * side, span, 8 * side, width * (0.5 + side * 0.26), height * 0.455)
        scene.canvas.drawPath(shape, fill(p.dark))
    ink = fill(p.dark, 0.75)
    for _ in range(8):
        size, tilt, shape = width * rng.uniform(0.012, 0.03), rng.uniform(-12, 12), bird(rng)
        x, y = light.x + rng.normal(0, 0.2) * width, light.horizon + rng.normal(-0.13, 0.03) * height
        if scene.type_free(x, y, 0.03):
            scene.canvas.drawPath(placed(shape, size, size, tilt, x, y), ink)


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, {"vessel", "fish"}, 5) or (figures[0].id in OWN and stands(figures, None, 5))


SEA = Family("sea", paint, mirror=True, shows=_shows)
