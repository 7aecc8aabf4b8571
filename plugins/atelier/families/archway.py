"""Archway: a window in paper onto a summer view, sea or fields, with climbing leaves and fruit at its feet."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from plugins.atelier.atmosphere import paper, shadow, speckle
from plugins.atelier.color import from_oklch, mix, ramp, shift
from plugins.atelier.drawing import WHITE, Path, area, bezier, box, curve, fill, placed, polygon, skia, stroke, vertical
from plugins.atelier.family import Family
from plugins.atelier.motifs.buildings import cabin
from plugins.atelier.motifs.flora import DAISY, PEONY, flower, fruit, fruit_color, leafy_stem
from plugins.atelier.motifs.plants import cypress
from plugins.atelier.motifs.vessels import sloop, sloop_hull
from plugins.atelier.noise import Random
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.terrain import Line, below, crest
from plugins.atelier.treatments.shades import hang, line_up, named, shade, stands

HORIZON = 0.625
COMPANY = {"person", "creature", "animal", "bird", "vessel", "furniture", "instrument", "flower", "plant"}


Head = Literal["round", "pointed", "oval"]


class Arch(NamedTuple):
    """The opening in pixels, and the shape of its head."""

    x: float
    width: float
    top: float
    foot: float
    head: Head = "round"

    def outline(self, grow: float = 0.0) -> Path:
        """The opening as a path, `grow` pixels larger all round."""
        left, right = self.x - self.width / 2 - grow, self.x + self.width / 2 + grow
        spring = self.top + self.width / 2
        if self.head == "pointed":
            tip, shoulder = self.top - grow * 1.4, self.top + self.width * 0.62
            rise = (
                left,
                shoulder - self.width * 0.30,
                self.x - self.width * 0.16,
                tip + self.width * 0.13,
                self.x,
                tip,
            )
            fall = (self.x + self.width * 0.16, rise[3], right, rise[1], right, shoulder)
            return bezier((left, self.foot + grow), (left, shoulder), rise, fall, (right, self.foot + grow))
        path = skia.Path()
        if self.head == "oval":
            path.addOval(box(left, self.top - grow, right, self.foot + grow))
            return path
        path.moveTo(left, self.foot + grow)
        path.lineTo(left, spring)
        path.arcTo(box(left, self.top - grow, right, self.top + self.width + grow), 180, 180, False)
        path.lineTo(right, self.foot + grow)
        path.close()
        return path


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, u = scene.palette, scene.fork("archway"), scene.unit
    scene.set_type(Zone(0.10, 0.065, 0.80, 0.215), Zone(0.16, 0.936, 0.68, 0.026), mix(p.deep, p.dark, 0.5))
    scene.hints.shadow, scene.hints.max_title = False, 0.115
    scene.flood(mix(p.paper, p.light, 0.18))
    heads: tuple[Head, ...] = get_args(Head)
    head = heads[int(scene.sfork("head").integers(0, len(heads)))]
    wide = min(scene.width * (0.74 if head == "oval" else 0.66), scene.height * 0.62)
    arch = Arch(scene.width * 0.5, wide, scene.height * 0.345, scene.height * 0.905, head)
    outline = arch.outline()
    shadow(scene, outline, dy=0, soft=26 * u, color=p.dark, alpha=0.25)
    scene.canvas.save()
    scene.canvas.clipPath(outline, True)
    sun_x = _sky(scene, rng, arch)
    afloat = bool(scene.figures) and scene.figures[0].group == "vessel"
    coast = afloat or scene.has("ocean", "island", "summer", "ship", "travel") or scene.sfork("coast").random() < 0.5
    if coast:
        _sea(scene, arch, sun_x)
    else:
        _fields(scene, arch)
    _cypresses(scene, arch, coast)
    if coast:
        _village(scene, arch)
    _company(scene, arch, afloat)
    scene.canvas.restore()
    line = mix(p.deep, p.mid, 0.2)
    scene.canvas.drawPath(outline, stroke(line, 9 * u))
    scene.canvas.drawPath(arch.outline(26 * u), stroke(line, 2.6 * u))
    _climbers(scene, rng, arch)
    paper(scene, 0.9)
    speckle(scene, 500, p.deep, 0.25)


def _sky(scene: Scene, rng: Random, arch: Arch) -> float:
    p, width, height = scene.palette, scene.width, scene.height
    day = [mix(p.mid, p.light, 0.5), mix(p.light, p.accent, 0.22), mix(p.paper, p.light, 0.4)]
    night = [p.dark, p.deep, mix(p.mid, p.light, 0.4)]
    scene.gradient(night if scene.has("night", "moon") else day, 0.3, 0.66, 14)
    x, y = arch.x + arch.width * rng.uniform(-0.22, 0.22), height * rng.uniform(0.50, 0.55)
    r = arch.width * rng.uniform(0.12, 0.18)
    scene.glow(x, y, r * 3, mix(p.accent, p.paper, 0.5), 0.5)
    scene.canvas.drawCircle(x, y, r, fill(mix(p.accent, p.paper, 0.35)))

    def bowl(at: Line) -> Line:
        return 0.25 + 1.62 * np.abs(at - 0.5)

    hills = [mix(p.mid, p.light, 0.55), mix(p.mid, p.light, 0.2), mix(p.deep, p.mid, 0.6)]
    for i, tone in enumerate(hills):
        base, relief = height * (HORIZON + 0.012 * i), height * (0.07 - 0.015 * i)
        xs, ys = crest(scene.fork(f"hill{i}"), width, base, relief, 2.6, 4, 0.45, bias=bowl)
        scene.canvas.drawPath(below(xs, ys, height), fill(tone))
    return x


def _sea(scene: Scene, arch: Arch, sun_x: float) -> None:
    p, u, height, rng = scene.palette, scene.unit, scene.height, scene.fork("glitter")
    top = height * HORIZON
    tones = [mix(p.mid, p.paper, 0.5), mix(p.mid, p.light, 0.25), p.mid, p.deep]
    scene.canvas.drawRect(box(0, top, scene.width, height), vertical(top, arch.foot, tones))
    for _ in range(150):
        t = rng.random()
        everywhere, beneath_sun = (
            arch.x + arch.width * (rng.random() - 0.5),
            sun_x + rng.normal(0, arch.width * 0.09) * (1 + t),
        )
        x = everywhere if rng.random() < 0.5 else beneath_sun
        half = arch.width * rng.uniform(0.012, 0.05) * (0.5 + 1.4 * t)
        rect = area(x - half, top + (arch.foot - top) * t, 2 * half, (2 + 4 * t) * u)
        scene.canvas.drawRoundRect(rect, 3 * u, 3 * u, fill(p.paper, rng.uniform(0.2, 0.6)))
    size, x, y = arch.width * 0.12, arch.x + arch.width * rng.uniform(-0.2, 0.12), height * 0.675
    scene.canvas.drawPath(placed(sloop(), size, size, 0, x, y), fill(mix(p.paper, WHITE, 0.4)))
    scene.canvas.drawPath(placed(sloop_hull(), size, size, 0, x, y), fill(p.dark))


def _fields(scene: Scene, arch: Arch) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    tones = ramp([mix(p.light, p.mid, 0.35), mix(p.accent, p.light, 0.5), p.mid, mix(p.mid, p.deep, 0.6), p.deep], 5)
    for i, tone in enumerate(tones):
        y = height * (HORIZON + 0.03 + 0.055 * i)
        edge = [(k / 10 * width, y + height * 0.016 * math.sin(k * 0.9 + i * 2)) for k in range(11)]
        field = curve(edge, False)
        field.lineTo(width, height)
        field.lineTo(0, height)
        field.close()
        scene.canvas.drawPath(field, fill(tone))
        scene.canvas.save()
        scene.canvas.clipPath(field, True)
        furrow = stroke(shift(tone, -0.06), 5 * scene.unit, 0.7)
        for k in range(-14, 15):
            x = width * 0.5
            scene.canvas.drawLine(
                x + k * 0.02 * width, y - height * 0.03, x + k * 0.10 * width, y + height * 0.14, furrow
            )
        scene.canvas.restore()
    s, x, y = arch.width * 0.17, arch.x + arch.width * 0.16, height * (HORIZON + 0.055)
    scene.canvas.drawPath(placed(cabin(), s, s * 0.8, 0, x, y), fill(mix(p.paper, WHITE, 0.2)))
    roof = polygon([(-0.52, -0.34), (-0.30, -0.72), (0.30, -0.72), (0.52, -0.34)])
    scene.canvas.drawPath(placed(roof, s, s * 0.8, 0, x, y), fill(p.accent))
    scene.canvas.drawRect(area(x - 0.06 * s, y - 0.2 * s, 0.12 * s, 0.2 * s), fill(p.deep))


def _cypresses(scene: Scene, arch: Arch, coast: bool) -> None:
    p, height = scene.palette, scene.height
    foot = height * (0.80 if coast else 0.76)
    rng = scene.fork("cypresses")
    for dx, k in ((-0.36, 1.0), (-0.27, 0.72), (0.37, 0.9)):
        x, size = arch.x + arch.width * (dx + rng.uniform(-0.03, 0.03)), height * 0.20 * k * rng.uniform(0.85, 1.15)
        tree = placed(cypress(), size, size, 0, x, foot + size * 0.12)
        scene.canvas.drawPath(tree, fill(mix(p.deep, p.dark, 0.45)))
        scene.canvas.save()
        scene.canvas.clipRect(box(x, 0, scene.width, height))
        scene.canvas.drawPath(tree, fill(mix(p.deep, p.mid, 0.25)))
        scene.canvas.restore()


def _village(scene: Scene, arch: Arch) -> None:
    """Two green slopes with white houses under warm roofs."""
    p, height, w = scene.palette, scene.height, arch.width
    slopes = ((0, mix(p.deep, p.mid, 0.35)), (0.028, mix(p.deep, p.dark, 0.10)), (0.058, mix(p.deep, p.dark, 0.5)))
    for side, k in ((1, 1.0), (-1, 0.86)):
        edge = arch.x - side * w / 2
        for drop, tone in slopes:
            hill = [(-0.017, 0.79), (0.14, 0.787), (0.30, 0.825), (0.40, 0.868), (0.50, 0.94), (-0.017, 1.0)]
            points = [(edge + side * w * dx * k, height * (y + drop)) for dx, y in hill]
            scene.canvas.drawPath(curve(points), fill(tone))
        for j in range(3):
            x, y = edge + side * w * (0.055 + 0.085 * j) * k, height * (0.797 + 0.0096 * j * j)
            s = w * (0.062 - 0.006 * j)
            scene.canvas.drawRect(area(x - s / 2, y - s * 0.75, s, s * 0.8), fill(mix(p.paper, WHITE, 0.45)))
            roof = polygon([(x - s * 0.58, y - s * 0.72), (x, y - s * 1.08), (x + s * 0.58, y - s * 0.72)])
            scene.canvas.drawPath(roof, fill(mix(p.accent, p.deep, 0.12)))
            scene.canvas.drawRect(area(x - s * 0.09, y - s * 0.5, s * 0.18, s * 0.26), fill(p.deep))


def _company(scene: Scene, arch: Arch, afloat: bool) -> None:
    """The story's figures in the opening: on a terrace before the view, ships on the water."""
    if not named(scene):
        return
    p, h = scene.palette, scene.height
    foot = h * (0.775 if afloat else 0.862)
    if not afloat:
        terrace = mix(p.paper, p.light, 0.35)
        scene.canvas.drawRect(box(0, foot - 0.012 * h, scene.width, h), fill(terrace))
        scene.canvas.drawRect(box(0, foot - 0.012 * h, scene.width, foot - 0.006 * h), fill(mix(terrace, p.deep, 0.3)))
    hang(scene, Zone(0.28, 0.40, 0.44, 0.10))
    for spot in line_up(scene, arch.x, foot, (arch.width * 0.7, h * (0.2 if afloat else 0.27))):
        shade(scene, spot, mix(p.dark, p.deep, 0.35), mix(p.light, p.paper, 0.5))


