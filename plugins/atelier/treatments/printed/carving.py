"""Marks of the gouge: short lens-shaped cuts in rings or rays about a point, and lines with a burr."""

import math

from plugins.atelier.drawing import Path, skia
from plugins.atelier.noise import Random


def gouges(
    rng: Random,
    center: tuple[float, float],
    reach: tuple[float, float],
    spacing: float,
    length: float,
    wide: float = 0.34,
    rays: bool = False,
    keep: float = 1.0,
    arc: tuple[float, float] = (0.0, math.tau),
) -> Path:
    """Return cuts around a center between two radii, along rings or, with `rays`, along rays; pixels.

    `wide` is the width of a cut and `keep` the share of cuts that is made, both as fractions.
    """
    path = skia.Path()
    cx, cy = center
    inner, outer = reach
    step_r, step_t = (length * 1.12, spacing) if rays else (spacing, length * 1.12)
    r = max(inner, step_t * 0.6)
    while r < outer:
        count = max(3, round((arc[1] - arc[0]) * r / step_t))
        turn = rng.random()
        for i, (skip, drift, stretch) in enumerate(rng.random((count, 3)).tolist()):
            if skip > keep:
                continue
            a = arc[0] + (i + turn) * (arc[1] - arc[0]) / count
            at = r + (drift - 0.5) * step_r * (0.8 if rays else 0.25)
            x, y = cx + math.cos(a) * at, cy + math.sin(a) * at
            way = a if rays else a + math.pi / 2
            dx, dy = math.cos(way) * length * (0.25 + 0.3 * stretch), math.sin(way) * length * (0.25 + 0.3 * stretch)
            nx, ny = -dy / max(length, 1e-6) * spacing * wide * 2.4, dx / max(length, 1e-6) * spacing * wide * 2.4
            path.moveTo(x - dx, y - dy)
            path.quadTo(x + nx, y + ny, x + dx, y + dy)
            path.quadTo(x - nx, y - ny, x - dx, y - dy)
            path.close()
        r += step_r
    return path
