"""Noise fields: bicubically enlarged random lattices, summed over octaves (fBm), and warps of them.

Draws depend on the lattice and never on the picture size, so callers use grids of a fixed size (`Scene.grid`).
"""

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy.ndimage import gaussian_filter, map_coordinates

Floats = npt.NDArray[np.float32]
Random = np.random.Generator


def enlarge(field: npt.ArrayLike, height: int, width: int, cubic: bool = True) -> Floats:
    """Resample a field to (height, width), by Pillow's float resize."""
    how = Image.Resampling.BICUBIC if cubic else Image.Resampling.BILINEAR
    picture = Image.fromarray(np.ascontiguousarray(field, np.float32))
    return np.asarray(picture.resize((int(width), int(height)), how))


def enlarge_rows(field: Floats, height: int, width: int, first: int, last: int) -> Floats:
    """Rows first..last of what `enlarge` would return at (height, width): for processing a large page in bands."""
    k = field.shape[0] / height
    box = (0.0, first * k, float(field.shape[1]), last * k)
    picture = Image.fromarray(np.ascontiguousarray(field, np.float32))
    return np.asarray(picture.resize((int(width), last - first), Image.Resampling.BICUBIC, box))


def blur(field: npt.ArrayLike, sigma: float, wrap: bool = False) -> Floats:
    """Gaussian blur in cells; `wrap` makes the result tile."""
    out: Floats = gaussian_filter(np.asarray(field, np.float32), sigma, mode="wrap" if wrap else "reflect")
    return out


def _cells(height: int, width: int, count: float, stretch: tuple[float, float]) -> tuple[int, int]:
    # Two decimals of the aspect ratio: grids rounded to whole pixels must still draw the same lattice.
    side = min(height, width)
    rows = int(round(height / side, 2) * count / stretch[1] + 3.001)
    columns = int(round(width / side, 2) * count / stretch[0] + 3.001)
    return max(2, rows), max(2, columns)


def fbm(
    rng: Random,
    height: int,
    width: int,
    cell: float = 8,
    octaves: int = 5,
    gain: float = 0.5,
    stretch: tuple[float, float] = (1.0, 1.0),
) -> Floats:
    """Fractal noise 0..1. `cell` = cells along the short side in the first octave; `stretch` = (x, y) cell size."""
    out = np.zeros((height, width), np.float32)
    amplitude = 1.0
    for octave in range(octaves):
        lattice = rng.random(_cells(height, width, cell * 2**octave, stretch), dtype=np.float32)
        out += enlarge(lattice, height, width) * np.float32(amplitude)
        amplitude *= gain
    low, high = np.percentile(out[::7, ::7], (1, 99))
    level: Floats = np.clip((out - low) / (high - low + 1e-6), 0, 1).astype(np.float32, copy=False)
    return level


def ridged(rng: Random, height: int, width: int, cell: float = 6, octaves: int = 5, gain: float = 0.5) -> Floats:
    """Fractal noise 0..1 with thin bright ridges instead of hills: filaments, cracks, veins."""
    out = np.zeros((height, width), np.float32)
    amplitude, total = 1.0, 0.0
    for octave in range(octaves):
        lattice = rng.random(_cells(height, width, cell * 2**octave, (1.0, 1.0)), dtype=np.float32)
        v = enlarge(lattice, height, width)
        out += (1 - np.abs(2 * v - 1)) ** 2 * np.float32(amplitude)
        total += amplitude
        amplitude *= gain
    level: Floats = np.clip(out / total, 0, 1).astype(np.float32, copy=False)
    return level


def warp(field: Floats, dx: Floats, dy: Floats, amount: float) -> Floats:
    """Push every cell by up to half of `amount` cells along two other fields: marble, smoke, nebulae."""
    height, width = field.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    at = [y + (dy - 0.5) * np.float32(amount), x + (dx - 0.5) * np.float32(amount)]
    out: Floats = map_coordinates(field, at, order=1, mode="mirror", output=np.float32)
    return out


def fbm_line(rng: Random, count: int, cells: float, octaves: int = 6, gain: float = 0.5) -> Floats:
    """One line of fractal noise 0..1 with `count` samples: crests, coasts, wobbles."""
    x = np.linspace(0, 1, count, dtype=np.float32)
    out = np.zeros(count, np.float32)
    amplitude, total = 1.0, 0.0
    for octave in range(octaves):
        n = cells * 2**octave
        lattice = rng.random(int(n) + 3).astype(np.float32)
        p = x * np.float32(n)
        i = p.astype(int)
        f = p - i
        f = f * f * (3 - 2 * f)
        out += (lattice[i] * (1 - f) + lattice[i + 1] * f) * np.float32(amplitude)
        total += amplitude
        amplitude *= gain
    return (out / np.float32(total)).astype(np.float32, copy=False)


def smoothstep(low: float, high: float, values: npt.ArrayLike) -> Floats:
    """0 below `low`, 1 above `high`, an S-curve between."""
    t = np.clip((np.asarray(values, np.float32) - np.float32(low)) / np.float32(high - low), 0, 1)
    out: Floats = (t * t * (3 - 2 * t)).astype(np.float32, copy=False)
    return out
