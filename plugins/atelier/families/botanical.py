"""Botanical: foliage, blossoms and fruit growing in from the edges around an empty middle."""

import math

from plugins.atelier.atmosphere import dust, paper, vignette
from plugins.atelier.color import argb, from_oklch, mix, oklch, shift
from plugins.atelier.drawing import BLACK, box, fill, radial
from plugins.atelier.family import Family
from plugins.atelier.motifs.flora import (
    DAISY,
    GREEN_HUES,
    PEONY,
    POPPY,
    berries,
    flower,
    fruit,
    fruit_color,
    leafy_stem,
)
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene, Zone

LEFT_ROOTS: list[tuple[float, float]] = [(0, y) for y in (0.02, 0.16, 0.34, 0.52, 0.70, 0.86, 1.0)]
LEFT_ROOTS += [(x, y) for x in (0.14, 0.30) for y in (0, 1)]
RIGHT_ROOTS: list[tuple[float, float]] = [(1, y) for y in (0.02, 0.16, 0.34, 0.52, 0.70, 0.86, 1.0)]
RIGHT_ROOTS += [(x, y) for x in (0.68, 0.86) for y in (0, 1)]

# blossoms: x, y, radius (of the width), kind. The mirrored set avoids the axis: two halves there look like faces.
MIRRORED_BLOSSOMS = (
    (0.10, 0.90, 0.155, PEONY),
    (0.29, 0.955, 0.105, DAISY),
    (0.06, 0.755, 0.095, DAISY),
    (0.115, 0.075, 0.125, PEONY),
    (0.30, 0.035, 0.085, POPPY),
    (0.045, 0.23, 0.08, DAISY),
    (0.44, 0.975, 0.075, POPPY),
    (0.20, 0.835, 0.062, POPPY),
    (0.215, 0.145, 0.055, DAISY),
    (0.0, 0.60, 0.045, POPPY),
    (0.0, 0.41, 0.04, DAISY),
)
FREE_BLOSSOMS = (
    (0.86, 0.90, 0.17, PEONY),
    (0.62, 0.945, 0.11, DAISY),
    (0.95, 0.75, 0.11, DAISY),
    (0.12, 0.08, 0.15, PEONY),
    (0.33, 0.04, 0.09, DAISY),
    (0.05, 0.25, 0.09, POPPY),
    (0.40, 0.965, 0.085, POPPY),
    (0.76, 0.82, 0.06, POPPY),
    (0.08, 0.93, 0.12, POPPY),
    (0.93, 0.06, 0.075, DAISY),
    (0.22, 0.17, 0.055, DAISY),
    (0.96, 0.60, 0.06, POPPY),
    (0.22, 0.86, 0.055, DAISY),
)


