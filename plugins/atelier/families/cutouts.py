"""Cutouts: scissor-cut fronds, suns, birds, vases and pebbles in nine crooked fields under a paper header."""

import math
from typing import NamedTuple

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import contrast, mix, oklch
from plugins.atelier.drawing import curve, fill, placed, polygon, stroke
from plugins.atelier.family import Family
from plugins.atelier.motifs.plants import frond
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene, Zone

COLUMNS = (0.0, 0.34, 0.66, 1.0)
ROWS = (0.34, 0.56, 0.78, 1.0)
BIRD = [
    (-0.48, 0.02),
    (-0.30, -0.02),
    (-0.16, -0.10),
    (-0.12, -0.34),
    (0.0, -0.42),
    (0.06, -0.20),
    (0.12, -0.12),
    (0.26, -0.15),
    (0.40, -0.10),
    (0.48, -0.06),
    (0.38, -0.03),
    (0.30, 0.06),
    (0.16, 0.16),
    (-0.04, 0.18),
    (-0.22, 0.14),
    (-0.40, 0.16),
]
VASE = [(-0.10, 0.02), (-0.14, 0.08), (-0.24, 0.20), (-0.20, 0.38), (-0.08, 0.44)]
VASE += [(-x, y) for x, y in reversed(VASE)]


class Field(NamedTuple):
    """One field of the sheet: its center, size in pixels and color."""

    x: float
    y: float
    width: float
    height: float
    ground: str

    @property
    def side(self) -> float:
        """The shorter side."""
        return min(self.width, self.height)


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("cutouts")
    title, tagline, author = (
        Zone(0.08, 0.05, 0.84, 0.175),
        Zone(0.10, 0.243, 0.80, 0.022),
        Zone(0.10, 0.288, 0.80, 0.024),
    )
    scene.set_type(title, author, mix(p.dark, p.deep, 0.25), tagline=tagline)
    scene.hints.shadow, scene.hints.grain, scene.hints.max_title = False, 0.16, 0.125
    scene.flood(p.paper)
    grounds = [p.accent, p.deep, p.light, p.mid, mix(p.paper, p.light, 0.35), p.companion, p.deep, p.light, p.accent]
    order = rng.permutation(9).tolist()
    if rng.random() < 0.8:
        grounds = [grounds[i] for i in order]
    for k in range(9):
        _field(scene, rng, k, grounds[k], order[(k + 4) % 9] % 6)
    paper(scene, 1.4)


def _field(scene: Scene, rng: Random, k: int, ground: str, kind: int) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    i, j = k % 3, k // 3

    def crooked() -> float:
        return rng.uniform(-0.012, 0.012)

    left = (COLUMNS[i] + (crooked() if i else -0.02)) * width
    right = (COLUMNS[i + 1] + (crooked() if i < 2 else 0.02)) * width
    top, foot = (ROWS[j] + crooked()) * height, (ROWS[j + 1] + (crooked() if j < 2 else 0.02)) * height
    corners = [
        (left, top),
        (right, top + crooked() * height * 0.5),
        (right + crooked() * width * 0.4, foot),
        (left + crooked() * width * 0.4, foot + crooked() * height * 0.4),
    ]
    outline = polygon(corners)
    scene.canvas.drawPath(outline, fill(ground))
    scene.canvas.save()
    scene.canvas.clipPath(outline, True)
    cut = scene.fork(f"field{k}")
    field = Field((left + right) / 2, (top + foot) / 2, right - left, foot - top, ground)
    papers = [p.deep, p.mid, p.light, p.accent, p.companion, mix(p.paper, p.light, 0.2), p.paper]

    def stands_out(color: str) -> float:
        return contrast(color, ground) * cut.uniform(0.5, 1) + 0.8 * abs(oklch(color)[1] - oklch(ground)[1])

    figure = max((c for c in papers if c != ground), key=stands_out)
    if kind in (0, 3):
        x, turn = field.x + cut.normal(0, 0.03) * field.width, cut.uniform(-16, 16)
        _frond(scene, cut, x, foot - field.height * 0.06, field.height * 0.84, turn, figure, int(cut.integers(5, 7)))
    elif kind == 1:
        _sun(scene, field, figure)
    elif kind == 2:
        s = field.side
        bird = placed(curve(BIRD), s * 0.95, s * 0.95, cut.uniform(-10, 6), field.x, field.y + s * 0.05)
        scene.canvas.drawPath(bird, fill(figure))
        scene.canvas.drawCircle(field.x + s * 0.30, field.y - s * 0.035, s * 0.015, fill(ground))
    elif kind == 4:
        third = max((c for c in papers if c not in (ground, figure)), key=lambda c: contrast(c, ground))
        _frond(scene, cut, field.x, field.y + field.height * 0.10, field.height * 0.52, cut.uniform(-8, 8), third, 4)
        s = field.side
        scene.canvas.drawPath(placed(curve(VASE), s, s, 0, field.x, field.y - s * 0.02), fill(figure))
    else:
        _pebbles(scene, cut, field, figure)
    scene.canvas.restore()


def _frond(scene: Scene, rng: Random, x: float, y: float, size: float, turn: float, color: str, fingers: int) -> None:
    scene.canvas.save()
    scene.canvas.translate(x, y)
    scene.canvas.rotate(turn)
    scene.canvas.scale(size, size)
    for path, width in frond(rng, fingers):
        scene.canvas.drawPath(path, stroke(color, width, round_ends=True))
    scene.canvas.restore()


def _sun(scene: Scene, field: Field, color: str) -> None:
    ink, s = fill(color), field.side
    scene.canvas.drawCircle(field.x, field.y, s * 0.20, ink)
    for k in range(12):
        flame = curve([(-0.07, -0.28), (0.07, -0.28), (0.03 * math.sin(k), -0.48)])
        scene.canvas.drawPath(placed(flame, s, s, k * 30 + 5, field.x, field.y), ink)


def _pebbles(scene: Scene, rng: Random, field: Field, color: str) -> None:
    s = field.side
    for k in range(3):
        x, y = field.x + (k - 1) * s * 0.26, field.y + ((k % 2) - 0.5) * s * 0.22
        rim = []
        for i in range(7):
            a = i * math.tau / 7
            r = s * rng.uniform(0.75, 1.2)
            rim.append((x + math.cos(a) * 0.13 * r, y + math.sin(a) * 0.15 * r))
        scene.canvas.drawPath(curve(rim), fill(color))


CUTOUTS = Family("cutouts", paint)
