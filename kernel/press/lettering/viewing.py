"""A picture as it is looked at on a shop page: small, with the contrast of any block on it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kernel.press.engine import skia
from kernel.press.legibility import LOOK_WIDTH, RING, luminance, luminance_of
from kernel.press.lettering.composing import decoded, filled, paint_grounds, paint_strokes
from kernel.press.lettering.document import Role
from kernel.press.lettering.outlines import SetBlock

Floats = npt.NDArray[np.float32]

WORST: Final = 10.0  # percentile of the contrasts around the letters
SMALL_NEEDED: Final = 4.5  # WCAG 2.2, 1.4.3
LARGE_NEEDED: Final = 3.0
LARGE: Final = 24 / LOOK_WIDTH  # units; WCAG calls type from 18 pt (24 px) large
SAFE: Final = 0.04  # of the panel's shorter side: nothing that is read lies nearer to an edge
_SLACK: Final = 0.05  # pixels; floating point
_TRANSPOSED: Final = 0.75
_BYTES: Final = np.repeat(np.arange(256, dtype=np.float32)[:, None] / 255, 3, axis=1)
_LIGHT: Final = tuple(luminance_of(_BYTES * np.eye(3, dtype=np.float32)[channel]) for channel in range(3))


def unit_of(width: float, height: float) -> float:
    """Return the length that sizes of styles are fractions of: the width, less on panels that are wide for their height."""
    return min(width, height * _TRANSPOSED)


def needed(role: Role, size: float, unit: float) -> float:
    """Return the contrast that a block of this role and size needs."""
    return LARGE_NEEDED if role == "title" and size >= LARGE * unit else SMALL_NEEDED


class View:
    """A picture scaled down so that a unit is LOOK_WIDTH pixels."""

    def __init__(self, picture: bytes, width: int = 0, height: int = 0) -> None:
        """Decode it, as it fills a panel of the proportions of width and height (its own without). UnreadablePicture."""
        image = decoded(picture)
        across, down = (width, height) if width and height else (image.width(), image.height())
        scale = LOOK_WIDTH / unit_of(across, down)
        self.width, self.height = max(1, round(across * scale)), max(1, round(down * scale))
        self.unit = unit_of(self.width, self.height)
        self._surface = filled(image, self.width, self.height)
        self._image = self._surface.makeImageSnapshot()

    @cached_property
    def pixels(self) -> Floats:
        """Return the sRGB pixels 0..1, (h, w, 3)."""
        return _pixels(self._surface)

    def contrasts(self, item: SetBlock, blocks: Sequence[SetBlock], inks: Sequence[str]) -> dict[str, float]:
        """Return the contrast of each ink at the tenth percentile around the letters, over the effects of all blocks."""
        bounds = self._ring_bounds(item)
        if bounds is None:
            return dict.fromkeys(inks, 21.0)
        left, top, right, bottom = bounds
        ring = _drawn_ring(item, bounds)
        surface = self._surface
        if any(other.tints for other in (item, *blocks)):
            surface = skia.Surface(self.width, self.height)
            surface.getCanvas().drawImage(self._image, 0, 0)
            paint_grounds(surface, blocks)
            paint_strokes(surface, item)
        part = surface.makeImageSnapshot(skia.IRect.MakeLTRB(left, top, right, bottom))
        light = _luminance(part.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3][ring])
        return {ink: _worst(light, luminance(ink)) for ink in inks}

    def is_inside(self, item: SetBlock, reach: float = 0.0) -> bool:
        """Return whether the ink stays in the safe area."""
        margin, box = SAFE * min(self.width, self.height) - _SLACK, item.box
        if not item.text.rows:
            return True
        return (
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
    """Return the pixels at and just around the letters, within the bounds."""
    left, top, right, bottom = bounds
    surface = skia.Surface(right - left, bottom - top)
    canvas = surface.getCanvas()
    canvas.translate(-left, -top)
    paint = skia.Paint(AntiAlias=True, Color=0xFFFFFFFF)
    paint.setStyle(skia.Paint.kStrokeAndFill_Style)
    paint.setStrokeWidth(RING)
    canvas.drawPath(item.path(small=False), paint)
    canvas.drawPath(item.path(small=True), paint)
    mask: npt.NDArray[np.bool_] = surface.toarray()[..., 0] > 60
    return mask


def _luminance(seen: npt.NDArray[np.uint8]) -> Floats:
    """Return the relative luminance of sRGB bytes (n, 3), by table."""
    light: Floats = _LIGHT[0][seen[:, 0]] + _LIGHT[1][seen[:, 1]] + _LIGHT[2][seen[:, 2]]
    return light


def _pixels(surface: Any) -> Floats:
    pixels: Floats = surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3].astype(np.float32) / 255
    return pixels


def _worst(light: Floats, own: float) -> float:
    if not len(light):
        return 21.0
    ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
    return float(np.percentile(ratios, WORST))
