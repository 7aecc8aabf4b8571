"""A main figure as large as can be, and smaller ones in the room that its shape leaves: a group, not a row.

The room is looked for on a coarse grid of the zone, so that a small preview has the same group as the full page.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter

from plugins.atelier.drawing import fill, placed, skia
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.outlines.outline import Outline
from plugins.atelier.scene import Random

GRID: Final = 36  # cells of the zone's longer side
BESIDE: Final = 2  # cells that others may stand out of the zone at each side, and below the main one's foot
HERO: Final = (1.0, 0.86, 0.72)  # shares of the zone that the main figure fills, those tried
SMALLER: Final = (0.58, 0.5, 0.43, 0.36, 0.3, 0.24)  # of the main figure's size: that of others, those tried
WORTH: Final = 0.62  # of others' size against that of the main figure
FLYING: Final = frozenset({"bird", "insect", "aircraft", "sky", "weather"})
LYING: Final = frozenset({"beehive", "nest", "empty-nest", "lunar-lander"})
"""Of those kinds, what does not fly."""
APART: Final = 2  # cells between what is in the sky and the rest
COVERED: Final = 80  # of 255, from which a cell is taken


class Piece(NamedTuple):
    """Some of one figure, placed about (0, 0) within a square of side 1: center and longer side of each."""

    figure: Figure
    places: tuple[tuple[float, float, float], ...]
    width: float
    height: float


class Put(NamedTuple):
    """Where a piece is: its center, and how large its square is."""

    piece: Piece
    x: float
    y: float
    size: float


class _Try(NamedTuple):
    worth: float
    put: list[Put]


def flies(figure: Figure) -> bool:
    """Whether it may be in the air."""
    return figure.group in FLYING and figure.id not in LYING


def group(main: Piece, others: Sequence[Piece], size: tuple[float, float], rng: Random, standing: bool) -> list[Put]:
    """Put the pieces together around (0, 0), as large as a box of `size` allows; the main one is the first.

    `standing`: all stand on one ground but what flies.
    """
    width, height = size
    cell = max(width, height) / GRID
    columns, rows = max(6, round(width / cell)), max(6, round(height / cell))
    side = bool(rng.random() < 0.5)
    aligned = (0.0, 1.0, 0.5) if side else (1.0, 0.0, 0.5)
    low = 1.0 if standing else float(rng.choice([1.0, 0.8, 0.5]))
    tried = [
        _attempt(main, others, columns, rows, (share, across, low), standing)
        for share, across in product(HERO, aligned)
    ]
    best = max(range(len(tried)), key=lambda i: tried[i].worth - 0.02 * (i % len(aligned)))
    return _centered(tried[best].put, width, height)


def _attempt(
    main: Piece, others: Sequence[Piece], columns: int, rows: int, place: tuple[float, float, float], standing: bool
) -> _Try:
    share, across, low = place
    size = share * min(columns / main.width, rows / main.height)
    wide, high = main.width * size, main.height * size
    left, top = (columns - wide) * across, (rows - high) * low
    taken = np.zeros((rows + 2 * BESIDE, columns + 2 * BESIDE), np.float32)
    put = [Put(main, left + wide / 2, top + high / 2, size)]
    _take(taken, put[0])
    if standing:  # what stands under another looks like a part of it
        np.maximum.accumulate(taken, axis=0, out=taken)
    foot, seen, worth = top + high, (wide * high) ** 0.5, share
    used: list[float] = []
    for piece in others:
        found = _room(taken, piece, seen, put[0], (foot, standing and not flies(piece.figure)), used)
        if found is None:
            return _Try(-1.0, put)
        put.append(found[1])
        worth += WORTH * found[0]
        _take(taken, found[1])
        used.append(found[1].x - put[0].x)
    return _Try(worth, put)


def _room(
    taken: Any, piece: Piece, seen: float, main: Put, ground: tuple[float, bool], used: Sequence[float]
) -> tuple[float, Put] | None:
    """Return the largest room for a piece: its share of the main figure's size, and where; None where there is none."""
    foot, grounded = ground
    for share in SMALLER:
        size = share * seen / (piece.width * piece.height) ** 0.5
        shape = _shape(piece, max(2, round(size)))
        high, wide = shape.shape
        if high > taken.shape[0] or wide > taken.shape[1]:
            continue
        around = maximum_filter(taken, 2 * APART + 1) if piece.figure.celestial else taken
        windows = np.lib.stride_tricks.sliding_window_view(around, (high, wide))
        free = np.einsum("rcij,ij->rc", windows, shape, optimize=True) < 0.5
        at = np.argwhere(free)
        if not len(at):
            continue
        y, x = at[:, 0] + high / 2 - BESIDE, at[:, 1] + wide / 2 - BESIDE
        low = y + high / 2
        cost = np.hypot(x - main.x, (y - main.y) * 0.8)
        if grounded:
            cost = cost + 0.6 * np.abs(low - foot - 0.5)
            keep = (low >= foot - 0.6) & (low <= foot + BESIDE)
            if not keep.any():
                continue
            cost = np.where(keep, cost, np.inf)
        else:
            cost = cost + 0.25 * np.abs(low - foot)
        if piece.figure.celestial:
            cost = np.where(y < main.y - 0.1 * main.size * main.piece.height, cost, cost + GRID)
        if used:
            cost = cost + 6.0 * (np.sign(x - main.x) == np.sign(used[-1]))
        best = int(np.argmin(cost))
        return share, Put(piece, float(x[best]), float(y[best]), size)
    return None


