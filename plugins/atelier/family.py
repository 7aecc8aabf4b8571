"""The composition family, and colors that several of them share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plugins.atelier.color import mix, oklch
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.palettes import Palette
from plugins.atelier.scene import Scene


@dataclass(frozen=True, slots=True)
class Family:
    """A way to compose a cover. `mirror`: the finished art may be flipped left to right for variety.

    `shows` says whether it can draw these figures, as many of each as they count; None where it draws none.
    """

    name: str
    paint: Callable[[Scene], None]
    mirror: bool = False
    needs_reference: bool = False
    shows: Callable[[Sequence[Figure]], bool] | None = None


def sky_colors(palette: Palette, mood: str) -> list[str]:
    """Sky stops from the zenith down to the horizon for 'night', 'dusk' or 'day'."""
    p = palette
    if mood == "night":
        return [p.dark, mix(p.dark, p.deep, 0.6), p.deep, mix(p.deep, p.mid, 0.8), mix(p.mid, p.light, 0.6)]
    if mood == "day":
        return [mix(p.mid, p.light, 0.35), mix(p.mid, p.light, 0.8), p.light, mix(p.light, p.paper, 0.7), p.paper]
    zenith = mix(p.dark, p.deep, 0.55)
    return [zenith, p.deep, p.mid, mix(p.mid, p.light, 0.7), p.light, mix(p.light, p.paper, 0.6)]


def metal(palette: Palette) -> str:
    """The role that can serve as gold leaf: the accent when it is light enough, else the light tone."""
    return palette.accent if oklch(palette.accent)[0] > 0.6 else palette.light
