"""Puts XMP packets into the files of pictures. The encoded pixels stay byte for byte what they were."""

import struct
import zlib
from typing import Final

from kernel.core.config import PictureFormat

PNG_HEAD: Final = 33
"""Bytes of a PNG up to the end of IHDR: the signature, and a first chunk of fixed length (PNG, 5.2 and 11.2.1)."""
_PNG_TEXT: Final = b"iTXt" + b"XML:com.adobe.xmp" + bytes(5)
"""Kind and keyword; then not compressed, no language, no translated keyword (PNG, 11.3.3.4; XMP part 3, 1.1.5)."""
_JPEG_NAMESPACE: Final = b"http://ns.adobe.com/xap/1.0/\0"
_JPEG_START: Final = 2
_APP0, _APP1 = b"\xff\xe0", b"\xff\xe1"
_RIFF_HEAD: Final = 12
_CHUNK_HEAD: Final = 8
_HAS_XMP, _HAS_ALPHA = 0x04, 0x10
"""Flags of VP8X (WebP container specification)."""
_SIDE_BITS: Final = 0x3FFF


class NotAPicture(ValueError):
    """The bytes are not a picture of the format that they are said to be."""


def png_chunk(packet: bytes) -> bytes:
    """Return the chunk that belongs at PNG_HEAD."""
    body = _PNG_TEXT + packet
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def with_packet(data: bytes, kind: PictureFormat, packet: bytes) -> bytes:
    """Return a picture that we encoded, and which carries no XMP yet, with this packet. Raises NotAPicture."""
    match kind:
        case "png":
            if data[12:16] != b"IHDR":
                raise NotAPicture(kind)
            return data[:PNG_HEAD] + png_chunk(packet) + data[PNG_HEAD:]
        case "jpeg":
            return _jpeg(data, packet)
        case "webp":
            return _webp(data, packet)


def _jpeg(data: bytes, packet: bytes) -> bytes:
    """Insert an APP1 segment behind JFIF, which has to come first (JFIF 1.02)."""
    if data[:_JPEG_START] != b"\xff\xd8":
        raise NotAPicture("jpeg")
    at = _JPEG_START
    if data[at : at + 2] == _APP0:
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    body = _JPEG_NAMESPACE + packet
    return data[:at] + _APP1 + struct.pack(">H", len(body) + 2) + body + data[at:]


def _webp(data: bytes, packet: bytes) -> bytes:
    """Append the chunk, and tell of it in the extended header, which simple files have not yet."""
    chunks = data[_RIFF_HEAD:]
    match data[_RIFF_HEAD : _RIFF_HEAD + 4]:
        case b"VP8X":
            at = _CHUNK_HEAD
            chunks = chunks[:at] + bytes((chunks[at] | _HAS_XMP,)) + chunks[at + 1 :]
        case b"VP8 ":
            size = struct.unpack_from("<HH", chunks, _CHUNK_HEAD + 6)  # behind the frame's tag and start code
            chunks = _extended(*(side & _SIDE_BITS for side in size), flags=_HAS_XMP) + chunks
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", chunks, _CHUNK_HEAD + 1)
            width, height = (bits & _SIDE_BITS) + 1, (bits >> 14 & _SIDE_BITS) + 1
            alpha = _HAS_ALPHA if bits >> 28 & 1 else 0
            chunks = _extended(width, height, flags=_HAS_XMP | alpha) + chunks
        case _:
            raise NotAPicture("webp")
    chunks += b"XMP " + struct.pack("<I", len(packet)) + packet + bytes(len(packet) % 2)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def _extended(width: int, height: int, *, flags: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"VP8X" + struct.pack("<I", 10) + bytes((flags, 0, 0, 0)) + sides
