"""Responses with a stored picture: validators, ranges and headers that allow a browser only to show it."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from litestar import Response
from litestar.response import Stream

from kernel.core.config import PictureFormat
from kernel.core.errors import Absent
from kernel.core.web.access import AppRequest
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.ingest import convert
from kernel.pictures.marks.containers import PNG_HEAD, png_chunk
from kernel.pictures.marks.xmp import Mark, packet_of, tag_of
from kernel.pictures.store import FileRef, PictureStore
from kernel.spi import NotFound

HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "accept-ranges": "bytes",
}
PRIVATE_FOR_EVER: Final = "private, max-age=31536000, immutable"
"""The address holds the content's hash, so the bytes behind it never change; private, because covers are."""
PRIVATE_CHECKED: Final = "private, no-cache"
PUBLIC_FOR_EVER: Final = "public, max-age=31536000, immutable"
PUBLIC_CHECKED: Final = "public, max-age=300"
_RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)$")


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return (start, end) of a single byte range, end excluded, or None for the whole.

    Raises ValueError when the range lies outside.
    """
    match = _RANGE.match(header.strip()) if header else None
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    start, end = (max(0, size - int(last)), size) if not first else (int(first), int(last) + 1 if last else size)
    end = min(end, size)
    if start >= end:
        raise ValueError("outside")
    return start, end


async def picture_response(
    request: AppRequest,
    pictures: PictureStore,
    ref: FileRef,
    *,
    hashed_address: bool,
    public: bool = False,
    mark: Mark | None = None,
) -> Response[Any]:
    """Answer 200, 206, 304 or 416 for one form of a picture.

    `hashed_address`: the request named the content's hash. `public`: shared caches may keep it. A PNG with a `mark` is
    sent with that in it, as a file that is so much longer: what is stored is read only where it is asked for.
    """
    chunk = png_chunk(packet_of(mark)) if mark else b""
    size = ref.size + len(chunk)
    etag = f'"{ref.sha256}-{tag_of(mark)}"' if mark else f'"{ref.sha256}"'
    if public:
        caching = PUBLIC_FOR_EVER if hashed_address else PUBLIC_CHECKED
    else:
        caching = PRIVATE_FOR_EVER if hashed_address else PRIVATE_CHECKED
    headers = HEADERS | {"etag": etag, "cache-control": caching}
    if _is_known(request, etag):
        return Response(None, status_code=304, headers=headers)
    range_header = request.headers.get("range")
    if request.headers.get("if-range") not in (None, etag):
        range_header = None
    try:
        span = parse_range(range_header, size)
    except ValueError:
        return Response(None, status_code=416, headers=headers | {"content-range": f"bytes */{size}"})
    start, end = span or (0, size)
    headers["content-length"] = str(end - start)
    if span:
        headers["content-range"] = f"bytes {start}-{end - 1}/{size}"
    if mark:
        chunks = marked_chunks(pictures, ref, chunk, span)
    else:
        chunks = pictures.chunks(ref, start=start, end=end if span else None)
    body = await opened(chunks)
    return Stream(body, status_code=206 if span else 200, media_type=ref.media_type, headers=headers)


async def download_response(
    request: AppRequest,
    pictures: PictureStore,
    original: FileRef,
    *,
    kind: PictureFormat,
    longest_px: int | None,
    mark: Mark,
    finish: Callable[[bytes], Awaitable[tuple[bytes, bool]]],
    signed_by: str | None,
) -> Response[Any]:
    """Answer with an original as a file to be kept: in this format, scaled down to this longest edge, with its mark.

    `finish` marks it, and says whether it is also signed, with what `signed_by` names. Each signature has other bytes:
    such a file is told apart by a weak validator, and cannot be asked for in pieces. 200 or 304; for what is neither
    encoded anew nor signed also 206 and 416.
    """
    if kind == "png" and longest_px is None and signed_by is None:
        return await picture_response(request, pictures, original, hashed_address=False, mark=mark)
    plain = f"{original.sha256}-{longest_px or 'full'}-{kind}-{tag_of(mark)}"
    etag, marked = f'W/"{plain}-{signed_by}"', f'"{plain}"'
    headers = HEADERS | {"etag": etag if signed_by else marked, "cache-control": PRIVATE_CHECKED}
    headers["accept-ranges"] = "none"
    if _is_known(request, headers["etag"]):
        return Response(None, status_code=304, headers=headers)
    data, is_signed = await finish(await convert(await pictures.read(original), kind, longest_px=longest_px))
    if not is_signed:
        headers["etag"] = marked
    return Response(data, media_type=MEDIA_TYPES[kind], headers=headers)


async def marked_chunks(
    pictures: PictureStore, ref: FileRef, chunk: bytes, span: tuple[int, int] | None
) -> AsyncIterator[bytes]:
    """Yield the bytes of a stored PNG with one more chunk behind its head, from and up to a place in the longer file.

    Of a whole file the last bytes come only when all that is stored is as recorded.
    """
    head = bytearray()
    if span is None:
        stored = pictures.chunks(ref)
        async for data in stored:
            head += data
            if len(head) >= PNG_HEAD:
                break
        yield bytes(head[:PNG_HEAD]) + chunk + bytes(head[PNG_HEAD:])
        async for data in stored:
            yield data
        return
    start, end = span
    behind = PNG_HEAD + len(chunk)
    if start < PNG_HEAD:
        async for data in pictures.chunks(ref, start=start, end=min(end, PNG_HEAD)):
            yield data
    if inserted := chunk[max(0, start - PNG_HEAD) : max(0, end - PNG_HEAD)]:
        yield inserted
    if end > behind:
        async for data in pictures.chunks(ref, start=max(start, behind) - len(chunk), end=end - len(chunk)):
            yield data


def _is_known(request: AppRequest, etag: str) -> bool:
    known = request.headers.get("if-none-match", "")
    return etag.removeprefix("W/") in [tag.strip().removeprefix("W/") for tag in known.split(",")]


async def opened(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Fetch the first chunk before the response starts, so that a missing object is a 404 and not a broken response."""
    try:
        first = await anext(chunks)
    except StopAsyncIteration:
        first = b""
    except NotFound as error:
        raise Absent("The file of this picture no longer exists.") from error

    async def rest() -> AsyncIterator[bytes]:
        yield first
        async for chunk in chunks:
            yield chunk

    return rest()
