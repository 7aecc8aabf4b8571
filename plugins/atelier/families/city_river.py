"""Night city by the water: a suspension bridge, and a quay."""

import math
from collections.abc import Callable

from plugins.atelier.atmosphere import mist
from plugins.atelier.color import mix
from plugins.atelier.drawing import BLACK, area, bezier, box, fill, polygon, stroke
from plugins.atelier.families.city_parts import (
    Block,
    Night,
    building,
    moon,
    night_sky,
    street_lamp,
    walker,
    wet_ground,
)
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene

HANGERS = 22
LAMPS = 15
# pylons of the bridge: column, height above the deck, width (of the page)
NEAR_PYLON, FAR_PYLON = (0.20, 0.33, 0.045), (0.83, 0.15, 0.020)


def bridge(scene: Scene, rng: Random, night: Night) -> None:
    """A suspension bridge over the river, the far bank's towers mirrored in the water, a walk in front."""
    width, height = scene.width, scene.height
    night_sky(scene, 0.66)
    side = 1 if rng.random() < 0.5 else -1
    if not scene.has("rain", "storm"):
        moon(scene, 0.5 + side * rng.uniform(0.18, 0.30), rng.uniform(0.415, 0.44), rng.uniform(0.06, 0.09))
    shore = height * 0.66
    _far_bank(scene, night, shore)
    wet_ground(scene, night, shore, 0.5 + side * 0.12, 0.30)
    _mirror_lights(scene, night, shore)
    _span(scene, night, side, height * rng.uniform(0.70, 0.73))
    walk = height * 0.865
    scene.canvas.drawRect(box(0, walk, width, height), fill(night.black))
    _railing(scene, night, walk)
    x = width * (0.5 - side * rng.uniform(0.16, 0.24))
    street_lamp(scene, night, x + side * width * 0.20, walk + height * 0.012, height * 0.30, -side)
    walker(scene, night, x, walk + height * 0.012, height * 0.16, scene.has("rain"))
    scene.canvas.drawRect(box(0, walk + height * 0.012, width, height), fill(mix(scene.palette.dark, BLACK, 0.6)))


def waterfront(scene: Scene, rng: Random, night: Night) -> None:
    """A quay with bollards; across dark water the skyline and its reflections; one figure, off to the side."""
    p, width, height = scene.palette, scene.width, scene.height
    side = 1 if rng.random() < 0.5 else -1
    night_sky(scene, 0.60)
    if not scene.has("rain", "storm"):
        moon(scene, 0.5 - side * rng.uniform(0.16, 0.28), rng.uniform(0.42, 0.45), rng.uniform(0.07, 0.11))
    shore = height * 0.62
    _far_bank(scene, night, shore)
    wet_ground(scene, night, shore, 0.5 - side * 0.2, 0.26)
    _mirror_lights(scene, night, shore)
    quay = height * 0.83
    scene.canvas.drawRect(box(0, quay, width, height), fill(mix(p.dark, BLACK, 0.55)))
    scene.canvas.drawLine(0, quay, width, quay, stroke(night.haze, 3 * scene.unit, 0.4))
    iron, s = fill(night.black), width * 0.022
    for k in (0.12, 0.34, 0.66, 0.88):
        post = [(-0.7, 0.1), (-0.55, -1.3), (0.55, -1.3), (0.7, 0.1)]
        scene.canvas.drawPath(polygon([(k * width + s * a, quay + s * b) for a, b in post]), iron)
        scene.canvas.drawOval(area(k * width - s, quay - s * 1.7, 2 * s, s * 0.7), iron)
    x, foot = width * (0.5 + side * rng.uniform(0.20, 0.26)), quay + height * 0.028
    street_lamp(scene, night, x + side * width * 0.13, foot, height * 0.36, -side)
    walker(scene, night, x - side * width * 0.06, foot, height * 0.21, scene.has("rain"))


def _far_bank(scene: Scene, night: Night, shore: float) -> None:
    """Three rows of towers, highest a little off the middle."""
    width, height = scene.width, scene.height
    haze = mix(scene.palette.mid, scene.palette.light, 0.55)
    summit = scene.fork("summit").uniform(0.3, 0.7)
    for layer in range(3):
        t, rng = layer / 3, scene.fork(f"bank{layer}")
        x = -width * 0.05
        while x < width * 1.05:
            wide = width * rng.uniform(0.03, 0.075) * (1 + 0.4 * t)
            swell = 0.55 + 0.6 * math.exp(-(((x / width - summit) / 0.28) ** 2))
            rise = height * rng.uniform(0.05, 0.20) * swell * (1.1 - 0.4 * t)
            building(scene, rng, night, Block(x, shore - rise, wide, t * 0.6, layer), shore)
            x += wide * rng.uniform(0.9, 1.1)
        mist(scene, shore / height - 0.02, 0.10, haze, 0.5, f"bank fog{layer}")


