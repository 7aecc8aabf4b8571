"""What is in front of the deco sunburst: towers, a fountain, a peacock fan, or a portal."""

import math
from collections.abc import Callable

from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import BLACK, area, bezier, box, fill, placed, polygon, radial, rectangle, skia, solid
from plugins.atelier.gilding import Gold
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.scene import Scene

# tower heights of the page height, outermost to the middle
SKYLINES = (
    (0.09, 0.13, 0.18, 0.235, 0.295),
    (0.13, 0.09, 0.21, 0.16, 0.295),
    (0.055, 0.11, 0.165, 0.22, 0.28),
)
TOWER = 0.088  # width of one tower, of the page width
CROWN = [(0.14, 0), (0.14, 0.45), (0.30, 0.45), (0.30, 0.8), (0.46, 0.8), (0.5, 1.6), (0.54, 0.8), (0.70, 0.8)]
CROWN += [(0.70, 0.45), (0.86, 0.45), (0.86, 0)]
SETBACK = [(0.18, 0), (0.18, 0.28), (0.82, 0.28), (0.82, 0)]


def towers(scene: Scene, gold: Gold, x: float, y: float) -> None:
    """Nine stepped towers with fluted fronts, the tallest in the middle."""
    p, w = scene.palette, scene.width * TOWER
    half = SKYLINES[int(scene.fork("skyline").integers(0, len(SKYLINES)))]
    heights = [*half, *half[-2::-1]]
    left = x - w * 4.5
    for i in sorted(range(9), key=lambda i: heights[i]):
        tx, top = left + i * w, y - scene.height * heights[i]
        tone = mix(mix(p.dark, BLACK, 0.3), p.deep, 0.12 * abs(i - 4))
        cap = polygon([(tx + w * a, top - w * b) for a, b in (CROWN if i == 4 else SETBACK)])
        tower = solid(rectangle(tx, top, tx + w, y), cap)
        scene.canvas.drawPath(tower, fill(tone))
        scene.canvas.drawPath(tower, gold.line(3.4))
        for j in range(1, 6):
            flute = gold.line(1.4, 0.55 if j % 2 else 0.9)
            scene.canvas.drawLine(tx + w * j / 6, top + w * 0.35, tx + w * j / 6, y, flute)
        for j in range(3):
            scene.canvas.drawRect(area(tx + w * (0.17 + 0.27 * j), top + w * 0.12, w * 0.12, w * 0.14), gold.area(0.95))


def fountain(scene: Scene, gold: Gold, x: float, y: float) -> None:
    """Jets rising from a stepped basin and falling in arcs, one inside the other."""
    p, width, height = scene.palette, scene.width, scene.height
    rng = scene.fork("jets")
    foot, jets = y - height * 0.05, int(rng.integers(5, 8))
    for i in range(jets, 0, -1):
        t = i / jets
        rise, reach = height * 0.36 * (1 - 0.55 * (1 - t) ** 1.2), width * 0.40 * t
        for side in (-1, 1):
            fall = foot - height * 0.01 * i
            arc = (x + side * reach * 0.10, foot - rise * 1.28, x + side * reach * 0.95, foot - rise * 1.1)
            outer = bezier((x, foot), (*arc, x + side * reach, fall), close=False)
            drop = (x + side * reach * 0.80, foot - rise * 0.80, x + side * reach * 0.05, foot - rise * 0.95, x, foot)
            sheet = skia.Path(outer)
            sheet.cubicTo(*drop)
            scene.canvas.drawPath(sheet, fill(mix(mix(p.dark, BLACK, 0.3), p.deep, 0.75 * t), 0.9))
            scene.canvas.drawPath(outer, gold.line(4.4))
            scene.canvas.drawPath(outer, gold.line(1.2, 0.8))
            for k in (3, 6, 9):  # beads of water along the fall
                a = math.radians(90 + k * 7)
                bx, by = x + side * reach * (1 - 0.02 * k), fall - rise * 0.10 * k * math.sin(a) * 0.6
                scene.canvas.drawCircle(bx, by, (6 - 0.4 * k) * scene.unit, gold.area(0.9))
    scene.canvas.drawLine(x, foot, x, foot - height * 0.335, gold.line(5))
    scene.canvas.drawCircle(x, foot - height * 0.34, 11 * scene.unit, gold.area())
    for i, (half, rise) in enumerate(((0.11, 0.050), (0.20, 0.034), (0.30, 0.017))):
        step = box(x - width * half, y - height * rise, x + width * half, y)
        scene.canvas.drawRect(step, fill(mix(mix(p.dark, BLACK, 0.3), p.deep, 0.15 * i)))
        scene.canvas.drawRect(step, gold.line(3.2))


