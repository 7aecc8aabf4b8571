"""The place of a story as a strip of land at the foot of a picture: waves, firs, peaks, a skyline, dunes, meadows."""

from collections.abc import Callable
from typing import Final

import numpy as np

from plugins.atelier.drawing import Path, polygon, skia
from plugins.atelier.scene import Random, Scene

Point = tuple[float, float]

_PLACES: Final = {
    "ocean": "sea",
    "island": "sea",
    "river": "sea",
    "desert": "dunes",
    "forest": "firs",
    "mountain": "peaks",
    "volcano": "peaks",
    "city": "skyline",
    "street": "skyline",
    "garden": "meadow",
    "house": "meadow",
    "nature": "meadow",
}
AFLOAT: Final = frozenset({"vessel", "fish"})
STEPS: Final = 160


def place_of(scene: Scene) -> str:
    """Return which strip tells the story's place, empty where it names none; ships and fish are at sea."""
    named = next((place for tag, place in _PLACES.items() if scene.has(tag)), "")
    if named:
        return named
    return "sea" if scene.figures and scene.figures[0].group in AFLOAT else ""


def strip(scene: Scene, place: str, top: float, tall: float, name: str = "strip") -> Path:
    """Return the strip `place` across the page, its highest parts `tall` pixels above the height `top`.

    It goes down to the foot of the page. The place counts as shown.
    """
    scene.places.update(tag for tag, known in _PLACES.items() if known == place and scene.has(tag))
    width = scene.width
    edge = _EDGES[place](scene.fork(name), width, tall)
    return polygon(
        [(-width * 0.05, scene.height * 1.02), *((x, top - y) for x, y in edge), (width * 1.05, scene.height * 1.02)]
    )


def _sea(rng: Random, width: float, tall: float) -> list[Point]:
    xs = np.linspace(-0.05, 1.05, STEPS) * width
    turn = float(rng.uniform(0, 1))
    crest = np.abs(np.sin(np.pi * (xs / width * 7 + turn)))
    return list(zip(xs.tolist(), (tall * 0.42 * (1 - crest)).tolist(), strict=True))


def _dunes(rng: Random, width: float, tall: float) -> list[Point]:
    xs = np.linspace(-0.05, 1.05, STEPS) * width
    turn = float(rng.uniform(0, 6))
    wave = 0.5 + 0.5 * np.sin(xs / width * 5.2 + turn)
    return list(zip(xs.tolist(), (tall * 0.75 * wave**1.6).tolist(), strict=True))


def _meadow(rng: Random, width: float, tall: float) -> list[Point]:
    points: list[Point] = []
    turn = float(rng.uniform(0, 6))
    for x, q in zip(np.linspace(-0.05, 1.05, STEPS).tolist(), rng.random(STEPS).tolist(), strict=True):
        ground = tall * (0.16 + 0.14 * float(np.sin(x * 4 + turn)))
        points += [(x * width, ground), ((x + 0.002) * width, ground + tall * 0.26 * q), ((x + 0.004) * width, ground)]
    return points


def _firs(rng: Random, width: float, tall: float) -> list[Point]:
    points: list[Point] = []
    x = -0.05
    while x < 1.05:
        wide, high = float(rng.uniform(0.035, 0.07)), tall * float(rng.uniform(0.5, 1.0))
        for step, (reach, up) in enumerate(
            ((1, 0.05), (0.55, 0.36), (0.78, 0.34), (0.36, 0.66), (0.52, 0.64), (0, 1.0))
        ):
            points.append(((x + wide / 2 * (1 - reach)) * width, high * up if step else 0.0))
        for reach, up in ((0.52, 0.64), (0.36, 0.66), (0.78, 0.34), (0.55, 0.36), (1, 0.0)):
            points.append(((x + wide / 2 * (1 + reach)) * width, high * up))
        x += wide * 0.86
    return points


def _peaks(rng: Random, width: float, tall: float) -> list[Point]:
    points: list[Point] = [(-0.05 * width, tall * 0.2)]
    x, up = 0.0, True
    while x < 1.05:
        points.append((x * width, tall * float(rng.uniform(0.62, 1.0) if up else rng.uniform(0.1, 0.4))))
        x, up = x + float(rng.uniform(0.06, 0.13)), not up
    return [*points, (1.05 * width, tall * 0.2)]


def _skyline(rng: Random, width: float, tall: float) -> list[Point]:
    points: list[Point] = []
    x = -0.05
    while x < 1.05:
        wide, high = float(rng.uniform(0.035, 0.085)), tall * float(rng.uniform(0.3, 0.95))
        left, right, middle = x * width, (x + wide) * width, (x + wide / 2) * width
        kind = int(rng.integers(4))
        points += [(left, 0.0), (left, high)]
        if kind == 0:
            points += [(middle - 2e-3 * width, high), (middle, high + tall * 0.22), (middle + 2e-3 * width, high)]
        elif kind == 1:
            points.append((middle, high + tall * 0.1))
        points += [(right, high), (right, 0.0)]
        x += wide + float(rng.uniform(-0.004, 0.012))
    return points


_EDGES: Final[dict[str, Callable[[Random, float, float], list[Point]]]] = {
    "sea": _sea,
    "dunes": _dunes,
    "meadow": _meadow,
    "firs": _firs,
    "peaks": _peaks,
    "skyline": _skyline,
}


def within(path: Path, field: Path) -> Path:
    """Return the path as far as it lies in a field."""
    return skia.Op(path, field, skia.PathOp.kIntersect_PathOp) or skia.Path()
