"""Responses that the server writes itself: validators, compression, and no body for HEAD."""

import gzip
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from litestar import Response

from kernel.core.web.access import AppRequest

PACKING_LEVEL: Final = 5
"""What is written anew for a visit must be compressed quickly."""
PACKED: Final = 128
"""Responses whose compressed form is cached; the same page goes to many visitors."""


def cacheable_response(
    request: AppRequest,
    body: bytes,
    *,
    media_type: str,
    headers: Mapping[str, str],
    status: int = 200,
    packed: bool = True,
) -> Response[bytes | None]:
    """Answer GET or HEAD: 304 when the client has it already, else compressed where the client accepts that.

    `packed` is False for content that is compressed already.
    """
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    head = {**headers, "etag": etag}
    if packed:
        varies = headers.get("vary")
        head["vary"] = f"{varies}, accept-encoding" if varies else "accept-encoding"
    if status == 200 and etag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=304, headers=head)
    if packed and "gzip" in request.headers.get("accept-encoding", ""):
        body = _gzip(body)
        head["content-encoding"] = "gzip"
    return conditional_response(request, body, media_type=media_type, headers=head, status=status)


def conditional_response(
    request: AppRequest, body: bytes, *, media_type: str, headers: Mapping[str, str], status: int = 200
) -> Response[bytes | None]:
    """Answer with a body, or with its length and type only."""
    if request.method != "HEAD":
        return Response(body, status_code=status, media_type=media_type, headers=headers)
    charset = "; charset=utf-8" if media_type.startswith("text/") else ""
    about = {"content-type": f"{media_type}{charset}", "content-length": str(len(body))}
    return Response(None, status_code=status, headers={**headers, **about})


@lru_cache(maxsize=PACKED)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, PACKING_LEVEL, mtime=0)
