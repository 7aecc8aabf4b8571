"""Emblem: gold foil on dark cloth; a framed medallion with the story's noun, and what surrounds it."""

import math
from typing import Any

from plugins.atelier.atmosphere import paper, vignette
from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import BLACK, MULTIPLY, box, fill, placed, radial, skia
from plugins.atelier.families.emblem_rings import BEADS, RINGS
from plugins.atelier.family import Family, metal
from plugins.atelier.gilding import Gold
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


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, gold = scene.palette, metal(scene.palette)
    title_on_top = bool(scene.sfork("title on top").random() < 0.6)
    title = Zone(0.13, 0.085, 0.74, 0.25) if title_on_top else Zone(0.13, 0.655, 0.74, 0.205)
    scene.set_type(title, Zone(0.2, 0.90, 0.6, 0.030), mix(gold, p.paper, 0.3), mix(gold, p.paper, 0.5))
    scene.hints.foil, scene.hints.grain, scene.hints.max_title = gold, 0.16, 0.125
    scene.hints.type_style = TYPE_STYLES.get(scene.genre, scene.genre)

    _cloth(scene)
    leaf_ = Gold(scene, gold)
    _frame(scene, leaf_)
    ring = str(scene.sfork("ring").choice(sorted(RINGS)))
    # Rays thin out towards their ends and may come near the frame; a closed ring needs air around it.
    r = min(scene.width, scene.height * 0.67) * (0.30 if ring == "rays" else 0.258)
    x, y = scene.width * 0.5, scene.height * (0.615 if title_on_top else 0.385)
    _medallion(scene, leaf_, ring, x, y, r)
    _sky_signs(scene, leaf_, x, y, r)
    vignette(scene, 0.5, BLACK)


def _cloth(scene: Scene) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    stuff = scene.sfork("cloth depth")
    ground = mix(p.dark, p.deep, round(stuff.uniform(0.1, 0.85), 2))
    heart = mix(p.deep, p.mid, round(stuff.uniform(0, 0.45), 2))
    tones = [argb(heart), argb(ground), argb(mix(p.dark, BLACK, 0.35))]
    shader = radial((width / 2, height * stuff.uniform(0.3, 0.65)), height * 0.62, tones, [0, 0.55, 1])
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


def _frame(scene: Scene, gold: Gold) -> None:
    u, m = scene.unit, 0.052 * scene.width
    notch = float(scene.sfork("notch").choice([46.0, 92.0, 128.0]))
    scene.canvas.drawPath(_notched(scene, 0, notch), gold.line(7))
    scene.canvas.drawPath(_notched(scene, 22, notch), gold.line(2.2))
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


def _medallion(scene: Scene, gold: Gold, ring: str, x: float, y: float, r: float) -> None:
    canvas, u = scene.canvas, scene.unit
    RINGS[ring](scene, gold, x, y, r)
    canvas.drawCircle(x, y, r * 1.10, fill(mix(scene.palette.dark, BLACK, 0.25)))
    for k, wide in ((1.10, 8), (1.055, 2), (0.90, 2.4)):
        canvas.drawCircle(x, y, r * k, gold.line(wide))
    bead = gold.area()
    for i in range(BEADS):
        a = math.radians(i * 360 / BEADS)
        size = (7 if i % 5 == 0 else 3) * u
        canvas.drawCircle(x + math.cos(a) * r * 0.977, y + math.sin(a) * r * 0.977, size, bead)
    scene.glow(x, y, r * 0.9, gold.color, 0.22)
    glyph = line_art(scene.emblem, "emoji-l") or star(8, 0.36)
    size = r * 1.22
    canvas.drawPath(placed(glyph, size, size, 0, x, y), gold.area())


def _sky_signs(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
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
