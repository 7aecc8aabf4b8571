"""Viewpoints in a night city: a street, a roof, an alley, and those by the river."""

from collections.abc import Callable

import numpy as np

from plugins.atelier.atmosphere import mist
from plugins.atelier.color import argb, mix, ramp
from plugins.atelier.drawing import BLACK, box, fill, linear, placed, polygon, stroke, vertical
from plugins.atelier.families.city_parts import (
    LONERS,
    Block,
    Night,
    building,
    moon,
    night_sky,
    street_lamp,
    walker,
    wet_ground,
)
from plugins.atelier.families.city_river import bridge, waterfront
from plugins.atelier.motifs.figures import person, seated
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene
from plugins.atelier.treatments.shades import line_up, named, shade

LAYERS = 5


def _rows(scene: Scene, night: Night, ground: float, gap: float, center: float, tall: float = 1.0) -> None:
    """Five rows of houses, pale and far to black and near, leaving a canyon of light of half-width `gap`."""
    p, width, height = scene.palette, scene.width, scene.height
    for layer in range(LAYERS):
        t, rng = layer / (LAYERS - 1), scene.fork(f"block{layer}")
        x = -width * 0.05
        while x < width * 1.05:
            wide = width * rng.uniform(0.035, 0.085) * (1 + 1.5 * t)
            off = abs((x + wide / 2) / width - center) * 2
            if t > 0.3 and off < gap + 0.30 * t:
                x += wide
                continue
            spire = 0.06 if rng.random() < 0.18 else 0
            rise = height * tall * (rng.uniform(0.10, 0.23) + 0.30 * t * min(off, 1.2) ** 0.9 + spire)
            building(scene, rng, night, Block(x, ground - rise, wide, t, layer), ground)
            x += wide * rng.uniform(0.86, 1.06)
        mist(
            scene,
            ground / height - 0.10 + 0.03 * layer,
            0.16,
            mix(p.mid, p.light, 0.55),
            0.5 * (1 - 0.7 * t),
            f"fog{layer}",
        )


def canyon(scene: Scene, rng: Random, night: Night) -> None:
    """A street between towers, seen from the middle of the road."""
    p, width, height = scene.palette, scene.width, scene.height
    side = 1 if rng.random() < 0.5 else -1
    center = 0.5 + side * rng.uniform(0.0, 0.10)
    night_sky(scene)
    if not scene.has("rain", "storm"):
        moon(scene, 0.5 + side * rng.uniform(0.12, 0.24), rng.uniform(0.44, 0.48), rng.uniform(0.08, 0.13))
    ground = height * 0.80
    _rows(scene, night, ground, 0.16, center)
    wet_ground(scene, night, ground, center)
    middle = center * width
    for hand in (-1, 1):  # pavements
        near = middle + hand * width * 1.2
        kerb = [(middle + hand * width * 0.16, ground), (middle + hand * width * 0.62, height), (near, height)]
        scene.canvas.drawPath(polygon([*kerb, (near, ground)]), fill(mix(p.dark, BLACK, 0.3), 0.72))
    scene.glow(middle, ground - height * 0.03, width * 0.42, mix(p.light, p.paper, 0.4), 0.55)
    base = ground + height * 0.075
    street_lamp(scene, night, middle - side * width * 0.24, base, height * rng.uniform(0.30, 0.36), side)
    umbrella = scene.has("rain") and rng.random() < 0.4
    walker(scene, night, middle + side * width * 0.035, ground + height * 0.087, height * 0.175, umbrella)


def rooftop(scene: Scene, rng: Random, night: Night) -> None:
    """High above the city: a person on the edge of a roof, the lights far below, a huge moon."""
    p, width, height = scene.palette, scene.width, scene.height
    side = 1 if rng.random() < 0.5 else -1
    night_sky(scene, 0.62)
    moon(scene, 0.5 + side * rng.uniform(0.10, 0.20), rng.uniform(0.50, 0.525), rng.uniform(0.16, 0.205))
    for layer in range(4):
        t, rows = layer / 4, scene.fork(f"roofs{layer}")
        ground = height * (0.66 + 0.11 * layer)
        x = -width * 0.05
        while x < width * 1.05:
            wide = width * rows.uniform(0.05, 0.12) * (1 + 0.9 * t)
            rise = height * rows.uniform(0.03, 0.14) * (1.15 - 0.35 * t)
            building(scene, rows, night, Block(x, ground - rise, wide, t, layer), ground + height * 0.10)
            x += wide * rows.uniform(0.9, 1.08)
        haze = mix(p.mid, p.light, 0.55)
        mist(scene, ground / height + 0.03, 0.14, haze, 0.55 * (1 - 0.5 * t), f"roof mist{layer}")
    _parapet(scene, rng, night, side)


def _parapet(scene: Scene, rng: Random, night: Night, side: int) -> None:
    """The near roof with its chimney and aerial, and the person who stands or sits on its edge."""
    width, height, u = scene.width, scene.height, scene.unit
    edge, reach = height * rng.uniform(0.775, 0.80), 0.62 * width

    def at(x: float) -> float:  # x runs inwards from the side of the page the roof comes from
        return x if side < 0 else width - x

    black = fill(night.black)
    wall = reach - 26 * u
    roof = [(-10, edge), (reach, edge), (reach, edge + 34 * u), (wall, edge + 34 * u), (wall, height), (-10, height)]
    scene.canvas.drawPath(polygon([(at(x), y) for x, y in roof]), black)
    scene.canvas.drawLine(at(-10), edge, at(reach), edge, stroke(night.haze, 2.2 * u, 0.5))
    for x, half, rise in ((0.125, 0.025, 0.06), (0.20, 0.0014, 0.15)):
        middle = at(x * width)
        scene.canvas.drawRect(box(middle - half * width, edge - rise * height, middle + half * width, edge + 1), black)
    standing = scene.has("detective", "spy", "war") or rng.random() < 0.5
    shape = person(hat=scene.has("detective", "spy", "crime")) if standing else seated()
    if named(scene, LONERS):
        for spot in line_up(scene, at(reach - width * 0.2), edge, (width * 0.36, height * 0.19)):
            shade(scene, spot, night.black, night.haze)
        return
    size, back = (height * 0.17, 0.07) if standing else (height * 0.15, 0.10)
    scene.canvas.drawPath(placed(shape, -size * side, size, 0, at(reach - width * back), edge), black)


