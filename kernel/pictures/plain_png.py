"""Keeps the compressed pixels of PNG files that need no re-encoding, at print size and without anything beside them."""

import math
import struct
import zlib
from collections.abc import Iterator
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
CHECKSUM_BYTES: Final = 4
RGB: Final = bytes((8, 2, 0, 0, 0))
"""In IHDR after width and height: eight bits, three channels, standard compression and filter, not interlaced."""
DOTS_PER_METRE: Final = 11_811
_PHYS: Final = b"pHYs" + struct.pack(">IIB", DOTS_PER_METRE, DOTS_PER_METRE, 1)
PRINT_SIZE: Final = struct.pack(">I", len(_PHYS) - 4) + _PHYS + struct.pack(">I", zlib.crc32(_PHYS))
"""The chunk that says 300 dpi both ways (PNG, 11.3.5.3)."""
SRGB_BYTES: Final = 8 + 1 + CHECKSUM_BYTES
CHANNELS: Final = 3
PIXELS: Final = (b"IHDR", b"IDAT", b"IEND")
ANCILLARY: Final = 0x20
"""In the first byte of a chunk's kind: the pixels can be read without it (PNG, 5.4)."""
CHANGING: Final = (b"tRNS", b"eXIf")
"""Ancillary chunks that change what is seen: clear parts, and which way is up."""
OLD_EXIF: Final = b"Raw profile type"
"""What the keyword of a text chunk begins with that some programs keep the same notes in."""


def plain_png(data: bytes) -> bytes | None:
    """Return a decoded picture as we would write it: 8-bit RGB at 300 dpi, complete, with no other chunks and nothing
    after the last. A named color space (sRGB) is kept. None for one whose pixels must be encoded anew for that, or
    whose file is larger than its pixels.

    The pixels stay as they were compressed: a file that is such a picture already comes back byte for byte.
    """
    try:
        chunks = list(_chunks(data))
    except ValueError:
        return None
    kinds = [kind for kind, _ in chunks]
    pixels = kinds.count(b"IDAT")
    first = len(kinds) - 1 - pixels
    head = chunks[0][1]
    if (
        kinds[0] != b"IHDR"
        or head[16:-CHECKSUM_BYTES] != RGB
        or kinds[1:first].count(b"IHDR")
        or kinds[first:] != [b"IDAT"] * pixels + [b"IEND"]
        or any(_changes(kind, chunk) for kind, chunk in chunks)
        or len(data) > math.prod(struct.unpack(">II", head[8:16])) * CHANNELS
    ):
        return None
    named = [chunk for kind, chunk in chunks if kind == b"sRGB" and len(chunk) == SRGB_BYTES][:1]
    return b"".join((SIGNATURE, head, *named, PRINT_SIZE, *(chunk for _, chunk in chunks[first:])))


def _changes(kind: bytes, chunk: memoryview) -> bool:
    """Say whether a picture may look otherwise without this chunk."""
    if kind in PIXELS:
        return False
    return not kind[0] & ANCILLARY or kind in CHANGING or bytes(chunk[8 : 8 + len(OLD_EXIF)]) == OLD_EXIF


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield all chunks, each by its kind and whole. Raises ValueError for a damaged one, or one that is cut off."""
    if not data.startswith(SIGNATURE):
        raise ValueError
    view, at, kind = memoryview(data), len(SIGNATURE), b""
    while at < len(data) and kind != b"IEND":
        end = at + 8 + int.from_bytes(view[at : at + 4])
        kind = bytes(view[at + 4 : at + 8])
        if int.from_bytes(view[end : end + CHECKSUM_BYTES]) != zlib.crc32(view[at + 4 : end]):
            raise ValueError
        yield kind, view[at : end + CHECKSUM_BYTES]
        at = end + CHECKSUM_BYTES
    if kind != b"IEND":
        raise ValueError
