"""The one entrance for bytes that claim to be a picture, from any source."""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from typing import Final, Literal, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from PIL import Image

from kernel.core.config import PictureFormat, PicturesConfig
from kernel.core.errors import TooLarge, WrongType
from kernel.core.field_errors import FieldError
from kernel.pictures.decoding import WHITE, PictureRefused, Pixels, decode, sniff
from kernel.pictures.encoding import (
    MEDIA_TYPES,
    Encodings,
    Form,
    encode,
    encode_mark,
    encode_mask,
    encode_preview,
    form_of,
)
from kernel.pictures.marks.manifests import MANIFEST_TYPE, kept_manifest
from kernel.pictures.plain_png import plain_png
from kernel.spi import Size

T = TypeVar("T")

NOT_AN_IMAGE: Final = FieldError("not_an_image", "Please upload an image file.")
OTHER_TYPE: Final = FieldError(
    "not_a_logo", "Please upload a PNG, JPEG or WebP file. SVG is not accepted, because it can carry scripts."
)
REFERENCE_SIDE: Final = 2048
"""Longest side, in pixels, of a reference picture: more than any image service uses."""
MANIFEST: Final = "manifest"
"""The form that is no picture: what its provider signed about its origin, kept to be part of what we sign."""
HALF: Final = 127
"""Alpha up to this is transparent."""
MASK_TOLERANCE: Final = 0.02
"""How far the proportions of a mask may be from those of its picture: browsers round to whole pixels."""
PLACEHOLDER_SIDE: Final = 20
"""Longest side, in pixels, of the placeholder that is shown until a picture loads."""
PLACEHOLDER_CHARS: Final = 260
"""Maximum length of the placeholder in base64; most covers stay below it at the first quality, noise needs the last."""
PLACEHOLDER_QUALITIES: Final = (80, 50, 20)
"""Qualities of WebP, tried in this order: colors suffer first."""
PREVIEW_SIDE: Final = 512
"""Longest side, in pixels, of a picture that is shown while it is made."""
DECODE_TIMEOUT_S: Final = 10.0
DECODERS: Final = 2
"""Concurrent decodings: a decoded cover takes up to 75 MB."""
_decoders: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]] = WeakKeyDictionary()
"""A semaphore belongs to the event loop that first waits for it."""


class SlowPicture(PictureRefused):
    """The picture was not decoded in time; it may be in order, and the machine busy."""


