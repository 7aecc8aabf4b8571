"""Things that no icon set has, drawn by us: shapes with tones, in any units, y down."""

from collections.abc import Callable
from typing import Final

from plugins.atelier.drawing import Path, bezier, box, difference, disc, placed, polygon, rectangle, skia, union_all
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.outlines.bodies import limb

Toned = list[tuple[Path, float]]

DARK: Final = 0.22
MIDDLE: Final = 0.48
LIGHT: Final = 0.80


def block(left: float, top: float, right: float, bottom: float, corner: float = 0.03) -> Path:
    """A rectangle with round corners."""
    path = skia.Path()
    path.addRoundRect(box(left, top, right, bottom), corner, corner)
    return path


def line(*points: tuple[float, float], width: float = 0.04) -> Path:
    """A line with round ends."""
    return limb(list(points), width)


def _igloo() -> Toned:
    dome = bezier((-0.5, 0.0), (-0.5, -0.62, 0.5, -0.62, 0.5, 0.0))
    seams = [
        line((-0.48, -0.15), (0.48, -0.15), width=0.018),
        line((-0.40, -0.30), (0.40, -0.30), width=0.018),
        *(line((x, -0.15), (x, 0.0), width=0.018) for x in (-0.3, 0.42)),
        *(line((x, -0.30), (x, -0.15), width=0.018) for x in (-0.14, 0.16, -0.36)),
        *(line((x, -0.43), (x, -0.30), width=0.018) for x in (-0.02, 0.22)),
    ]
    door = bezier((-0.17, 0.0), (-0.17, -0.30, 0.17, -0.30, 0.17, 0.0))
    hole = bezier((-0.10, 0.0), (-0.10, -0.20, 0.10, -0.20, 0.10, 0.0))
    return [(dome, 0.88), (union_all(seams), 0.6), (door, 0.72), (hole, DARK)]


def _cave() -> Toned:
    rock = polygon(
        [(-0.5, 0), (-0.46, -0.3), (-0.33, -0.36), (-0.24, -0.6), (0.05, -0.68), (0.2, -0.55), (0.36, -0.5), (0.5, 0)]
    )
    facet = polygon([(0.05, -0.68), (0.2, -0.55), (0.36, -0.5), (0.5, 0), (0.3, 0), (0.24, -0.3)])
    mouth = bezier((-0.26, 0), (-0.27, -0.22, -0.14, -0.40, 0.0, -0.40), (0.14, -0.40, 0.24, -0.2, 0.22, 0))
    return [(rock, MIDDLE), (facet, 0.36), (mouth, 0.12)]


def _cliff() -> Toned:
    wall = polygon(
        [(-0.5, 0.4), (-0.5, -0.36), (0.12, -0.4), (0.3, -0.36), (0.22, -0.22), (0.24, -0.02), (0.12, 0.1), (0.16, 0.4)]
    )
    shade = polygon([(0.0, -0.2), (0.22, -0.22), (0.24, -0.02), (0.12, 0.1), (0.16, 0.4), (-0.1, 0.4), (-0.02, 0.1)])
    top = polygon([(-0.5, -0.36), (0.12, -0.4), (0.3, -0.36), (0.26, -0.3), (-0.5, -0.28)])
    return [(wall, MIDDLE), (shade, DARK), (top, LIGHT)]


def _scythe() -> Toned:
    blade = bezier((0.05, -0.5), (-0.2, -0.52, -0.42, -0.4, -0.5, -0.2), (-0.36, -0.34, -0.16, -0.40, 0.06, -0.38))
    return [
        (line((0.08, -0.5), (0.16, 0.0), (0.08, 0.5), width=0.045), MIDDLE),
        (line((0.13, 0.02), (0.03, -0.03), width=0.04), DARK),
        (blade, LIGHT),
    ]


def _piano() -> Toned:
    lid = bezier((-0.42, -0.06), (-0.40, -0.5, -0.06, -0.46, 0.02, -0.34), (0.12, -0.2, 0.4, -0.36, 0.46, -0.06))
    case = block(-0.5, -0.08, 0.48, 0.08, 0.03)
    keys = rectangle(-0.5, 0.0, -0.26, 0.045)
    legs = union_all(
        [
            polygon([(x - 0.03, 0.06), (x + 0.03, 0.06), (x + 0.016, 0.42), (x - 0.016, 0.42)])
            for x in (-0.42, 0.02, 0.40)
        ]
    )
    prop = line((0.10, -0.06), (0.22, -0.24), width=0.018)
    return [(lid, MIDDLE), (legs, DARK), (case, DARK), (prop, LIGHT), (keys, 0.92)]


