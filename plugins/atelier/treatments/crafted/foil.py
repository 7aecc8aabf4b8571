"""Foil: a figure stamped in metal on cloth, its parts kept apart by lines of cloth, in an ornamental frame."""

import math
from typing import Any, Final

from plugins.atelier.atmosphere import paper, vignette
from plugins.atelier.color import argb, mix, oklch
from plugins.atelier.drawing import BLACK, MULTIPLY, box, fill, foil, placed, radial, skia, stroke
from plugins.atelier.family import Family, metal
from plugins.atelier.gilding import Gold
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.noise import fbm, smoothstep
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import COLORS, STEP, distance, ground_for
from plugins.atelier.treatments.kit import Layout, anything, choose, clear, lay_out, trace, turned, weather
from plugins.atelier.treatments.staging import Spot, stage

GAP: Final = 6.0  # full-page pixels of cloth between two parts
HIGH: Final = Layout(Zone(0.14, 0.09, 0.72, 0.20), Zone(0.2, 0.885, 0.6, 0.030), Zone(0.20, 0.36, 0.60, 0.44))
LOW: Final = Layout(Zone(0.14, 0.655, 0.72, 0.20), Zone(0.2, 0.885, 0.6, 0.030), Zone(0.20, 0.125, 0.60, 0.45))
PLAIN: Final = Layout(Zone(0.12, 0.08, 0.76, 0.20), Zone(0.2, 0.90, 0.6, 0.030), Zone(0.16, 0.32, 0.68, 0.52))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("cartouche", "wreath", "field"))
    cloth = ground_for(
        scene,
        turned(
            scene, "cloth", [mix(p.dark, p.deep, 0.6), p.deep, mix(p.deep, p.mid, 0.4), mix(p.dark, BLACK, 0.1)], 0.4
        ),
    )
    gold = metal(p) if oklch(metal(p))[1] > 0.04 else mix(metal(p), "#e0b45a", 0.55)
    light = mix(gold, p.paper, 0.35)
    layout = lay_out(scene, (PLAIN,) if way == "field" else (HIGH, LOW), light, light)
    scene.hints.foil, scene.hints.grain, scene.hints.max_title = gold, 0.13, 0.115
    _cloth(scene, cloth)
    leafing = Gold(scene, gold)
    z = layout.picture
    x, y = (z.x + z.w / 2) * scene.width, (z.y + z.h / 2) * scene.height
    r = min(z.w * scene.width * 0.62, z.h * scene.height * 0.56)
    if way == "cartouche":
        _border(scene, leafing)
        _cartouche(scene, leafing, x, y, z)
    elif way == "wreath":
        _wreath(scene, leafing, x, y, r)
    else:
        _border(scene, leafing)
        _sprinkle(scene, leafing, z)
    weather(scene, light, 0.5)
    air = 0.92 if way == "wreath" else 0.86 if way == "cartouche" else 1.0
    inner = Zone(z.x, z.y + z.h * (1 - air) / 2, z.w, z.h * air)
    for spot in stage(scene, inner, scene.fork("foil"), air):
        stamp(scene, spot, gold if not spot.figure.color else COLORS[spot.figure.color], cloth)
    vignette(scene, 0.35, BLACK)


def stamp(scene: Scene, spot: Spot, color: str, cloth: str) -> None:
    """Stamp one figure: bright foil for main and light parts, thin hatching for dark ones, cloth between the parts."""
    canvas, u = scene.canvas, scene.unit
    solid = trace(scene, spot)
    gap = max(2.2 * u, GAP * u * min(1.0, spot.size / (scene.width * 0.42)))
    if distance(color, cloth) < 0.2:
        color = mix(color, "#ffffff", 0.35)
    outline, main = spot.figure.outline, spot.figure.outline.main
    shine = foil(color, scene.width, scene.height)
    pale = foil(mix(color, "#ffffff", 0.28), scene.width, scene.height)
    dull = foil(mix(color, cloth, 0.42), scene.width, scene.height)
    press = stroke(mix(cloth, BLACK, 0.55), gap * 1.3, 0.55, round_ends=True)
    canvas.save()
    canvas.translate(0, 2.5 * u)
    canvas.drawPath(solid, press)
    canvas.restore()
    canvas.saveLayer(None, skia.Paint())
    for shape in outline.seen:
        lighter = shape.tone - main.tone
        shader = dull if lighter < -STEP else pale if lighter > STEP else shine
        canvas.drawPath(spot.place(shape.path), fill(BLACK, 1.0, shader))
    seam = clear()
    seam.setStyle(skia.Paint.kStroke_Style)
    seam.setStrokeWidth(gap)
    seam.setStrokeJoin(skia.Paint.kRound_Join)
    for shape in outline.seen[1:] if len(outline.seen) > 1 else ():
        canvas.drawPath(spot.place(shape.path), seam)
    canvas.restore()
    canvas.drawPath(solid, stroke(BLACK, gap * 0.45, shader=shine, round_ends=True))