class Ingested(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that passed: its forms, final and native size, mean color as `#rrggbb`, and a tiny WebP in base64."""

    forms: tuple[Form, ...]
    size: Size
    native: Size
    tint: str
    placeholder: str


async def ingest(
    data: bytes, config: PicturesConfig, *, limit: int, fit: Size | None = None, keeps_manifest: bool = False
) -> Ingested:
    """Check, decode, crop to `fit`'s proportion, scale to it, remove all metadata and encode the stored forms.

    `limit` is in bytes. Pixels stay unchanged when the picture already has the wanted size; the original is a PNG at
    300 dpi, with the pixels of the received one as they were compressed if it has that size. With `keeps_manifest` a
    signed manifest of its origin becomes one more form. Raises TooLarge, WrongType or PictureRefused.
    """

    def work(kind: PictureFormat) -> Ingested:
        made = _ingest(data, kind, config, fit)
        manifest = kept_manifest(data, MEDIA_TYPES[kind]) if keeps_manifest else None
        return made if manifest is None else with_form(made, _manifest_form(made, manifest))

    return await _read(data, limit, work)


def with_form(made: Ingested, *forms: Form) -> Ingested:
    """Return a picture with more forms."""
    return msgspec.structs.replace(made, forms=(*made.forms, *forms))


def manifest_in(made: Ingested) -> tuple[Form, ...]:
    """Return the form that is the manifest of a picture's origin, if it came with one."""
    return tuple(form for form in made.forms if form.name == MANIFEST)


def _manifest_form(made: Ingested, manifest: bytes) -> Form:
    return Form(
        name=MANIFEST,
        media_type=MANIFEST_TYPE,
        data=manifest,
        sha256=hashlib.sha256(manifest).hexdigest(),
        width=made.size.width,
        height=made.size.height,
    )


async def ingest_reference(data: bytes, config: PicturesConfig, *, limit: int, kind: PictureFormat = "jpeg") -> Form:
    """Check, decode, scale down to REFERENCE_SIDE where it is larger, remove all metadata and encode.

    `limit` is in bytes. Raises TooLarge, WrongType or PictureRefused.
    """
    return await _read(data, limit, lambda found: _ingest_reference(data, found, config, kind))


async def ingest_mask(data: bytes, config: PicturesConfig, *, limit: int, size: Size) -> Form:
    """Check, decode, scale to the size of the picture that is to change, and encode as a black PNG with holes there.

    `limit` is in bytes. Raises TooLarge, WrongType or PictureRefused; this also for other proportions than those of
    `size`, and where nothing is transparent.
    """
    return await _read(data, limit, lambda kind: _ingest_mask(data, kind, config, size))


async def ingest_mark(data: bytes, config: PicturesConfig, *, limit: int, box: Size, icon: bool = False) -> Ingested:
    """Check, decode, scale down to fit the box, remove all metadata and encode as one form. Transparency is preserved.

    An `icon` becomes a PNG, centered in a transparent square unless it is square; anything else a WebP. `limit` is in
    bytes. Raises TooLarge, WrongType or PictureRefused.
    """
    return await _read(data, limit, lambda kind: _ingest_mark(data, kind, config, box, icon))


async def ingest_preview(data: bytes, config: PicturesConfig, *, limit: int) -> bytes:
    """Check, decode, scale down to PREVIEW_SIDE where it is larger, remove all metadata and encode as WebP, quickly.

    `limit` is in bytes. Raises TooLarge, WrongType or PictureRefused.
    """

    def work(kind: PictureFormat) -> bytes:
        return encode_preview(_within(decode(data, kind, config), PREVIEW_SIDE, PREVIEW_SIDE))

    return await _read(data, limit, work)


async def read_pixels(data: bytes, config: PicturesConfig) -> Image.Image:
    """Check and decode a stored picture as plain RGB. Raises TooLarge, WrongType or PictureRefused."""

    def work(kind: PictureFormat) -> Image.Image:
        pixels = decode(data, kind, config)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.write_to_memory())

    return await _read(data, config.max_result_bytes, work)


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


def _ingest_reference(data: bytes, found: PictureFormat, config: PicturesConfig, kind: PictureFormat) -> Form:
    pixels = _within(decode(data, found, config), REFERENCE_SIDE, REFERENCE_SIDE)
    return form_of("reference", pixels, encode(pixels, kind), kind)


def _ingest_mask(data: bytes, kind: PictureFormat, config: PicturesConfig, size: Size) -> Form:
    alpha = decode(data, kind, config, alpha=True)[3]
    if abs(alpha.width * size.height / (alpha.height * size.width) - 1) > MASK_TOLERANCE:
        raise PictureRefused(FieldError("mask_shape", "The marked picture has other proportions than the cover's."))
    kept = alpha.thumbnail_image(size.width, height=size.height, size="force") > HALF
    if kept.min() > 0:
        raise PictureRefused(FieldError("nothing_marked", "Please mark what is to change."))
    return encode_mask(kept)


def _ingest_mark(data: bytes, kind: PictureFormat, config: PicturesConfig, box: Size, icon: bool) -> Ingested:
    pixels = decode(data, kind, config, alpha=True)
    native = Size(pixels.width, pixels.height)
    pixels = _within(pixels, box.width, box.height)
    if icon:
        side = max(pixels.width, pixels.height)
        pixels = pixels.gravity("centre", side, side, extend="background", background=[0, 0, 0, 0]).copy_memory()
    kept = form_of("original", pixels, encode_mark(pixels, icon), "png" if icon else "webp")
    seen = pixels.flatten(background=WHITE).copy_memory()
    return Ingested(
        forms=(kept,),
        size=Size(pixels.width, pixels.height),
        native=native,
        tint=_tint(seen),
        placeholder=_placeholder(seen),
    )


