"""The colors of a picture that type on it can have."""

from typing import Final

import numpy as np
from PIL import Image

from kernel.press.lettering.sight.inks import inks_of
from kernel.press.lettering.sight.viewing import View

MAIN: Final = 6  # colors that the picture mostly consists of
MOST: Final = 14


def palette_of(view: View) -> tuple[str, ...]:
    """Return inks that can be read on the picture, light and dark ones, then its own main colors; `#rrggbb`, no two
    alike, MOST at most.
    """
    inks = inks_of(view.pixels)
    image = Image.fromarray((view.pixels[::2, ::2] * 255).astype(np.uint8)).quantize(MAIN, Image.Quantize.MEDIANCUT)
    values = image.getpalette() or []
    main = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b in zip(values[::3], values[1::3], values[2::3], strict=False))
    found = ("#ffffff", inks.light, *inks.light_accents, *inks.dark_accents, inks.dark, "#000000", *main)
    return tuple(dict.fromkeys(color.lower() for color in found))[:MOST]
