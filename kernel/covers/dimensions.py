"""Trim sizes: what the generator offers, in inches, and their size in print pixels."""

import math
from typing import Final, Literal, get_args

from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.spi import ImageCapabilities, Size

Dimensions = Literal["6x9", "8.5x11", "8x8", "custom", "5.5x8.5", "1024x1792"]
DIMENSIONS: Final = get_args(Dimensions)
DPI: Final = 300
CUSTOM_WIDTH_IN: Final = (4.0, 8.5)
CUSTOM_HEIGHT_IN: Final = (6.0, 11.69)
"""Smallest and largest paperback trim that print-on-demand services accept."""

FIXED: Final[dict[Dimensions, Size]] = {
    "6x9": Size(1800, 2700),
    "5.5x8.5": Size(1650, 2550),
    "8.5x11": Size(2550, 3300),
    "8x8": Size(2400, 2400),
    "1024x1792": Size(1024, 1792),
}
USUAL: Final = FIXED["6x9"]
"""The size that estimates are for: the form's default."""


def pixels(dimensions: Dimensions, width_in: float | None, height_in: float | None) -> Size:
    """Return the size in pixels. `custom` needs both measures, in inches. Raises InvalidFields naming the bad ones."""
    if dimensions != "custom":
        return FIXED[dimensions]
    bad: dict[str, FieldFault] = {}
    measures = (("customWidth", width_in, CUSTOM_WIDTH_IN), ("customHeight", height_in, CUSTOM_HEIGHT_IN))
    for name, value, (low, high) in measures:
        if value is None or not math.isfinite(value) or not low <= value <= high:
            words = f"Must be between {low:g} and {high:g} inches."
            bad[name] = FieldError("inches_between", words, {"least": low, "most": high})
    if bad:
        raise InvalidFields(bad)
    assert width_in is not None and height_in is not None
    return Size(round(width_in * DPI), round(height_in * DPI))


def nearest(wanted: Size, can: ImageCapabilities) -> Size:
    """Return the size to request from a provider: the wanted one if it can, else the native one that loses least.

    Proportion counts first (cropping loses artwork), then size (scaling up loses detail).
    """
    if can.size_range is not None:
        low, high = can.size_range.smallest, can.size_range.largest
        scale = min(1.0, high.width / wanted.width, high.height / wanted.height)
        scale = max(scale, low.width / wanted.width, low.height / wanted.height)
        width = min(high.width, max(low.width, round(wanted.width * scale)))
        return Size(width, min(high.height, max(low.height, round(wanted.height * scale))))
    if not can.sizes:
        return wanted

    def loss(size: Size) -> tuple[float, float]:
        proportion = abs(math.log((size.width / size.height) / (wanted.width / wanted.height)))
        return round(proportion, 2), abs(math.log(size.width * size.height / (wanted.width * wanted.height)))

    return min(can.sizes, key=loss)


def usual_size(can: ImageCapabilities) -> Size:
    """Return the size to request from a provider for a usual cover."""
    return nearest(USUAL, can)
