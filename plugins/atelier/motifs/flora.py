"""Painted plants: blossoms, leafy stems, berries, fruit. These draw on a scene, in several tones."""

import math
from collections.abc import Sequence

import numpy as np

from plugins.atelier.color import argb, from_oklch, mix, ramp, shift
from plugins.atelier.drawing import BLACK, area, ball, bezier, box, curve, fill, linear, placed, radial, stops, stroke
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene

PEONY, DAISY, POPPY = 0, 1, 2
GREEN_HUES = (95, 200)  # OKLCH degrees within which a palette's own mid tone passes for foliage

# OKLCH of the fruit a story may name
FRUIT = {
    "lemon": (0.87, 0.16, 98),
    "orange": (0.72, 0.17, 55),
    "peach": (0.78, 0.11, 50),
    "apple": (0.58, 0.19, 28),
    "cherry": (0.45, 0.17, 22),
    "olive": (0.52, 0.09, 115),
    "fig": (0.38, 0.08, 330),
    "plum": (0.38, 0.10, 320),
}


def fruit_color(scene: Scene) -> str:
    """The color of the first fruit the prompt names, or an empty string."""
    words = scene.prompt.lower()
    return next((from_oklch(*lch) for name, lch in FRUIT.items() if name in words), "")


def flower(
    scene: Scene, x: float, y: float, size: float, kind: int, colors: Sequence[str], turn: float, rng: Random
) -> None:
    """A blossom of radius `size`; `colors` run from the outer petals to the heart."""
    scene.canvas.save()
    scene.canvas.translate(float(x), float(y))
    scene.canvas.rotate(float(turn))
    {PEONY: _peony, DAISY: _daisy, POPPY: _poppy}[kind](scene, size, colors, rng)
    scene.canvas.restore()


def _peony(scene: Scene, size: float, colors: Sequence[str], rng: Random) -> None:
    canvas = scene.canvas
    rings = 5
    for k, color in enumerate(ramp(colors, rings)):
        radius = size * (1 - 0.74 * k / (rings - 1))
        tones = [argb(shift(color, -0.16, 1.05)), argb(shift(color, -0.05)), argb(shift(color, 0.05))]
        petal_fill = fill(shader=radial((0, 0), radius * 1.1, tones, [0, 0.55, 1]))
        edge = stroke(shift(color, -0.12), max(0.7 * scene.unit, size * 0.008), 0.5)
        petals = 9 - k
        for j in range(petals):
            w, tip = radius * (0.62 + 0.05 * rng.random()), radius * rng.uniform(0.97, 1.05)
            petal = bezier(
                (0, 0),
                (w * 0.8, -radius * 0.15, w * 0.95, -radius * 0.9, w * 0.32, -tip),
                (w * 0.08, -radius * 1.06, 0, -radius * 0.93),
                (-w * 0.1, -radius * 1.06, -w * 0.34, -radius * 0.99),
                (-w * 0.95, -radius * 0.88, -w * 0.8, -radius * 0.15, 0, 0),
            )
            canvas.save()
            canvas.rotate(360 / petals * j + k * 23 + rng.uniform(-7, 7))
            canvas.drawPath(petal, petal_fill)
            canvas.drawPath(petal, edge)
            canvas.restore()
    pollen = fill(colors[-1] if len(colors) > 3 else "#f2d37a")
    for j in range(16):
        reach = size * 0.11 * rng.uniform(0.3, 1)
        canvas.drawCircle(math.cos(j / 2.546) * reach, math.sin(j / 2.546) * reach, size * 0.022, pollen)


def _daisy(scene: Scene, size: float, colors: Sequence[str], rng: Random) -> None:
    canvas = scene.canvas
    petals = 13
    rib = stroke(colors[1], max(0.7 * scene.unit, size * 0.008), 0.5)
    tones = [argb(colors[1]), argb(colors[0]), argb(shift(colors[0], 0.04))]
    for layer, radius in ((0, size * 0.9), (1, size * 0.78)):
        paint = fill(shader=linear((0, 0), (0, -radius), tones))
        for j in range(petals):
            canvas.save()
            canvas.rotate(360 / petals * (j + layer * 0.5) + rng.uniform(-4, 4))
            canvas.drawPath(placed(leaf(1), radius * 1.05, radius * rng.uniform(0.92, 1.04)), paint)
            canvas.drawLine(0, -radius * 0.2, 0, -radius * 0.8, rib)
            canvas.restore()
    canvas.drawCircle(0, 0, size * 0.23, fill(shift(colors[-1], -0.12)))
    for angle, reach, light in rng.random((46, 3)).tolist():
        x, y = math.cos(angle * math.tau) * reach**0.5, math.sin(angle * math.tau) * reach**0.5
        tone = shift(colors[-1], round(-0.05 + 0.17 * light, 2))
        canvas.drawCircle(x * size * 0.2, y * size * 0.2, size * 0.026, fill(tone))


