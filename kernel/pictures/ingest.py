"""The one entrance for bytes that claim to be a picture, from any source."""

import asyncio
import base64
import hashlib
import io
import re
import warnings
from collections.abc import Callable
from typing import Final, Literal, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from PIL import Image, ImageOps, UnidentifiedImageError

from kernel.core.config import PictureFormat, PicturesConfig
from kernel.core.errors import AppError, TooLarge, WrongType
from kernel.core.field_errors import FieldError
from kernel.pictures.plain_png import is_plain_png
from kernel.spi import Size

T = TypeVar("T")

MAGIC: Final[dict[PictureFormat, re.Pattern[bytes]]] = {
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
}
MEDIA_TYPES: Final[dict[PictureFormat, str]] = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
NOT_AN_IMAGE: Final = FieldError("not_an_image", "Please upload an image file.")
PRINT_DPI: Final = 300
REFERENCE_SIDE: Final = 2048
"""Longest side, in pixels, of a reference picture: more than any image service uses."""
PLACEHOLDER_SIDE: Final = 20
"""Longest side, in pixels, of the placeholder that is shown until a picture loads."""
PLACEHOLDER_CHARS: Final = 260
"""Maximum length of the placeholder in base64; most covers stay below it at the first quality, noise needs the last."""
PLACEHOLDER_QUALITIES: Final = (80, 50, 20)
"""Qualities of WebP, tried in this order: colors suffer first."""
MARK_LOSSLESS_BYTES: Final = 150_000
"""Maximum size of a lossless logo; flat colors stay far below, photographs are encoded with losses."""
DECODE_TIMEOUT_S: Final = 10.0
DECODERS: Final = 2
"""Concurrent decodings: a decoded cover takes up to 75 MB."""
_decoders: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]] = WeakKeyDictionary()
"""A semaphore belongs to the event loop that first waits for it."""

Image.MAX_IMAGE_PIXELS = None  # our own limit is checked before decoding; Pillow's only warns up to its double


class PictureRefused(AppError):
    """The bytes are not a picture that is accepted."""

    status, code = 422, "bad_picture"


class SlowPicture(PictureRefused):
    """The picture was not decoded in time; it may be in order, and the machine busy."""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """One encoded form of a picture; `name` is `original` or the width of a thumbnail in pixels."""

    name: str
    media_type: str
    data: bytes
    sha256: str
    width: int
    height: int


