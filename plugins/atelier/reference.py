"""Reference pictures from the user: decoded small, their palette, and how one of them is used."""

import io
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from plugins.atelier.color import Bytes
from plugins.atelier.palettes import Palette, palette_from_image

Treatment = Literal["overlay", "refphoto", "palette"]

LONGEST: Final = 2000  # pixels kept of a reference; a full cover is 2700 high and its art is softer than type
SAMPLE: Final = 160  # pixels; enough to find the colors of a picture
FINE: Final = 900  # pixels of the shorter side from which a picture may carry a whole cover
UPRIGHT: Final = 1.15  # height over width from which a picture suits a cover without losing its sides
MODES: Final = 3  # variants of the family `refphoto`: duotone, halftone, arch


class UnreadableReference(ValueError):
    """A reference that is no picture."""


def decode(data: bytes) -> Bytes:
    """Return the picture as RGB (h, w, 3), turned upright, at most LONGEST pixels long, transparency on white.

    Raises UnreadableReference.
    """
    try:
        with Image.open(io.BytesIO(data)) as opened:
            opened.draft("RGB", (LONGEST, LONGEST))
            picture = ImageOps.exif_transpose(opened)
            if picture.mode in ("RGBA", "LA", "P", "PA"):
                picture = picture.convert("RGBA")
                flat = Image.new("RGBA", picture.size, "#ffffff")
                flat.alpha_composite(picture)
                picture = flat
            picture = picture.convert("RGB")
            picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
            return np.asarray(picture)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadableReference(str(error)) from error


def palette_of(pictures: Sequence[Bytes]) -> Palette:
    """Return the palette of all pictures together."""
    strips = []
    for picture in pictures:
        small = Image.fromarray(picture).resize((SAMPLE, SAMPLE), Image.Resampling.BOX)
        strips.append(np.asarray(small))
    return palette_from_image(np.concatenate(strips))


def main_picture(pictures: Sequence[Bytes]) -> Bytes:
    """Return the picture to be shown: the first of those that are most upright and detailed."""

    def fitness(picture: Bytes) -> float:
        height, width = picture.shape[:2]
        return float(min(1.0, min(height, width) / FINE) + min(height / width, UPRIGHT))

    return max(pictures, key=fitness)


def treatment(picture: Bytes, manners: Sequence[str], rng: np.random.Generator) -> Treatment:
    """Return how the picture is used: as the whole cover under the type, worked into a design, or only for its colors.

    A manner of drawing that the words name (`paper cut`, `bauhaus`) takes precedence over showing the picture.
    """
    height, width = picture.shape[:2]
    if "photo" in manners:
        return "overlay"
    if manners:
        return "palette"
    whole = min(height, width) >= FINE and height / width >= UPRIGHT
    return "overlay" if whole and rng.random() < 0.5 else "refphoto"
