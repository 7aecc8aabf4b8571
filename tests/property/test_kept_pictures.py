"""A picture that is already what would be written is stored byte for byte; any other is re-encoded."""

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


def png(*, mode: str = "RGB", dpi: int = 300, chunks: tuple[tuple[bytes, bytes], ...] = (), **options: object) -> bytes:
    """Encode a picture."""
    info = PngImagePlugin.PngInfo()
    for kind, body in chunks:
        info.add(kind, body)
    buffer = io.BytesIO()
    image = Image.linear_gradient("L").resize((SIZE.width, SIZE.height)).convert(mode)
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info, **options)
    return buffer.getvalue()


def kept(data: bytes, fit: Size = SIZE) -> bool:
    """Ingest a picture; return whether its original is unchanged, and check that it shows the same."""
    original = asyncio.run(ingest(data, RULES, limit=len(data), fit=fit)).forms[0].data
    if fit == SIZE:
        came, stored = (Image.open(io.BytesIO(form)).convert("RGB").tobytes() for form in (data, original))
        assert came == stored
    return original == data


@pytest.mark.parametrize("chunks", [(), ((b"sRGB", b"\0"),)])
@pytest.mark.parametrize("level", [1, 9])
def test_a_plain_picture_at_print_size_is_stored_unchanged(chunks: tuple[tuple[bytes, bytes], ...], level: int) -> None:
    assert kept(png(chunks=chunks, compress_level=level))


@pytest.mark.parametrize(
    "data",
    [
        png(mode="L"),
        png(mode="P"),
        png(mode="RGBA"),
        png(dpi=72),
        png(chunks=((b"tEXt", b"Comment\0hello"),)),
        png(chunks=((b"tIME", bytes((7, 234, 1, 1, 0, 0, 0))),)),
        png(chunks=((b"prVt", b"anything"),)),
        png() + b"<script>",
    ],
    ids=["grey", "palette", "clear", "72 dpi", "text", "time", "private", "behind the end"],
)
def test_what_holds_anything_else_is_encoded_anew(data: bytes) -> None:
    assert not kept(data)


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
