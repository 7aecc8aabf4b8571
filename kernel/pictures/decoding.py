"""Decoding bytes that claim to be a picture: the only place in which a decoder sees them."""

import re
from typing import Any, Final

import pyvips  # type: ignore[import-untyped]

from kernel.core.config import PictureFormat, PicturesConfig
from kernel.core.errors import AppError
from kernel.core.field_errors import FieldError

MAGIC: Final[dict[PictureFormat, re.Pattern[bytes]]] = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
}
OPEN: Final[dict[PictureFormat, Any]] = {
    "png": pyvips.Image.pngload_buffer,
    "jpeg": pyvips.Image.jpegload_buffer,
    "webp": pyvips.Image.webpload_buffer,
}
WHITE: Final = [255, 255, 255]
RGB_BANDS: Final = 3

Pixels = Any
"""A `pyvips.Image` in memory: sRGB, 8 bits a channel, without metadata."""

pyvips._remove_log_handler()  # a note for each step waits for the interpreter lock; warnings go to the error output
pyvips.cache_set_max(0)  # no picture is handled twice
pyvips.concurrency_set(1)  # several pictures at a time, each on one core


class PictureRefused(AppError):
    """The bytes are not a picture that is accepted."""

    status, code = 422, "bad_picture"


def sniff(data: bytes) -> PictureFormat | None:
    """Return the format that the first bytes show, or None."""
    return next((name for name, magic in MAGIC.items() if magic.match(data)), None)


def decode(data: bytes, kind: PictureFormat, limits: PicturesConfig | None, *, alpha: bool = False) -> Pixels:
    """Return the first frame, upright: three channels, clear parts on white; with `alpha` four.

    The size is checked in the header, before any pixel is decoded; what was stored before has no `limits`.
    Raises PictureRefused.
    """
    try:
        image = OPEN[kind](data, fail_on="error", access="sequential")
        if limits and (
            image.width * image.height > limits.max_pixels or max(image.width, image.height) > limits.max_side
        ):
            raise PictureRefused(FieldError("too_many_pixels", "The picture has too many pixels."))
        if image.get_typeof("orientation"):  # else row after row: each is decoded where it ends up
            image = image.copy_memory().autorot()
        if image.interpretation != "srgb" or image.bands < RGB_BANDS:
            image = image.colourspace("srgb")
        if not alpha and image.hasalpha():
            image = image.flatten(background=WHITE)
        if alpha and not image.hasalpha():
            image = image.addalpha()
        bare = pyvips.Image.new_from_memory(  # nothing but pixels: what a picture tells of its maker ends here
            image.cast("uchar").write_to_memory(), image.width, image.height, image.bands, "uchar"
        )
        return bare.copy(interpretation="srgb")
    except pyvips.Error as error:
        raise PictureRefused(FieldError("unreadable_image", "The picture cannot be read.")) from error
