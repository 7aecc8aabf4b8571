"""Pieces from which the views of a night city are composed."""

from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import clouds
from plugins.atelier.color import argb, mix, oklch, ramp
from plugins.atelier.drawing import (
    BLACK,
    SCREEN,
    WHITE,
    area,
    ball,
    curve,
    fill,
    linear,
    placed,
    polygon,
    stroke,
    vertical,
)
from plugins.atelier.motifs.buildings import tower_block
from plugins.atelier.motifs.figures import parasol, person
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene
from plugins.atelier.treatments.shades import line_up, named, shade

LONERS = frozenset({"detective", "spy", "man", "stranger"})
"""People that a night city shows anyhow."""


class Night(NamedTuple):
    """Colors of the night: lamp light, haze between the houses, the blackest black; and whether neon burns."""

    warm: str
    haze: str
    black: str
    neon: bool


def night_of(scene: Scene) -> Night:
    """The night's colors from the palette."""
    p = scene.palette
    pop = mix(p.accent, p.paper, 0.25) if oklch(p.accent)[0] > 0.6 else mix(p.accent2 or p.light, p.paper, 0.3)
    neon = scene.has("cyber", "neon", "robot", "code", "future")
    return Night(pop, mix(p.mid, p.light, 0.5), mix(p.dark, BLACK, 0.5), neon)


def night_sky(scene: Scene, horizon: float = 0.70) -> None:
    """A smoggy sky, lighter towards the horizon (a fraction of the page height)."""
    p = scene.palette
    tones = [p.dark, mix(p.dark, p.deep, 0.8), p.deep, mix(p.deep, p.mid, 0.8), mix(p.mid, p.light, 0.65)]
    scene.gradient(tones, 0, horizon, 24)
    clouds(scene, mix(p.mid, p.light, 0.3), 0.35, 0, horizon * 0.85, 2, (4, 1), 0.45, 1, name="smog")


def moon(scene: Scene, x: float, y: float, r: float) -> None:
    """A full moon in smog (place as fractions of the page, radius of its span)."""
    p, px, py, pr = scene.palette, x * scene.width, y * scene.height, r * scene.span
    scene.glow(px, py, pr * 4, mix(p.mid, p.light, 0.5), 0.5)
    scene.canvas.drawCircle(px, py, pr, ball(px, py, pr, [mix(p.paper, WHITE, 0.3), mix(p.light, p.paper, 0.7)]))


class Block(NamedTuple):
    """One building: left edge, roof and width in pixels, how near it is (0 far, 1 near) and its layer."""

    x: float
    top: float
    width: float
    near: float
    layer: int


def building(scene: Scene, rng: Random, night: Night, block: Block, ground: float) -> None:
    """A building with its roof, windows lit floor by floor, and neon when it is that kind of night."""
    p = scene.palette
    tones = [mix(p.mid, p.light, 0.35), mix(p.deep, p.mid, 0.6), p.deep, mix(p.dark, p.deep, 0.35), night.black]
    tone = ramp(tones, 5)[block.layer]
    foot = mix(tone, mix(p.mid, p.light, 0.45), 0.6 * (1 - block.near) + 0.10)
    outline = tower_block(block.x, block.top, block.width, scene.height, rng.random(), rng)
    scene.canvas.drawPath(outline, vertical(block.top, ground + scene.height * 0.03, [tone, foot]))
    if block.layer:
        _windows(scene, rng, night, block, ground)
    if night.neon and block.layer >= 3 and rng.random() < 0.7:
        tall = (ground - block.top) * rng.uniform(0.15, 0.32)
        x, y = block.x + block.width * rng.uniform(0.2, 0.7), block.top + (ground - block.top) * 0.2
        color = p.accent if rng.random() < 0.5 else p.light
        u5 = 5 * scene.unit
        scene.canvas.drawRoundRect(area(x, y, block.width * 0.12, tall), u5, u5, fill(color, 0.95))
        scene.glow(x + block.width * 0.06, y + tall / 2, tall * 0.9, color, 0.6)


