"""Emblem: gold foil on dark cloth; a framed medallion with the story's noun, rays, beads and stars."""

import math
from typing import Any

from plugins.atelier.atmosphere import paper, vignette
from plugins.atelier.colour import argb, mix
from plugins.atelier.drawing import BLACK, MULTIPLY, box, fill, foil, placed, radial, skia, stroke
from plugins.atelier.families.base import Family, metal
from plugins.atelier.motifs.glyphs import line_art
from plugins.atelier.motifs.ornaments import crescent, star
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.noise import fbm, smoothstep
from plugins.atelier.scene import Scene, Zone

TYPE_STYLES = {
    "fantasy": "fantasy",
    "ya": "fantasy",
    "children": "fantasy",
    "historical": "historical",
    "western": "historical",
    "mystery": "mystery",
    "thriller": "mystery",
}
RAYS = 96
BEADS = 60


class Leaf:
    """Gold leaf: paints whose shine runs across the whole page."""

    def __init__(self, scene: Scene, colour: str) -> None:
        self.shader = foil(colour, scene.width, scene.height)
        self.unit = scene.unit

    def line(self, width: float, alpha: float = 1.0) -> Any:
        """An outline, `width` in full-page pixels."""
        return stroke(BLACK, width * self.unit, alpha, shader=self.shader)

    def area(self, alpha: float = 1.0) -> Any:
        """A filled shape."""
        return fill(BLACK, alpha, self.shader)


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, gold = scene.palette, metal(scene.palette)
    title_on_top = bool(scene.sfork("title on top").random() < 0.6)
    title = Zone(0.13, 0.085, 0.74, 0.25) if title_on_top else Zone(0.13, 0.655, 0.74, 0.205)
    scene.set_type(title, Zone(0.2, 0.90, 0.6, 0.030), mix(gold, p.paper, 0.3), mix(gold, p.paper, 0.5))
    scene.hints.foil, scene.hints.grain, scene.hints.max_title = gold, 0.16, 0.125
    scene.hints.type_style = TYPE_STYLES.get(scene.genre, scene.genre)

    _cloth(scene)
    leaf_ = Leaf(scene, gold)
    _frame(scene, leaf_)
    x, y, r = scene.width * 0.5, scene.height * (0.615 if title_on_top else 0.385), scene.width * 0.30
    _medallion(scene, leaf_, x, y, r, gold)
    _sky_signs(scene, leaf_, x, y, r)
    vignette(scene, 0.5, BLACK)


def _cloth(scene: Scene) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    ground = mix(p.dark, p.deep, 0.35)
    tones = [argb(mix(p.deep, p.mid, 0.15)), argb(ground), argb(mix(p.dark, BLACK, 0.35))]
    shader = radial((width / 2, height * 0.45), height * 0.62, tones, [0, 0.55, 1])
    scene.canvas.drawRect(scene.page(), fill(shader=shader))
    paper(scene, 1.3)
    worn = fbm(scene.fork("cloth"), *scene.grid(4), 3, 6, 0.62)
    scene.mask(smoothstep(0.45, 1, worn), BLACK, 0.38, MULTIPLY)


def _notched(scene: Scene, inset: float, notch: float) -> Any:
    """A frame with quarter circles bitten out of its corners; measures in full-page pixels."""
    m = 0.052 * scene.width + inset * scene.unit
    n = notch * scene.unit
    left, top, right, bottom = m, m, scene.width - m, scene.height - m
    path = skia.Path()
    path.moveTo(left + n, top)
    path.lineTo(right - n, top)
    path.arcTo(box(right - n, top - n, right + n, top + n), 180, -90, False)
    path.lineTo(right, bottom - n)
    path.arcTo(box(right - n, bottom - n, right + n, bottom + n), 270, -90, False)
    path.lineTo(left + n, bottom)
    path.arcTo(box(left - n, bottom - n, left + n, bottom + n), 0, -90, False)
    path.lineTo(left, top + n)
    path.arcTo(box(left - n, top - n, left + n, top + n), 90, -90, False)
    path.close()
    return path


def _frame(scene: Scene, gold: Leaf) -> None:
    u, m = scene.unit, 0.052 * scene.width
    scene.canvas.drawPath(_notched(scene, 0, 92), gold.line(7))
    scene.canvas.drawPath(_notched(scene, 22, 92), gold.line(2.2))
    for right in (False, True):
        for low in (False, True):
            sx, sy = -1 if right else 1, -1 if low else 1
            x, y = scene.width - m if right else m, scene.height - m if low else m
            scene.canvas.drawPath(
                placed(star(4, 0.28), 26 * u, 26 * u, 0, x + 30 * u * sx, y + 30 * u * sy), gold.area()
            )
            for angle, long in ((45, 190), (20, 150), (70, 150)):
                turn = sx * (angle if low else 180 - angle)
                blade = placed(leaf(1), long * 0.55 * u, long * u, turn, x + 112 * u * sx, y + 112 * u * sy)
                scene.canvas.drawPath(blade, gold.line(2.6))


def _medallion(scene: Scene, gold: Leaf, x: float, y: float, r: float, colour: str) -> None:
    canvas, u = scene.canvas, scene.unit
    for i in range(RAYS):
        a = math.radians(i * 360 / RAYS)
        major = i % 8 == 0
        far = r * (1.62 if major else 1.42 if i % 4 == 0 else 1.28 if i % 2 == 0 else 1.20)
        c, s = math.cos(a), math.sin(a)
        canvas.drawLine(
            x + c * r * 1.14, y + s * r * 1.14, x + c * far, y + s * far, gold.line(3.4 if major else 1.8, 0.95)
        )
        if major:
            canvas.drawCircle(x + c * far * 1.03, y + s * far * 1.03, 5.5 * u, gold.area())
    canvas.drawCircle(x, y, r * 1.10, fill(mix(scene.palette.dark, BLACK, 0.25)))
    for k, wide in ((1.10, 8), (1.055, 2), (0.90, 2.4)):
        canvas.drawCircle(x, y, r * k, gold.line(wide))
    bead = gold.area()
    for i in range(BEADS):
        a = math.radians(i * 360 / BEADS)
        size = (7 if i % 5 == 0 else 3) * u
        canvas.drawCircle(x + math.cos(a) * r * 0.977, y + math.sin(a) * r * 0.977, size, bead)
    scene.glow(x, y, r * 0.9, colour, 0.22)
    glyph = line_art(scene.emblem, "emoji-l") or star(8, 0.36)
    size = r * 1.22
    canvas.drawPath(placed(glyph, size, size, 0, x, y), gold.area())


def _sky_signs(scene: Scene, gold: Leaf, x: float, y: float, r: float) -> None:
    u = scene.unit
    for side in (-1, 1):
        moon = placed(crescent(0.34), 34 * u * side, 34 * u, 0, x + side * r * 1.47, y - r * 1.28)
        scene.canvas.drawPath(moon, gold.area())
        scene.canvas.drawPath(placed(star(8, 0.3), 24 * u, 24 * u, 0, x + side * r * 1.44, y + r * 1.34), gold.area())
    for fx, fy, q in scene.fork("foil stars").random((110, 3)).tolist():
        sx, sy = (0.1 + 0.8 * fx) * scene.width, (0.07 + 0.86 * fy) * scene.height
        if math.hypot(sx - x, sy - y) > r * 1.75 and scene.type_free(sx, sy):
            scene.canvas.drawCircle(sx, sy, (0.8 + 2.4 * q**4) * u, gold.area(0.35 + 0.4 * q))


EMBLEM = Family("emblem", paint)
