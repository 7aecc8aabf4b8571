"""Machines and arms that no icon set has, drawn by us: shapes with tones, in any units, y down."""

from collections.abc import Callable
from typing import Final

from plugins.atelier.drawing import bezier, difference, disc, placed, polygon, rectangle, union_all
from plugins.atelier.outlines.bodies import oval
from plugins.atelier.outlines.things import DARK, LIGHT, MIDDLE, Toned, block, line


def _submarine() -> Toned:
    hull = block(-0.5, -0.15, 0.42, 0.17, 0.16)
    fins = polygon([(0.36, -0.02), (0.52, -0.2), (0.52, 0.2), (0.36, 0.03)])
    tower = polygon([(-0.16, -0.14), (-0.12, -0.33), (0.12, -0.33), (0.14, -0.14)])
    scope = line((0.0, -0.32), (0.0, -0.45), (-0.09, -0.45), width=0.035)
    ports = [(disc(x, 0.0, 0.05), LIGHT) for x in (-0.28, -0.09, 0.1)]
    return [(fins, DARK), (scope, DARK), (tower, DARK), (hull, MIDDLE), *ports]


def _cannon() -> Toned:
    barrel = placed(polygon([(-0.32, -0.13), (0.42, -0.085), (0.42, 0.085), (-0.32, 0.13)]), 1, 1, -16, 0.06, -0.14)
    mouth = placed(block(0.40, -0.11, 0.47, 0.11, 0.02), 1, 1, -16, 0.06, -0.14)
    knob = placed(disc(-0.37, 0.0, 0.06), 1, 1, -16, 0.06, -0.14)
    wheel = difference(disc(-0.05, 0.12, 0.24), disc(-0.05, 0.12, 0.185))
    spokes = [placed(block(-0.2, -0.018, 0.2, 0.018, 0.01), 1, 1, 60 * k, -0.05, 0.12) for k in range(3)]
    trail = polygon([(-0.05, 0.06), (-0.5, 0.30), (-0.5, 0.36), (-0.4, 0.36), (0.02, 0.16)])
    return [
        (trail, MIDDLE),
        (barrel, DARK),
        (mouth, DARK),
        (knob, DARK),
        (union_all([wheel, *spokes]), MIDDLE + 0.1),
        (disc(-0.05, 0.12, 0.05), DARK),
    ]


def _rifle() -> Toned:
    stock = bezier(
        (-0.5, 0.02),
        (-0.5, 0.16),
        (-0.28, 0.08),
        (-0.10, 0.05),
        (0.16, 0.05),
        (0.16, 0.0),
        (-0.16, -0.02),
        (-0.30, 0.0),
    )
    barrel = union_all([rectangle(-0.18, -0.045, 0.5, -0.008), rectangle(0.44, -0.075, 0.47, -0.04)])
    guard = difference(disc(-0.13, 0.075, 0.045), disc(-0.13, 0.075, 0.028))
    return [(guard, DARK), (stock, MIDDLE), (barrel, DARK)]


def _gramophone() -> Toned:
    horn = bezier(
        (-0.06, 0.06),
        (-0.04, -0.16, 0.02, -0.3, -0.2, -0.46),
        (0.02, -0.52, 0.34, -0.44, 0.44, -0.2),
        (0.2, -0.26, 0.06, -0.08, 0.02, 0.08),
    )
    bell = placed(oval(0.0, 0.0, 0.35, 0.13), 1, 1, 26, 0.12, -0.34)
    case = block(-0.38, 0.14, 0.34, 0.44, 0.03)
    foot = rectangle(-0.42, 0.42, 0.38, 0.5)
    plate = oval(-0.02, 0.12, 0.30, 0.045)
    crank = line((0.34, 0.28), (0.46, 0.28), (0.46, 0.18), width=0.03)
    return [(crank, DARK), (horn, 0.62), (bell, 0.82), (plate, DARK), (case, MIDDLE), (foot, DARK)]


