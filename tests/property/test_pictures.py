"""Bytes that claim to be a picture: any input is stored completely or refused with a message."""

import asyncio
import base64
import io
import random
import struct
import time
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from kernel.core.config import load_config
from kernel.core.errors import AppError
from kernel.covers.dimensions import FIXED, nearest
from kernel.pictures.ingest import Ingested, ingest
from kernel.spi import ImageCapabilities, Size, SizeRange

RULES = load_config({}).pictures
LIMIT = 1_000_000
KINDS = ("PNG", "JPEG", "WEBP")
MARK = "a-secret-place-52.5200N"
TOUGH = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
SIDES = st.integers(1, 9000)


def picture(kind: str, size: tuple[int, int] = (48, 64), **options: object) -> bytes:
    """Encode a small picture with something to see in it."""
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


GOOD = {kind: picture(kind) for kind in KINDS}


def take(data: bytes, fit: Size | None = None) -> Ingested | AppError:
    """Ingest bytes; return the result, or the error."""
    try:
        return asyncio.run(ingest(data, RULES, limit=LIMIT, fit=fit))
    except AppError as refused:
        assert refused.status in (413, 415, 422)
        return refused


@TOUGH
@given(st.one_of(st.binary(max_size=300), st.binary(max_size=200).map(lambda tail: b"\x89PNG\r\n\x1a\n" + tail)))
def test_random_bytes_are_refused(data: bytes) -> None:
    assert isinstance(take(data), AppError)


