"""Kids: a picture-book page: a big moon or sun, clouds, rolling hills or waves, and one round animal."""

import math
from collections.abc import Sequence

import numpy as np

from plugins.atelier.atmosphere import paper, shadow
from plugins.atelier.color import argb, from_oklch, mix, ramp, shift
from plugins.atelier.drawing import (
    WHITE,
    Path,
    bezier,
    box,
    curve,
    disc,
    fill,
    linear,
    placed,
    skia,
    solid,
    stroke,
    vertical,
)
from plugins.atelier.family import Family
from plugins.atelier.motifs.animals import whale
from plugins.atelier.motifs.critters import KINDS, Coat, Critter
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.noise import Random
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import dressed, inks_of
from plugins.atelier.treatments.kit import edge, trace
from plugins.atelier.treatments.shades import hang, heavenly, line_up, named, stands

# OKLCH of each animal's fur
FUR = {
    "bear": (0.50, 0.075, 55),
    "fox": (0.68, 0.155, 50),
    "rabbit": (0.90, 0.02, 70),
    "owl": (0.48, 0.06, 50),
    "cat": (0.40, 0.02, 280),
    "wolf": (0.58, 0.02, 260),
    "dog": (0.76, 0.09, 75),
    "dragon": (0.66, 0.12, 150),
}


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("kids"), scene.width, scene.height
    night = scene.has("night", "moon", "star", "dream", "dark")
    outline = mix(p.dark, p.deep, 0.35)
    ink = mix(p.paper, WHITE, 0.5) if night else outline
    scene.set_type(Zone(0.08, 0.055, 0.84, 0.235), Zone(0.16, 0.935, 0.68, 0.030), ink, WHITE)
    hints = scene.hints
    hints.type_style, hints.outline, hints.max_title, hints.grain, hints.shadow = "children", outline, 0.13, 0.09, False

    _sky(scene, night)
    wet = scene.has("ocean", "whale", "ship", "river")
    who = scene.first(*KINDS) or str(rng.choice(["bear", "fox", "rabbit"]))
    other = named(scene, frozenset(KINDS))
    if other and wet:
        _ocean(scene, night, named=True)
    elif wet and not scene.has(*KINDS):
        _ocean(scene, night)
    else:
        _meadow(scene, rng, who, other)
    fade = linear((0, height * 0.86), (0, height), [argb(p.dark, 0), argb(mix(p.dark, p.deep, 0.4), 0.85)])
    scene.canvas.drawRect(box(0, height * 0.80, width, height), fill(shader=fade))
    paper(scene, 0.7)


def _sky(scene: Scene, night: bool) -> None:
    p, width, height, canvas = scene.palette, scene.width, scene.height, scene.canvas
    day = [mix(p.mid, p.light, 0.35), mix(p.mid, p.paper, 0.45), mix(p.light, p.paper, 0.55), p.paper]
    dark = [mix(p.dark, p.deep, 0.45), p.deep, mix(p.deep, p.mid, 0.7), mix(p.mid, p.light, 0.45)]
    scene.gradient(dark if night else day, 0, 0.72, 16)
    x, y, r = width * float(scene.sfork("disc").choice([0.5, 0.5, 0.36, 0.64])), height * 0.475, scene.span * 0.30
    tone = mix(p.paper, p.light, 0.45) if night else mix(p.accent, p.paper, 0.55)
    scene.glow(x, y, r * 2.1, tone, 0.5)
    if heavenly(scene):
        hang(scene, Zone(0.10, 0.31, 0.80, 0.17))
        r = 0
    canvas.drawCircle(x, y, r, fill(tone))
    for k in (1.18, 1.38):
        canvas.drawCircle(x, y, r * k, fill(tone, 0.14))
    if night:
        crater = fill(mix(tone, p.mid, 0.18))
        for a, b, q in ((-0.4, -0.3, 0.16), (0.35, -0.45, 0.1), (0.45, 0.2, 0.13), (-0.5, 0.25, 0.09)):
            canvas.drawCircle(x + a * r, y + b * r, q * r, crater)
        shine = fill(mix(p.light, p.paper, 0.5), 0.85)
        for sx, sy, q in scene.fork("toy stars").random((60, 3)).tolist():
            px, py, size = sx * width, sy * height * 0.6, (7 + 17 * q) * scene.unit
            if scene.type_free(px, py, 0.02):
                shape = star(5, 0.45) if q > 0.4 else star(4, 0.3)
                canvas.drawPath(placed(shape, size, size, q * 70, px, py), shine)
    tint, alpha = (mix(p.mid, p.paper, 0.35), 0.55) if night else (WHITE, 0.92)
    drift = scene.fork("drift")
    for cx, cy, size in ((0.14, 0.40, 0.16), (0.86, 0.345, 0.19), (0.80, 0.53, 0.12), (0.10, 0.56, 0.11)):
        cx += drift.uniform(-0.05, 0.05)
        canvas.drawPath(placed(_cloud(), size * width, None, 0, cx * width, cy * height), fill(tint, alpha))