class Ingested(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that passed: its forms, final and native size, mean color as `#rrggbb`, and a tiny WebP in base64."""

    forms: tuple[Form, ...]
    size: Size
    native: Size
    tint: str
    placeholder: str


def sniff(data: bytes) -> PictureFormat | None:
    """Return the format that the first bytes show, or None."""
    return next((name for name, magic in MAGIC.items() if magic.match(data)), None)


async def ingest(data: bytes, config: PicturesConfig, *, limit: int, fit: Size | None = None) -> Ingested:
    """Check, decode, crop to `fit`'s proportion, scale to it, remove all metadata and encode the stored forms.

    `limit` is in bytes. Pixels stay unchanged when the picture already has the wanted size; the original is a PNG at
    300 dpi, and the received bytes if they are one. Raises TooLarge, WrongType or PictureRefused.
    """
    return await _read(data, limit, lambda kind: _ingest(data, kind, config, fit))


async def ingest_reference(data: bytes, config: PicturesConfig, *, limit: int) -> Form:
    """Check, decode, scale down to REFERENCE_SIDE where it is larger, remove all metadata and encode as JPEG.

    `limit` is in bytes. Raises TooLarge, WrongType or PictureRefused.
    """
    return await _read(data, limit, lambda kind: _ingest_reference(data, kind, config))


async def ingest_mark(data: bytes, config: PicturesConfig, *, limit: int, box: Size, icon: bool = False) -> Ingested:
    """Check, decode, scale down to fit the box, remove all metadata and encode as one form. Transparency is preserved.

    An `icon` becomes a PNG, centered in a transparent square unless it is square; anything else a WebP. `limit` is in
    bytes. Raises TooLarge, WrongType or PictureRefused.
    """
    return await _read(data, limit, lambda kind: _ingest_mark(data, kind, config, box, icon))


async def read_pixels(data: bytes, config: PicturesConfig) -> Image.Image:
    """Check and decode a stored picture as plain RGB. Raises TooLarge, WrongType or PictureRefused."""
    return await _read(data, config.max_result_bytes, lambda kind: _decode(data, kind, config))


def _decoder() -> asyncio.Semaphore:
    """Return what lets so many decode at a time."""
    loop = asyncio.get_running_loop()
    if loop not in _decoders:
        _decoders[loop] = asyncio.Semaphore(DECODERS)
    return _decoders[loop]


async def _read(data: bytes, limit: int, work: Callable[[PictureFormat], T]) -> T:
    """Decode in a thread, once size and type are valid."""
    if len(data) > limit:
        megabytes = limit // 1_048_576
        words = f"The picture is larger than {megabytes} MB."
        raise TooLarge(FieldError("large_image", words, {"megabytes": megabytes}))
    kind = sniff(data)
    if kind is None:
        raise WrongType(NOT_AN_IMAGE)
    async with _decoder():
        try:
            async with asyncio.timeout(DECODE_TIMEOUT_S):
                return await asyncio.to_thread(work, kind)
        except TimeoutError as error:
            raise SlowPicture(FieldError("slow_image", "The picture takes too long to read.")) from error


def _ingest_reference(data: bytes, kind: PictureFormat, config: PicturesConfig) -> Form:
    image = _decode(data, kind, config)
    image.thumbnail((REFERENCE_SIDE, REFERENCE_SIDE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    return _form("reference", image, encode(image, "jpeg"), "jpeg")


def _ingest_mark(data: bytes, kind: PictureFormat, config: PicturesConfig, box: Size, icon: bool) -> Ingested:
    image = _opened(data, kind, config, "RGBA")
    native = Size(image.width, image.height)
    image.thumbnail((box.width, box.height), Image.Resampling.LANCZOS, reducing_gap=3.0)
    if icon:
        image = ImageOps.pad(image, (max(image.size), max(image.size)), color=(0, 0, 0, 0))
    kept = _form("original", image, _encode_mark(image, icon), "png" if icon else "webp")
    seen = _on_paper(image)
    return Ingested(
        forms=(kept,),
        size=Size(image.width, image.height),
        native=native,
        tint=_tint(seen),
        placeholder=_placeholder(seen),
    )


def _encode_mark(image: Image.Image, icon: bool) -> bytes:
    buffer = io.BytesIO()
    if icon:
        image.save(buffer, "PNG", optimize=True)
        return buffer.getvalue()
    image.save(buffer, "WEBP", lossless=True, method=4)
    if buffer.tell() > MARK_LOSSLESS_BYTES:
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=90, method=4)
    return buffer.getvalue()


def _ingest(data: bytes, kind: PictureFormat, config: PicturesConfig, fit: Size | None) -> Ingested:
    image = _decode(data, kind, config)
    native = Size(image.width, image.height)
    if fit is not None and fit != native:
        image = ImageOps.fit(image, (fit.width, fit.height), Image.Resampling.LANCZOS)
        data = b""
    forms = [_form("original", image, data if is_plain_png(data) else encode(image, "png"), "png")]
    smaller = image
    for width in sorted(config.thumbnail_widths, reverse=True):
        smaller = _thumbnail(smaller, width)  # each from the one before: the last costs next to nothing
        forms.append(_form(str(width), smaller, encode(smaller, "webp"), "webp"))
    return Ingested(
        forms=tuple(forms),
        size=Size(image.width, image.height),
        native=native,
        tint=_tint(smaller),
        placeholder=_placeholder(smaller),
    )


def _decode(data: bytes, kind: PictureFormat, config: PicturesConfig) -> Image.Image:
    """Return the first frame as plain RGB pixels."""
    return _opened(data, kind, config, "RGB")


def _opened(data: bytes, kind: PictureFormat, config: PicturesConfig, mode: Literal["RGB", "RGBA"]) -> Image.Image:
    """Return the first frame, upright; the size is checked in the header, before any pixel is decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = Image.open(io.BytesIO(data), formats=(kind.upper(),))
            if opened.width * opened.height > config.max_pixels or max(opened.size) > config.max_side:
                raise PictureRefused(FieldError("too_many_pixels", "The picture has too many pixels."))
            opened.load()
            upright = ImageOps.exif_transpose(opened)
            if mode == "RGB" and (upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info):
                upright = _on_paper(upright.convert("RGBA"))
            pixels = upright.convert(mode)
    except PictureRefused:
        raise
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise PictureRefused(FieldError("unreadable_image", "The picture cannot be read.")) from error
    return Image.frombytes(mode, pixels.size, pixels.tobytes())


def _on_paper(image: Image.Image) -> Image.Image:
    """Return a picture on a white background where it is transparent."""
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def _tint(image: Image.Image) -> str:
    red, green, blue = image.resize((1, 1), Image.Resampling.BOX).tobytes()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _thumbnail(image: Image.Image, width: int) -> Image.Image:
    width = min(width, image.width)
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _placeholder(image: Image.Image) -> str:
    image = image.copy()
    image.thumbnail((PLACEHOLDER_SIDE, PLACEHOLDER_SIDE), Image.Resampling.BOX)
    text = ""
    for quality in PLACEHOLDER_QUALITIES:
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=6)
        text = base64.b64encode(buffer.getvalue()).decode()
        if len(text) <= PLACEHOLDER_CHARS:
            break
    return text


def _form(name: str, image: Image.Image, data: bytes, kind: PictureFormat) -> Form:
    return Form(
        name=name,
        media_type=MEDIA_TYPES[kind],
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        width=image.width,
        height=image.height,
    )


def encode(image: Image.Image, kind: PictureFormat) -> bytes:
    """Encode RGB pixels. PNG level 1 costs a fifth of level 6 for a tenth more bytes, since grain hardly compresses."""
    buffer = io.BytesIO()
    match kind:
        case "png":
            image.save(buffer, "PNG", compress_level=1, dpi=(PRINT_DPI, PRINT_DPI))
        case "jpeg":
            # without `optimize`, for which Pillow guesses a buffer that noise does not fit into
            image.save(buffer, "JPEG", quality=92, subsampling=0, dpi=(PRINT_DPI, PRINT_DPI))
        case "webp":
            image.save(buffer, "WEBP", quality=85, method=2)
    return buffer.getvalue()


async def convert(data: bytes, kind: PictureFormat, *, longest_px: int | None = None) -> bytes:
    """Return a stored original in another format, scaled down to a longest edge; unchanged if nothing is to be done."""

    def work() -> bytes:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            scale = min(1.0, longest_px / max(image.size)) if longest_px else 1.0
            if kind == "png" and scale == 1.0:
                return data
            pixels = image.convert("RGB")
        if scale < 1.0:
            width, height = (max(1, round(side * scale)) for side in pixels.size)
            pixels = pixels.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
        return encode(pixels, kind)

    async with _decoder():
        return await asyncio.to_thread(work)
