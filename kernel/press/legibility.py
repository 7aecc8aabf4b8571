"""Whether type can be read on a picture: measured around its letters, with the weakest veil that makes it readable."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter

from kernel.press.block import TextBlock
from kernel.press.engine import skia

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

LOOK_WIDTH: Final = 450  # pixels; the width of a cover on a shop page
RING: Final = 7.0  # pixels at LOOK_WIDTH: how far around a letter the eye compares foreground and background
WORST: Final = 6.0  # percentile; a mean hides the letter that is unreadable
VEILS: Final = (0.25, 0.4, 0.55, 0.7, 0.82, 0.92)  # opacities tried, weakest first
LIGHT_INK: Final = 0.35  # relative luminance above which an ink counts as light
_WEIGHTS: Final = np.array([0.2126, 0.7152, 0.0722], np.float32)  # WCAG 2.2, relative luminance


def channels(color: str) -> Floats:
    """Return `#RRGGBB` as three sRGB values 0..1."""
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)], np.float32)


def luminance_of(pixels: Floats) -> Floats:
    """Return the WCAG relative luminance of sRGB pixels (..., 3) in 0..1."""
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    light: Floats = (linear @ _WEIGHTS).astype(np.float32)
    return light


def luminance(color: str) -> float:
    """Return the WCAG relative luminance of `#RRGGBB`."""
    return float(luminance_of(channels(color)))


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast ratio of two colors, 1..21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


class Ground(msgspec.Struct, frozen=True):
    """A picture as seen at LOOK_WIDTH: sRGB pixels 0..1 (h, w, 3), and how many of its pixels one of the page's is."""

    pixels: Floats
    scale: float

    def ring(self, block: TextBlock) -> Mask:
        """Return the pixels at and just around the letters."""
        rows, columns = self.pixels.shape[:2]
        surface = skia.Surface(columns, rows)
        canvas = surface.getCanvas()
        canvas.scale(self.scale, self.scale)
        paint = skia.Paint(AntiAlias=True, Color=0xFFFFFFFF)
        paint.setStyle(skia.Paint.kStrokeAndFill_Style)
        paint.setStrokeWidth(RING / self.scale)
        canvas.drawPath(block.path(), paint)
        mask: Mask = surface.toarray()[..., 0] > 60
        return mask


def ground_of(image: Any, width: int) -> Ground:
    """Read a Skia image that is `width` pixels wide."""
    scale = LOOK_WIDTH / width
    surface = skia.Surface(LOOK_WIDTH, max(1, round(image.height() * scale)))
    sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    surface.getCanvas().drawImageRect(image, skia.Rect.MakeWH(surface.width(), surface.height()), sampling)
    pixels = surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3].astype(np.float32) / 255
    return Ground(pixels, scale)


def worst_contrast(pixels: Floats, ink: str) -> float:
    """Return the contrast of the ink against the WORST percentile of the pixels (n, 3); 21 against none."""
    if not len(pixels):
        return 21.0
    light, own = luminance_of(pixels), luminance(ink)
    ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
    return float(np.percentile(ratios, WORST))


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen ink, its measured contrast, and the veil it needs.

    `veil` is None, or the coverage 0..1 at LOOK_WIDTH to lay over the art in `veil_color` with opacity `veil_alpha`.
    """

    ink: str
    contrast: float
    veil: Floats | None = None
    veil_color: str = ""
    veil_alpha: float = 0.0


def settle(
    ground: Ground, block: TextBlock, inks: Sequence[str], target: float, dark_veil: str, light_veil: str
) -> Verdict:
    """Choose the first ink that reaches `target` around the letters; else the best one with the weakest veil.

    `inks` are in order of preference. The veil is dark under light ink and light under dark ink.
    """
    ring = ground.ring(block)
    seen = ground.pixels[ring]
    measured = {ink: worst_contrast(seen, ink) for ink in dict.fromkeys(inks)}
    for ink, ratio in measured.items():
        if ratio >= target:
            return Verdict(ink=ink, contrast=ratio)
    ink = max(measured, key=lambda name: measured[name] * (1.25 if name == inks[0] else 1.0))
    color = dark_veil if luminance(ink) > LIGHT_INK else light_veil
    veil = _soft(ring)
    amount, over = veil[ring][:, None], channels(color)
    ratio, alpha = measured[ink], 0.0
    for alpha in VEILS:
        ratio = worst_contrast(seen + (over - seen) * amount * alpha, ink)
        if ratio >= target:
            break
    return Verdict(ink=ink, contrast=ratio, veil=veil, veil_color=color, veil_alpha=alpha)


def _soft(ring: Mask) -> Floats:
    """Blur the ring into a cloud without an edge: wide and faint, closer and denser."""
    hard = ring.astype(np.float32)
    wide = gaussian_filter(hard, 16)
    wide = np.clip(wide / max(float(wide.max()), 1e-3) * 1.5, 0, 1)
    veil: Floats = np.maximum(wide, gaussian_filter(hard, 5) * 0.9).astype(np.float32)
    return veil