def _mirror_lights(scene: Scene, night: Night, shore: float) -> None:
    """Long wavering reflections of the windows opposite."""
    width, height, rng = scene.width, scene.height, scene.fork("mirror lights")
    for _ in range(46):
        x, steps = rng.random() * width, int(rng.uniform(7, 28))
        color = night.warm if rng.random() < 0.75 else scene.palette.light
        for i in range(steps):
            half = width * rng.uniform(0.002, 0.008) * (1 + i / steps)
            y = shore + height * 0.006 * (i + 0.5)
            scene.canvas.drawOval(area(x - half, y, 2 * half, 3 * scene.unit), fill(color, 0.5 * (1 - i / steps)))


def _span(scene: Scene, night: Night, side: int, deck: float) -> None:
    """The bridge in perspective: two pylons, road, cables with hangers, lamps."""
    width, height, u = scene.width, scene.height, scene.unit

    def at(x: float) -> float:
        return x * width if side > 0 else (1 - x) * width

    steel = fill(mix(night.black, scene.palette.deep, 0.25))
    for column, rise, wide in (NEAR_PYLON, FAR_PYLON):
        top = deck - height * rise
        for leg in (column - wide * 0.5, column + wide * 0.5):
            foot = deck + height * 0.09
            pylon = [
                (leg - wide * 0.13, top),
                (leg + wide * 0.13, top),
                (leg + wide * 0.17, foot),
                (leg - wide * 0.17, foot),
            ]
            scene.canvas.drawPath(polygon([(at(a), b) for a, b in pylon]), steel)
        for k in (0.10, 0.45, 0.80):
            y = top + (deck - top) * k
            left, right = sorted((at(column - wide * 0.5), at(column + wide * 0.5)))
            scene.canvas.drawRect(box(left, y, right, y + (wide * 200 + 2) * u), steel)
    road = [(-0.05, -0.010), (1.05, -0.002), (1.05, 0.004), (-0.05, 0.016)]
    scene.canvas.drawPath(polygon([(at(a), deck + height * b) for a, b in road]), steel)
    near, far = (NEAR_PYLON[0], deck - height * NEAR_PYLON[1]), (FAR_PYLON[0], deck - height * FAR_PYLON[1])
    low = deck - height * 0.02
    _cable(scene, night, at, near, far, deck - height * 0.035, deck)
    _cable(scene, night, at, (-0.25, low), near, deck - height * 0.12, deck)
    _cable(scene, night, at, far, (1.15, low), deck - height * 0.05, deck)
    bulb = fill(night.warm, 0.95)
    for i in range(LAMPS):
        t = i / (LAMPS - 1)
        x, y = at(t), deck - height * (0.016 - 0.008 * t)
        scene.canvas.drawCircle(x, y, (5 - 2.5 * t) * u, bulb)
        scene.glow(x, y, (34 - 16 * t) * u, night.warm, 0.55)


def _cable(
    scene: Scene,
    night: Night,
    at: Callable[[float], float],
    start: tuple[float, float],
    end: tuple[float, float],
    sag: float,
    deck: float,
) -> None:
    """A hanging cable through `sag` in its middle, with hangers down to the deck; columns as fractions."""
    (x0, y0), (x1, y1) = start, end
    mx, my = (x0 + x1) / 2, 2 * sag - (y0 + y1) / 2
    scene.canvas.drawPath(
        bezier((at(x0), y0), (at(mx), my, at(x1), y1), close=False), stroke(night.black, 6 * scene.unit)
    )
    wire = stroke(night.black, 1.8 * scene.unit, 0.85)
    for i in range(1, HANGERS):
        t = i / HANGERS
        x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * mx + t * t * x1
        y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * my + t * t * y1
        if y < deck:
            scene.canvas.drawLine(at(x), y, at(x), deck, wire)


def _railing(scene: Scene, night: Night, walk: float) -> None:
    width, height, u = scene.width, scene.height, scene.unit
    top = walk - height * 0.048
    for y, thick in ((top, 8), (top + height * 0.010, 3), (walk - height * 0.006, 4)):
        scene.canvas.drawLine(0, y, width, y, stroke(night.black, thick * u))
    for i in range(61):
        x = width * i / 60
        scene.canvas.drawLine(x, top, x, walk, stroke(night.black, (9 if i % 10 == 0 else 2.4) * u))
