"""The canvas on which an artwork is to go on beyond one of its sides: the artwork, a guess of the rest, and a mask."""

from typing import Final, Literal

from kernel.pictures.decoding import decode
from kernel.pictures.encoding import Form, encode, encode_mask, form_of
from kernel.pictures.ingest import REFERENCE_SIDE, on_whole_picture
from kernel.spi import Size

WIDER: Final = 1.15
"""By this many of its own widths an artwork goes on: over a back as wide as it, and over a usual spine."""


def canvas_size(artwork: Size) -> Size:
    """Return the size of an artwork together with what goes on beside it."""
    return Size(round(artwork.width * (1 + WIDER)), artwork.height)


async def canvas_of(data: bytes, size: Size, side: Literal["left", "right"]) -> tuple[Form, Form]:
    """Return a stored original in its full height at the end of a canvas that has the proportions of `size`, and the
    mask that is transparent where it is to go on, on its `side`.

    What is to be painted holds the artwork mirrored: its colors are a better beginning than none. The longest side is
    REFERENCE_SIDE at most. Raises PictureRefused.
    """
    return await on_whole_picture(lambda: _canvas(data, size, side))


def _canvas(data: bytes, size: Size, side: Literal["left", "right"]) -> tuple[Form, Form]:
    artwork = decode(data, "png", None)
    scale = min(1.0, REFERENCE_SIDE / max(size.width, size.height))
    width, height = round(size.width * scale), round(size.height * scale)
    own = min(width, round(artwork.width * height / artwork.height))
    begin = width - own if side == "left" else 0
    part = artwork.thumbnail_image(own, height=height, size="force")
    canvas = part.embed(begin, 0, width, height, extend="mirror").copy_memory()
    kept = (part.extract_band(0) * 0 + 255).cast("uchar").embed(begin, 0, width, height, extend="black")
    return form_of("reference", canvas, encode(canvas, "png"), "png"), encode_mask(kept)
