"""The artwork at its final size: cropped to a shape, enlarged with Lanczos and a little sharpening, never squeezed."""

import io
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, ImageFilter, UnidentifiedImageError

from kernel.press.editions.order import PictureSource
from kernel.press.editions.sheet.scene import Pixels, pixels_of, rgba_of
from kernel.press.engine import skia
from kernel.press.lettering.composing import UnreadablePicture, filled
from kernel.press.lettering.document import PLAIN, ArtworkView
from kernel.press.trade.geometry import DPI

ENLARGED: Final = 1.02  # from here on edges are soft enough to be sharpened
SHARPENED: Final = ImageFilter.UnsharpMask(radius=1.6, percent=55, threshold=2)
MOST_PIXELS: Final = 120_000_000


class SizedArtwork(NamedTuple):
    """Artwork at its size: sRGB pixels, and the artwork's own resolution there in dots per inch."""

    pixels: Pixels
    dpi: float


def picture_bytes(picture: PictureSource) -> bytes:
    """Return the bytes of a picture. Raises UnreadablePicture."""
    try:
        return picture.data or Path(picture.path).read_bytes()
    except OSError as error:
        raise UnreadablePicture(f"The picture cannot be read: {error.strerror}.") from error


def stamp_of(picture: PictureSource) -> tuple[str, int] | None:
    """Return what a file's picture is known by until it is written anew; None for other pictures."""
    if picture.data or not Path(picture.path).is_file():
        return None
    return picture.path, Path(picture.path).stat().st_mtime_ns


def opened(picture: PictureSource) -> Image.Image:
    """Return a picture, decoded, RGB or RGBA; do not change it. Raises UnreadablePicture.

    The last one from a file is kept: all files of an edition pack begin with the same artwork.
    """
    global _last
    stamp = stamp_of(picture)
    if stamp is None:
        return _decoded(picture)
    if _last is None or _last[0] != stamp:
        _last = None  # two of them need not be in memory
        _last = (stamp, _decoded(picture))
    return _last[1]


_last: tuple[tuple[str, int], Image.Image] | None = None


def _decoded(picture: PictureSource) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(picture_bytes(picture)), formats=("PNG", "JPEG", "WEBP"))
        if image.width * image.height > MOST_PIXELS:
            raise UnreadablePicture("The picture has too many pixels.")
        return image.convert("RGBA" if image.has_transparency_data else "RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise UnreadablePicture("The picture cannot be read: it is no PNG, JPEG or WebP.") from error


def placed(art: Image.Image, width: int, height: int, view: ArtworkView = PLAIN) -> SizedArtwork:
    """Return the artwork filling width × height pixels: cropped, blurred and darkened as viewed.

    Where it has just this size it is copied, never resampled.
    """
    scale = max(width / art.width, height / art.height) * view.zoom
    part_width, part_height = width / scale, height / scale
    left, top = max(0.0, (art.width - part_width) * view.x), max(0.0, (art.height - part_height) * view.y)
    image = art.convert("RGB")
    if (art.width, art.height) != (width, height) or view.zoom != 1:
        box = (left, top, min(art.width, left + part_width), min(art.height, top + part_height))
        image = image.resize((width, height), Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)
        if scale > ENLARGED:
            image = image.filter(SHARPENED)
    return SizedArtwork(_viewed(np.asarray(image), view), DPI / scale)


def beyond(
    art: Image.Image, painted: Image.Image, width: int, height: int, most: int, view: ArtworkView = PLAIN
) -> SizedArtwork:
    """Return what is to the left of an artwork that fills width × height pixels as viewed: as it was painted, `most`
    pixels wide at most, with the fold on its right.

    `painted` is a picture that has the artwork in its full height at its right end.
    """
    scale = max(width / art.width, height / art.height) * view.zoom
    part_width, part_height = width / scale, height / scale
    left, top = max(0.0, (art.width - part_width) * view.x), max(0.0, (art.height - part_height) * view.y)
    share = painted.height / art.height
    fold = painted.width - (art.width - left) * share
    made = min(most, max(1, round(fold * scale / share)))
    box = (
        max(0.0, fold - made * share / scale),
        top * share,
        max(1.0, fold),
        min(painted.height, (top + part_height) * share),
    )
    image = painted.convert("RGB").resize((made, height), Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)
    if scale > ENLARGED * share:
        image = image.filter(SHARPENED)
    return SizedArtwork(_viewed(np.asarray(image), view), DPI * share / scale)


def _viewed(pixels: Pixels, view: ArtworkView) -> Pixels:
    """Return pixels that have their place already, blurred and darkened as viewed."""
    if not (view.blur or view.darken):
        return pixels
    height, width = pixels.shape[:2]
    bare = ArtworkView(blur=view.blur, darken=view.darken)
    drawn = skia.Image.fromarray(rgba_of(pixels), colorType=skia.kRGBA_8888_ColorType)
    return pixels_of(filled(drawn, width, height, bare))


def with_edges(pixels: Pixels, left: int, top: int, right: int, bottom: int) -> Pixels:
    """Return the pixels continued beyond their edges by so many pixels, mirrored: what is cut off shows no seam."""
    return np.pad(pixels, ((top, bottom), (left, right), (0, 0)), mode="symmetric")
