"""Requests as they are recorded and compared."""

import re
from typing import Final

import httpx

from .cassettes import RecordedRequest, body_of
from .pictures import shorten_pictures
from .secrets import Secrets

_BOUNDARY: Final = re.compile(rb"boundary=\"?([^\";,\s]+)")
_NOT_KEPT: Final = frozenset({"host", "content-length", "connection", "accept-encoding", "user-agent"})


def recorded(request: httpx.Request, secrets: Secrets) -> RecordedRequest:
    """Return a request, whose body was read, without secrets, with short pictures and the same boundary each time."""
    kind = request.headers.get("content-type", "")
    body = request.content
    if (found := _BOUNDARY.search(kind.encode())) is not None:
        body = body.replace(found[1], b"kit-boundary")
        kind = kind.replace(found[1].decode(), "kit-boundary")
    headers = httpx.Headers([item for item in request.headers.multi_items() if item[0].lower() not in _NOT_KEPT])
    if kind:
        headers["content-type"] = kind
    return RecordedRequest(
        method=request.method,
        uri=secrets.cut_url(request.url),
        body=body_of(secrets.cut_body(shorten_pictures(body), kind)),
        headers=secrets.cut_headers(headers),
    )
