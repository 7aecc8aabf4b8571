"""Beam: one opening of light in the dark, its fan on the floor, a tiny figure. Eight openings, on and off the axis."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import dust, vignette
from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import (
    BLACK,
    SCREEN,
    WHITE,
    Path,
    bezier,
    box,
    disc,
    fill,
    linear,
    placed,
    polygon,
    radial,
    rectangle,
    solid,
    stroke,
    vertical,
)
from plugins.atelier.family import Family
from plugins.atelier.motifs.figures import person, seated
from plugins.atelier.noise import Floats, Random, fbm
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.shades import line_up, named, shade, stands

# kind: width and height of the opening (of the page width and height), height of the floor line (of the page)
OPENINGS = {
    "door": (0.135, 0.27, 0.73),
    "arch": (0.17, 0.32, 0.73),
    "slit": (0.03, 0.40, 0.74),
    "disc": (0.46, 0.31, 0.73),
    "stairs": (0.12, 0.20, 0.575),
    "window": (0.20, 0.22, 0.62),
    "corridor": (0.15, 0.20, 0.66),
    "shaft": (0.16, 0.02, 0.80),
}
FOG_STEP = 4
OWN = frozenset({"walker", "sitting-person"})


class Opening(NamedTuple):
    """The opening in pixels: center, edges of its box, the floor line."""

    kind: str
    x: float
    top: float
    foot: float
    width: float
    floor: float
    light: str
    black: str


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("beam")
    kind = _kind(scene)
    scene.set_type(Zone(0.08, 0.065, 0.84, 0.25), Zone(0.12, 0.915, 0.76, 0.036), mix(p.paper, WHITE, 0.3), p.paper)
    opening = _open(scene, kind, rng)
    scene.flood(opening.black)
    if kind == "shaft":
        _shaft(scene, opening)
    else:
        _wall_and_floor(scene, opening)
        _aperture(scene, opening)
        _rays(scene, opening)
    left = opening.x / scene.width - 0.4
    dust(scene, 170, opening.light, (left, 0.25, 0.8, 0.5), (0.8, 3.4), (0.1, 0.6), "motes")
    _figure(scene, opening, rng)
    vignette(scene, 0.5, BLACK)


def _kind(scene: Scene) -> str:
    if scene.has("moon", "sun", "space", "eye", "alien"):
        return "disc"
    if scene.has("castle", "church", "gothic", "magic"):
        return "arch"
    kinds = sorted(OPENINGS)
    if scene.figures:
        return str(scene.sfork("opening").choice(["arch", "disc", "door"]))
    if scene.has("door"):
        kinds = ["arch", "corridor", "door", "slit", "stairs"]
    if scene.has("house", "family"):
        kinds = ["door", "stairs", "window", "corridor"]
    return str(scene.sfork("opening").choice(kinds))


def _open(scene: Scene, kind: str, rng: Random) -> Opening:
    p = scene.palette
    wide, high, floor = OPENINGS[kind]
    column = float(scene.sfork("column").choice([0.5, 0.34, 0.66]))
    x, scale = scene.width * (column + rng.uniform(-0.03, 0.03)), rng.uniform(0.88, 1.18)
    floor = scene.height * (floor + rng.uniform(-0.02, 0.02))
    foot = floor - scene.height * 0.09 if kind == "window" else floor
    height = scene.height * high * scale
    black, light = mix(p.dark, BLACK, 0.4), mix(p.accent, p.paper, 0.55)
    if kind == "disc":
        foot = floor + height * 0.14
    top = max(foot - height, scene.height * 0.335)  # below the title
    return Opening(kind, x, top, foot, scene.width * wide * scale, floor, light, black)


def _field(scene: Scene) -> tuple[Floats, Floats, Floats]:
    """Pixel columns and rows of a coarse grid, and fog on it."""
    rows, columns = scene.grid(FOG_STEP)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    fog = fbm(scene.fork("fog"), rows, columns, 2.4, 5, 0.55, (1.6, 1))
    return x * np.float32(scene.width / columns), y * np.float32(scene.height / rows), fog


def _wall_and_floor(scene: Scene, o: Opening) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    x, y, fog = _field(scene)
    beside = np.maximum(np.abs(x - o.x) - o.width / 2, 0)
    beyond = np.maximum(np.maximum(o.top - y, y - o.foot), 0)
    away = np.hypot(beside, beyond) / width
    halo = np.exp(-away * 5.2) * 0.55 + np.exp(-away * 16) * 0.5
    scene.mask(halo * (0.5 + 0.9 * fog), mix(p.mid, o.light, 0.35), 0.95)
    scene.mask(np.exp(-away * 11) * (0.6 + 0.6 * fog), o.light, 0.6)
    floor = fill(mix(o.black, p.deep, 0.20), 0.9)
    scene.canvas.drawRect(box(0, o.floor, width, height), floor)
    if o.kind == "window":
        _window_light(scene, o)
        return
    t = np.clip((y - o.floor) / (height - o.floor), 0, 1)
    lean = (0.5 * width - o.x) * 0.55 * t  # off the axis the fan falls towards the middle of the page
    half = o.width / 2 * (1 + 3.6 * t) + 1
    fan = np.clip(1 - (np.abs(x - o.x - lean) / half) ** 3, 0, 1) * (y > o.floor) * (1 - 0.82 * t)
    scene.mask(fan * (0.75 + 0.4 * fog), mix(p.mid, o.light, 0.7), 0.9)
    if o.kind == "stairs":
        _stairs(scene, o)


def _window_light(scene: Scene, o: Opening) -> None:
    """A barred patch of light, slanting over the floor."""
    width, height = scene.width, scene.height
    side = 1 if o.x < width * 0.5 else -1
    top, foot = o.floor + height * 0.03, o.floor + height * 0.27
    panes = []
    for i in range(2):
        for j in range(3):
            corners = []
            for a, b in ((i, j), (i + 0.88, j), (i + 0.88, j + 0.88), (i, j + 0.88)):
                t = b / 3
                x = o.x + (a - 1) * o.width * (0.55 + 0.75 * t) + side * width * (0.03 + 0.27 * t)
                corners.append((x, top + (foot - top) * t))
            panes.append(polygon(corners))
    fade = linear((0, top), (0, foot), [argb(o.light, 0.75), argb(o.light, 0.25)])
    scene.canvas.drawPath(solid(*panes), fill(BLACK, shader=fade, blur=4 * scene.unit, blend=SCREEN))
    for i in range(2):  # the slanting volume of light in the dusty air
        x = o.x + (i - 0.5) * o.width * 0.5
        beam = [
            (x - o.width * 0.22, o.top),
            (x + o.width * 0.22, o.top),
            (x + o.width * 0.75 + side * width * 0.26, foot),
        ]
        end = (x - o.width * 0.45 + side * width * 0.10, foot)
        haze = linear((0, o.top), (0, foot), [argb(o.light, 0.20), argb(o.light, 0.03)])
        scene.canvas.drawPath(polygon([*beam, end]), fill(BLACK, shader=haze, blur=20 * scene.unit, blend=SCREEN))


def _stairs(scene: Scene, o: Opening) -> None:
    """Steps rising to the door, each edge catching light."""
    width, height, steps = scene.width, scene.height, 11
    for i in range(steps):
        t0, t1 = (i / steps) ** 1.35, ((i + 1) / steps) ** 1.35
        y0, y1 = o.floor + t0 * (height * 0.90 - o.floor), o.floor + t1 * (height * 0.90 - o.floor)
        half = o.width * (0.62 + 2.3 * t1)
        x = o.x + (0.5 * width - o.x) * 0.55 * t1
        glow = 0.75 * (1 - t0) ** 1.3 + 0.06
        tread = y0 + (y1 - y0) * 0.42
        scene.canvas.drawRect(box(x - half, y0, x + half, tread), fill(mix(o.black, o.light, glow)))
        scene.canvas.drawRect(box(x - half, tread, x + half, y1), fill(mix(o.black, o.light, glow * 0.22)))
    for side in (-1, 1):
        near = o.x + (0.5 * width - o.x) * 0.55 + side * o.width * 2.95
        edge = [(o.x + side * o.width * 0.62, o.floor), (o.x + side * o.width * 0.86, o.floor - height * 0.02)]
        wall = polygon([*edge, (near + side * width * 0.12, height * 0.84), (near, height * 0.90)])
        scene.canvas.drawPath(wall, fill(mix(o.black, scene.palette.deep, 0.35)))


def _outline(o: Opening) -> Path:
    left, right, w = o.x - o.width / 2, o.x + o.width / 2, o.width
    if o.kind == "disc":
        return disc(o.x, o.foot - (o.foot - o.top) * 0.56, w / 2)
    if o.kind == "arch":
        shoulder, bend = o.top + w * 0.55, o.top + w * 0.2
        return bezier(
            (left, o.foot),
            (left, shoulder),
            (left, bend, o.x - w * 0.12, o.top + w * 0.1, o.x, o.top),
            (o.x + w * 0.12, o.top + w * 0.1, right, bend, right, shoulder),
            (right, o.foot),
        )
    if o.kind == "window":
        h = o.foot - o.top
        panes = []
        for i in range(2):
            for j in range(3):
                x, y = left + w * (i * 0.5 + 0.02), o.top + h * (j / 3 + 0.012)
                panes.append(rectangle(x, y, x + w * 0.46, y + h * 0.31))
        return solid(*panes)
    return rectangle(left, o.top, right, o.foot)


def _aperture(scene: Scene, o: Opening) -> None:
    if o.kind == "corridor":
        _corridor(scene, o)
    shape = _outline(o)
    tones = [mix(scene.palette.accent, scene.palette.paper, 0.35), mix(o.light, WHITE, 0.5), WHITE]
    scene.canvas.save()
    scene.canvas.clipRect(box(0, 0, scene.width, o.floor))
    scene.canvas.drawPath(shape, fill(o.light, blur=16 * scene.unit))
    scene.canvas.drawPath(shape, vertical(o.top, o.foot, tones))
    scene.canvas.restore()


def _corridor(scene: Scene, o: Opening) -> None:
    """Door frames one behind the other, towards the light."""
    middle = (o.top + o.foot) / 2
    for i, k in enumerate((4.6, 3.3, 2.4, 1.75, 1.32)):
        half, up, down = o.width / 2 * k, (middle - o.top) * k, (o.foot - middle) * (1 + (k - 1) * 0.62)
        lit = mix(o.black, o.light, 0.06 + 0.10 * i)
        frame = box(o.x - half, middle - up, o.x + half, middle + down)
        scene.canvas.drawRect(frame, stroke(lit, (18 - 2.6 * i) * scene.unit, 0.9))
        scene.canvas.drawRect(frame, stroke(BLACK, (7 - i) * scene.unit, 0.55))


def _rays(scene: Scene, o: Opening) -> None:
    rng, height = scene.fork("rays"), scene.height
    tones = [argb(o.light, 0.20), argb(o.light, 0.05), argb(o.light, 0)]
    for _ in range(26):
        angle, half = rng.normal(0, 0.34), rng.uniform(0.004, 0.03)
        long, x = height * rng.uniform(0.4, 0.9), o.x + rng.uniform(-0.5, 0.5) * o.width
        y = rng.uniform(o.top, o.foot) if o.kind != "disc" else (o.top + o.foot) / 2
        ends = [(x + math.sin(a) * long, y - math.cos(a) * long) for a in (angle - half, angle + half)]
        ray = fill(BLACK, shader=radial((x, y), long, tones), blend=SCREEN)
        scene.canvas.drawPath(polygon([(x, y), *ends]), ray)


def _shaft(scene: Scene, o: Opening) -> None:
    """Light falling from a hatch high above, onto a pool on the ground."""
    p, width, height = scene.palette, scene.width, scene.height
    x, y, fog = _field(scene)
    side = 1 if o.x <= width * 0.5 else -1
    high = o.x + side * width * 0.30
    t = np.clip(y / o.floor, 0, 1)
    center = high + (o.x - high) * t
    half = o.width * (0.30 + 0.85 * t)
    beam = (
        np.exp(-((np.abs(x - center) / half) ** 4))
        * (0.28 + 0.5 * t)
        * (0.55 + 0.75 * fog)
        * (y < o.floor + height * 0.02)
    )
    soft = np.exp(-((np.abs(x - center) / (half * 2.6)) ** 2)) * 0.30 * (y < o.floor + height * 0.02)
    scene.canvas.drawRect(box(0, o.floor - height * 0.04, width, height), fill(mix(o.black, p.deep, 0.16)))
    scene.mask(soft * (0.6 + 0.6 * fog), mix(p.mid, o.light, 0.35), 0.9)
    scene.mask(beam, mix(p.light, o.light, 0.6), 0.8)
    pool = np.exp(-((((x - o.x) / (o.width * 1.45)) ** 2 + ((y - o.floor) / (height * 0.034)) ** 2) ** 2))
    scene.mask(pool, mix(o.light, WHITE, 0.25), 0.9)
    spill = np.exp(-(((x - o.x) / (o.width * 3.4)) ** 2 + ((y - o.floor) / (height * 0.10)) ** 2))
    scene.mask(spill * (0.6 + 0.5 * fog), mix(p.mid, o.light, 0.4), 0.55)


def _figure(scene: Scene, o: Opening, rng: Random) -> None:
    width, height = scene.width, scene.height
    if named(scene, OWN):
        _company(scene, o)
        return
    size = height * 0.125
    y = o.floor + height * {"stairs": 0.10, "shaft": 0.006, "window": 0.17, "corridor": 0.085}.get(o.kind, 0.035)
    step = float(rng.choice([0.0, -0.35, 0.35])) * o.width if o.kind in ("door", "arch", "disc") else 0.0
    if o.kind == "window":
        step = width * (0.16 if o.x < width * 0.5 else -0.16)
    x = o.x + step + (0.5 * width - o.x) * 0.55 * max(0.0, (y - o.floor) / (height - o.floor))
    sits = o.kind in ("window", "shaft") and rng.random() < 0.45
    shape = seated() if sits else person(hat=scene.has("detective"))
    if o.kind == "stairs":
        size *= 1.15
    long = 0.45 if o.kind in ("shaft", "stairs") else 3.0
    shadow = placed(shape, size, -size * long)
    scene.canvas.save()
    scene.canvas.translate(x, y)
    fade = linear((0, 0), (0, size * long), [argb(o.black, 0.9), argb(o.black, 0)])
    scene.canvas.drawPath(shadow, fill(BLACK, shader=fade, blur=5 * scene.unit))
    scene.canvas.restore()
    scene.canvas.drawPath(placed(shape, size, size, 0, x, y), fill("#040406"))


def _company(scene: Scene, o: Opening) -> None:
    """The story's figures before the light, with the shadows that they throw towards us."""
    foot = o.floor + scene.height * 0.045
    for spot in line_up(scene, o.x, foot, (scene.width * 0.62, scene.height * 0.24)):
        solid = spot.place(spot.figure.outline.solid)
        scene.canvas.save()
        scene.canvas.translate(0, spot.bottom)
        scene.canvas.scale(1, -1.1)
        scene.canvas.translate(0, -spot.bottom)
        scene.canvas.drawPath(solid, fill(o.black, 0.75, blur=5 * scene.unit))
        scene.canvas.restore()
        shade(scene, spot, "#07070a", mix(o.light, o.black, 0.35))


def _suited(figures: Sequence[Figure]) -> bool:
    return stands(figures, None, 2) and not any(figure.celestial for figure in figures)


BEAM = Family("beam", paint, mirror=True, shows=_suited)