def alley(scene: Scene, rng: Random, night: Night) -> None:
    """A narrow passage: sheer walls in one-point perspective, stairs and pipes, light at the end."""
    p, width, height = scene.palette, scene.width, scene.height
    vx, vy = width * rng.uniform(0.40, 0.60), height * 0.66
    night_sky(scene, 0.66)
    scene.flood(mix(p.mid, p.light, 0.45))
    scene.canvas.drawRect(
        scene.page(), vertical(height * 0.1, vy, [p.deep, mix(p.mid, p.light, 0.45), mix(p.light, p.paper, 0.4)])
    )
    scene.glow(vx, vy - height * 0.06, width * 0.5, mix(p.light, p.paper, 0.5), 0.8)
    wet_ground(scene, night, vy + height * 0.02, vx / width, 0.07)
    depth = [0.05, 0.085, 0.14, 0.23, 0.38, 0.62]  # half-width of the passage at each house corner
    for hand in (-1, 1):
        walls = scene.fork(f"wall{hand}")
        tones = ramp(
            [mix(p.mid, p.light, 0.2), mix(p.deep, p.mid, 0.45), p.deep, mix(p.dark, p.deep, 0.4), night.black], 5
        )
        for i in range(5):
            _wall(scene, walls, night, (vx, vy), hand, depth[i], depth[i + 1], tones[i], i)
    figure = height * 0.135
    walker(scene, night, vx, vy + height * 0.125, figure, scene.has("rain") and rng.random() < 0.5)
    scene.glow(vx, vy - height * 0.02, width * 0.20, mix(p.light, p.paper, 0.6), 0.5)


def _wall(
    scene: Scene,
    rng: Random,
    night: Night,
    vanish: tuple[float, float],
    hand: int,
    far: float,
    near: float,
    tone: str,
    i: int,
) -> None:
    """One house of the alley: its face in perspective with windows, a sign or a fire stair."""
    width = scene.width
    vx, vy = vanish
    roof = rng.uniform(3.3, 5.2)  # heights per half-width: perspective keeps them in proportion
    foot = 0.34

    def at(depth: float, level: float) -> tuple[float, float]:
        return vx + hand * depth * width, vy + level * depth * width

    face = polygon([at(far, -roof), at(near, -roof), at(near, foot * 2.2), at(far, foot * 2.2)])
    x0, x1 = at(far, 0)[0], at(near, 0)[0]
    light = mix(tone, mix(scene.palette.light, scene.palette.paper, 0.3), 0.30 * (1 - i / 5))
    shader = linear((x0, 0), (x1, 0), [argb(light), argb(tone)])
    scene.canvas.drawPath(face, fill(shader=shader))
    scene.canvas.drawLine(*at(near, -roof), *at(near, foot * 2.2), stroke(BLACK, 3 * scene.unit, 0.35))
    lit = fill(night.warm, 0.35 + 0.12 * i)
    dark = fill(BLACK, 0.30)
    for level in np.arange(-roof + 0.25, -0.35, 0.42).tolist():
        for k in (0.22, 0.62):
            a, b = far + (near - far) * k, far + (near - far) * (k + 0.18)
            pane = polygon([at(a, level), at(b, level), at(b, level + 0.22), at(a, level + 0.22)])
            scene.canvas.drawPath(pane, lit if rng.random() < 0.16 else dark)
    if i >= 2 and rng.random() < 0.75:
        _fire_stair(scene, night, at, far, near, roof)
    if i in (2, 3) and (night.neon or rng.random() < 0.55):
        color = scene.palette.accent if night.neon else night.warm
        a, b = far + (near - far) * 0.45, far + (near - far) * 0.58
        sign = polygon([at(a, -1.5), at(b, -1.5), at(b, -0.75), at(a, -0.75)])
        scene.canvas.drawPath(sign, fill(color, 0.95))
        sx, sy = at((a + b) / 2, -1.1)
        scene.glow(sx, sy, near * width * 0.75, color, 0.55)


def _fire_stair(
    scene: Scene, night: Night, at: Callable[[float, float], tuple[float, float]], far: float, near: float, roof: float
) -> None:
    """Landings and flights zig-zagging down a face; `at` puts depth and level into perspective."""
    a, b = far + (near - far) * 0.15, far + (near - far) * 0.85
    iron = stroke(night.black, max(1.5, 30 * (near - far)) * scene.unit, 0.9)
    levels = np.arange(-min(roof - 0.4, 3.0), -0.7, 0.62).tolist()
    for n, level in enumerate(levels):
        scene.canvas.drawLine(*at(a, level), *at(b, level), iron)
        scene.canvas.drawLine(*at(a, level - 0.14), *at(b, level - 0.14), iron)
        if n + 1 < len(levels):
            start, end = (a, b) if n % 2 else (b, a)
            scene.canvas.drawLine(*at(start, level), *at(end, levels[n + 1]), iron)


VIEWS = {"canyon": canyon, "rooftop": rooftop, "bridge": bridge, "alley": alley, "waterfront": waterfront}
