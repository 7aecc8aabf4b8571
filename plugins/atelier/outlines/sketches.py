"""Outlines that we draw as text: `drawings/*.txt`, read when the first of them is asked for.

A drawing is a heading `[name]` and one line for each shape, from back to front: a color of `INKS` (with `*` for a shape
whose mirror image about x = 50 belongs to it), the kind of shape, and its numbers on a square of 100, y down:

    b M10 90 L90 90 Z                SVG path data
    b o 50 50 20 10                  an ellipse: center and radii (one for a disc)
    b c 50 50 20 10 4                a ring: center, radii, width
    b r 10 20 30 40 5                a rectangle: corner, size, radius of its corners
    b l 4 10,10 50,20 90,10          a line: width and points
    b q 4 10,10 50,20 90,10          a bent line: width, start, control point, end
    - = own:man 80 50 50 1 20        another outline: longer side, center, -1 to mirror it, turn in degrees
    u @ coat hat=cap arms=out,hip    somebody whose garment has the color, standing on y = 100 about x = 50; with the
                                     settings of `people.someone`, without spaces
"""

from functools import cache
from pathlib import Path as File
from typing import Any, Final, NamedTuple, cast

from plugins.atelier.color import from_oklch, mix, oklch
from plugins.atelier.drawing import Path, box, difference, placed, skia
from plugins.atelier.outlines.bodies import Garment, limb, oval
from plugins.atelier.outlines.people import SKIN, someone
from plugins.atelier.outlines.svg import path_of

FOLDER: Final = File(__file__).parent / "drawings"
MIDDLE: Final = 50.0
HEIGHT: Final = 97.0  # of somebody
CLOTHED: Final = 0.501  # the tone by which a garment is known
INKS: Final = {
    "k": "#26242a",
    "d": "#4c4a52",
    "g": "#7d7b80",
    "l": "#b9b6b4",
    "w": "#f3f0ea",
    "b": "#6f4530",
    "t": "#c9935a",
    "o": "#e08a4c",
    "y": "#e6bf52",
    "r": "#c0453a",
    "n": "#578f55",
    "u": "#4a7ab0",
    "p": "#6d5090",
    "s": "#efc8a2",
    "c": "#f0e2c4",
}


class Mark(NamedTuple):
    """One line of a drawing: a filled path in its color, or another outline with where it goes."""

    path: Path
    color: str
    other: str = ""
    where: tuple[float, ...] = ()


@cache
def drawings() -> dict[str, tuple[str, ...]]:
    """Return the lines of all drawings by name."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for file in sorted(FOLDER.glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                lines = found.setdefault(line.strip("[]"), [])
            elif line and not line.startswith("#"):
                lines.append(line)
    return {name: tuple(listed) for name, listed in found.items()}


def marks(name: str) -> list[Mark]:
    """Return what a drawing consists of, from back to front."""
    found = []
    for line in drawings()[name]:
        ink, kind, *numbers = line.split()
        if kind == "=":
            found.append(Mark(None, "", numbers[0], tuple(float(number) for number in numbers[1:])))
            continue
        if kind == "@":
            found += _somebody(INKS[ink], *numbers)
            continue
        path = _shape(kind, numbers)
        color = INKS[ink.rstrip("*")]
        found.append(Mark(path, color))
        if ink.endswith("*"):
            found.append(Mark(placed(path, -1, 1, 0, 2 * MIDDLE, 0), color))
    return found


def _somebody(color: str, garment: str, *settings: str) -> list[Mark]:
    told = dict(setting.split("=") for setting in settings)
    options: dict[str, Any] = {key: float(value) if value[:1].isdigit() else value for key, value in told.items()}
    if "arms" in told:
        options["arms"] = tuple(told["arms"].split(","))
    people = someone(cast(Garment, garment), tone=CLOTHED, **options)
    inks = {CLOTHED: color, CLOTHED - 0.02: mix(color, INKS["k"], 0.12), SKIN: INKS["s"]}
    return [
        Mark(placed(path, HEIGHT, HEIGHT, 0, MIDDLE, 100), inks.get(tone) or from_oklch(tone, 0.012, 285))
        for path, tone in people
    ]


def tone_of(color: str) -> tuple[float, float, float]:
    """Return lightness, chroma and hue of a color."""
    lightness, chroma, hue = oklch(color)
    return round(lightness, 3), round(chroma, 3), round(hue, 1)


def _shape(kind: str, numbers: list[str]) -> Path:
    if kind in "lq":
        points = [(float(x), float(y)) for x, y in (number.split(",") for number in numbers[1:])]
        width = float(numbers[0])
        if kind == "q" or len(points) != 3:
            return limb(points, width)
        return _joint(limb(points[:2], width), limb(points[1:], width))
    if kind == "o":
        x, y, rx, *other = (float(number) for number in numbers)
        return oval(x, y, rx, *(other or [rx]))
    if kind == "c":
        x, y, rx, ry, width = (float(number) for number in numbers)
        return difference(oval(x, y, rx, ry), oval(x, y, rx - width, ry - width))
    if kind == "r":
        x, y, width, height, *corner = (float(number) for number in numbers)
        path = skia.Path()
        path.addRoundRect(box(x, y, x + width, y + height), *(corner or [0.0]) * 2)
        return path
    return path_of(" ".join([kind, *numbers]))


def _joint(first: Path, second: Path) -> Path:
    first.addPath(second)
    first.setFillType(skia.PathFillType.kWinding)
    return first
