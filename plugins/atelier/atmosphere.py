"""Layers over a scene: stars, clouds, mist, rain, paper texture, shadows, vignettes, specks."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from plugins.atelier.color import argb, mix, rgb
from plugins.atelier.drawing import (
    BLACK,
    MULTIPLY,
    OVER,
    OVERLAY,
    WHITE,
    Path,
    area,
    disc,
    fill,
    lay,
    radial,
    repeat,
    skia,
    stroke,
    tile,
)
from plugins.atelier.noise import Random, enlarge, fbm, smoothstep
from plugins.atelier.scene import FULL_WIDTH, Scene

PAPER_TILE = 700  # cells
PAPER_CELL = 1.3  # pixels of the full-size page
REACH = 3.5  # of a blur, in its standard deviations


def stars(scene: Scene, count: int = 900, depth: float = 1.0, color: str = "", strongest: float = 0.95) -> None:
    """A star field over the upper `depth` of the page, fading downward; under type only faint dust stays."""
    rng = scene.fork("stars")
    color = color or scene.palette.paper
    size, xs, ys = rng.random(count) ** 5, rng.random(count), rng.random(count) ** 1.15 * depth
    light = strongest * (0.25 + 0.75 * rng.random(count)) * (1 - 0.75 * ys / depth)
    for s, x, y, a in zip(size.tolist(), xs.tolist(), ys.tolist(), light.tolist(), strict=True):
        px, py = x * scene.width, y * scene.height
        if not scene.type_free(px, py, 0):
            s, a = s * 0.25, a * 0.42
        scene.canvas.drawCircle(px, py, (0.7 + 2.3 * s) * scene.unit, fill(color, a))


def clouds(
    scene: Scene,
    color: str,
    alpha: float = 0.5,
    top: float = 0.0,
    bottom: float = 1.0,
    cell: float = 2.2,
    stretch: tuple[float, float] = (3.5, 1.0),
    low: float = 0.42,
    high: float = 0.95,
    blend: Any = OVER,
    name: str = "cloud",
) -> None:
    """A band of cloud between two heights, fading at both edges; `low` and `high` set how broken it is."""
    rows, columns = scene.grid(4)
    rows = max(8, round(rows * (bottom - top)))
    field = smoothstep(low, high, fbm(scene.fork(name), rows, columns, cell, 6, 0.52, stretch))
    y = np.linspace(0, 1, rows, dtype=np.float32)[:, None]
    field = field * smoothstep(0, 0.25, y) * smoothstep(0, 0.25, 1 - y)
    rect = area(0, top * scene.height, scene.width, (bottom - top) * scene.height)
    scene.mask(field, color, alpha, blend, rect)


def mist(scene: Scene, middle: float, thickness: float, color: str, alpha: float = 0.6, name: str = "mist") -> None:
    """A bank of mist around a height; both measures are fractions of the page height."""
    rows, columns = scene.grid(6)
    rows = max(8, round(rows * thickness))
    field = fbm(scene.fork(name), rows, columns, 1.6, 4, 0.5, (4.0, 1.0))
    y = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
    field = np.clip(field * 1.2, 0, 1) * np.exp(-((y * 1.9) ** 2)) * (1 - np.abs(y) ** 6)
    rect = area(0, (middle - thickness / 2) * scene.height, scene.width, thickness * scene.height)
    scene.mask(field, color, alpha, rect=rect)


def rain(
    scene: Scene,
    count: int,
    color: str,
    alpha: tuple[float, float] = (0.05, 0.20),
    length: tuple[float, float] = (0.012, 0.035),
    slant: float = 0.22,
    name: str = "rain",
) -> None:
    """Falling strokes all over the page, faint under the type."""
    rng = scene.fork(name)
    draws = rng.random((count, 5))
    for x, y, a, k, w in draws.tolist():
        px, py = x * scene.width * 1.2, y * scene.height
        run = scene.height * (length[0] + (length[1] - length[0]) * k)
        light = alpha[0] + (alpha[1] - alpha[0]) * a
        light *= 1 if scene.type_free(px, py, 0) else 0.45
        scene.canvas.drawLine(px, py, px - run * slant, py + run, stroke(color, (0.8 + 1.2 * w) * scene.unit, light))


def shadow(
    scene: Scene,
    shape: Path | list[Path],
    dx: float = 0.0,
    dy: float = 10.0,
    soft: float = 20.0,
    color: str = BLACK,
    alpha: float = 0.5,
    step: int = 6,
) -> None:
    """One soft drop shadow (pixels) of a path, or of several together.

    Blurred on a surface with one pixel per `step` of the full-size page and enlarged: ten times cheaper than at size.
    """
    wide = FULL_WIDTH // step
    small = skia.Surface(wide, max(8, round(wide * scene.height / scene.width)))
    canvas = small.getCanvas()
    canvas.scale(small.width() / scene.width, small.height() / scene.height)
    paths = shape if isinstance(shape, list) else [shape]
    bounds = skia.Rect.MakeEmpty()
    for path in paths:
        bounds.join(path.getBounds())
    reach = REACH * soft + 3 * scene.width / wide  # beyond it the surface is empty: nothing to lay over the page there
    around = bounds.makeOffset(float(dx), float(dy)).makeOutset(reach, reach)
    layer = fill(alpha=alpha)
    layer.setImageFilter(skia.ImageFilters.Blur(soft, soft))
    canvas.saveLayer(around.makeOutset(reach, reach), layer)  # once more, for paths that are filled outside
    canvas.translate(dx, dy)
    ink = fill(color)
    for path in paths:
        canvas.drawPath(path, ink)
    canvas.restore()
    scene.canvas.save()
    scene.canvas.clipRect(skia.Rect.Make(around.roundOut()))
    lay(scene.canvas, small.makeImageSnapshot(), scene.page())
    scene.canvas.restore()


def vignette(scene: Scene, amount: float = 0.45, color: str = "", inner: float = 0.85) -> None:
    """Darken towards the corners; `inner` is the clear radius relative to half the diagonal's 55 %."""
    x, y = scene.width / 2, scene.height / 2
    corner, clear = math.hypot(x, y), inner * 0.55
    edge = argb(mix(WHITE, color or scene.palette.dark, amount))
    paint = fill(shader=radial((x, y), corner, [argb(WHITE), argb(WHITE), edge], [0, clear, 1]), blend=MULTIPLY)
    paint.setAntiAlias(False)  # where it begins it changes nothing
    ring = disc(x, y, clear * corner)
    ring.addRect(scene.page())
    ring.setFillType(skia.PathFillType.kEvenOdd)
    scene.canvas.drawPath(ring, paint)


