"""A picture as it is looked at on a shop page: small, with the contrast of any block on it."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from kernel.press.engine import skia
from kernel.press.legibility import LOOK_WIDTH, RING, luminance, luminance_of
from kernel.press.lettering.composing import decoded, filled, paint_grounds, paint_strokes
from kernel.press.lettering.document import PLAIN, ArtworkView, Role
from kernel.press.lettering.outlines import SetBlock

Floats = npt.NDArray[np.float32]

EDGE: Final = 1.2  # pixels of the view: the soft edge of a letter counts as letter
WORST: Final = 10.0  # percentile of the contrasts around the letters
LETTER: Final = 0.6  # ems: the square that is taken for one letter
FAINT: Final = 0.6  # of the contrast needed: what has less is not seen
RINGED: Final = 0.2  # of that square lies around letters; of less no share is taken
SMALL_NEEDED: Final = 4.5  # WCAG 2.2, 1.4.3
LARGE_NEEDED: Final = 3.0
LARGE: Final = 24 / LOOK_WIDTH  # units; WCAG calls type from 18 pt (24 px) large
SAFE: Final = 0.04  # of the panel's shorter side: nothing that is read lies nearer to an edge
_SLACK: Final = 0.05  # pixels; floating point
_TRANSPOSED: Final = 0.75
_BYTES: Final = np.repeat(np.arange(256, dtype=np.float32)[:, None] / 255, 3, axis=1)
_LIGHT: Final = tuple(luminance_of(_BYTES * np.eye(3, dtype=np.float32)[channel]) for channel in range(3))


def unit_of(width: float, height: float) -> float:
    """Return the length that sizes of styles are fractions of: the width, less on wide panels."""
    return min(width, height * _TRANSPOSED)


def spread(light: Floats) -> float:
    """Return how uneven luminances look: the standard deviation of their lightness, 0..0.5."""
    return float(np.cbrt(light).std()) if len(light) else 0.0


def needed(role: Role, size: float, unit: float) -> float:
    """Return the contrast that a block of this role and size needs."""
    return LARGE_NEEDED if role == "title" and size >= LARGE * unit else SMALL_NEEDED


@lru_cache(maxsize=2)
def view_of(picture: bytes, artwork: ArtworkView = PLAIN) -> "View":
    """Return the view of a picture; that of the last ones is kept, since styles are tried on one picture."""
    return View(picture, artwork)


class View:
    """A picture scaled down so that a unit is LOOK_WIDTH pixels."""

    def __init__(self, picture: bytes, artwork: ArtworkView) -> None:
        """Decode it, and crop, blur and darken it as viewed. Raises UnreadablePicture."""
        image = decoded(picture)
        scale = LOOK_WIDTH / unit_of(image.width(), image.height())
        self.width, self.height = max(1, round(image.width() * scale)), max(1, round(image.height() * scale))
        self.unit = unit_of(self.width, self.height)
        self._surface = filled(image, self.width, self.height, artwork)
        self._image = self._surface.makeImageSnapshot()

    @cached_property
    def pixels(self) -> Floats:
        """Return the sRGB pixels 0..1, (h, w, 3)."""
        return _pixels(self._surface)

    def contrasts(self, item: SetBlock, blocks: Sequence[SetBlock], inks: Sequence[str]) -> dict[str, float]:
        """Return the contrast of each ink at the tenth percentile around the letters, over all blocks' effects."""
        light = self.around(item, blocks)
        return {ink: worst(light, ink) for ink in inks}

    def around(self, item: SetBlock, blocks: Sequence[SetBlock]) -> Floats:
        """Return the luminance of the pixels around the letters, over the effects of all blocks."""
        bounds = self._ring_bounds(item)
        if bounds is None:
            return np.zeros(0, np.float32)
        left, top, right, bottom = bounds
        ring = _drawn_ring(item, bounds)
        surface = self._surface
        if any(other.tints for other in (item, *blocks)):
            surface = skia.Surface(self.width, self.height)
            surface.getCanvas().drawImage(self._image, 0, 0)
            paint_grounds(surface, blocks)
            paint_strokes(surface, item)
        part = surface.makeImageSnapshot(skia.IRect.MakeLTRB(left, top, right, bottom))
        return _luminance(part.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3][ring])

    def lost(self, item: SetBlock, light: Floats, ink: str, least: float) -> float:
        """Return the share of what is around the worst letter, 0..1, that has far less than the contrast needed.

        `light` is what `around` returns for the block.
        A tenth percentile over a whole line does not see one letter that stands on a thin thing of its own color.
        """
        bounds = self._ring_bounds(item)
        if bounds is None:
            return 0.0
        ring = _drawn_ring(item, bounds)
        faint = np.zeros(ring.shape, np.float32)
        faint[ring] = ratios(light, ink) < FAINT * least
        letter = max(3, round(LETTER * item.size))
        seen = ndimage.uniform_filter(ring.astype(np.float32), letter, mode="constant")
        share = ndimage.uniform_filter(faint, letter, mode="constant") / np.maximum(seen, RINGED)
        return float(share.max())

    def is_inside(self, item: SetBlock, reach: float = 0.0) -> bool:
        """Return whether the ink stays in the safe area."""
        margin, box = SAFE * min(self.width, self.height) - _SLACK, item.box
        if not item.text.rows:
            return True
        return bool(
            box.left - reach >= margin
            and box.top - reach >= margin
            and box.right + reach <= self.width - margin
            and box.bottom + reach <= self.height - margin
        )

    def _ring_bounds(self, item: SetBlock) -> tuple[int, int, int, int] | None:
        if not item.text.rows:
            return None
        box = item.box
        left, top = max(0, int(box.left - RING)), max(0, int(box.top - RING))
        right, bottom = min(self.width, int(box.right + RING) + 1), min(self.height, int(box.bottom + RING) + 1)
        return (left, top, right, bottom) if left < right and top < bottom else None