def _suited(figures: Sequence[Figure]) -> bool:
    return stands(figures, COMPANY, 3)


def _climbers(scene: Scene, chance: Random, arch: Arch) -> None:
    """Foliage up both feet of the arch, with fruit when the story names one, else with flowers."""
    p, width, height, rng = scene.palette, scene.width, scene.height, scene.fork("climbers")
    green = mix(from_oklch(0.45, 0.075, 145), p.deep, 0.35)
    named = fruit_color(scene)
    color = named or p.accent
    fruiting = bool(named) or chance.random() < 0.3
    petals = [shift(color, -0.06), color, shift(color, 0.08), mix(p.paper, p.accent, 0.3)]
    for side in (-1, 1):
        base = arch.x + side * (arch.width / 2 + 10 * scene.unit)
        for k in range(17):
            t = k / 16
            x, y = base + side * rng.uniform(-0.02, 0.05) * width, arch.foot + 0.01 * height
            y -= t * height * (0.20 if side < 0 else 0.15)
            length, angle = width * rng.uniform(0.11, 0.19) * (1 - 0.4 * t), side * rng.uniform(-35, 50)
            tone = shift(green, round(rng.uniform(-0.05, 0.06), 3))
            leafy_stem(scene, x, y, length, angle, tone, rng, 5, int(rng.integers(0, 2)), 1.15)
        for _ in range(7):
            x, y = base + side * rng.uniform(-0.06, 0.05) * width, arch.foot - rng.uniform(0.015, 0.165) * height
            angle = rng.uniform(-80, 80)
            leafy_stem(
                scene, x + width * 0.02, y + width * 0.03, width * 0.085, angle, shift(green, 0.05), rng, 3, 2, 1.5
            )
            if fruiting:
                fruit(scene, x + width * 0.027, y + width * 0.034, width * 0.028, color)
            else:
                kind = DAISY if rng.random() < 0.5 else PEONY
                flower(scene, x, y, width * rng.uniform(0.028, 0.05), kind, petals, rng.uniform(0, 360), rng)


ARCHWAY = Family("archway", paint, shows=_suited)