@lru_cache(2)
def _paper_tile(side: int) -> Any:
    """Return the relief with its mirror images, each of so many pixels."""
    rng = np.random.default_rng(1455)
    fibre = fbm(rng, PAPER_TILE, PAPER_TILE, 110, 2, 0.6)
    relief = fibre - np.roll(np.roll(fibre, 1, 0), 1, 1)
    relief = 0.5 + 0.5 * np.tanh(relief / (relief.std() * 2.2))
    return tile((enlarge(np.clip(relief, 0, 1), side, side, cubic=False) * 255).astype(np.uint8))


def paper(scene: Scene, amount: float = 0.5) -> None:
    """Paper texture: fine fiber relief lit from one side, and very faint mottling."""
    side = PAPER_TILE * PAPER_CELL * scene.unit
    dx, dy = (scene.fork("paper").random(2) * side).tolist()
    repeat(scene.canvas, _paper_tile(max(1, round(side))), dx, dy, scene.page(), min(1.0, 0.16 * amount), OVERLAY)
    mottle = fbm(scene.fork("mottle"), 60, 40, 4, 3, 0.5)
    # black laid over is what a dark grey multiplies by, in a third of the time
    scene.mask(1 - mottle, BLACK, 0.035 * amount * (1 - sum(rgb(scene.palette.dark)) / 3))


def speckle(scene: Scene, count: int = 1400, color: str = "", alpha: float = 0.5) -> None:
    """Ink specks of a cheap print, kept off the type."""
    color = color or scene.palette.dark
    for x, y, q in scene.fork("speckle").random((count, 3)).tolist():
        px, py = x * scene.width, y * scene.height
        if scene.type_free(px, py, 0.004):
            scene.canvas.drawCircle(px, py, (0.5 + 2.2 * q**6) * scene.unit, fill(color, alpha * (0.3 + 0.7 * q)))


def dust(
    scene: Scene,
    count: int,
    color: str,
    spread: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0),
    size: tuple[float, float] = (0.8, 3.2),
    alpha: tuple[float, float] = (0.15, 0.65),
    name: str = "dust",
    rng: Random | None = None,
) -> None:
    """Dust particles in a part of the page (left, top, width, height as fractions), none of them on type."""
    left, top, width, height = spread
    for x, y, q in (rng or scene.fork(name)).random((count, 3)).tolist():
        px, py = (left + width * x) * scene.width, (top + height * y) * scene.height
        if scene.type_free(px, py):
            light = alpha[0] + (alpha[1] - alpha[0]) * q**3
            scene.canvas.drawCircle(px, py, (size[0] + size[1] * q**5) * scene.unit, fill(color, light))