def _biplane() -> Toned:
    body = bezier(
        (-0.46, 0.0),
        (-0.44, -0.09, -0.3, -0.1, -0.1, -0.09),
        (0.5, -0.01),
        (0.5, 0.04),
        (0.1, 0.11, -0.4, 0.14, -0.46, 0.0),
    )
    tail = polygon([(0.36, -0.02), (0.44, -0.18), (0.52, -0.18), (0.51, 0.03)])
    wings = [(block(-0.36, y, 0.12, y + 0.045, 0.02), 0.66) for y in (-0.26, 0.10)]
    struts = union_all([line((x, -0.24), (x, 0.12), width=0.018) for x in (-0.28, -0.2, -0.02, 0.06)])
    screw = union_all([oval(-0.485, -0.11, 0.017, 0.11), oval(-0.485, 0.11, 0.017, 0.11), disc(-0.48, 0, 0.03)])
    wheel = disc(-0.24, 0.25, 0.065)
    return [
        (struts, DARK),
        (line((-0.2, 0.08), (-0.24, 0.25), width=0.02), DARK),
        (wheel, DARK),
        (tail, MIDDLE),
        (body, MIDDLE),
        *wings,
        (screw, DARK),
    ]


def _carriage() -> Toned:
    cabin = bezier(
        (-0.30, -0.32),
        (0.30, -0.32),
        (0.34, -0.1, 0.28, 0.06, 0.12, 0.12),
        (-0.12, 0.12),
        (-0.28, 0.06, -0.34, -0.1, -0.30, -0.32),
    )
    roof = block(-0.34, -0.38, 0.34, -0.31, 0.03)
    wheels: Toned = []
    for x, y, r in ((-0.30, 0.22, 0.16), (0.30, 0.18, 0.20)):
        ring = difference(disc(x, y, r), disc(x, y, r * 0.80))
        spokes = [placed(rectangle(-r * 0.9, -0.011, r * 0.9, 0.011), 1, 1, 45 * k, x, y) for k in range(4)]
        wheels.append((union_all([ring, *spokes, disc(x, y, r * 0.2)]), DARK))
    shaft = line((-0.3, 0.2), (-0.56, 0.16), width=0.03)
    return [
        (shaft, DARK),
        (cabin, MIDDLE),
        (roof, DARK),
        (block(-0.20, -0.24, 0.0, -0.04, 0.02), LIGHT),
        (block(0.05, -0.24, 0.20, -0.04, 0.02), LIGHT),
        *wheels,
    ]


def _sewing_machine() -> Toned:
    arm = union_all(
        [
            block(-0.42, -0.36, 0.36, -0.18, 0.07),
            block(0.16, -0.3, 0.36, 0.24, 0.04),
            block(-0.42, -0.3, -0.26, 0.02, 0.03),
        ]
    )
    needle = rectangle(-0.35, 0.0, -0.33, 0.2)
    wheel = disc(0.40, -0.24, 0.11)
    return [
        (needle, DARK),
        (block(-0.5, 0.2, 0.5, 0.32, 0.03), MIDDLE),
        (wheel, LIGHT),
        (arm, DARK),
        (block(-0.16, -0.31, 0.06, -0.23, 0.02), LIGHT),
    ]


def _gas_mask() -> Toned:
    face = bezier(
        (0, -0.46),
        (0.34, -0.46, 0.42, -0.1, 0.28, 0.14),
        (0.18, 0.3, -0.18, 0.3, -0.28, 0.14),
        (-0.42, -0.1, -0.34, -0.46, 0, -0.46),
    )
    eyes: Toned = []
    for s in (-1, 1):
        eyes += [(disc(s * 0.16, -0.14, 0.125), DARK), (disc(s * 0.16, -0.14, 0.09), LIGHT)]
    cans = union_all([placed(block(-0.12, -0.10, 0.12, 0.10, 0.03), 1, 1, s * 35, s * 0.25, 0.32) for s in (-1, 1)])
    return [(face, MIDDLE), (cans, DARK), *eyes, (disc(0, 0.14, 0.10), DARK), (disc(0, 0.14, 0.06), 0.6)]


