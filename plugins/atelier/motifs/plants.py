"""Trees, leaves and fronds as paths."""

import math
from functools import lru_cache

import numpy as np

from plugins.atelier.drawing import Path, bezier, box, curve, polygon, skia, solid, union
from plugins.atelier.noise import Random


def pine(rng: Random, slim: float = 0.34) -> Path:
    """A spruce: a zig-zag of drooping boughs."""
    tiers = int(rng.integers(7, 11))
    right: list[tuple[float, float]] = []
    left: list[tuple[float, float]] = []
    for i in range(tiers):
        t = i / (tiers - 1)
        y = -1 + t * 0.9
        wide = slim * (0.06 + t**1.05 * 0.94) * rng.uniform(0.8, 1.12)
        for side, out in ((1, right), (-1, left)):
            out.append((side * (wide * 0.34 + 0.004), y))
            out.append((side * wide * 0.5 * rng.uniform(0.85, 1.15), y + 0.075 + 0.03 * t))
    trunk = [(0.018, -0.03), (0.018, 0.05), (-0.018, 0.05), (-0.018, -0.03)]
    return polygon([(0, -1.04), *right, *trunk, *reversed(left)])


@lru_cache
def round_tree() -> Path:
    """A lollipop tree."""
    crown = skia.Path()
    crown.addOval(box(-0.32, -1, 0.32, -0.28))
    return union(crown, polygon([(-0.045, 0.02), (0.045, 0.02), (0.03, -0.4), (-0.03, -0.4)]))


def bare_tree(rng: Random, depth: int = 8) -> Path:
    """A leafless tree of forking, slightly crooked boughs."""
    parts: list[Path] = []

    def bough(x: float, y: float, angle: float, length: float, width: float, left: int) -> None:
        x2, y2 = x + math.cos(angle) * length, y + math.sin(angle) * length
        nx, ny = -math.sin(angle), math.cos(angle)
        tip = width * 0.68
        bx = (x + x2) / 2 + nx * length * rng.uniform(-0.12, 0.12)
        by = (y + y2) / 2 + ny * length * rng.uniform(-0.12, 0.12)
        w = width * 0.85
        parts.append(
            bezier(
                (x + nx * width, y + ny * width),
                (bx + nx * w, by + ny * w, x2 + nx * tip, y2 + ny * tip),
                (x2 - nx * tip, y2 - ny * tip),
                (bx - nx * w, by - ny * w, x - nx * width, y - ny * width),
            )
        )
        if left <= 0 or width < 0.0012:
            return
        for i in range(2 if rng.random() < 0.8 else 3):
            side = -1 if i % 2 else 1
            turn = side * rng.uniform(0.18, 0.62) + rng.uniform(-0.1, 0.1) - 0.03 * math.cos(angle)
            bough(x2, y2, angle + turn, length * rng.uniform(0.68, 0.84), tip, left - 1)

    bough(0, 0.02, -math.pi / 2 + rng.uniform(-0.08, 0.08), 0.24, 0.035, depth)
    return solid(*parts)


@lru_cache
def cypress() -> Path:
    """A cypress: a slim flame."""
    return bezier((0, 0), (0.13, -0.2, 0.10, -0.7, 0, -1), (-0.10, -0.7, -0.13, -0.2, 0, 0))


@lru_cache
def leaf(kind: int = 0) -> Path:
    """A leaf from (0, 0) to (0, -1): 0 broad lance, 1 willow, 2 round."""
    sides: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {
        0: ((0.34, -0.22, 0.30, -0.72, 0, -1), (-0.30, -0.72, -0.34, -0.22, 0, 0)),
        1: ((0.16, -0.25, 0.17, -0.7, 0.02, -1), (-0.17, -0.7, -0.16, -0.25, 0, 0)),
        2: ((0.52, -0.10, 0.50, -0.6, 0, -1), (-0.50, -0.6, -0.52, -0.10, 0, 0)),
    }
    return bezier((0, 0), *sides[kind])


def frond(rng: Random, fingers: int = 6, spread: float = 0.5) -> list[tuple[Path, float]]:
    """A cut-paper frond: strokes (path, width) of a bent spine and its fingers, to be drawn with round ends."""
    bend = rng.uniform(-0.2, 0.2)
    spine = [(bend * t * t, -t) for t in np.linspace(0, 1, 8).tolist()]
    strokes: list[tuple[Path, float]] = [(curve(spine, False), 0.10)]
    for i in range(fingers):
        t = 0.16 + 0.74 * i / (fingers - 1)
        x, y = bend * t * t, -t
        for side in (-1, 1):
            reach = spread * (1 - 0.55 * abs(t - 0.42)) * rng.uniform(0.75, 1.1)
            end = (x + side * reach * 0.86, y - reach * rng.uniform(0.35, 0.75))
            finger = bezier((x, y), (x + side * reach * 0.55, y + 0.02, *end), close=False)
            strokes.append((finger, rng.uniform(0.085, 0.125)))
    return strokes
