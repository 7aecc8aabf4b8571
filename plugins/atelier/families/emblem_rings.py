"""What surrounds the emblem: rays, a laurel wreath, the phases of the moon, or woven stars."""

import math
from collections.abc import Callable

from plugins.atelier.color import mix
from plugins.atelier.drawing import BLACK, box, fill, placed, skia
from plugins.atelier.gilding import Gold
from plugins.atelier.motifs.ornaments import crescent, star
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.scene import Scene

RAYS = 96
BEADS = 60


def _around(x: float, y: float, r: float, degrees: float) -> tuple[float, float]:
    a = math.radians(degrees)
    return x + math.cos(a) * r, y + math.sin(a) * r


def rays(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    """Rays of four lengths, the longest with a bead."""
    for i in range(RAYS):
        a = i * 360 / RAYS
        major = i % 8 == 0
        far = r * (1.62 if major else 1.42 if i % 4 == 0 else 1.28 if i % 2 == 0 else 1.20)
        near, end = _around(x, y, r * 1.14, a), _around(x, y, far, a)
        scene.canvas.drawLine(*near, *end, gold.line(3.4 if major else 1.8, 0.95))
        if major:
            scene.canvas.drawCircle(*_around(x, y, far * 1.03, a), 5.5 * scene.unit, gold.area())


def wreath(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    """Two branches of laurel, open at the top, tied at the foot."""
    blade = leaf(0)
    for side in (-1, 1):
        stem = skia.Path()
        stem.addArc(box(x - r * 1.30, y - r * 1.30, x + r * 1.30, y + r * 1.30), 90, -side * 152)
        scene.canvas.drawPath(stem, gold.line(3))
        for i in range(15):
            t = i / 14
            a = 90 - side * (8 + 142 * t)
            bx, by = _around(x, y, r * 1.30, a)
            size = r * (0.27 - 0.10 * t)
            along = a - side * 90 + 90  # a leaf grows along -y
            for lean in (-34, 34):
                shape = placed(blade, size * 0.62, size, along + lean, bx, by)
                scene.canvas.drawPath(shape, gold.area(0.92 if lean > 0 else 0.72))
        for i in range(5):
            bx, by = _around(x, y, r * 1.42, 90 - side * (24 + 27 * i))
            scene.canvas.drawCircle(bx, by, 6 * scene.unit, gold.area())
    scene.canvas.drawPath(placed(star(8, 0.34), r * 0.10, r * 0.10, 0, x, y + r * 1.32), gold.area())
    for i in range(-4, 5):
        length = 0.16 - 0.018 * abs(i)
        near, end = _around(x, y, r * 1.22, -90 + i * 7), _around(x, y, r * (1.24 + length), -90 + i * 7)
        scene.canvas.drawLine(*near, *end, gold.line(2.6))


def moons(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    """Phases of the moon over the medallion, stars under it, a fine double orbit."""
    for k in (1.22, 1.25, 1.50):
        scene.canvas.drawCircle(x, y, r * k, gold.line(1.8, 0.9))
    phases = (0.16, 0.40, 0.78, 0.0, -0.78, -0.40, -0.16)
    for i, phase in enumerate(phases):
        mx, my = _around(x, y, r * 1.375, -90 + (i - 3) * 21)
        size = r * (0.125 if phase == 0 else 0.092)
        scene.canvas.drawCircle(mx, my, size * 1.25, fill(mix(scene.palette.dark, BLACK, 0.2)))
        if phase == 0:
            scene.canvas.drawCircle(mx, my, size, gold.area())
        else:
            side = 1 if phase > 0 else -1
            scene.canvas.drawPath(placed(crescent(abs(phase)), -size * side, size, 0, mx, my), gold.area())
    for i in range(11):
        sx, sy = _around(x, y, r * 1.375, 90 + (i - 5) * 19)
        size = r * (0.060 if i % 2 else 0.036)
        scene.canvas.drawPath(placed(star(4 if i % 2 else 8, 0.3), size, size, 0, sx, sy), gold.area())
    for i in range(72):
        near, end = _around(x, y, r * 1.50, i * 5), _around(x, y, r * (1.545 if i % 6 else 1.60), i * 5)
        scene.canvas.drawLine(*near, *end, gold.line(1.6, 0.85))


def woven(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    """Interlaced squares drawn as a many-pointed star."""
    for turn in range(0, 90, 15):
        square = placed(star(2, 1.0, 45), r * 1.60, r * 1.60, turn, x, y)
        scene.canvas.drawPath(square, gold.line(3.2 if turn % 45 == 0 else 1.5, 0.95))
    for i in range(24):
        a = i * 15
        scene.canvas.drawCircle(*_around(x, y, r * 1.60, a), (7 if i % 3 == 0 else 4) * scene.unit, gold.area())
    for k in (1.17, 1.21):
        scene.canvas.drawCircle(x, y, r * k, gold.line(2.2))


RINGS: dict[str, Callable[[Scene, Gold, float, float, float], None]] = {
    "rays": rays,
    "wreath": wreath,
    "moons": moons,
    "woven": woven,
}
