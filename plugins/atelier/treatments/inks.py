"""The colors of a figure and of its ground: by the palette's roles, or by the color word that it was given."""

import math
from dataclasses import dataclass
from typing import Final

from plugins.atelier.color import from_oklch, mix, oklab, oklch, relight, shift
from plugins.atelier.drawing import BLACK, WHITE, Path
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.outlines.outline import Outline, Shape
from plugins.atelier.scene import Scene

# OKLCH of what people mean by a color word
COLORS: Final[dict[str, str]] = {
    word: from_oklch(*value)
    for word, value in {
        "red": (0.57, 0.205, 27),
        "orange": (0.71, 0.17, 55),
        "yellow": (0.87, 0.165, 94),
        "green": (0.58, 0.15, 145),
        "turquoise": (0.72, 0.12, 190),
        "blue": (0.52, 0.17, 257),
        "purple": (0.47, 0.18, 305),
        "pink": (0.75, 0.145, 356),
        "brown": (0.44, 0.085, 52),
        "black": (0.19, 0.01, 280),
        "white": (0.975, 0.006, 95),
        "gray": (0.62, 0.012, 260),
        "gold": (0.78, 0.135, 86),
        "silver": (0.81, 0.012, 250),
    }.items()
}

DISTINCT: Final = 0.26  # OKLab distance from which a figure stands out from its ground
STEP: Final = 0.17  # difference of tones from which another ink is used
SHINING: Final = 0.68  # lightness of what shines in the sky
VIVID: Final = 0.09  # chroma
OTHER_HUE: Final = 70.0  # degrees


@dataclass(frozen=True, slots=True)
class Inks:
    """What a figure is drawn in: its largest parts in `main`, darker and lighter ones, and parts of another hue."""

    dark: str
    main: str
    light: str
    accent: str


def distance(a: str, b: str) -> float:
    """Return how different two colors look: OKLab distance, about 1 between black and white."""
    return math.dist(oklab(a), oklab(b))


def ground_for(scene: Scene, grounds: list[str]) -> str:
    """Return the first ground from which all colored figures stand out, else the one with the most distance."""
    wanted = [COLORS[figure.color] for figure in scene.cast if figure.color]
    if scene.has("night", "midnight") and not wanted:
        grounds = sorted(grounds, key=lambda ground: oklch(ground)[0])

    def worst(ground: str) -> float:
        return min((distance(ground, color) for color in wanted), default=1.0)

    return next((ground for ground in grounds if worst(ground) > DISTINCT), max(grounds, key=worst))


def inks_of(scene: Scene, figure: Figure, ground: str, role: str = "") -> Inks:
    """Return inks that stand out from the ground; `role` is the color of the largest parts where no word says it."""
    p = scene.palette
    if figure.color:
        main = COLORS[figure.color]
        lightness = oklch(main)[0]
        dark = relight(main, max(0.16, lightness - 0.27)) if lightness > 0.3 else relight(main, lightness + 0.16)
        light = mix(main, WHITE, 0.55) if lightness < 0.9 else relight(main, lightness - 0.16)
        return Inks(dark, main, light, mix(main, dark, 0.5))
    if figure.celestial and role not in (p.light, p.paper):
        role = next((color for color in (p.accent, p.light, p.paper) if oklch(color)[0] > SHINING), p.paper)
    options = [role or p.accent, p.accent, p.companion, p.mid, p.deep, p.light, p.paper]
    main = next((color for color in options if distance(color, ground) > DISTINCT), p.paper)
    dark = p.dark if distance(p.dark, ground) > DISTINCT / 2 else mix(p.deep, p.mid, 0.5)
    if distance(dark, main) < 0.12:
        dark = mix(main, BLACK, 0.4)
    light = p.paper if distance(p.paper, main) > 0.15 else mix(p.light, p.mid, 0.3)
    if distance(light, ground) < 0.05:
        light = mix(light, main, 0.22)
    accents = [color for color in (p.accent, p.companion, p.mid) if distance(color, main) > 0.15]
    accent = next((color for color in accents if distance(color, ground) > 0.15), dark)
    return Inks(dark, main, light, accent)


def dressed(outline: Outline, inks: Inks, shapes: tuple[Shape, ...] = ()) -> list[tuple[Path, str]]:
    """Return the shapes (those not covered by others unless told) with their ink, in the outline's own measures."""
    main = outline.main
    return [(shape.path, ink_of(shape, main, inks)) for shape in shapes or outline.seen]


def ink_of(shape: Shape, main: Shape, inks: Inks) -> str:
    """Return the ink of one shape of a figure whose most seen shape is `main`."""
    lighter = shape.tone - main.tone
    turned = abs((shape.hue - main.hue + 180) % 360 - 180)
    if shape.chroma > VIVID and (main.chroma <= VIVID / 2 or turned > OTHER_HUE) and abs(lighter) < 2 * STEP:
        return shift(inks.accent, lighter * 0.3)
    if lighter < -STEP:
        return inks.dark
    if lighter > STEP:
        return inks.light
    return shift(inks.main, lighter * 0.55) if lighter else inks.main
