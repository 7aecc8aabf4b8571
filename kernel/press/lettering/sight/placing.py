"""Where a picture is calm: measured on its pixels, without chance and without a model."""

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from kernel.press.box import Box
from kernel.press.lettering.sight.viewing import View

Floats = npt.NDArray[np.float32]

CELL: Final = 4  # pixels of the view per cell of the map
DETAIL_FULL: Final = 0.055  # mean step of brightness between neighboring pixels that is as busy as it gets
SPREAD_FULL: Final = 0.16  # standard deviation of brightness
SUBJECT_FULL: Final = 0.22  # difference of color to the surroundings
WEIGHTS: Final = (0.45, 0.25, 0.5, 1.5)  # of detail, spread, subject and faces
FACE_FILL: Final = 0.44  # a face fills at least so much of its bounding box; glasses and shadows are not skin
HAIR: Final = 0.45  # of a face's width: so far above its skin there may be hair or a hat
HAIR_WEIGHT: Final = 0.8  # of a face's
HAIR_AREA: Final = 0.12  # of the picture: above a larger face there is no hair, what is there is another thing
FACE_SHAPE: Final = (0.75, 2.4)  # height to width
FACE_AREA: Final = (0.006, 0.22)  # of the picture
QUIET: Final = 0.12  # a slow change of tone disturbs no type
WORST_SHARE: Final = 0.4  # how much the busiest parts of an area count beside its mean


@lru_cache(maxsize=2)
def unrest_of(view: View) -> "Unrest":
    """Return the unrest of a view; that of the last ones is kept."""
    return Unrest(view)


