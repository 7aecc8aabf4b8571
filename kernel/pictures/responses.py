"""Responses with a stored picture: validators, ranges and headers that allow a browser only to show it."""

import re
from collections.abc import AsyncIterator
from typing import Any, Final

from litestar import Response
from litestar.response import Stream

from kernel.core.config import PictureFormat
from kernel.core.errors import Absent
from kernel.core.web.access import AppRequest
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.ingest import convert
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
) -> Response[Any]:
    """Answer 200, 206, 304 or 416 for one form of a picture.

    `hashed_address`: the request named the content's hash. `public`: shared caches may keep it.
    """
    etag = f'"{ref.sha256}"'
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
        span = parse_range(range_header, ref.size)
    except ValueError:
        return Response(None, status_code=416, headers=headers | {"content-range": f"bytes */{ref.size}"})
    start, end = span or (0, ref.size)
    headers["content-length"] = str(end - start)
    if span:
        headers["content-range"] = f"bytes {start}-{end - 1}/{ref.size}"
    body = await opened(pictures.chunks(ref, start=start, end=end if span else None))
    return Stream(body, status_code=206 if span else 200, media_type=ref.media_type, headers=headers)


async def converted_response(
    request: AppRequest,
    pictures: PictureStore,
    original: FileRef,
    *,
    kind: PictureFormat,
    longest_px: int | None,
) -> Response[Any]:
    """Answer 200 or 304 with an original in this format, scaled down to this longest edge, or unchanged."""
    if kind == "png" and longest_px is None:
        return await picture_response(request, pictures, original, hashed_address=False)
    etag = f'"{original.sha256}-{longest_px or "full"}-{kind}"'
    headers = HEADERS | {"etag": etag, "cache-control": PRIVATE_CHECKED, "accept-ranges": "none"}
    if _is_known(request, etag):
        return Response(None, status_code=304, headers=headers)
    data = await convert(await pictures.read(original), kind, longest_px=longest_px)
    return Response(data, media_type=MEDIA_TYPES[kind], headers=headers)


def _is_known(request: AppRequest, etag: str) -> bool:
    known = request.headers.get("if-none-match", "")
    return etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]


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