def _ingest(data: bytes, kind: PictureFormat, config: PicturesConfig, fit: Size | None) -> Ingested:
    pixels = decode(data, kind, config)
    native = Size(pixels.width, pixels.height)
    if fit is not None and fit != native:
        pixels = _fitted(pixels, fit)
        data = b""
    with Encodings() as encodings:
        encodings.add("original", pixels, lambda whole: plain_png(data) or encode(whole, "png"), "png")
        smaller = pixels
        for width in sorted(config.thumbnail_widths, reverse=True):
            smaller = _within(smaller, width, config.max_side)  # each from the one before: the last costs little
            encodings.add(str(width), smaller, encode_preview, "webp")
        tint, placeholder = _tint(smaller), _placeholder(smaller)
    return Ingested(
        forms=encodings.forms(),
        size=Size(pixels.width, pixels.height),
        native=native,
        tint=tint,
        placeholder=placeholder,
    )


def _fitted(pixels: Pixels, fit: Size) -> Pixels:
    """Return the middle of a picture in another proportion, scaled to that size."""
    return pixels.thumbnail_image(fit.width, height=fit.height, size="both", crop="centre").copy_memory()


def _within(pixels: Pixels, width: int, height: int) -> Pixels:
    """Return a picture scaled down to fit; as it is where it does."""
    if pixels.width <= width and pixels.height <= height:
        return pixels
    return pixels.thumbnail_image(width, height=height, size="down").copy_memory()


def _tint(pixels: Pixels) -> str:
    means = pixels.stats().crop(4, 1, 1, 3)  # of `vips_stats`: a row for each band after that of all, the fifth column
    red, green, blue = (round(means(0, band)[0]) for band in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _placeholder(pixels: Pixels) -> str:
    tiny = _within(pixels, PLACEHOLDER_SIDE, PLACEHOLDER_SIDE)
    text = ""
    for quality in PLACEHOLDER_QUALITIES:
        text = base64.b64encode(tiny.webpsave_buffer(Q=quality, effort=6, keep="none")).decode()
        if len(text) <= PLACEHOLDER_CHARS:
            break
    return text


async def convert(data: bytes, kind: PictureFormat, *, longest_px: int | None = None) -> bytes:
    """Return a stored original in another format, scaled down to a longest edge; unchanged if nothing is to be done."""

    def work() -> bytes:
        pixels = decode(data, "png", None)
        smaller = _within(pixels, longest_px, longest_px) if longest_px else pixels
        return data if kind == "png" and smaller is pixels else encode(smaller, kind)

    return await on_whole_picture(work)


async def on_whole_picture(work: Callable[[], T]) -> T:
    """Do something with a whole picture in a thread, beside few others: each holds the bytes of one."""
    async with _decoder():
        return await asyncio.to_thread(work)


async def canvas_of(data: bytes, size: Size, side: Literal["left", "right"]) -> tuple[Form, Form]:
    """Return a stored original in its full height at the end of a canvas that has the proportions of `size`, and the
    mask that is transparent where it is to go on, on its `side`.

    What is to be painted holds the artwork mirrored: its colors are a better beginning than none. The longest side is
    REFERENCE_SIDE at most. Raises PictureRefused.
    """
    return await on_whole_picture(lambda: _canvas(data, size, side))


def _canvas(data: bytes, size: Size, side: Literal["left", "right"]) -> tuple[Form, Form]:
    artwork = decode(data, "png", None)
    scale = min(1.0, REFERENCE_SIDE / max(size.width, size.height))
    width, height = round(size.width * scale), round(size.height * scale)
    own = min(width, round(artwork.width * height / artwork.height))
    begin = width - own if side == "left" else 0
    part = artwork.thumbnail_image(own, height=height, size="force")
    canvas = part.embed(begin, 0, width, height, extend="mirror").copy_memory()
    kept = (part.extract_band(0) * 0 + 255).cast("uchar").embed(begin, 0, width, height, extend="black")
    return form_of("reference", canvas, encode(canvas, "png"), "png"), encode_mask(kept)