def _take(taken: Any, put: Put) -> None:
    """Mark the cells that a piece covers, and those next to them."""
    shape = _shape(put.piece, max(2, round(put.size)))
    high, wide = shape.shape
    top, left = round(put.y - high / 2) + BESIDE, round(put.x - wide / 2) + BESIDE
    for dy, dx in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        t, s = max(0, top + dy), max(0, left + dx)
        part = taken[t : t + high, s : s + wide]
        part[:] = np.maximum(part, shape[: part.shape[0], : part.shape[1]])


@lru_cache(256)
def _mask(outline: Outline, cells: int) -> Any:
    surface = skia.Surface(cells, cells)
    surface.getCanvas().drawPath(placed(outline.solid, cells, cells, 0, cells / 2, cells / 2), fill())
    return (surface.toarray()[..., 3] > COVERED).astype(np.float32)


def _shape(piece: Piece, cells: int) -> Any:
    """Return the cells that a piece covers, where its square is so many cells wide; without empty rims."""
    whole = np.zeros((cells + 2, cells + 2), np.float32)
    for x, y, size in piece.places:
        one = _mask(piece.figure.outline, max(1, round(size * cells)))
        top, left = (round((v + 0.5) * cells - one.shape[0] / 2) + 1 for v in (y, x))
        part = whole[max(0, top) : top + one.shape[0], max(0, left) : left + one.shape[1]]
        part[:] = np.maximum(part, one[: part.shape[0], : part.shape[1]])
    lines, across = np.flatnonzero(whole.any(1)), np.flatnonzero(whole.any(0))
    if not len(lines):
        return np.ones((1, 1), np.float32)
    return whole[lines[0] : lines[-1] + 1, across[0] : across[-1] + 1]


def _centered(put: list[Put], width: float, height: float) -> list[Put]:
    """Move and scale all, so that together they fill the box."""
    left = min(p.x - p.piece.width * p.size / 2 for p in put)
    right = max(p.x + p.piece.width * p.size / 2 for p in put)
    top = min(p.y - p.piece.height * p.size / 2 for p in put)
    bottom = max(p.y + p.piece.height * p.size / 2 for p in put)
    k = min(width / (right - left), height / (bottom - top))
    x, y = (left + right) / 2, (top + bottom) / 2
    return [Put(p.piece, (p.x - x) * k, (p.y - y) * k, p.size * k) for p in put]