def _armor() -> Toned:
    chest = bezier(
        (-0.30, -0.16),
        (-0.1, -0.24, 0.1, -0.24, 0.30, -0.16),
        (0.27, 0.1, 0.2, 0.2, 0.18, 0.26),
        (-0.18, 0.26),
        (-0.2, 0.2, -0.27, 0.1, -0.30, -0.16),
    )
    helm = bezier((-0.15, -0.22), (-0.18, -0.5, 0.18, -0.5, 0.15, -0.22), (0, -0.16))
    slit = rectangle(-0.12, -0.36, 0.12, -0.325)
    shoulders = union_all([oval(-0.33, -0.12, 0.12, 0.10), oval(0.33, -0.12, 0.12, 0.10)])
    skirt = polygon([(-0.19, 0.24), (0.19, 0.24), (0.27, 0.5), (-0.27, 0.5)])
    ridge = rectangle(-0.012, -0.2, 0.012, 0.24)
    return [(skirt, MIDDLE), (chest, 0.66), (ridge, MIDDLE), (shoulders, LIGHT), (helm, 0.66), (slit, DARK)]


def _weather_vane() -> Toned:
    rooster = bezier(
        (-0.30, -0.18),
        (-0.22, -0.46, -0.10, -0.20, 0.06, -0.22),
        (0.10, -0.34, 0.14, -0.46, 0.22, -0.46),
        (0.30, -0.44, 0.26, -0.36, 0.32, -0.34),
        (0.26, -0.30),
        (0.26, -0.10, 0.10, -0.02, 0.0, -0.02),
        (-0.12, -0.02, -0.20, -0.08, -0.30, -0.18),
    )
    arrow = union_all(
        [
            rectangle(-0.44, 0.04, 0.40, 0.075),
            polygon([(0.38, -0.02), (0.5, 0.058), (0.38, 0.135)]),
            polygon([(-0.5, -0.02), (-0.36, 0.058), (-0.5, 0.135), (-0.44, 0.058)]),
        ]
    )
    pole = union_all([rectangle(-0.02, -0.04, 0.02, 0.5), disc(0, 0.2, 0.05), rectangle(-0.16, 0.30, 0.16, 0.33)])
    return [(pole, DARK), (arrow, MIDDLE), (rooster, MIDDLE)]


def _pocket_watch() -> Toned:
    case = disc(0, 0.12, 0.38)
    ring = difference(disc(0, -0.40, 0.10), disc(0, -0.40, 0.06))
    stem = block(-0.045, -0.33, 0.045, -0.22, 0.02)
    marks = [placed(rectangle(-0.012, -0.27, 0.012, -0.22), 1, 1, 30 * k, 0, 0.12) for k in range(12)]
    hands = union_all(
        [line((0, 0.12), (0.0, -0.08), width=0.03), line((0, 0.12), (0.12, 0.19), width=0.03), disc(0, 0.12, 0.03)]
    )
    return [
        (ring, MIDDLE),
        (stem, MIDDLE),
        (case, MIDDLE),
        (disc(0, 0.12, 0.31), 0.9),
        (union_all(marks), DARK),
        (hands, DARK),
    ]


MACHINES: Final[dict[str, Callable[[], Toned]]] = {
    "submarine": _submarine,
    "cannon": _cannon,
    "rifle": _rifle,
    "gramophone": _gramophone,
    "pocket-watch": _pocket_watch,
    "biplane": _biplane,
    "horse-carriage": _carriage,
    "weather-vane": _weather_vane,
    "armor": _armor,
    "sewing-machine": _sewing_machine,
    "gas-mask": _gas_mask,
}