def _poppy(scene: Scene, size: float, colors: Sequence[str], rng: Random) -> None:
    canvas = scene.canvas
    for ring, petals in ((0, 4), (1, 3)):
        radius = size * (1 - 0.2 * ring)
        tones = [argb(shift(colors[0], -0.3)), argb(shift(colors[0], -0.06)), argb(colors[1])]
        paint = fill(shader=radial((0, 0), radius * 1.05, tones, [0, 0.4, 1]))
        for j in range(petals):
            edge = [
                (radius * 0.72 * math.sin(b), -radius * (0.25 + 0.75 * math.cos(b * 0.55)) * rng.uniform(0.93, 1.06))
                for b in np.linspace(1.25, -1.25, 9).tolist()
            ]
            canvas.save()
            canvas.rotate(360 / petals * j + ring * 50 + rng.uniform(-8, 8))
            canvas.drawPath(curve([(0.0, 0.0), *edge]), paint)
            canvas.restore()
    heart = mix(scene.palette.dark, BLACK, 0.3)
    canvas.drawCircle(0, 0, size * 0.13, fill(heart))
    stamen = fill(scene.palette.dark)
    for angle, reach in rng.random((40, 2)).tolist():
        r = size * (0.14 + 0.12 * reach)
        canvas.drawCircle(math.cos(angle * math.tau) * r, math.sin(angle * math.tau) * r, size * 0.018, stamen)


def leafy_stem(
    scene: Scene,
    x: float,
    y: float,
    length: float,
    angle: float,
    color: str,
    rng: Random,
    pairs: int = 7,
    kind: int = 0,
    wide: float = 1.0,
) -> None:
    """A bent stem from (x, y) with paired two-tone leaves and a leaf at the tip; `angle` in degrees, 0 = upwards."""
    canvas = scene.canvas
    canvas.save()
    canvas.translate(float(x), float(y))
    canvas.rotate(float(angle))
    bend = rng.uniform(-0.28, 0.28) * length

    stem = bezier((0, 0), (0, -length * 0.5, bend, -length), close=False)
    canvas.drawPath(stem, stroke(shift(color, -0.10), length * 0.016, round_ends=True))
    for i in range(pairs):
        t = 0.14 + 0.8 * i / max(1, pairs - 1)
        size = length * 0.30 * (1 - 0.45 * t) * wide
        lean = math.degrees(math.atan2(2 * bend * t, length))
        for side in (-1, 1):
            canvas.save()
            canvas.translate(bend * t * t, -length * t)
            canvas.rotate(lean + side * rng.uniform(44, 60))
            tone = shift(color, round(rng.uniform(-0.03, 0.04), 3))
            blade = placed(leaf(kind), size * 0.9, size)
            canvas.drawPath(blade, fill(tone))
            canvas.save()
            canvas.clipRect(box(0, -size * 1.1, size, size))
            canvas.drawPath(blade, fill(shift(tone, 0.055)))
            canvas.restore()
            canvas.drawLine(0, 0, 0, -size * 0.88, stroke(shift(tone, -0.11), max(0.7 * scene.unit, size * 0.02), 0.8))
            canvas.restore()
    canvas.translate(bend, -length)
    canvas.rotate(math.degrees(math.atan2(2 * bend, length)))
    canvas.drawPath(placed(leaf(kind), length * 0.2 * wide, length * 0.24 * wide), fill(shift(color, 0.03)))
    canvas.restore()


def berries(scene: Scene, x: float, y: float, length: float, angle: float, color: str, stem: str, rng: Random) -> None:
    """A spray of seven shining berries on thin stalks."""
    canvas = scene.canvas
    canvas.save()
    canvas.translate(float(x), float(y))
    canvas.rotate(float(angle))
    tones = [shift(color, 0.14), color, shift(color, -0.14)]
    for i in range(7):
        reach = length * (0.5 + 0.5 * i / 7)
        lean = rng.uniform(-0.5, 0.5)
        bx, by = math.sin(lean) * reach, -math.cos(lean) * reach
        canvas.drawPath(bezier((0, 0), (0, by * 0.5, bx, by), close=False), stroke(stem, length * 0.014))
        r = length * rng.uniform(0.045, 0.075)
        shader = radial((bx - r * 0.3, by - r * 0.35), r * 1.3, [argb(c) for c in tones])
        canvas.drawCircle(bx, by, r, fill(shader=shader))
    canvas.restore()


def fruit(scene: Scene, x: float, y: float, size: float, color: str) -> None:
    """A round fruit, a little taller than wide, lit from the upper left; `size` is half its width."""
    tones = stops([shift(color, 0.09), color, shift(color, -0.14)])
    shader = radial((x - size * 0.3, y - size * 0.4), size * 1.9, tones)
    scene.canvas.drawOval(box(x - size, y - size * 1.2, x + size, y + size * 1.2), fill(shader=shader))
    glint = ball(x - size * 0.4, y - size * 0.55, size * 0.3, [mix(color, "#ffffff", 0.75), shift(color, 0.09)])
    glint.setAlphaf(0.5)
    scene.canvas.drawOval(area(x - size * 0.6, y - size * 0.75, size * 0.36, size * 0.30), glint)
