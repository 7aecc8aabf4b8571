"""Color maths of the atelier: hex strings in, OKLab inside, hex strings out.

All mixing happens in OKLab and every result is brought back into the sRGB gamut by reducing chroma, never by clipping a
channel. Matrices: Bjorn Ottosson, "A perceptual color space for image processing" (2020). Contrast: WCAG 2.2.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LMS_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
LMS_TO_RGB = np.linalg.inv(RGB_TO_LMS)
OKLAB_TO_LMS = np.linalg.inv(LMS_TO_OKLAB)
LUMA = np.array([0.2126, 0.7152, 0.0722])

GAMUT_SLACK = 1e-4  # linear light; below a quarter of an 8-bit step anywhere on the curve
_SRGB_STEPS = 4096


def to_linear(values: npt.ArrayLike) -> npt.NDArray[np.floating]:
    """Decode sRGB values 0..1 to linear light, elementwise."""
    v = np.asarray(values)
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)


def to_srgb(values: npt.ArrayLike) -> npt.NDArray[np.floating]:
    """Encode linear light to sRGB 0..1, elementwise; negative light counts as none."""
    v = np.clip(np.asarray(values), 0, None)
    encoded: npt.NDArray[np.floating] = np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)
    return encoded


def rgb_to_oklab(rgb: npt.ArrayLike) -> npt.NDArray[np.floating]:
    """Turn sRGB 0..1 (..., 3) into OKLab (..., 3)."""
    lab: npt.NDArray[np.floating] = np.cbrt(to_linear(np.asarray(rgb, float)) @ RGB_TO_LMS.T) @ LMS_TO_OKLAB.T
    return lab


def oklab_to_rgb(lab: npt.ArrayLike) -> npt.NDArray[np.floating]:
    """Turn OKLab (..., 3) into sRGB (..., 3); values outside 0..1 are out of gamut."""
    return to_srgb(((np.asarray(lab) @ OKLAB_TO_LMS.T) ** 3) @ LMS_TO_RGB.T)


@lru_cache(1)
def _srgb_table() -> Bytes:
    light = np.linspace(0, 1, _SRGB_STEPS) ** 2  # finer steps in the shadows, where the curve is steep
    return np.round(to_srgb(light) * 255).astype(np.uint8)


def oklab_to_bytes(lab: Floats) -> Bytes:
    """Turn an OKLab picture (h, w, 3) into sRGB bytes, by table: the fast way for whole pictures."""
    lms = lab.astype(np.float32, copy=False) @ OKLAB_TO_LMS.T.astype(np.float32)
    light = (lms * lms * lms) @ LMS_TO_RGB.T.astype(np.float32)
    index = np.sqrt(np.clip(light, 0, 1)) * np.float32(_SRGB_STEPS - 1) + np.float32(0.5)
    pixels: Bytes = _srgb_table()[index.astype(np.uint16)]
    return pixels


@lru_cache(4096)
def rgb(color: str) -> tuple[float, float, float]:
    """Read '#rgb' or '#rrggbb' as three floats 0..1. Raises ValueError on anything else."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(c * 2 for c in digits)
    if len(digits) != 6:
        raise ValueError(f"not a color: {color!r}")
    return int(digits[0:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255


def to_hex(values: npt.ArrayLike) -> str:
    """Write sRGB 0..1 as '#rrggbb', clipped."""
    r, g, b = np.clip(np.round(np.asarray(values, float) * 255), 0, 255).astype(int)
    return f"#{r:02x}{g:02x}{b:02x}"


@lru_cache(8192)
def oklab(color: str) -> tuple[float, float, float]:
    """Lightness 0..1 and the two opponent axes of a hex color."""
    lab = rgb_to_oklab(np.array(rgb(color)))
    return float(lab[0]), float(lab[1]), float(lab[2])


@lru_cache(8192)
def oklch(color: str) -> tuple[float, float, float]:
    """Lightness 0..1, chroma 0..~0.37 and hue in degrees of a hex color."""
    lightness, a, b = oklab(color)
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


@lru_cache(16384)
def from_oklab(lightness: float, a: float, b: float) -> str:
    """Write OKLab as hex; a color outside sRGB keeps lightness and hue and loses chroma until it fits."""
    lightness = min(max(lightness, 0.0), 1.0)

    def linear(k: float) -> npt.NDArray[np.floating]:
        light: npt.NDArray[np.floating] = ((np.array([lightness, a * k, b * k]) @ OKLAB_TO_LMS.T) ** 3) @ LMS_TO_RGB.T
        return light

    def fits(light: npt.NDArray[np.floating]) -> bool:
        return bool((light > -GAMUT_SLACK).all() and (light < 1 + GAMUT_SLACK).all())

    if fits(light := linear(1.0)):
        return to_hex(to_srgb(light))
    low, high = 0.0, 1.0
    for _ in range(14):  # 2**-14 of the chroma asked for: finer than an 8-bit step
        middle = (low + high) / 2
        low, high = (middle, high) if fits(linear(middle)) else (low, middle)
    return to_hex(to_srgb(linear(low)))


def from_oklch(lightness: float, chroma: float, hue: float) -> str:
    """Write OKLCH (hue in degrees) as hex, inside the sRGB gamut."""
    angle = math.radians(hue)
    return from_oklab(lightness, chroma * math.cos(angle), chroma * math.sin(angle))


@lru_cache(32768)
def mix(a: str, b: str, t: float) -> str:
    """The color `t` of the way from `a` to `b` in OKLab; `t` 0 gives `a`, 1 gives `b`."""
    (l0, a0, b0), (l1, a1, b1) = oklab(a), oklab(b)
    return from_oklab(l0 + (l1 - l0) * t, a0 + (a1 - a0) * t, b0 + (b1 - b0) * t)


def shift(color: str, lightness: float = 0.0, chroma: float = 1.0, hue: float = 0.0) -> str:
    """Move a color: add lightness, multiply chroma, turn the hue (degrees)."""
    l0, c0, h0 = oklch(color)
    return from_oklch(round(l0 + lightness, 4), round(c0 * chroma, 4), round((h0 + hue) % 360, 2))


def relight(color: str, lightness: float, chroma: float = 1.0) -> str:
    """The same hue at another lightness 0..1, chroma multiplied."""
    _, c0, h0 = oklch(color)
    return from_oklch(round(lightness, 4), round(c0 * chroma, 4), round(h0, 2))


@lru_cache(8192)
def luminance(color: str) -> float:
    """Relative luminance 0..1 as WCAG defines it."""
    return float(to_linear(np.array(rgb(color))) @ LUMA)


def contrast(a: str, b: str) -> float:
    """WCAG contrast ratio 1..21; the order does not matter."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def argb(color: str, alpha: float = 1.0) -> int:
    """The 32-bit color Skia takes, alpha clipped to 0..1."""
    r, g, b = rgb(color)
    top = round(max(0.0, min(1.0, alpha)) * 255)
    return (top << 24) | (round(r * 255) << 16) | (round(g * 255) << 8) | round(b * 255)


def ramp(stops: Sequence[str], count: int) -> list[str]:
    """`count` colors evenly along a list of stops, mixed in OKLab; first and last are the outer stops."""
    spans = len(stops) - 1
    if spans < 1:
        return [stops[0]] * count
    out = []
    for i in range(count):
        x = i / max(1, count - 1) * spans
        j = min(int(x), spans - 1)
        out.append(mix(stops[j], stops[j + 1], round(x - j, 4)))
    return out


def ramp_table(stops: Sequence[str], count: int = 512, smooth: bool = False) -> Bytes:
    """A lookup table (count, 3) along the stops; `smooth` eases each span so bands read as layers."""
    lab = np.array([oklab(c) for c in stops], np.float32)
    x = np.linspace(0, len(stops) - 1.0001, count, dtype=np.float32)
    i = x.astype(int)
    t = (x - i)[:, None]
    t = t * t * (3 - 2 * t) if smooth else t
    table: Bytes = oklab_to_bytes((lab[i] * (1 - t) + lab[i + 1] * t)[None])[0]
    return table