def _harp() -> Toned:
    frame = union_all(
        [
            line((-0.30, -0.48), (-0.33, 0.02), (-0.26, 0.46), width=0.075),
            line((-0.30, -0.46), (-0.02, -0.30), (0.28, -0.40), width=0.075),
            line((0.28, -0.40), (0.14, 0.10), (-0.22, 0.46), width=0.085),
            block(-0.36, 0.43, -0.06, 0.5, 0.03),
            disc(-0.31, -0.5, 0.06),
        ]
    )
    strings = [
        line((x, -0.40 + 0.3 * (0.1 - abs(x + 0.05))), (x, 0.40 - (x + 0.25) * 1.25), width=0.011)
        for x in (-0.22, -0.14, -0.06, 0.02, 0.10, 0.18)
    ]
    return [(union_all(strings), 0.78), (frame, MIDDLE)]


def _throne() -> Toned:
    back = bezier(
        (-0.26, 0.12),
        (-0.28, -0.36),
        (-0.14, -0.42, -0.06, -0.44, 0, -0.5),
        (0.06, -0.44, 0.14, -0.42, 0.28, -0.36),
        (0.26, 0.12),
    )
    cushion = block(-0.17, -0.30, 0.17, 0.08, 0.06)
    arms = union_all([block(s * 0.33 - 0.055, -0.06, s * 0.33 + 0.055, 0.5, 0.02) for s in (-1, 1)])
    seat = block(-0.30, 0.08, 0.30, 0.20, 0.04)
    front = rectangle(-0.28, 0.18, 0.28, 0.46)
    knobs = union_all(
        [disc(s * 0.33, -0.09, 0.06) for s in (-1, 1)]
        + [disc(s * 0.27, -0.40, 0.045) for s in (-1, 1)]
        + [disc(0, -0.52, 0.05)]
    )
    return [(back, MIDDLE), (cushion, 0.66), (front, DARK), (seat, 0.66), (arms, MIDDLE - 0.1), (knobs, LIGHT)]


def _cauldron() -> Toned:
    pot = bezier((-0.40, -0.12), (-0.56, 0.42, 0.56, 0.42, 0.40, -0.12))
    rim = block(-0.46, -0.20, 0.46, -0.10, 0.05)
    legs = union_all([line((-0.25, 0.2), (-0.30, 0.38), width=0.06), line((0.25, 0.2), (0.30, 0.38), width=0.06)])
    brew = union_all(
        [
            disc(x, y, r)
            for x, y, r in (
                (-0.2, -0.24, 0.09),
                (0.02, -0.28, 0.12),
                (0.22, -0.24, 0.08),
                (0.1, -0.46, 0.05),
                (-0.12, -0.44, 0.035),
            )
        ]
    )
    return [(brew, LIGHT), (legs, DARK), (pot, DARK), (rim, MIDDLE)]


def _inkwell() -> Toned:
    feather = bezier((-0.02, 0.1), (0.06, -0.2, 0.22, -0.48, 0.44, -0.5), (0.40, -0.24, 0.22, -0.02, 0.02, 0.12))
    rib = line((-0.02, 0.12), (0.14, -0.16), (0.36, -0.42), width=0.016)
    bottle = bezier(
        (-0.10, 0.06),
        (-0.10, 0.14),
        (-0.30, 0.2, -0.32, 0.34, -0.30, 0.5),
        (0.26, 0.5),
        (0.28, 0.34, 0.26, 0.2, 0.06, 0.14),
        (0.06, 0.06),
    )
    return [
        (feather, LIGHT),
        (rib, MIDDLE),
        (bottle, DARK),
        (block(-0.13, 0.02, 0.09, 0.09, 0.02), MIDDLE),
        (block(-0.2, 0.29, 0.16, 0.42, 0.02), 0.9),
    ]


def _snow_globe() -> Toned:
    base = polygon([(-0.30, 0.28), (0.30, 0.28), (0.36, 0.5), (-0.36, 0.5)])
    ground = bezier((-0.335, 0.13), (-0.1, 0.02, 0.1, 0.06, 0.335, 0.13), (0.28, 0.3), (-0.28, 0.3))
    tree = union_all(
        [polygon([(0, -0.26 + y), (0.15 + y * 0.25, 0.02 + y), (-0.15 - y * 0.25, 0.02 + y)]) for y in (0.0, 0.1)]
    )
    flakes = union_all(
        [
            disc(x, y, 0.018)
            for x, y in ((-0.2, -0.2), (0.2, -0.12), (-0.24, 0.0), (0.14, -0.30), (-0.08, -0.34), (0.26, 0.03))
        ]
    )
    return [(disc(0, -0.06, 0.40), 0.66), (ground, 0.94), (tree, 0.3), (flakes, 0.96), (base, DARK)]


