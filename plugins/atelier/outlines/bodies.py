"""Parts of people: heads, garments, arms and legs, of a figure that stands on (0, 0), one high."""

from functools import lru_cache
from typing import Final, Literal

from plugins.atelier.drawing import Path, bezier, box, polygon, skia

Point = tuple[float, float]
Garment = Literal["coat", "jacket", "dress", "gown", "robe", "tunic", "cape", "apron"]
Pose = Literal["down", "hip", "up", "out", "hold", "raise", "folded", "pocket"]

HEAD: Final = (0.0, -0.925, 0.055, 0.066)  # center and radii
SHOULDER: Final = 0.112
HIP: Final = -0.47


def oval(x: float, y: float, rx: float, ry: float) -> Path:
    """An ellipse."""
    path = skia.Path()
    path.addOval(box(x - rx, y - ry, x + rx, y + ry))
    return path


def limb(points: list[Point], width: float, tip: float = 0.0) -> Path:
    """A bent limb through points, `width` wide, with round ends; `tip` is another width at its end."""
    line = skia.Path()
    line.moveTo(*points[0])
    if len(points) == 3:
        line.quadTo(*points[1], *points[2])
    else:
        for point in points[1:]:
            line.lineTo(*point)
    paint = skia.Paint(Style=skia.Paint.kStroke_Style, StrokeWidth=width)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    out = skia.Path()
    paint.getFillPath(line, out, None, 400.0)
    if tip:
        out.addPath(oval(*points[-1], tip / 2, tip / 2))
    return out


def mirrored(path: Path) -> Path:
    """The path on the other side of the axis."""
    out = skia.Path()
    matrix = skia.Matrix()
    matrix.setScale(-1, 1)
    path.transform(matrix, out)
    return out


@lru_cache
def head() -> Path:
    """A face without features, on its neck."""
    x, y, rx, ry = HEAD
    face = bezier(
        (x, y - ry),
        (x + rx * 1.15, y - ry, x + rx * 1.1, y + ry * 0.45, x, y + ry * 1.12),
        (x - rx * 1.1, y + ry * 0.45, x - rx * 1.15, y - ry, x, y - ry),
    )
    face.addPath(polygon([(-0.024, -0.89), (0.024, -0.89), (0.030, -0.815), (-0.030, -0.815)]))
    return face


HANDS: Final[dict[str, Point]] = {
    "down": (0.152, -0.455),
    "hip": (0.085, -0.515),
    "up": (0.175, -1.06),
    "out": (0.345, -0.745),
    "hold": (0.185, -0.585),
    "raise": (0.265, -0.90),
    "folded": (-0.02, -0.60),
    "pocket": (0.10, -0.47),
}
ELBOWS: Final[dict[str, Point]] = {
    "down": (0.168, -0.63),
    "hip": (0.225, -0.645),
    "up": (0.235, -0.86),
    "out": (0.21, -0.71),
    "hold": (0.205, -0.70),
    "raise": (0.235, -0.71),
    "folded": (0.215, -0.60),
    "pocket": (0.18, -0.61),
}


def arm(pose: Pose, left: bool = False, wide: float = 0.056) -> Path:
    """An arm from the shoulder; the right one unless told."""
    path = limb([(SHOULDER - 0.018, -0.785), ELBOWS[pose], HANDS[pose]], wide)
    return mirrored(path) if left else path


def hand(pose: Pose, left: bool = False) -> Path:
    """The hand at the arm's end."""
    path = oval(*HANDS[pose], 0.027, 0.029)
    return mirrored(path) if left else path


@lru_cache
def legs(apart: float = 0.0, hip: float = HIP) -> Path:
    """Trousers, down to the ankles; `apart` spreads them."""
    right = polygon(
        [(0.0, hip - 0.02), (0.100, hip - 0.02), (0.092 + apart, -0.035), (0.030 + apart, -0.035), (0.004, hip + 0.12)]
    )
    both = skia.Path(right)
    both.addPath(mirrored(right))
    return both


@lru_cache
def boots(apart: float = 0.0, high: float = 0.05) -> Path:
    """Shoes, or boots where they are high."""
    right = bezier(
        (0.026 + apart, -high),
        (0.096 + apart, -high),
        (0.094 + apart, -0.03),
        (0.145 + apart, -0.022, 0.142 + apart, 0),
        (0.026 + apart, 0),
    )
    both = skia.Path(right)
    both.addPath(mirrored(right))
    return both


@lru_cache
def garment(kind: Garment) -> Path:
    """What covers the trunk."""
    s, top = SHOULDER, -0.822
    collar = (-0.038, top)
    neck = (0.034, top)
    if kind in {"jacket", "tunic"}:
        hem = -0.44 if kind == "jacket" else -0.30
        flare = 0.108 if kind == "jacket" else 0.150
        return bezier(
            collar,
            neck,
            (s * 0.8, top + 0.008, s + 0.012, top + 0.02, s + 0.016, top + 0.075),
            (s * 0.9, -0.62, 0.092, -0.56),
            (flare, hem),
            (-flare, hem),
            (-0.092, -0.56),
            (-s * 0.9, -0.62, -s - 0.016, top + 0.075),
            (-s - 0.012, top + 0.02, -s * 0.8, top + 0.008, -0.038, top),
        )
    hem, flare, waist = {
        "coat": (-0.22, 0.165, 0.098),
        "dress": (-0.20, 0.205, 0.066),
        "gown": (0.0, 0.27, 0.066),
        "robe": (0.0, 0.185, 0.112),
        "cape": (-0.05, 0.24, 0.135),
        "apron": (-0.26, 0.150, 0.080),
    }[kind]
    s = s * (0.88 if kind in {"dress", "gown", "apron"} else 1.06)
    return bezier(
        collar,
        neck,
        (s * 0.8, top + 0.008, s + 0.010, top + 0.02, s + 0.012, top + 0.075),
        (s * 0.85, -0.68, waist, -0.57),
        (waist + 0.03, -0.42, flare * 0.88, hem - 0.12, flare, hem),
        (flare * 0.4, hem + 0.022, -flare * 0.4, hem + 0.022, -flare, hem),
        (-flare * 0.88, hem - 0.12, -waist - 0.03, -0.42, -waist, -0.57),
        (-s * 0.85, -0.68, -s - 0.012, top + 0.075),
        (-s - 0.010, top + 0.02, -s * 0.8, top + 0.008, -0.038, top),
    )
