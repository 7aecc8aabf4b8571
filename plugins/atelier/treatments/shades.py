"""Figures nearly flat, as they look against the light; and figures in the sky that shine themselves."""

from collections.abc import Sequence
from typing import Final

from plugins.atelier.color import mix
from plugins.atelier.drawing import BLACK, WHITE, fill, skia
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import COLORS, distance
from plugins.atelier.treatments.kit import trace
from plugins.atelier.treatments.staging import Spot, rows_of

CROWD: Final = 13  # how many stand for many
DISCS: Final = frozenset({"moon", "full-moon", "sun"})
LIT: Final = 0.42  # how much of the haze lies on the lightest parts of a dark figure
GLIMMER: Final = 0.35  # the most by which a shining figure's parts differ


def shade(scene: Scene, spot: Spot, dark: str, haze: str) -> None:
    """Draw a figure dark, or in its color: its parts differ just enough to be told apart."""
    color = COLORS[spot.figure.color] if spot.figure.color not in {"", "black"} else dark
    trace(scene, spot)
    outline = spot.figure.outline
    tones = [shape.tone for shape in outline.seen]
    spread = max(0.35, max(tones) - min(tones))
    flat = distance(color, dark) < 0.15
    for shape in outline.seen:
        if flat:  # the darkest part as dark as the land, the others as if some light fell on them
            part = mix(color, haze, round(LIT * (shape.tone - min(tones)) / spread, 3))
        else:
            lighter = (shape.tone - outline.main.tone) / spread
            part = mix(color, WHITE, round(0.3 * lighter, 3)) if lighter > 0 else mix(color, BLACK, -0.25 * lighter)
        scene.canvas.drawPath(spot.place(shape.path), fill(part))


def shine(scene: Scene, spot: Spot) -> None:
    """Draw a figure in the sky with light around it."""
    p = scene.palette
    color = COLORS[spot.figure.color] if spot.figure.color else mix(p.paper, p.accent, 0.45)
    trace(scene, spot)
    scene.glow(spot.x, spot.y, spot.size * 1.1, color, 0.4)
    for shape in spot.figure.outline.seen:
        tone = shape.tone - spot.figure.outline.main.tone
        part = mix(color, BLACK if tone < 0 else WHITE, min(GLIMMER, abs(tone)))
        scene.canvas.drawPath(spot.place(shape.path), fill(part))


def stands(figures: Sequence[Figure], groups: set[str] | None, most: int) -> bool:
    """Whether a scene can show figures: the main one of these groups (None for any), at most so many on the ground."""
    main = figures[0]
    ground = [figure for figure in figures if not figure.celestial]
    if main.celestial or (groups is not None and main.group not in groups) or any(f.count == 0 for f in figures):
        return False
    return sum(figure.count for figure in ground) <= most and len(figures) <= 3


def earthly(scene: Scene) -> list[Figure]:
    """The figures that stand on the ground."""
    return [figure for figure in scene.figures if not figure.celestial]


def heavenly(scene: Scene) -> list[Figure]:
    """The figures that are in the sky; none where it is the sun or the moon alone, which every scene has itself."""
    figures = [figure for figure in scene.figures if figure.celestial]
    if len(figures) == 1 and _plain(figures[0], DISCS):
        scene.traces.append((figures[0], skia.Path()))
        return []
    return figures


def _plain(figure: Figure, ids: frozenset[str]) -> bool:
    return figure.id in ids and figure.count == 1 and not figure.color


def named(scene: Scene, own: frozenset[str] = frozenset()) -> bool:
    """Whether the scene has figures on the ground to draw.

    Not where there is but one, of those `own` to the family: it draws them better itself, and they count as drawn.
    """
    figures = earthly(scene)
    if len(figures) == 1 and _plain(figures[0], own):
        scene.traces.append((figures[0], skia.Path()))
        return False
    return bool(figures)


def hang(scene: Scene, zone: Zone) -> None:
    """Draw the figures of the sky into a zone, as many as they count."""
    figures = heavenly(scene)
    for i, figure in enumerate(figures):
        wide = zone.w * scene.width / len(figures)
        left = zone.x * scene.width + i * wide
        for spot in rows_of(figure, left, zone.y * scene.height, wide, zone.h * scene.height, main=False):
            shine(scene, spot)


def line_up(scene: Scene, x: float, foot: float, size: tuple[float, float]) -> list[Spot]:
    """Return the figures of the ground standing in a row around `x` on `foot`, in a box `size`; pixels.

    The first is the largest; the others stand beside it at two thirds of its height.
    """
    figures = earthly(scene)
    width, height = size
    heights = [height if i == 0 else height * 0.62 for i in range(len(figures))]
    row = [(f, high) for f, high in zip(figures, heights, strict=True) for _ in range(f.count or CROWD)]
    widths = [f.outline.width / f.outline.height * high * 1.12 for f, high in row]
    k = min(1.0, width / sum(widths))
    at = min(max(x - sum(widths) * k / 2, scene.width * 0.04), scene.width * 0.96 - sum(widths) * k)
    spots = []
    for place, ((figure, high), wide) in enumerate(zip(row, widths, strict=True)):
        longer = high * k / figure.outline.height
        flip = figure.faces and place % 2 == 0 and figure.count > 1
        middle = foot - figure.outline.height * longer / 2
        spots.append(Spot(figure, at + wide * k / 2, middle, longer, flip=flip, main=figure is figures[0]))
        at += wide * k
    return spots
