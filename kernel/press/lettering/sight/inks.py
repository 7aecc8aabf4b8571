"""The inks that suit a picture: tints of its own colors and of the theme's, light enough or dark enough to be read."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from kernel.press.legibility import luminance

Floats = npt.NDArray[np.float32]

# Bjorn Ottosson, "A perceptual color space for image processing" (2020)
_TO_LMS: Final = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB: Final = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_FROM_LMS: Final = np.linalg.inv(_TO_LMS)
_FROM_LAB: Final = np.linalg.inv(_TO_LAB)

COLORFUL: Final = 0.055  # OKLCH chroma; below it an ink looks grey
HUES: Final = 24
LIGHT_ACCENTS: Final = (0.84, 0.9, 0.94)  # OKLCH lightness, most colorful first
DARK_ACCENTS: Final = (0.42, 0.34, 0.26)


class Inks(msgspec.Struct, frozen=True, kw_only=True):
    """Inks in order of preference: plain ones and colorful ones, light and dark; and the grounds that go below them."""

    light: str
    dark: str
    light_accents: tuple[str, ...]
    dark_accents: tuple[str, ...]
    dark_ground: str
    light_ground: str


def _linear(values: npt.ArrayLike) -> npt.NDArray[np.floating]:
    v = np.asarray(values)
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)


def _lab(rgb: npt.ArrayLike) -> npt.NDArray[np.floating]:
    lab: npt.NDArray[np.floating] = np.cbrt(_linear(rgb) @ _TO_LMS.T) @ _TO_LAB.T
    return lab


@lru_cache(maxsize=1024)
def oklch(color: str) -> tuple[float, float, float]:
    """Return lightness 0..1, chroma and hue in radians of `#RRGGBB`."""
    lightness, a, b = (float(v) for v in _lab([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]))
    return lightness, math.hypot(a, b), math.atan2(b, a)


@lru_cache(maxsize=4096)
def from_oklch(lightness: float, chroma: float, hue: float) -> str:
    """Return the color as `#RRGGBB`; outside of sRGB it loses chroma until it fits."""
    for step in range(20):
        held = chroma * (1 - step / 20)
        lms = (_FROM_LAB @ np.array([lightness, held * math.cos(hue), held * math.sin(hue)])) ** 3
        light = _FROM_LMS @ lms
        if (light > -1e-4).all() and (light < 1 + 1e-4).all():
            break
    v = np.clip(light, 0, 1)
    srgb = np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(channel) * 255):02x}" for channel in srgb)


def inks_of(pixels: Floats, colors: Sequence[str] = ()) -> Inks:
    """Return the inks for sRGB pixels 0..1 (h, w, 3) and the colors of a theme, which come before the picture's own."""
    lab = _lab(pixels[::6, ::6].reshape(-1, 3).astype(np.float64))
    lightness, chroma = lab[:, 0], np.hypot(lab[:, 1], lab[:, 2])
    hue, most = _main_hue(lab, chroma, lightness)
    whole = _mean_hue(lab)
    sources = [oklch(color) for color in colors]
    themed = [(c, h) for _, c, h in sources if c >= COLORFUL]
    accents = sorted(themed, key=lambda item: -item[0]) or ([(most, hue)] if most >= COLORFUL else [])
    light, dark = _plain(colors, whole)
    return Inks(
        light=light,
        dark=dark,
        light_accents=tuple(from_oklch(at, min(c, 0.15), h) for c, h in accents for at in LIGHT_ACCENTS),
        dark_accents=tuple(from_oklch(at, min(c, 0.13), h) for c, h in accents for at in DARK_ACCENTS),
        dark_ground=from_oklch(0.13, 0.022, whole),
        light_ground=from_oklch(0.965, 0.014, whole),
    )


def _plain(colors: Sequence[str], hue: float) -> tuple[str, str]:
    """Return the plain light and dark ink: the theme's lightest and darkest, where they are light and dark enough."""
    bright = [color for color in colors if luminance(color) > 0.72]
    deep = [color for color in colors if luminance(color) < 0.03]
    light = max(bright, key=luminance) if bright else from_oklch(0.975, 0.014, hue)
    return light, min(deep, key=luminance) if deep else from_oklch(0.19, 0.03, hue)


def _mean_hue(lab: npt.NDArray[np.floating]) -> float:
    _, a, b = lab.mean(axis=0)
    return math.atan2(b, a)


def _main_hue(
    lab: npt.NDArray[np.floating], chroma: npt.NDArray[np.floating], lightness: npt.NDArray[np.floating]
) -> tuple[float, float]:
    """Return hue and chroma of the light that stands out: bright and colorful places, by how much there is of them."""
    hues = np.arctan2(lab[:, 2], lab[:, 1])
    weight = chroma**2 * np.clip(lightness - 0.25, 0.02, 1)
    bins = ((hues + math.pi) / (2 * math.pi) * HUES).astype(int) % HUES
    totals = np.bincount(bins, weights=weight, minlength=HUES)
    chosen = bins == int(totals.argmax())
    hue = math.atan2(float(lab[chosen, 2].mean()), float(lab[chosen, 1].mean())) if chosen.any() else 0.0
    most = float(np.percentile(chroma[chosen], 85)) if chosen.any() else 0.0
    return hue, most