def fan(scene: Scene, gold: Gold, x: float, y: float) -> None:
    """A peacock's fan: three rows of eyed feathers over a shell."""
    p, width, canvas = scene.palette, scene.width, scene.canvas
    rng = scene.fork("feathers")
    first = int(rng.integers(11, 15))
    for row, reach in enumerate((0.42, 0.325, 0.235)):
        count, r = first - 2 * row, width * reach
        wide = r * math.pi / count * 1.9
        feather = leaf(0)
        for i in range(count):
            turn = -90 + (i + 0.5) * 180 / count
            shape = placed(feather, wide, r, turn, x, y)
            canvas.drawPath(shape, fill(mix(mix(p.dark, BLACK, 0.3), p.deep, 0.30 + 0.25 * row + 0.12 * (i % 2))))
            canvas.drawPath(shape, gold.line(2.6))
            a = math.radians(turn - 90)
            c, s = math.cos(a), math.sin(a)
            canvas.drawLine(
                x + c * r * 0.30, y + s * r * 0.30, x + c * r * 0.96, y + s * r * 0.96, gold.line(1.4, 0.75)
            )
            eye, ex, ey = wide * 0.20, x + c * r * 0.70, y + s * r * 0.70
            tones = [argb(mix(p.mid, p.light, 0.3)), argb(p.deep), argb(mix(p.dark, BLACK, 0.2))]
            canvas.drawCircle(ex, ey, eye, fill(shader=radial((ex, ey), eye, tones)))
            canvas.drawCircle(ex, ey, eye, gold.line(2.2))
            canvas.drawCircle(ex, ey, eye * 0.36, gold.area())
    shell = width * 0.10
    canvas.drawCircle(x, y, shell, fill(mix(p.dark, BLACK, 0.3)))
    for k in (1.0, 0.86, 0.5):
        canvas.drawCircle(x, y, shell * k, gold.line(2.6))
    for i in range(17):
        a = math.radians(180 + i * 180 / 16)
        c, s = math.cos(a), math.sin(a)
        canvas.drawLine(
            x + c * shell * 0.5, y + s * shell * 0.5, x + c * shell * 0.86, y + s * shell * 0.86, gold.line(1.6)
        )
    canvas.drawRect(box(0, y, scene.width, y + scene.height * 0.2), fill(mix(p.dark, BLACK, 0.15)))


def portal(scene: Scene, gold: Gold, x: float, y: float) -> None:
    """Nested stepped doorways with light behind the innermost."""
    p, width, height = scene.palette, scene.width, scene.height
    depth = int(scene.fork("portal").integers(5, 8))
    for i in range(depth):
        t = i / depth
        half, rise = width * 0.40 * (1 - t) + width * 0.035, height * 0.335 * (1 - t * 0.86) + height * 0.03
        s = half * 0.16
        steps = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3)]  # the corner, in steps of s
        left = [(x - half + a * s, y - rise + (3 - b) * s) for a, b in steps]
        right = [(2 * x - px, py) for px, py in reversed(left)]
        gate = polygon([(x - half, y), *left, *right, (x + half, y)])
        scene.canvas.drawPath(gate, fill(mix(mix(p.dark, BLACK, 0.35), p.mid, 0.55 * t**1.5)))
        scene.canvas.drawPath(gate, gold.line(5 if i % 2 == 0 else 2.2))
        if i < depth - 1:
            for side in (-1, 1):
                for k in (0.35, 0.65):
                    px = x + side * (half - width * 0.40 / depth * k)
                    scene.canvas.drawLine(px, y - rise * 0.72, px, y, gold.line(1.3, 0.6))
    scene.glow(x, y - height * 0.05, width * 0.20, gold.color, 0.75)
    ray = gold.line(1.6, 0.8)
    for i in range(13):
        a = math.radians(180 + i * 15)
        c, s = math.cos(a), math.sin(a)
        scene.canvas.drawLine(
            x + c * width * 0.02, y + s * width * 0.02, x + c * width * 0.055, y + s * width * 0.085, ray
        )


MOTIFS: dict[str, Callable[[Scene, Gold, float, float], None]] = {
    "towers": towers,
    "fountain": fountain,
    "fan": fan,
    "portal": portal,
}
