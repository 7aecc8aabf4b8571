"""Encoding pixels as the forms that are stored and sent."""

import hashlib
import struct
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, Self

import msgspec

from kernel.core.config import PictureFormat
from kernel.pictures.decoding import Pixels

MEDIA_TYPES: Final[dict[PictureFormat, str]] = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
FORMATS: Final = {media_type: kind for kind, media_type in MEDIA_TYPES.items()}
PRINT_DPI: Final = 300
MM_PER_INCH: Final = 25.4
JFIF: Final = struct.pack(">HH5sHBHHBB", 0xFFE0, 16, b"JFIF\0", 0x0101, 1, PRINT_DPI, PRINT_DPI, 0, 0)
"""The segment of a JPEG that tells its resolution (JFIF 1.02): libvips writes it into EXIF only, beside other notes."""
MARK_LOSSLESS_BYTES: Final = 150_000
"""Maximum size of a lossless logo; flat colors stay far below, photographs are encoded with losses."""
ENCODERS: Final = 4
_encoders: Final = ThreadPoolExecutor(ENCODERS, thread_name_prefix="encoding")
"""What was decoded waits for none of another picture: its original is encoded beside its largest preview."""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """One encoded form of a picture; `name` is `original` or the width of a thumbnail in pixels."""

    name: str
    media_type: str
    data: bytes
    sha256: str
    width: int
    height: int


def form_of(name: str, pixels: Pixels, data: bytes, kind: PictureFormat) -> Form:
    """Return a form of these pixels with this name."""
    return Form(
        name=name,
        media_type=MEDIA_TYPES[kind],
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        width=pixels.width,
        height=pixels.height,
    )


def encode_mask(kept: Pixels) -> Form:
    """Return a mask as a black PNG with holes where `kept` is 0."""
    mask = kept.new_from_image([0, 0, 0]).bandjoin(kept).copy(interpretation="srgb").copy_memory()
    return form_of("mask", mask, bytes(mask.pngsave_buffer(compression=9, filter="none", keep="none")), "png")


class Encodings:
    """Forms of one picture that are encoded beside each other. All have ended at the end of the block."""

    def __init__(self) -> None:
        self._begun: list[Future[Form]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        wait(self._begun)

    def add(self, name: str, pixels: Pixels, encoding: Callable[[Pixels], bytes], kind: PictureFormat) -> None:
        """Begin to encode pixels as a form of this name."""
        self._begun.append(_encoders.submit(lambda: form_of(name, pixels, encoding(pixels), kind)))

    def forms(self) -> tuple[Form, ...]:
        """Return the forms in the order in which they were added."""
        return tuple(begun.result() for begun in self._begun)


def encode(pixels: Pixels, kind: PictureFormat) -> bytes:
    """Encode RGB pixels, at 300 dpi where the format says so. Level 2 of PNG costs a third of level 6 for a fourteenth
    more bytes, since grain hardly compresses.
    """
    match kind:
        case "png":
            at_print_size = pixels.copy(xres=PRINT_DPI / MM_PER_INCH, yres=PRINT_DPI / MM_PER_INCH)
            return bytes(at_print_size.pngsave_buffer(compression=2, filter="avg", keep="none"))
        case "jpeg":
            encoded = bytes(pixels.jpegsave_buffer(Q=92, subsample_mode="off", keep="none"))
            return encoded[:2] + JFIF + encoded[2:]
        case "webp":
            return bytes(pixels.webpsave_buffer(Q=85, effort=2, keep="none"))


def encode_preview(pixels: Pixels) -> bytes:
    """Encode quickly: somebody waits for it. On drawn covers effort 0 costs half of what effort 2 costs; at quality 83
    its files are 6 % larger than those at 85, and 0.2 dB farther from the picture.
    """
    return bytes(pixels.webpsave_buffer(Q=83, effort=0, keep="none"))


def encode_mark(pixels: Pixels, icon: bool) -> bytes:
    """Encode a mark, without losses where that is small."""
    if icon:
        return bytes(pixels.pngsave_buffer(compression=9, filter="all", keep="none"))
    lossless = bytes(pixels.webpsave_buffer(lossless=True, effort=4, keep="none"))
    if len(lossless) <= MARK_LOSSLESS_BYTES:
        return lossless
    return bytes(pixels.webpsave_buffer(Q=90, effort=4, keep="none"))
