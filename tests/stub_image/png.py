"""The shortest way to a valid PNG of any size."""

import struct
import zlib
from functools import lru_cache


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@lru_cache(maxsize=32)
def png(width: int, height: int, color: int = 0x335577) -> bytes:
    """Return a PNG of one color (`0xRRGGBB`), one bit per pixel."""
    rows = (b"\0" + bytes((width + 7) // 8)) * height
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)),
            _chunk(b"PLTE", color.to_bytes(3, "big") + b"\xff\xff\xff"),
            _chunk(b"IDAT", zlib.compress(rows, 6)),
            _chunk(b"IEND", b""),
        )
    )
