"""What all treatments share: the layouts of a page, the record of what is drawn, plates of ink, weather."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from plugins.atelier.color import argb, mix
from plugins.atelier.drawing import (
    LINEAR,
    MULTIPLY,
    OVER,
    WHITE,
    Path,
    area,
    fill,
    linear,
    placed,
    skia,
    stroke,
    tint,
)
from plugins.atelier.motifs.plants import leaf
from plugins.atelier.noise import blur
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.staging import Spot

SPECK_TILE: Final = 512  # cells; one is 1.5 pixels of the full-size page
SPECK_CELL: Final = 1.5
FEW: Final = 6
DROPS: Final = 240
LEAVES: Final = 54
FLAKES: Final = 150


class Layout(NamedTuple):
    """The zones of title, author and picture."""

    title: Zone
    author: Zone
    picture: Zone


TOP: Final = Layout(Zone(0.09, 0.06, 0.82, 0.22), Zone(0.12, 0.915, 0.76, 0.034), Zone(0.11, 0.325, 0.78, 0.535))
BOTTOM: Final = Layout(Zone(0.09, 0.675, 0.82, 0.205), Zone(0.12, 0.915, 0.76, 0.034), Zone(0.11, 0.075, 0.78, 0.555))
LEFT: Final = Layout(
    Zone(0.09, 0.06, 0.80, 0.23, "top", "left"),
    Zone(0.09, 0.915, 0.8, 0.032, "middle", "left"),
    Zone(0.11, 0.33, 0.78, 0.53),
)
NAME_FIRST: Final = Layout(Zone(0.09, 0.70, 0.82, 0.21), Zone(0.12, 0.055, 0.76, 0.034), Zone(0.11, 0.135, 0.78, 0.52))


def anything(figures: Sequence[Figure]) -> bool:
    """Any figures."""
    return len(figures) > 0


def few(figures: Sequence[Figure]) -> bool:
    """Figures large enough for coarse parts: at most six of each, not many."""
    return all(1 <= figure.count <= FEW for figure in figures) and sum(figure.count for figure in figures) <= FEW + 2


def alone(figures: Sequence[Figure]) -> bool:
    """One figure and nothing else."""
    return len(figures) == 1 and figures[0].count == 1


def alike(figures: Sequence[Figure]) -> bool:
    """Figures that nothing in the sky goes with."""
    return len(figures) <= 3 and not any(figure.celestial for figure in figures[1:])


def choose(scene: Scene, names: Sequence[str]) -> str:
    """Return one of a treatment's compositions: the theme's where there is one."""
    return str(scene.sfork("composition").choice(list(names)))


def turned(scene: Scene, name: str, colors: Sequence[str], drift: float = 0.16) -> list[str]:
    """Return the colors from another first one on, each drawn a little towards the next: other attempts look other."""
    rng = scene.sfork(name)
    first, amount = int(rng.integers(len(colors))), round(float(rng.uniform(0, drift)), 3)
    order = [*colors[first:], *colors[:first]]
    return [mix(color, other, amount) for color, other in zip(order, [*order[1:], order[0]], strict=True)]


def lay_out(scene: Scene, layouts: Sequence[Layout], ink: str, ink2: str = "") -> Layout:
    """Choose a layout and tell the typesetting."""
    layout = layouts[int(scene.sfork("layout").integers(len(layouts)))]
    scene.set_type(layout.title, layout.author, ink, ink2)
    if layout.title.align == "left":
        scene.hints.left = True
    return layout


def trace(scene: Scene, spot: Spot) -> Path:
    """Return the whole silhouette of a spot on the page, and record that it is drawn there."""
    path = spot.place(spot.figure.outline.solid)
    scene.traces.append((spot.figure, path))
    return path


@lru_cache(1)
def _specks() -> Any:
    rng = np.random.default_rng(77)
    fine = blur(rng.random((SPECK_TILE, SPECK_TILE)).astype(np.float32), 0.7, wrap=True)
    patches = blur(rng.random((SPECK_TILE, SPECK_TILE)).astype(np.float32), 26, wrap=True)
    fine, patches = (f / float(f.std()) - float(f.mean() / f.std()) for f in (fine, patches))
    return tint(np.clip((fine + 0.22 * patches - 2.0) * 1.5, 0, 1), WHITE)


def speck_shader(scene: Scene, name: str) -> Any:
    """Return a shader of the places that ink has not covered."""
    k = scene.unit * SPECK_CELL
    dx, dy = scene.fork(name).random(2) * SPECK_TILE * k
    matrix = skia.Matrix()
    matrix.setScale(k, k)
    matrix.postTranslate(float(dx), float(dy))
    return _specks().makeShader(skia.TileMode.kRepeat, skia.TileMode.kRepeat, LINEAR, matrix)


def plate(
    scene: Scene, name: str, draw: Callable[[Any], None], within: Any, blend: Any = MULTIPLY, worn: float = 1.0
) -> None:
    """Print what `draw` draws on a canvas inside a rectangle as one plate of ink, with the specks of a press.

    `worn` is the opacity of the specks.
    """
    scene.canvas.saveLayer(within, skia.Paint(BlendMode=blend))
    draw(scene.canvas)
    if worn:
        scene.canvas.drawRect(within, fill(WHITE, worn, speck_shader(scene, name), skia.BlendMode.kDstOut))
    scene.canvas.restore()


def around(scene: Scene, paths: Sequence[Path]) -> Any:
    """Return the rectangle about paths with some room, as far as it is on the page."""
    bounds = skia.Rect.MakeEmpty()
    for path in paths:
        bounds.join(path.getBounds())
    bounds.outset(20 * scene.unit, 20 * scene.unit)
    return bounds if bounds.intersect(scene.page()) else scene.page()


def clear() -> Any:
    """Return a paint that takes away what the plate has."""
    return fill(blend=skia.BlendMode.kClear)


def edge(paint: Any, width: float) -> Any:
    """Return a paint that fills and goes `width` pixels beyond, with round corners."""
    paint.setStyle(skia.Paint.kStrokeAndFill_Style)
    paint.setStrokeWidth(2 * width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def weather(scene: Scene, ink: str, alpha: float = 0.55, blend: Any = OVER) -> None:
    """Draw what falls or drifts in the story: rain, snow, autumn leaves, petals, fog; clear of the type.

    Call it between the ground and the figures.
    """
    if scene.has("fog"):
        _fog(scene, ink, alpha * 0.5)
    if scene.has("snow", "blizzard"):
        _flakes(scene, ink, alpha, blend)
    elif scene.has("rain", "storm"):
        _drops(scene, ink, alpha)
    elif scene.has("autumn", "spring"):
        _leaves(scene, scene.palette.accent if scene.has("autumn") else mix(scene.palette.accent, WHITE, 0.55), alpha)


def _flakes(scene: Scene, ink: str, alpha: float, blend: Any) -> None:
    for x, y, q in scene.fork("weather").random((FLAKES, 3)).tolist():
        px, py = x * scene.width, y * scene.height
        if scene.type_free(px, py):
            scene.canvas.drawCircle(px, py, (4 + 11 * q) * scene.unit, fill(ink, alpha, blend=blend))


def _drops(scene: Scene, ink: str, alpha: float) -> None:
    u, slant = scene.unit, 0.42 if scene.has("storm") else 0.18
    for x, y, q in scene.fork("weather").random((DROPS, 3)).tolist():
        px, py, run = x * scene.width * 1.1, y * scene.height, (50 + 80 * q) * u
        if scene.type_free(px, py) and scene.type_free(px - run * slant, py + run):
            paint = stroke(ink, (3 + 2 * q) * u, alpha, round_ends=True)
            scene.canvas.drawLine(px, py, px - run * slant, py + run, paint)


def _leaves(scene: Scene, color: str, alpha: float) -> None:
    for x, y, q, turn in scene.fork("weather").random((LEAVES, 4)).tolist():
        px, py, size = x * scene.width, y * scene.height, (70 + 60 * q) * scene.unit
        if scene.type_free(px, py, 0.03):
            shape = placed(leaf(1), size, size, turn * 360, px, py)
            scene.canvas.drawPath(shape, fill(color, min(1.0, alpha + 0.25 * q)))


def _fog(scene: Scene, ink: str, alpha: float) -> None:
    rng = scene.fork("fog")
    for middle in (0.42, 0.58, 0.74):
        at, deep = (middle + float(rng.uniform(-0.04, 0.04))) * scene.height, 0.09 * scene.height
        fade = [argb(ink, 0), argb(ink, alpha), argb(ink, 0)]
        shader = linear((0, at - deep), (0, at + deep), fade)
        scene.canvas.drawRect(area(0, at - deep, scene.width, 2 * deep), fill(shader=shader))