def _drawn_ring(item: SetBlock, bounds: tuple[int, int, int, int]) -> npt.NDArray[np.bool_]:
    """Return the pixels just around the letters, within the bounds: what is below them is not seen."""
    left, top, right, bottom = bounds
    surface = skia.Surface(right - left, bottom - top)
    canvas = surface.getCanvas()
    canvas.translate(-left, -top)
    paint = skia.Paint(AntiAlias=True, Color=0xFFFFFFFF)
    paint.setStyle(skia.Paint.kStrokeAndFill_Style)
    paint.setStrokeWidth(RING)
    canvas.drawPath(item.path(small=False), paint)
    canvas.drawPath(item.path(small=True), paint)
    inside = skia.Paint(AntiAlias=True, BlendMode=skia.BlendMode.kClear)
    inside.setStyle(skia.Paint.kStrokeAndFill_Style)
    inside.setStrokeWidth(EDGE)
    canvas.drawPath(item.path(small=False), inside)
    canvas.drawPath(item.path(small=True), inside)
    mask: npt.NDArray[np.bool_] = surface.toarray()[..., 3] > 60
    return mask


def _luminance(seen: npt.NDArray[np.uint8]) -> Floats:
    """Return the relative luminance of sRGB bytes (n, 3), by table."""
    light: Floats = _LIGHT[0][seen[:, 0]] + _LIGHT[1][seen[:, 1]] + _LIGHT[2][seen[:, 2]]
    return light


def _pixels(surface: Any) -> Floats:
    pixels: Floats = surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3].astype(np.float32) / 255
    return pixels


def worst(light: Floats, ink: str) -> float:
    """Return the contrast of the ink at the tenth percentile of luminances; 21 of none."""
    if not len(light):
        return 21.0
    return float(np.percentile(ratios(light, ink), WORST))


def ratios(light: Floats, ink: str) -> Floats:
    """Return the contrast of the ink to each of the luminances."""
    own = luminance(ink)
    found: Floats = ((np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)).astype(np.float32)
    return found