@TOUGH
@given(st.sampled_from(KINDS), st.data())
def test_damaged_pictures_never_get_in_as_something_else(kind: str, data: st.DataObject) -> None:
    good = GOOD[kind]
    damaged = bytearray(good[: data.draw(st.integers(0, len(good)), label="length")])
    for _ in range(data.draw(st.integers(0, 4), label="flips")):
        if damaged:
            damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    taken = take(bytes(damaged), Size(30, 40))
    if isinstance(taken, Ingested):
        assert taken.size == Size(30, 40)
        assert all(Image.open(io.BytesIO(form.data)).size == (form.width, form.height) for form in taken.forms)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_picture_tells_about_its_maker_is_dropped(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = MARK
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[1] = "N"
    extra: dict[str, object] = {"exif": exif.tobytes()}
    if kind == "PNG":
        info = PngImagePlugin.PngInfo()
        info.add_text("Comment", MARK)
        info.add_itxt("XML:com.adobe.xmp", MARK)
        extra["pnginfo"] = info
    else:
        extra["xmp"] = MARK.encode()
    if kind == "JPEG":
        extra["comment"] = MARK
    data = picture(kind, (40, 20), **extra)
    assert MARK.encode() in data
    taken = take(data + b"<script>alert(1)</script>" + MARK.encode())
    assert isinstance(taken, Ingested)
    assert taken.size == Size(20, 40), "turned upright before the note about it is dropped"
    for form in taken.forms:
        assert MARK.encode() not in form.data and b"<script" not in form.data
        assert not Image.open(io.BytesIO(form.data)).getexif()


def png_header(width: int, height: int) -> bytes:
    """Return a PNG of any size in very few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes(min((width // 8 + 2) * height, 4_000_000)))
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(13_000, 13_000), (60_000, 1), (1, 60_000), (2**31 - 1, 2**31 - 1), (8193, 100)])
def test_a_bomb_is_judged_by_its_header(size: tuple[int, int]) -> None:
    started = time.perf_counter()
    assert isinstance(take(png_header(*size)), AppError)
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "ICO"])
def test_other_kinds_of_pictures_are_refused_by_type(kind: str) -> None:
    refused = take(picture(kind))
    assert isinstance(refused, AppError) and refused.status == 415


@pytest.mark.parametrize("text", ["<svg onload=alert(1)>", "<html>", "%PDF-1.7", "PK\x03\x04", "%!PS-Adobe EPSF"])
def test_documents_are_refused_by_type(text: str) -> None:
    refused = take(text.encode())
    assert isinstance(refused, AppError) and refused.status == 415


def test_more_bytes_than_allowed_are_refused_unread() -> None:
    refused = take(GOOD["PNG"] + bytes(LIMIT))
    assert isinstance(refused, AppError) and refused.status == 413


def test_an_animation_becomes_its_first_frame() -> None:
    frames = [Image.new("RGB", (20, 30), (value, 0, 0)) for value in range(0, 250, 5)]
    buffer = io.BytesIO()
    frames[0].save(buffer, "WEBP", save_all=True, append_images=frames[1:], duration=10, lossless=True)
    taken = take(buffer.getvalue())
    assert isinstance(taken, Ingested) and taken.tint == "#000000"


@pytest.mark.parametrize("size", [(1800, 2700), (2700, 1800), (40, 4000), (1, 1)])
def test_a_picture_is_known_at_a_glance_from_very_few_bytes(size: tuple[int, int]) -> None:
    taken = take(picture("PNG", size))
    assert isinstance(taken, Ingested) and len(taken.placeholder) <= 260
    with Image.open(io.BytesIO(base64.b64decode(taken.placeholder))) as tiny:
        assert tiny.format == "WEBP" and max(tiny.size) <= 20
        light = tiny.convert("L")
        top, bottom = (light.getpixel((0, row)) for row in (0, light.height - 1))
    assert size == (1, 1) or (isinstance(top, int) and isinstance(bottom, int) and bottom - top > 150)


def test_placeholders_are_short() -> None:
    pixels = Image.frombytes("RGB", (16, 24), random.Random(1).randbytes(16 * 24 * 3))
    buffer = io.BytesIO()
    pixels.resize((320, 480), Image.Resampling.NEAREST).save(buffer, "PNG")
    taken = take(buffer.getvalue())
    assert isinstance(taken, Ingested) and len(taken.placeholder) <= 260


def test_clear_parts_lie_on_white_paper() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (10, 10), (255, 0, 0, 0)).save(buffer, "PNG")
    taken = take(buffer.getvalue())
    assert isinstance(taken, Ingested) and taken.tint == "#ffffff"


def test_a_picture_of_the_wanted_size_keeps_its_very_pixels() -> None:
    taken = take(GOOD["PNG"], Size(48, 64))
    assert isinstance(taken, Ingested)
    assert Image.open(io.BytesIO(taken.forms[0].data)).tobytes() == Image.open(io.BytesIO(GOOD["PNG"])).tobytes()


@given(SIDES, SIDES, SIDES, SIDES, SIDES, SIDES)
def test_the_size_asked_of_a_service_lies_within_its_range(
    width: int, height: int, low_width: int, low_height: int, more_width: int, more_height: int
) -> None:
    smallest = Size(low_width, low_height)
    largest = Size(low_width + more_width, low_height + more_height)
    size = nearest(
        Size(width, height), ImageCapabilities(models=(), size_range=SizeRange(smallest=smallest, largest=largest))
    )
    assert smallest.width <= size.width <= largest.width and smallest.height <= size.height <= largest.height
    if smallest.width <= width <= largest.width and smallest.height <= height <= largest.height:
        assert size == Size(width, height)


@given(SIDES, SIDES, st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=6))
def test_the_size_asked_of_a_service_is_one_of_its_sizes(width: int, height: int, sizes: list[tuple[int, int]]) -> None:
    native = tuple(Size(*size) for size in sizes)
    assert nearest(Size(width, height), ImageCapabilities(models=(), sizes=native)) in native
    assert nearest(native[0], ImageCapabilities(models=(), sizes=native)) == native[0]


@pytest.mark.parametrize("wanted", FIXED.values())
def test_upright_covers_are_asked_for_upright(wanted: Size) -> None:
    openai = ImageCapabilities(models=(), sizes=(Size(1024, 1024), Size(1536, 1024), Size(1024, 1536)))
    size = nearest(wanted, openai)
    assert size == (Size(1024, 1024) if wanted.width == wanted.height else Size(1024, 1536))
