"""PNG files of drawn covers. ISA-L compresses them as small as zlib's second level does, in a quarter of the time.

Several pictures of one page, with and without its words, are mostly alike: what they share is compressed once.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from isal import isal_zlib

from plugins.atelier.color import Bytes

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
RGB: Final = bytes((8, 2, 0, 0, 0))
"""In IHDR after width and height: eight bits, three channels, standard compression and filter, not interlaced."""
PERCEPTUAL: Final = b"\0"  # the rendering intent in the chunk sRGB (PNG, 11.3.2.5)
METRES: Final = b"\1"  # the unit in the chunk pHYs (PNG, 11.3.4.3)
AVERAGE: Final = 3  # the filter: of grain it leaves the least
CHANNELS: Final = 3
EFFORT: Final = 3  # the highest level of ISA-L, and as quick as its others
WINDOW: Final = 15  # bits
ZLIB_HEAD: Final = b"\x78\x01"
BAND: Final = 64  # rows: they fit into the processor's cache


def png_files(pictures: Sequence[Bytes], dots_per_metre: int, order: Sequence[int] = (0, 1, 2)) -> list[bytes]:
    """Return pictures (h, w, 4) of one size as sRGB files without their alpha.

    `order` says where a pixel has red, green and blue.
    """
    height, width = pictures[0].shape[:2]
    head = (
        SIGNATURE,
        _chunk(b"IHDR", struct.pack(">II", width, height) + RGB),
        _chunk(b"sRGB", PERCEPTUAL),
        _chunk(b"pHYs", struct.pack(">II", dots_per_metre, dots_per_metre) + METRES),
    )
    bodies = [[ZLIB_HEAD] for _ in pictures]
    checksums = [1] * len(pictures)
    bands = [_filtered(picture, order) for picture in pictures]
    for top in range(0, height, BAND):
        packed: list[bytes] = []
        for i, band in enumerate(map(next, bands)):
            checksums[i] = isal_zlib.adler32(band, checksums[i])
            twin = next((j for j in range(i) if _alike(pictures[i], pictures[j], top)), None)
            packed.append(_deflated(band, top + BAND >= height) if twin is None else packed[twin])
            bodies[i].append(packed[i])
    return [
        b"".join((*head, _chunk(b"IDAT", b"".join((*body, struct.pack(">I", checksum)))), _chunk(b"IEND", b"")))
        for body, checksum in zip(bodies, checksums, strict=True)
    ]


def _filtered(picture: Bytes, order: Sequence[int]) -> Iterator[Bytes]:
    """Yield a picture's filtered rows, in a buffer that the next ones overwrite."""
    height, width = picture.shape[:2]
    rows = np.zeros((BAND + 1, width + 1, CHANNELS), np.uint8)  # with the row above, and black left of each
    flat, here = rows.reshape(BAND + 1, -1), rows[1:, 1:]
    left, above, plain = flat[1:, :-CHANNELS], flat[:-1, CHANNELS:], flat[1:, CHANNELS:]
    mean, half = np.empty_like(plain), np.empty_like(plain)
    out = np.empty((BAND, 1 + width * CHANNELS), np.uint8)
    out[:, 0] = AVERAGE
    for top in range(0, height, BAND):
        band = picture[top : top + BAND]
        for channel, place in enumerate(order):  # NumPy copies plane by plane in a third of the time
            here[: len(band), :, channel] = band[..., place]
        # the mean of two bytes, without the ninth bit of their sum
        np.right_shift(np.bitwise_xor(left, above, out=half), 1, out=half)
        np.add(np.bitwise_and(left, above, out=mean), half, out=mean)
        np.subtract(plain, mean, out=out[:, 1:])
        yield out[: len(band)]
        rows[0] = rows[BAND]


def _alike(one: Bytes, other: Bytes, top: int) -> bool:
    """Whether two pictures have the same band, and the same row above it, from which its first one is filtered."""
    rows = slice(max(0, top - 1), top + BAND)
    return np.array_equal(one[rows].view(np.uint32), other[rows].view(np.uint32))


def _deflated(band: Bytes, is_last: bool) -> bytes:
    """Compress a band so that it does not refer to others and that others can follow it."""
    deflate = isal_zlib.compressobj(EFFORT, isal_zlib.DEFLATED, -WINDOW)
    return deflate.compress(band) + deflate.flush(isal_zlib.Z_FINISH if is_last else isal_zlib.Z_SYNC_FLUSH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))
