"""Castles, towers, cabins, city blocks."""

from functools import lru_cache
from typing import Any

from plugins.atelier.drawing import Path, polygon, rectangle, union_all
from plugins.atelier.noise import Random

Window = tuple[float, float, float, float]  # center x, top y, width, height


def castle(rng: Random) -> tuple[Path, list[Window]]:
    """Clustered towers with spires, and where their windows are."""
    parts: list[Any] = [polygon([(-0.46, 0.15), (-0.46, -0.14), (0.5, -0.14), (0.5, 0.15)])]
    windows: list[Window] = []

    def tower(x: float, width: float, height: float, roof: bool = True) -> None:
        k = width * 0.62
        parts.append(rectangle(x - width / 2, -height, x + width / 2, 0.15))
        parts.append(rectangle(x - k, -height - width * 0.16, x + k, -height))
        if roof:
            top = -height - width * rng.uniform(1.7, 2.4)
            parts.append(
                polygon([(x - k * 1.08, -height - width * 0.15), (x, top), (x + k * 1.08, -height - width * 0.15)])
            )
            parts.append(rectangle(x - 0.0025, top - 0.05, x + 0.0025, top))
            parts.append(polygon([(x, top - 0.05), (x + 0.03, top - 0.04), (x, top - 0.028)]))
        else:
            merlon = 2 * k / 7
            for i in range(4):
                left = x - k + 2 * i * merlon
                parts.append(rectangle(left, -height - width * 0.32, left + merlon, -height - width * 0.15))
        for j in range(int(rng.integers(1, 3))):
            windows.append((x, -height + 0.06 + 0.11 * j, width * 0.10, 0.028))

    for x, width, height, roof in (
        (0, 0.13, 0.62, True),
        (-0.15, 0.10, 0.45, True),
        (0.16, 0.11, 0.50, True),
        (-0.29, 0.13, 0.30, False),
        (0.31, 0.10, 0.36, True),
        (0.07, 0.07, 0.72, True),
        (-0.42, 0.09, 0.26, True),
        (0.45, 0.12, 0.20, False),
        (-0.07, 0.06, 0.52, True),
    ):
        tower(x, width, height, roof)
    return union_all(parts), windows


@lru_cache
def lighthouse() -> Path:
    """A tapering tower with gallery and lantern."""
    parts = [
        polygon([(-0.085, 0.05), (-0.055, -0.74), (0.055, -0.74), (0.085, 0.05)]),
        rectangle(-0.085, -0.765, 0.085, -0.74),
        rectangle(-0.05, -0.86, 0.05, -0.765),
        polygon([(-0.066, -0.86), (0, -0.96), (0.066, -0.86)]),
        rectangle(-0.004, -1, 0.004, -0.95),
    ]
    return union_all(parts)


@lru_cache
def cabin() -> Path:
    """A house with a hipped roof and a chimney."""
    parts = [
        polygon([(-0.42, 0), (-0.42, -0.36), (0.42, -0.36), (0.42, 0)]),
        polygon([(-0.52, -0.34), (-0.30, -0.72), (0.30, -0.72), (0.52, -0.34)]),
        rectangle(0.16, -0.88, 0.26, -0.66),
    ]
    return union_all(parts)


def tower_block(x: float, top: float, width: float, foot: float, roof: float, rng: Random) -> Path:
    """A city building in page pixels; `roof` 0..1 selects flat, set back, spired, gabled, aerials or a water tank."""
    parts = [rectangle(x, top, x + width + 1, foot)]

    def block(left: float, up: float, right: float, down: float = 0.0) -> None:
        parts.append(rectangle(x + width * left, top - width * up, x + width * right, top - width * down))

    if roof < 0.3:
        block(0.2, 0.25, 0.8)
    elif roof < 0.5:
        block(0.15, 0.3, 0.85)
        block(0.32, 0.7, 0.68)
        block(0.49, 1.6, 0.51)
    elif roof < 0.62:
        parts.append(polygon([(x, top), (x + width / 2, top - width * 0.6), (x + width, top)]))
    elif roof < 0.75:
        for at in (0.3, 0.6):
            block(at, 0.5 * rng.random(), at + 0.025)
    elif roof < 0.85:
        tank = [(0.3, 0), (0.3, 0.3), (0.5, 0.42), (0.7, 0.3), (0.7, 0)]
        parts.append(polygon([(x + width * a, top - width * b) for a, b in tank]))
    return union_all(parts)