def _cloth(scene: Scene, cloth: str) -> None:
    w, h = scene.width, scene.height
    shader = radial(
        (w / 2, h * 0.45), h * 0.75, [argb(mix(cloth, "#ffffff", 0.06)), argb(cloth), argb(mix(cloth, BLACK, 0.35))]
    )
    scene.canvas.drawRect(scene.page(), fill(shader=shader))
    paper(scene, 1.5)
    u = scene.unit
    weave = skia.Path()
    for i in range(300):
        weave.moveTo(0, i * h / 300)
        weave.lineTo(w, i * h / 300)
    scene.canvas.drawPath(weave, stroke(BLACK, 2.4 * u, 0.07))
    weave = skia.Path()
    for i in range(220):
        weave.moveTo(i * w / 220, 0)
        weave.lineTo(i * w / 220, h)
    scene.canvas.drawPath(weave, stroke("#ffffff", 2.0 * u, 0.035))
    worn = fbm(scene.fork("cloth"), *scene.grid(5), 3, 5, 0.6)
    scene.mask(smoothstep(0.5, 1, worn), BLACK, 0.25, MULTIPLY)


def _border(scene: Scene, gold: Gold) -> None:
    w, h, u, canvas = scene.width, scene.height, scene.unit, scene.canvas
    style = str(scene.sfork("border").choice(["rules", "beads", "leaves"]))
    m = 0.05 * w
    canvas.drawRect(box(m, m, w - m, h - m), gold.line(6))
    canvas.drawRect(box(m + 34 * u, m + 34 * u, w - m - 34 * u, h - m - 34 * u), gold.line(2))
    if style == "rules":
        canvas.drawRect(box(m + 12 * u, m + 12 * u, w - m - 12 * u, h - m - 12 * u), gold.line(2))
    middle = m + 17 * u
    across, down = 48, round(48 * (h - 2 * middle) / (w - 2 * middle))
    for i in range(across + 1):
        for y in (middle, h - middle):
            _bead(canvas, gold, style, middle + i * (w - 2 * middle) / across, y, 90, u)
    for i in range(1, down):
        for x in (middle, w - middle):
            _bead(canvas, gold, style, x, middle + i * (h - 2 * middle) / down, 0, u)
    for x in (m, w - m):
        for y in (m, h - m):
            canvas.drawPath(placed(star(8, 0.4), 30 * u, 30 * u, 0, x, y), gold.area())


def _bead(canvas: Any, gold: Gold, style: str, x: float, y: float, turn: float, u: float) -> None:
    if style == "beads":
        canvas.drawCircle(x, y, 5.5 * u, gold.area())
    elif style == "leaves":
        canvas.drawPath(placed(leaf(1), 10 * u, 30 * u, turn + 24, x, y + (15 * u if not turn else 0)), gold.area())


def _cartouche(scene: Scene, gold: Gold, x: float, y: float, zone: Zone) -> None:
    """An oval of rules and beads, with points at its four ends."""
    w, u, canvas = scene.width, scene.unit, scene.canvas
    rx = min(zone.w * w * 0.56, zone.h * scene.height * 0.56)
    ry = zone.h * scene.height * 0.545
    for k, wide in ((1.0, 5.0), (0.965, 1.8), (1.05, 1.8)):
        canvas.drawOval(box(x - rx * k, y - ry * k, x + rx * k, y + ry * k), gold.line(wide))
    for i in range(72):
        a = math.tau * i / 72
        canvas.drawCircle(x + rx * 1.026 * math.cos(a), y + ry * 1.026 * math.sin(a), 4.5 * u, gold.area())
    for a in (0, 90, 180, 270):
        px, py = x + rx * 1.05 * math.cos(math.radians(a)), y + ry * 1.05 * math.sin(math.radians(a))
        canvas.drawPath(placed(star(4, 0.3), 34 * u, 34 * u, 0, px, py), gold.area())


def _wreath(scene: Scene, gold: Gold, x: float, y: float, r: float) -> None:
    """Two boughs that meet below and leave a gap above."""
    canvas = scene.canvas
    rng = scene.sfork("wreath")
    berries, slim = bool(rng.random() < 0.5), float(rng.uniform(0.28, 0.5))
    for side in (-1, 1):
        path = skia.Path()
        for i in range(61):
            a = math.radians(90 - side * (4 + i * 2.55))
            px, py = x + r * math.cos(a), y + r * math.sin(a)
            path.lineTo(px, py) if i else path.moveTo(px, py)
            if i % 3 == 1:
                size = r * (0.20 - 0.0016 * i)
                for out in (-1, 1):
                    turn = math.degrees(a) - 90 * side + 90 + out * 42
                    canvas.drawPath(placed(leaf(1), size * slim, size, turn, px, py), gold.area())
                if berries and i % 6 == 1:
                    bx, by = x + r * 1.13 * math.cos(a + 0.05), y + r * 1.13 * math.sin(a + 0.05)
                    canvas.drawCircle(bx, by, r * 0.018, gold.area())
        canvas.drawPath(path, gold.line(4.5))


def _sprinkle(scene: Scene, gold: Gold, zone: Zone) -> None:
    """A regular powdering of dots and small stars behind the figure."""
    w, h, u = scene.width, scene.height, scene.unit
    step = 0.068 * w
    row = 0
    y = 0.085 * w
    while y < h - 0.07 * w:
        x = 0.085 * w + (step / 2 if row % 2 else 0)
        while x < w - 0.075 * w:
            if scene.type_free(x, y, 0.03):
                if (row % 2) == 0:
                    scene.canvas.drawCircle(x, y, 3.2 * u, gold.area(0.55))
                else:
                    scene.canvas.drawPath(placed(star(4, 0.28), 9 * u, 9 * u, 0, x, y), gold.area(0.5))
            x += step
        y += step * 0.8
        row += 1


FOIL = Family("foil", paint, shows=anything)
