"""Stars, crescents, hearts."""

import math

from plugins.atelier.drawing import Path, bezier, difference, disc, polygon


def star(points: int = 5, inner: float = 0.42, turn: float = -90) -> Path:
    """A star of outer radius 1, centered; `inner` is the radius of its notches."""
    corners = []
    for i in range(2 * points):
        radius = 1 if i % 2 == 0 else inner
        angle = math.radians(turn + i * 180 / points)
        corners.append((radius * math.cos(angle), radius * math.sin(angle)))
    return polygon(corners)


def crescent(phase: float = 0.32) -> Path:
    """A moon of radius 1, centered, cut by a second disc `phase` to the right."""
    return difference(disc(0, 0, 1), disc(phase * 1.1, -phase * 0.25, 0.86))


def heart() -> Path:
    """A heart, centered, about 1 high."""
    return bezier(
        (0, 0.46),
        (-0.30, 0.20, -0.56, -0.02, -0.52, -0.26),
        (-0.48, -0.50, -0.16, -0.56, 0, -0.28),
        (0.16, -0.56, 0.48, -0.50, 0.52, -0.26),
        (0.56, -0.02, 0.30, 0.20, 0, 0.46),
    )
