"""Crests and their light: the outlines of mountains, dunes and coasts, and the painterly faces below them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from plugins.atelier.drawing import Path, area, polygon
from plugins.atelier.noise import Floats, Random, blur, fbm, fbm_line, smoothstep
from plugins.atelier.scene import Scene

Line = npt.NDArray[Any]
Bias = Callable[[Line], Line]

CREST_SAMPLES = 640
FACET_STEP = 3  # full-size pixels per cell of the facet field


def crest(
    rng: Random,
    width: float,
    base: float,
    height: float,
    cells: float,
    octaves: int = 6,
    gain: float = 0.5,
    sharp: bool = False,
    bias: Bias | None = None,
) -> tuple[Line, Line]:
    """A skyline: xs over the width and ys up to `height` pixels above `base`; `bias` scales it along x 0..1."""
    line = fbm_line(rng, CREST_SAMPLES, cells, octaves, gain)
    if sharp:
        peaks = fbm_line(rng, CREST_SAMPLES, cells, octaves, gain)
        line = np.float32(0.65) * (1 - np.abs(2 * peaks - 1)) + np.float32(0.35) * line
    heights: Line = (line - line.min()) / (line.max() - line.min() + 1e-6)
    if bias is not None:
        heights = heights * bias(np.linspace(0, 1, CREST_SAMPLES))
    margin = width * 0.003
    return np.linspace(-margin, width + margin, CREST_SAMPLES), base - heights * height


def below(xs: Line, ys: Line, foot: float) -> Path:
    """The land under a skyline, down to `foot`."""
    points = zip(xs.tolist(), ys.tolist(), strict=True)
    return polygon([(xs[0] - 5, foot + 5), *points, (xs[-1] + 5, foot + 5)])


def shade_faces(
    scene: Scene,
    rng: Random,
    xs: Line,
    ys: Line,
    land: Path,
    lit: str,
    dark: str,
    depth: float = 0.16,
    lit_alpha: float = 0.55,
    dark_alpha: float = 0.45,
    light_from_left: bool = True,
) -> None:
    """Paint light and dark rock faces below a crest, `depth` of the page deep.

    The side that a face turns to is the sign of the crest's slope, read at a place that varies more with the depth;
    with streaks down the slope this makes a flat polygon look like a painted mountain.
    """
    _, columns = scene.grid(FACET_STEP)
    cell = scene.width / columns
    deep = depth * scene.height
    x = np.arange(columns, dtype=np.float32)
    line = np.interp(x * cell, xs, ys)
    slope = np.gradient(blur(line / cell, 5))
    top = float(ys.min())
    # The field spans the whole page height of relief a crest can have, so its size never depends on rounding.
    rows = round(scene.grid(FACET_STEP)[0] * (depth + 0.2))
    wobble = fbm(rng, rows, columns, 6, 3, 0.42)
    streaks = fbm(rng, rows, columns, 26, 3, 0.55, (0.6, 2.2))
    d = ((np.arange(rows)[:, None] * cell + top - line[None]) / deep).astype(np.float32)
    at = x[None] + (wobble - 0.5) * np.clip(d, 0, 1.1) * np.float32(columns * 0.13)
    towards = slope * ((1 if light_from_left else -1) / (np.abs(slope).std() * 1.1 + 1e-6))
    face: Floats = towards.astype(np.float32)[np.clip(at, 0, columns - 1).astype(np.intp)] + (streaks - 0.5)
    fade = np.clip(1 - d, 0, 1) * (d > -0.02)
    rect = area(0, top, scene.width, rows * cell)
    scene.mask(smoothstep(0.05, 0.55, -face) * fade, lit, lit_alpha, rect=rect, clip=land)
    scene.mask(smoothstep(0.05, 0.70, face) * fade, dark, dark_alpha, rect=rect, clip=land)