class Bed:
    """The colors of one garden and the plants."""

    def __init__(self, scene: Scene, light: bool, ground: str) -> None:
        p = scene.palette
        self.scene, self.ground = scene, ground
        low, high = GREEN_HUES
        if low < oklch(p.mid)[2] < high:
            self.greens = (mix(p.deep, p.mid, 0.35), mix(p.mid, p.light, 0.35))
        else:
            first = from_oklch(0.46 if light else 0.42, 0.065, 150)
            self.greens = (mix(first, p.deep, 0.22), mix(from_oklch(0.60, 0.07, 140), p.light, 0.12))
        bases = (p.accent, mix(p.light, p.paper, 0.2), p.companion, mix(p.accent, p.paper, 0.45))
        self.blossoms = [[shift(c, -0.10), c, shift(c, 0.09, 0.9), shift(p.accent, 0.08)] for c in bases]
        self.berry_colors = (p.accent, p.companion, p.light)
        self.fruit = fruit_color(scene)

    def plant(self, rng: Random, mirror: bool, first_blossom: int) -> None:
        """Three layers: dulled big leaves, sprigs with berries or fruit, then blossoms and loose sprigs."""
        roots = LEFT_ROOTS if mirror else LEFT_ROOTS + RIGHT_ROOTS
        for x, y in roots:
            self._back_leaf(rng, x, y)
        for x, y in roots * 2:
            self._sprig(rng, x, y)
        width, height = self.scene.width, self.scene.height
        for i, (x, y, size, kind) in enumerate(MIRRORED_BLOSSOMS if mirror else FREE_BLOSSOMS):
            colors = self.blossoms[(i + first_blossom) % 4]
            flower(self.scene, x * width, y * height, size * width, kind, colors, rng.uniform(0, 360), rng)
        for _ in range(26):
            if rng.random() < 0.6:
                x = rng.random() * (0.45 if mirror else 0.9)
                y = rng.uniform(0, 0.13) if rng.random() < 0.5 else rng.uniform(0.86, 1)
            else:
                x, y = rng.uniform(0, 0.07), rng.random()
            angle = rng.uniform(-70, 70) + (180 if y < 0.2 else 0)
            tone = self.greens[1] if rng.random() < 0.5 else mix(self.greens[1], self.scene.palette.light, 0.5)
            leafy_stem(self.scene, x * width, y * height, width * rng.uniform(0.06, 0.11), angle, tone, rng, 4, 1, 1.1)

    def _grow(
        self, rng: Random, x: float, y: float, sway: float, low: float, high: float, inner: float
    ) -> tuple[float, float]:
        """Direction (towards the page's middle) and length of a stem rooted at x, y; short where the type stands."""
        angle = math.degrees(math.atan2(0.5 - x, (y - 0.48) * 1.5)) + rng.uniform(-sway, sway)
        side = x in (0, 1)
        reach = 0.36 if side and abs(y - 0.50) < 0.30 else inner if side else 1
        return angle, self.scene.width * rng.uniform(low, high) * reach

    def _back_leaf(self, rng: Random, x: float, y: float) -> None:
        angle, length = self._grow(rng, x, y, 26, 0.24, 0.36, 0.8)
        tone = mix(self.greens[0], self.ground, 0.42)
        leafy_stem(self.scene, x * self.scene.width, y * self.scene.height, length, angle, tone, rng, 7, 0, 1.25)

    def _sprig(self, rng: Random, x: float, y: float) -> None:
        scene = self.scene
        angle, length = self._grow(rng, x, y, 34, 0.17, 0.32, 0.75)
        px, py = (x + rng.normal(0, 0.03)) * scene.width, (y + rng.normal(0, 0.03)) * scene.height
        if rng.random() < 0.62:
            tone = (*self.greens, mix(*self.greens, 0.5))[int(rng.integers(0, 3))]
            pairs, kind = int(rng.integers(5, 9)), int(rng.integers(0, 2))
            leafy_stem(scene, px, py, length, angle, tone, rng, pairs, kind, rng.uniform(0.8, 1.15))
        elif self.fruit:
            leafy_stem(scene, px, py, length * 0.9, angle, self.greens[1], rng, 5, 2, 1.1)
            a = math.radians(angle)
            fruit(
                scene, px + math.sin(a) * length * 0.5, py - math.cos(a) * length * 0.5, scene.width * 0.038, self.fruit
            )
        else:
            berries(scene, px, py, length, angle, self.berry_colors[int(rng.integers(0, 3))], self.greens[0], rng)


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("botanical"), scene.width, scene.height
    light = (
        scene.has("spring", "food", "summer")
        or scene.genre in ("cookbook", "poetry")
        or scene.sfork("ground").random() < 0.35
    )
    ink = p.dark if light else p.paper
    ink2 = ink if light else mix(p.accent, p.paper, 0.4)
    scene.set_type(
        Zone(0.165, 0.255, 0.67, 0.335), Zone(0.25, 0.655, 0.50, 0.028), ink, ink2, Zone(0.22, 0.225, 0.56, 0.022)
    )
    scene.hints.max_title, scene.hints.shadow = 0.125, False

    ground = mix(p.paper, p.light, 0.12) if light else p.dark
    tones = [mix(ground, p.paper if light else p.deep, 0.75), ground, mix(ground, p.light if light else BLACK, 0.35)]
    shader = radial((width * 0.5, height * 0.46), height * 0.62, [argb(c) for c in tones])
    scene.canvas.drawRect(scene.page(), fill(shader=shader))

    mirror = scene.genre in ("fantasy", "historical") or scene.sfork("mirror").random() < 0.7
    first = int(rng.integers(0, 4))
    bed = Bed(scene, light, ground)
    for side in (1, -1) if mirror else (1,):
        scene.canvas.save()
        if mirror:
            scene.canvas.translate(0 if side == 1 else width, 0)
            scene.canvas.scale(side, 1)
            scene.canvas.clipRect(box(-width, 0, width * 0.5 + 1, height))
        bed.plant(scene.fork("garden"), mirror, first)
        scene.canvas.restore()
    dust(scene, 160, p.light if light else p.accent, (0.10, 0.10, 0.80, 0.80))
    paper(scene, 0.5)
    vignette(scene, 0.25 if light else 0.4)


BOTANICAL = Family("botanical", paint)
