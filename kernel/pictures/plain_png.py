"""Recognizes PNG files that need no re-encoding: those with pixels, print size and nothing else."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
CHECKSUM_BYTES: Final = 4
RGB: Final = bytes((8, 2, 0, 0, 0))
"""In IHDR after width and height: eight bits, three channels, standard compression and filter, not interlaced."""
DOTS_PER_METRE: Final = 11_811
PRINT_SIZE: Final = struct.pack(">IIB", DOTS_PER_METRE, DOTS_PER_METRE, 1)
"""pHYs: 300 dpi both ways (PNG, 11.3.5.3)."""


def is_plain_png(data: bytes) -> bool:
    """Return whether a decoded picture is exactly what we would write: 8-bit RGB at 300 dpi, complete, with no other
    chunks and nothing after the last. A named color space (sRGB) is allowed.
    """
    kinds: list[bytes] = []
    try:
        for kind, body in _chunks(data):
            wrong = (kind == b"IHDR" and body[8:] != RGB) or (kind == b"pHYs" and body != PRINT_SIZE)
            if wrong or (kind == b"sRGB" and len(body) != 1):
                return False
            if kinds[-1:] != [kind] or kind != b"IDAT":
                kinds.append(kind)
    except ValueError:
        return False
    return (
        kinds[:1] == [b"IHDR"]
        and kinds[-2:] == [b"IDAT", b"IEND"]
        and sorted(kinds[1:-2])
        in (
            [b"pHYs"],
            [b"pHYs", b"sRGB"],
        )
    )


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield kind and contents of all chunks. Raises ValueError for a damaged one, or for bytes behind IEND."""
    if not data.startswith(SIGNATURE):
        raise ValueError
    view, at, kind = memoryview(data), len(SIGNATURE), b""
    while at < len(data) and kind != b"IEND":
        end = at + 8 + int.from_bytes(view[at : at + 4])
        kind = bytes(view[at + 4 : at + 8])
        if int.from_bytes(view[end : end + CHECKSUM_BYTES]) != zlib.crc32(view[at + 4 : end]):
            raise ValueError
        yield kind, view[at + 8 : end]
        at = end + CHECKSUM_BYTES
    if at != len(data) or kind != b"IEND":
        raise ValueError