def _spinning_top() -> Toned:
    body = bezier(
        (-0.40, -0.08),
        (-0.40, -0.26, 0.40, -0.26, 0.40, -0.08),
        (0.34, 0.14, 0.1, 0.24, 0, 0.46),
        (-0.1, 0.24, -0.34, 0.14, -0.40, -0.08),
    )
    band = bezier(
        (-0.40, -0.08),
        (-0.2, 0.0, 0.2, 0.0, 0.40, -0.08),
        (0.38, 0.0, 0.34, 0.06, 0.30, 0.10),
        (0.1, 0.15, -0.1, 0.15, -0.30, 0.10),
        (-0.34, 0.06, -0.38, 0.0, -0.40, -0.08),
    )
    return [
        (block(-0.035, -0.46, 0.035, -0.2, 0.03), DARK),
        (disc(0, -0.46, 0.055), DARK),
        (body, MIDDLE),
        (band, LIGHT),
    ]


def _dreamcatcher() -> Toned:
    ring = difference(disc(0, -0.14, 0.34), disc(0, -0.14, 0.295))
    web = [
        difference(
            placed(star(8, 0.72), k, k, 22.5 * i, 0, -0.14),
            placed(star(8, 0.72), k * 0.93, k * 0.93, 22.5 * i, 0, -0.14),
        )
        for i, k in enumerate((0.30, 0.22, 0.13))
    ]
    feathers: Toned = []
    for x, y in ((-0.22, 0.12), (0.0, 0.20), (0.22, 0.12)):
        feathers.append((line((x, y), (x, y + 0.12), width=0.014), MIDDLE))
        feathers.append(
            (
                bezier(
                    (x, y + 0.08),
                    (x + 0.08, y + 0.16, x + 0.05, y + 0.26, x, y + 0.32),
                    (x - 0.05, y + 0.26, x - 0.08, y + 0.16, x, y + 0.08),
                ),
                LIGHT,
            )
        )
    return [*feathers, (union_all(web), LIGHT), (disc(0, -0.14, 0.03), MIDDLE), (ring, MIDDLE)]


def _slingshot() -> Toned:
    fork = union_all(
        [
            line((0, 0.5), (0, 0.06), width=0.085),
            line((0, 0.1), (-0.16, -0.02), (-0.22, -0.36), width=0.075),
            line((0, 0.1), (0.16, -0.02), (0.22, -0.36), width=0.075),
        ]
    )
    band = line((-0.22, -0.32), (0.0, -0.06), (0.22, -0.32), width=0.03)
    return [(band, LIGHT), (fork, MIDDLE), (block(-0.06, -0.24, 0.06, -0.15, 0.02), DARK)]


def _doll() -> Toned:
    dress = polygon([(-0.10, -0.08), (0.10, -0.08), (0.30, 0.32), (-0.30, 0.32)])
    hair = bezier((-0.22, -0.08), (-0.32, -0.52, 0.32, -0.52, 0.22, -0.08), (0.1, -0.2), (-0.1, -0.2))
    limbs = union_all([line((-0.1, -0.04), (-0.27, 0.12), width=0.07), line((0.1, -0.04), (0.27, 0.12), width=0.07)])
    feet = union_all([line((-0.09, 0.3), (-0.09, 0.46), width=0.08), line((0.09, 0.3), (0.09, 0.46), width=0.08)])
    buttons = union_all([disc(0, 0.04, 0.02), disc(0, 0.14, 0.02), disc(-0.06, -0.27, 0.02), disc(0.06, -0.27, 0.02)])
    return [(feet, 0.86), (limbs, 0.86), (dress, MIDDLE), (hair, DARK), (disc(0, -0.24, 0.155), 0.86), (buttons, DARK)]


THINGS: Final[dict[str, Callable[[], Toned]]] = {
    "igloo": _igloo,
    "cave": _cave,
    "cliff": _cliff,
    "scythe": _scythe,
    "grand-piano": _piano,
    "harp": _harp,
    "throne": _throne,
    "cauldron": _cauldron,
    "inkwell": _inkwell,
    "snow-globe": _snow_globe,
    "spinning-top": _spinning_top,
    "dreamcatcher": _dreamcatcher,
    "slingshot": _slingshot,
    "doll": _doll,
}