class Unrest:
    """How badly any rectangle of a view suits type: 0 for an even ground, about 1 for the worst."""

    def __init__(self, view: View) -> None:
        cells = _cells(view.pixels)
        subject = _subject(cells)
        self._cost = _cost(view.pixels, cells, subject)
        self._faces = _faces(cells)
        total = self._cost + WEIGHTS[3] * self._faces
        self._sum = np.pad(total.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        self._square = np.pad((total * total).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        self._subject_sum = np.pad(subject.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def under(self, box: Box) -> float:
        """Return the unrest under a rectangle of the view, in its pixels."""
        left, top, right, bottom = self._cells_under(box)
        count = (right - left) * (bottom - top)
        mean = _over(self._sum, left, top, right, bottom) / count
        spread = max(0.0, _over(self._square, left, top, right, bottom) / count - mean * mean)
        return max(0.0, mean + WORST_SHARE * float(spread**0.5) - QUIET)

    def covers(self, box: Box) -> float:
        """Return how much of what stands out of the picture is under a rectangle, 0..1: also on a busy ground."""
        left, top, right, bottom = self._cells_under(box)
        return _over(self._subject_sum, left, top, right, bottom) / ((right - left) * (bottom - top))

    def peak(self, box: Box, size: float) -> float:
        """Return the unrest under the worst square of `size` pixels within a rectangle: under the worst letter."""
        left, top, right, bottom = self._cells_under(box)
        across, down = (max(1, min(round(size / CELL), length)) for length in (right - left, bottom - top))
        table = self._sum[top : bottom + 1, left : right + 1]
        sums = table[down:, across:] - table[:-down, across:] - table[down:, :-across] + table[:-down, :-across]
        return max(0.0, float(sums.max()) / (across * down) - QUIET)

    def _cells_under(self, box: Box) -> tuple[int, int, int, int]:
        rows, columns = self._cost.shape
        left, right = sorted((_cell(box.left, columns), _cell(box.right, columns)))
        top, bottom = sorted((_cell(box.top, rows), _cell(box.bottom, rows)))
        return left, top, max(right, left + 1), max(bottom, top + 1)


def _cell(value: float, count: int) -> int:
    return int(min(max(0.0, value / CELL), count - 1))


def _over(table: Floats, left: int, top: int, right: int, bottom: int) -> float:
    return float(table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left])


def _cells(pixels: Floats) -> Floats:
    """Return the mean of each cell, (rows, columns, ...)."""
    rows, columns = max(1, pixels.shape[0] // CELL), max(1, pixels.shape[1] // CELL)
    cut = pixels[: rows * CELL, : columns * CELL]
    if min(pixels.shape[:2]) < CELL:
        return pixels[:1, :1]
    shape = (rows, CELL, columns, CELL, *pixels.shape[2:])
    means: Floats = cut.reshape(shape).mean(axis=(1, 3), dtype=np.float32)
    return means


def _cost(pixels: Floats, cells: Floats, subject: Floats) -> Floats:
    grey = pixels @ np.array([0.299, 0.587, 0.114], np.float32)
    steps = np.hypot(ndimage.sobel(grey, 0), ndimage.sobel(grey, 1)) / 8
    detail = np.clip(ndimage.uniform_filter(_cells(steps), 5) / DETAIL_FULL, 0, 1)
    tones = cells @ np.array([0.299, 0.587, 0.114], np.float32)
    mean, square = ndimage.uniform_filter(tones, 13), ndimage.uniform_filter(tones * tones, 13)
    spread = np.clip(np.sqrt(np.maximum(square - mean * mean, 0)) / SPREAD_FULL, 0, 1)
    one, two, three, _ = WEIGHTS
    cost: Floats = (one * detail + two * spread + three * subject).astype(np.float32)
    return cost


def _subject(cells: Floats) -> Floats:
    """Return how much a place stands out from its surroundings, on two scales, most in the middle of the picture."""
    rows, columns = cells.shape[:2]
    found = np.zeros((rows, columns), np.float32)
    for near, far in ((2.0, 14.0), (5.0, 30.0)):
        inner, outer = ndimage.gaussian_filter(cells, (near, near, 0), mode="nearest"), _softened(cells, far)
        found = np.maximum(found, np.sqrt(((inner - outer) ** 2).sum(axis=2)))
    down = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
    across = np.linspace(-1, 1, columns, dtype=np.float32)[None, :]
    middle = 1 - 0.35 * np.clip(np.hypot(down * 0.9, across), 0, 1)
    subject: Floats = np.clip(found * middle / SUBJECT_FULL, 0, 1)
    return subject


def _softened(cells: Floats, deviation: float) -> Floats:
    """Return nearly what a Gaussian of this deviation gives, by three boxes: they take as long for any deviation."""
    side = 2 * round(deviation - 0.5) + 1  # three boxes of this side have about its variance; odd, so nothing moves
    for _ in range(3):
        cells = ndimage.uniform_filter(cells, (side, side, 1), mode="nearest")
    return cells


def _faces(cells: Floats) -> Floats:
    """Return 1 where a compact region has the color of skin (in YCbCr) and the shape a head may have, less above it."""
    red, green, blue = cells[..., 0] * 255, cells[..., 1] * 255, cells[..., 2] * 255
    cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue
    cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue
    skin = (cb > 77) & (cb < 127) & (cr > 135) & (cr < 175) & (red > 60) & (red > blue)
    skin = ndimage.binary_opening(skin, iterations=2)
    labels, _ = ndimage.label(skin)
    faces = np.zeros(skin.shape, np.float32)
    for index, part in enumerate(ndimage.find_objects(labels), 1):
        high, wide = part[0].stop - part[0].start, part[1].stop - part[1].start
        area = float((labels[part] == index).sum())
        edges = (part[0].start == 0) + (part[1].start == 0)
        edges += (part[0].stop == skin.shape[0]) + (part[1].stop == skin.shape[1])
        fits = FACE_AREA[0] <= area / skin.size <= FACE_AREA[1] and FACE_SHAPE[0] <= high / wide <= FACE_SHAPE[1]
        if fits and area / (high * wide) >= FACE_FILL and edges <= 1:
            if area <= HAIR_AREA * skin.size:
                hair = faces[max(0, part[0].start - round(HAIR * wide)) : part[0].start, part[1]]
                np.maximum(hair, HAIR_WEIGHT, out=hair)
            faces[part] = 1.0
    return faces