def _cloud() -> Path:
    puffs = [
        disc(x, y, r) for x, y, r in ((-0.5, 0, 0.26), (-0.2, -0.16, 0.34), (0.16, -0.2, 0.38), (0.5, -0.02, 0.27))
    ]
    base = skia.Path()
    base.addRoundRect(box(-0.78, -0.06, 0.78, 0.26), 0.16, 0.16)
    return solid(*puffs, base)


def _band(scene: Scene, points: list[tuple[float, float]]) -> Path:
    path = curve(points, False)
    path.lineTo(scene.width * 1.2, scene.height * 1.1)
    path.lineTo(-scene.width * 0.2, scene.height * 1.1)
    path.close()
    return path


def _ocean(scene: Scene, night: bool, named: bool = False) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    tones = ramp([mix(p.mid, p.light, 0.5), p.mid, p.deep], 5)
    for i, tone in enumerate(tones):
        y = height * (0.64 + 0.075 * i)
        crest = [((k / 16 * 1.1 - 0.05) * width, y + height * 0.010 * math.sin(k * 2.1 + i * 1.7)) for k in range(17)]
        scene.canvas.drawPath(_band(scene, crest), fill(tone))
        scene.canvas.drawPath(curve(crest, False), stroke(p.paper, 5 * scene.unit, 0.45))
        if i == 1 and named:
            _named(scene, 0.80)
        elif i == 1:
            _whale(scene, night)


def _whale(scene: Scene, night: bool) -> None:
    p, u, canvas = scene.palette, scene.unit, scene.canvas
    s, x, y = scene.width * 0.62, scene.width * 0.5, scene.height * 0.765
    skin = mix(p.mid, p.light, 0.2) if night else mix(p.deep, p.mid, 0.5)
    shape = placed(whale(), s, s, 0, x, y)
    shadow(scene, shape, dy=14 * u, soft=18 * u, color=p.dark, alpha=0.4)
    canvas.drawPath(shape, vertical(y - 0.45 * s, y + 0.1 * s, [shift(skin, 0.08), skin]))
    canvas.save()
    canvas.clipPath(shape, True)
    canvas.drawOval(box(x - 0.56 * s, y - 0.07 * s, x + 0.34 * s, y + 0.4 * s), fill(mix(p.paper, p.light, 0.25)))
    fold = stroke(mix(p.light, p.mid, 0.5), 4 * u, 0.6)
    for k in range(12):
        at = x - 0.42 * s + k * 0.055 * s
        canvas.drawLine(at, y - 0.01 * s, at + 0.02 * s, y + 0.12 * s, fold)
    canvas.restore()
    for dx, dy, r, color, alpha in (
        (-0.30, -0.15, 0.026, p.dark, 1.0),
        (-0.293, -0.158, 0.009, WHITE, 1.0),
        (-0.24, -0.09, 0.035, p.accent, 0.6),
    ):
        canvas.drawCircle(x + dx * s, y + dy * s, r * s, fill(color, alpha))
    smile = bezier(
        (x - 0.43 * s, y - 0.085 * s), (x - 0.36 * s, y - 0.045 * s, x - 0.29 * s, y - 0.085 * s), close=False
    )
    canvas.drawPath(smile, stroke(p.dark, 6 * u, 0.8, round_ends=True))
    spout = stroke(p.paper, 11 * u, 0.95, round_ends=True)
    sx = x - 0.16 * s
    for k in (-1, 0, 1):
        end = (sx + k * 0.05 * s, y - 0.66 * s, sx + k * 0.14 * s, y - (0.58 if k else 0.66) * s)
        canvas.drawPath(bezier((sx, y - 0.42 * s), end, close=False), spout)


