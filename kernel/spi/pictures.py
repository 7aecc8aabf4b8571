"""Reads type and size of bytes that a vendor returned as a picture."""

import io
import warnings
from typing import Final

from .errors import Effect, Unavailable
from .image import GeneratedImage, MediaType, Size

_MEDIA_TYPES: Final[dict[str, MediaType]] = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}


def read_picture(data: bytes, *, seed: int | None = None) -> GeneratedImage:
    """Return the picture with the type and size in its header; pixels are not decoded.

    Raises Unavailable for anything but PNG, JPEG or WebP: the vendor was asked for a picture and sent something else.
    """
    from PIL import Image  # only where pictures are read; the contracts themselves need no Pillow

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # for large pictures: the kernel has a limit of its own
            with Image.open(io.BytesIO(data), formats=tuple(_MEDIA_TYPES)) as picture:
                kind, (width, height) = picture.format or "", picture.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Unavailable("what the vendor sent is not a picture", effect=Effect.UNKNOWN) from error
    return GeneratedImage(data=data, media_type=_MEDIA_TYPES[kind], size=Size(width, height), seed=seed)
