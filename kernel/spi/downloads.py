"""Fetches pictures from the addresses that a vendor's answer names."""

import asyncio
import base64
from typing import Final

import httpx

from .errors import DeadlineExceeded, Effect, NotFound, ProviderError, Unavailable
from .image import GeneratedImage
from .outbound import OutboundTransport, web_address
from .pictures import read_picture

_LARGEST_PICTURE_BYTES: Final = 67_108_864
_TRIES: Final = 3
_EXPIRED: Final = frozenset({403, 404, 410})
"""Statuses of an address whose picture is not there any more: vendors delete results after minutes or hours."""


class PictureDownloads:
    """A client of its own, which knows no key: results may be on any host.

    An address must be https, or on the vendor's own `origin` (scheme, host, port), which is a server in the operator's
    network where it is http.
    """

    def __init__(self, http: httpx.AsyncClient, *, origin: httpx.URL, timeout_s: float) -> None:
        self._origin = (origin.scheme, origin.host, origin.port)
        self._client = httpx.AsyncClient(
            transport=OutboundTransport(http, largest_bytes=_LARGEST_PICTURE_BYTES, judge=_judge),
            timeout=timeout_s,
            trust_env=False,
        )

    async def fetch(self, address: str, *, pause_s: float) -> bytes:
        """Return the bytes at an address, or in it: small results may come as `data:`. A lost download is repeated.

        Raises NotFound for what can never be fetched, and with an unknown effect what the vendor's host fails with: the
        picture was made, whatever happened to the download.
        """
        head, _, content = address.partition(",")
        if head.startswith("data:") and head.endswith(";base64"):
            return picture_bytes(content)
        url = web_address(address)
        if url is None or (url.scheme != "https" and (url.scheme, url.host, url.port) != self._origin):
            raise NotFound("the picture's address is not a safe one")
        for tries_left in reversed(range(_TRIES)):
            try:
                return (await self._client.get(url)).content
            except (Unavailable, DeadlineExceeded) as error:
                error.effect = Effect.UNKNOWN
                if not tries_left:
                    raise
                await asyncio.sleep(pause_s)
        raise AssertionError("unreachable")

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._client.aclose()


def picture_bytes(text: str) -> bytes:
    """Return what base64 in an answer holds. Raises NotFound."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise NotFound("the picture in the answer cannot be decoded") from error


def made_picture(data: bytes, *, seed: int | None = None) -> GeneratedImage:
    """Return the picture of an order that has ended. Raises NotFound where it is none: nothing better will come."""
    try:
        return read_picture(data, seed=seed)
    except Unavailable as error:
        raise NotFound(error.detail) from error


def _judge(answer: httpx.Response) -> ProviderError | None:
    if answer.status_code == 200:
        return None
    detail = f"the picture cannot be fetched ({answer.status_code})"
    if answer.status_code in _EXPIRED:
        return NotFound(detail, upstream_status=answer.status_code)
    return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=answer.status_code)