def _meadow(scene: Scene, rng: Random, who: str, other: bool) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    hills = ramp([mix(p.mid, p.light, 0.35), p.mid, mix(p.mid, p.deep, 0.5), p.deep], 4)
    for i, tone in enumerate(hills):
        hill = scene.fork(f"hill{i}")
        y, phase = height * (0.60 + 0.085 * i), hill.uniform(0, 6)
        lift = height * 0.02 if i == 0 else 0
        crest = [
            ((k / 12 * 1.2 - 0.1) * width, y + height * 0.03 * math.sin(k * 0.72 + phase) - lift) for k in range(13)
        ]
        shade = vertical(y - height * 0.04, y + height * 0.16, [mix(tone, p.light, 0.28), tone])
        scene.canvas.drawPath(_band(scene, crest), shade)
        if i < 3:
            _toy_trees(scene, hill, i, tone, crest)
    _flowers(scene)
    if other:
        _named(scene, 0.865)
        return
    fur = mix(from_oklch(*FUR[who]), p.accent, 0.12)
    coat = Coat(fur, mix(fur, "#fff6e6", 0.72), "#2a1d24", mix("#ef8f86", p.accent, 0.3))
    x = width * float(rng.choice([0.5, 0.5, 0.42, 0.58]))
    Critter(scene, who, x, height * 0.865, height * 0.30, coat).draw()


def _named(scene: Scene, foot: float) -> None:
    """What the story names, large and round in the foreground, in the colors of toys."""
    p, u = scene.palette, scene.unit
    for spot in line_up(scene, scene.width * 0.5, foot * scene.height, (scene.width * 0.8, scene.height * 0.32)):
        inks = inks_of(scene, spot.figure, mix(p.mid, p.deep, 0.4), p.accent if spot.main else p.companion)
        solid = trace(scene, spot)
        shadow(scene, solid, dy=10 * u, soft=16 * u, color=p.dark, alpha=0.4)
        scene.canvas.drawPath(solid, edge(fill(mix(p.dark, p.deep, 0.35)), 4 * u))
        for path, ink in dressed(spot.figure.outline, inks):
            where = spot.place(path)
            bounds = where.getBounds()
            scene.canvas.drawPath(where, vertical(bounds.top(), bounds.bottom(), [shift(ink, 0.05), shift(ink, -0.03)]))


def _toy_trees(scene: Scene, rng: Random, i: int, tone: str, crest: list[tuple[float, float]]) -> None:
    p, width, height, canvas = scene.palette, scene.width, scene.height, scene.canvas
    xs, ys = [q[0] for q in crest], [q[1] for q in crest]
    trunk = fill(mix(p.dark, p.deep, 0.5))
    greens = (mix(tone, p.deep, 0.5), mix(p.mid, p.accent, 0.5), p.companion)
    for _ in range(7 - i):
        x = rng.random() * width
        if abs(x - width * 0.5) < width * 0.16:  # leave the middle to the animal
            x += width * (0.33 if x > width * 0.5 else -0.33)
        y, s = float(np.interp(x, xs, ys)), height * (0.05 + 0.022 * i) * rng.uniform(0.8, 1.3)
        crown = greens[int(rng.integers(0, 3))]
        canvas.drawRect(box(x - s * 0.045, y - s * 0.4, x + s * 0.045, y + s * 0.08), trunk)
        if rng.random() < 0.5:
            canvas.drawOval(box(x - s * 0.36, y - s * 1.1, x + s * 0.36, y - s * 0.2), fill(crown))
            canvas.drawOval(box(x - s * 0.26, y - s * 1.04, x + s * 0.10, y - s * 0.55), fill(shift(crown, 0.06), 0.8))
            continue
        for k in (2, 1, 0):
            half, low = s * (0.22 + 0.07 * k), y - s * (0.74 - 0.26 * k)
            cone = curve([(x, y - s * (1.2 - 0.26 * k)), (x + half, low), (x - half, low)])
            canvas.drawPath(cone, fill(shift(crown, 0.03 * (2 - k))))


def _flowers(scene: Scene) -> None:
    p, canvas = scene.palette, scene.canvas
    stem, heart = stroke(mix(p.deep, p.mid, 0.4), 3.4 * scene.unit), fill(mix(p.accent, p.paper, 0.5))
    petals = [fill(c) for c in (p.accent, p.paper, p.light, p.companion)]
    for fx, fy, q, which in scene.fork("flowers").random((80, 4)).tolist():
        x, y, s = fx * scene.width, scene.height * (0.80 + 0.115 * fy), (8 + 9 * q) * scene.unit
        canvas.drawLine(x, y, x, y + s * 3, stem)
        for k in range(5):
            a = k * math.tau / 5
            canvas.drawCircle(x + math.cos(a) * s * 0.62, y + math.sin(a) * s * 0.62, s * 0.46, petals[int(which * 4)])
        canvas.drawCircle(x, y, s * 0.36, heart)


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, None, 5)


KIDS = Family("kids", paint, shows=_shows)