def _windows(scene: Scene, rng: Random, night: Night, block: Block, ground: float) -> None:
    k = scene.unit * (1 + 1.3 * block.near)
    wide, high = 5.0 * k, 7.5 * k
    columns = int((block.width - wide * 2.0) / (wide * 2.0))
    rows = int((ground - block.top) / (high * 2.05) - 1)
    if columns < 1 or rows < 1:
        return
    floors = rng.choice([0.15, 0.6, 1, 2.4], rows, p=[0.4, 0.3, 0.2, 0.1]) * (0.13 + 0.12 * block.near)
    chance, light, tint = rng.random((3, rows, columns))
    for row, column in np.argwhere(chance < floors[:, None]).tolist():
        glow = (0.35 + 0.60 * float(light[row, column])) * (0.45 + 0.55 * block.near)
        color = scene.palette.accent if night.neon and tint[row, column] > 0.8 else night.warm
        x, y = block.x + wide * (1.4 + 2.0 * column), block.top + high * 2.05 * (row + 1)
        scene.canvas.drawRect(area(x, y, wide, high), fill(color, glow))


def street_lamp(scene: Scene, night: Night, x: float, base: float, tall: float, side: int = 1) -> tuple[float, float]:
    """A lamp post curving to `side`, its cone of light on the ground; returns where the lamp hangs (pixels)."""
    u, iron = scene.unit, fill(night.black)
    top = base - tall
    scene.canvas.drawPath(polygon([(x - 7 * u, base), (x - 4 * u, top), (x + 4 * u, top), (x + 7 * u, base)]), iron)
    arm = [(0, 0), (10, -34), (60, -44), (84, -22)]
    neck = curve([(x + side * a * u, top + b * u) for a, b in arm], False)
    scene.canvas.drawPath(neck, stroke(night.black, 8 * u, round_ends=True))
    hx, hy = x + side * 86 * u, top - 16 * u
    spread = scene.width * 0.16
    foot = base + scene.height * 0.01
    cone = polygon([(hx - 16 * u, hy), (hx + 16 * u, hy), (hx + spread, foot), (hx - spread * 0.8, foot)])
    beam = [argb(night.warm, 0.5), argb(night.warm, 0.12), argb(night.warm, 0.02)]
    scene.canvas.drawPath(cone, fill(BLACK, shader=linear((0, hy), (0, base), beam), blend=SCREEN))
    scene.glow(hx, hy, 150 * u, night.warm, 0.95)
    scene.canvas.drawOval(area(hx - 22 * u, hy - 8 * u, 44 * u, 18 * u), fill(mix(night.warm, WHITE, 0.6)))
    return hx, hy


def walker(scene: Scene, night: Night, x: float, y: float, size: float, umbrella: bool = False) -> None:
    """A figure in coat and hat with its reflection on wet ground; feet at (x, y), `size` pixels high."""
    p = scene.palette
    if named(scene, LONERS):
        for spot in line_up(scene, x, y, (scene.width * 0.5, size * 1.15)):
            shade(scene, spot, night.black, night.haze)
        return
    shape = person(hat=not umbrella)
    scene.canvas.save()
    scene.canvas.translate(x, y)
    fade = linear((0, 0), (0, size * 0.8), [argb(p.dark, 0.75), argb(p.dark, 0)])
    scene.canvas.drawPath(placed(shape, size, -size * 0.8), fill(BLACK, shader=fade, blur=3 * scene.unit))
    scene.canvas.restore()
    scene.canvas.drawPath(placed(shape, size, size, 0, x, y), fill(night.black))
    if umbrella:
        top = placed(parasol(), size, size, 4, x + size * 0.10, y - size * 0.58)
        scene.canvas.drawPath(top, fill(night.black))


def wet_ground(scene: Scene, night: Night, ground: float, middle: float, spread: float = 0.22) -> None:
    """A wet street from `ground` (pixels) to the foot of the page with streaks of light around `middle` (0..1)."""
    p, width, height = scene.palette, scene.width, scene.height
    tones = [mix(p.mid, p.light, 0.4), mix(p.deep, p.mid, 0.4), mix(p.dark, p.deep, 0.4), p.dark]
    scene.canvas.drawRect(area(0, ground, width, height - ground), vertical(ground, height, tones, 12))
    rng = scene.fork("wet")
    lights = [p.light, night.warm, p.paper, p.accent if night.neon else p.light]
    for _ in range(260):
        x, t = (middle + spread * rng.standard_normal()) * width, rng.random() ** 1.3
        half, thick, alpha, which = rng.random(4).tolist()
        half = width * (0.01 + 0.04 * half) * (0.6 + t)
        rect = area(x - half, ground + t * (height - ground), 2 * half, (1.2 + 2.8 * thick) * scene.unit)
        scene.canvas.drawOval(rect, fill(lights[int(which * 4)], 0.06 + 0.26 * alpha))
