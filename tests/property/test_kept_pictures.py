"""A picture that is already what would be written is stored byte for byte; of others the compressed pixels are kept."""

import asyncio
import io
import struct
import zlib

import pytest
from PIL import Image, PngImagePlugin

from kernel.core.config import load_config
from kernel.core.errors import AppError
from kernel.pictures.ingest import ingest
from kernel.spi import Size

RULES = load_config({}).pictures
SIZE = Size(48, 64)
EXIF = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0"
"""One note: the picture stands on its head (orientation 3)."""


def png(*, mode: str = "RGB", dpi: int = 300, chunks: tuple[tuple[bytes, bytes], ...] = (), **options: object) -> bytes:
    """Encode a picture."""
    info = PngImagePlugin.PngInfo()
    for kind, body in chunks:
        info.add(kind, body)
    buffer = io.BytesIO()
    image = Image.linear_gradient("L").resize((SIZE.width, SIZE.height)).convert(mode)
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info, **options)
    return buffer.getvalue()


def png_with(kind: bytes, body: bytes) -> bytes:
    """Encode the same picture with a chunk before its pixels."""
    data = png()
    at = data.index(b"IDAT") - 4
    return (
        data[:at] + struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) + data[at:]
    )


def original(data: bytes, fit: Size = SIZE) -> bytes:
    """Ingest a picture; return its original."""
    return asyncio.run(ingest(data, RULES, limit=len(data), fit=fit)).forms[0].data


def kept(data: bytes, fit: Size = SIZE) -> bool:
    """Ingest a picture; return whether its original is unchanged, and check that it shows the same."""
    stored = original(data, fit)
    if fit == SIZE:
        came, shown = (Image.open(io.BytesIO(form)).convert("RGB").tobytes() for form in (data, stored))
        assert came == shown
    return stored == data


def chunks_of(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the kinds and contents of a PNG's chunks."""
    found, at = list[tuple[bytes, bytes]](), 8
    while at < len(data) and (not found or found[-1][0] != b"IEND"):
        (length,) = struct.unpack(">I", data[at : at + 4])
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def pixels_in(data: bytes) -> bytes:
    """Return the compressed pixels of a PNG."""
    return b"".join(body for kind, body in chunks_of(data) if kind == b"IDAT")


@pytest.mark.parametrize("chunks", [(), ((b"sRGB", b"\0"),)])
@pytest.mark.parametrize("level", [1, 9])
def test_a_plain_picture_at_print_size_is_stored_unchanged(chunks: tuple[tuple[bytes, bytes], ...], level: int) -> None:
    assert kept(png(chunks=chunks, compress_level=level))


BESIDE = {
    "72 dpi": png(dpi=72),
    "text": png(chunks=((b"tEXt", b"Comment\0hello"),)),
    "time": png(chunks=((b"tIME", bytes((7, 234, 1, 1, 0, 0, 0))),)),
    "private": png(chunks=((b"prVt", b"anything"),)),
    "gamma": png(chunks=((b"gAMA", struct.pack(">I", 45_455)),)),
    "behind the end": png() + b"<script>",
}


@pytest.mark.parametrize("beside", BESIDE)
def test_of_what_holds_more_only_the_compressed_pixels_are_kept(beside: str) -> None:
    assert original(BESIDE[beside]) == png()


@pytest.mark.parametrize(
    "data",
    [
        png(mode="L"),
        png(mode="P"),
        png(mode="RGBA"),
        png_with(b"eXIf", EXIF),
        png_with(b"tRNS", bytes(6)),
        png(chunks=((b"tEXt", b"Raw profile type exif\0\nexif\n  0\n"),)),
        png(compress_level=0),
    ],
    ids=["grey", "palette", "clear", "turned", "one color clear", "notes as text", "larger than its pixels"],
)
def test_what_must_be_decoded_to_be_seen_is_encoded_anew(data: bytes) -> None:
    stored = original(data)
    assert pixels_in(stored) != pixels_in(data)
    assert {kind for kind, _ in chunks_of(stored)} == {b"IHDR", b"pHYs", b"IDAT", b"IEND"}


def test_another_size_is_encoded_anew() -> None:
    assert not kept(png(), Size(24, 32))


def test_a_wrong_checksum_is_never_kept() -> None:
    good = png()
    at = good.index(b"IDAT")
    (length,) = struct.unpack(">I", good[at - 4 : at])
    end = at + 4 + length
    assert good[end : end + 4] == struct.pack(">I", zlib.crc32(good[at:end]))
    damaged = good[:end] + bytes(4) + good[end + 4 :]
    try:
        assert not kept(damaged)
    except AppError as refused:
        assert refused.status == 422
