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
SPREAD: Final = 0.5  # percentiles around WORST: what lies there may be the worst when the picture is drawn larger
NEAR: Final = 1.05  # ratio of contrasts of one cover at two sizes: 1.11 at most in 1,400 covers, 1.03 in 99 of 100
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
    height = max(1, round(image.height() * scale))
    while image.width() % (2 * LOOK_WIDTH) == image.height() % 2 == 0:
        image = _halved(image)
    surface = skia.Surface(LOOK_WIDTH, height)
    sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    surface.getCanvas().drawImageRect(image, skia.Rect.MakeWH(surface.width(), surface.height()), sampling)
    pixels = surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3].astype(np.float32) / 255
    return Ground(pixels, scale)


def _halved(image: Any) -> Any:
    """Return the means of two by two pixels: what a mipmap holds, in a third of the time that building one takes."""
    half = skia.Surface(image.width() // 2, image.height() // 2)
    rect = skia.Rect.MakeWH(half.width(), half.height())
    half.getCanvas().drawImageRect(image, rect, skia.SamplingOptions(skia.FilterMode.kLinear))
    return half.makeImageSnapshot()


def worst_contrast(pixels: Floats, ink: str) -> float:
    """Return the contrast of the ink against the WORST percentile of the pixels (n, 3); 21 against none."""
    return _contrasts(pixels, ink, WORST)[0]


def _contrasts(pixels: Floats, ink: str, *percentiles: float) -> list[float]:
    if not len(pixels):
        return [21.0] * len(percentiles)
    light, own = luminance_of(pixels), luminance(ink)
    ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
    found: list[float] = np.percentile(ratios, percentiles).tolist()
    return found


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen ink, its measured contrast, and the veil it needs.

    `veil` is None, or the coverage 0..1 at LOOK_WIDTH to lay over the art in `veil_color` with opacity `veil_alpha`.
    `is_close` says that another ink might be chosen on the same picture at another size.
    """

    ink: str
    contrast: float
    veil: Floats | None = None
    veil_color: str = ""
    veil_alpha: float = 0.0
    is_close: bool = False


def settle(
    ground: Ground, block: TextBlock, inks: Sequence[str], target: float, dark_veil: str, light_veil: str
) -> Verdict:
    """Choose the first ink that reaches `target` around the letters; else the best one with the weakest veil.

    `inks` are in order of preference. The veil is dark under light ink and light under dark ink.
    """
    ring = ground.ring(block)
    seen = ground.pixels[ring]
    is_close = False
    best, rated = inks[0], (0.0, 0.0, 0.0)
    for ink in dict.fromkeys(inks):
        low, ratio, high = _contrasts(seen, ink, WORST - SPREAD, WORST, WORST + SPREAD)
        is_close |= low / NEAR < target <= high * NEAR
        if ratio >= target:
            return Verdict(ink=ink, contrast=ratio, is_close=is_close)
        favor = 1.25 if ink == inks[0] else 1.0
        other = (low / NEAR * favor, ratio * favor, high * NEAR * favor)
        if other[1] > rated[1]:
            best, rated, other = ink, other, rated
        is_close |= other[2] > rated[0]
    verdict = _veiled(seen, ring, best, VEILS, target, dark_veil, light_veil)
    return msgspec.structs.replace(verdict, is_close=is_close)


def settle_as(
    ground: Ground, block: TextBlock, ink: str, least_veil: float, target: float, dark_veil: str, light_veil: str
) -> Verdict:
    """Keep the ink that was chosen on the same picture at another size, under a veil of that opacity or a stronger one.

    It is stronger only where `target` is not reached with it.
    """
    ring = ground.ring(block)
    seen = ground.pixels[ring]
    ratio = worst_contrast(seen, ink)
    if not least_veil and ratio >= target:
        return Verdict(ink=ink, contrast=ratio)
    return _veiled(seen, ring, ink, [alpha for alpha in VEILS if alpha >= least_veil], target, dark_veil, light_veil)


def _veiled(
    seen: Floats, ring: Mask, ink: str, alphas: Sequence[float], target: float, dark_veil: str, light_veil: str
) -> Verdict:
    """Lay the weakest of the veils that suffices."""
    color = dark_veil if luminance(ink) > LIGHT_INK else light_veil
    veil = _soft(ring)
    amount, over = veil[ring][:, None], channels(color)
    ratio, alpha = 0.0, 0.0
    for alpha in alphas:
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
