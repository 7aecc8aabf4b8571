"""For vendors' libraries that are built on httpx: a transport that uses the kernel's client."""

from collections.abc import AsyncIterator, Callable
from typing import Final

import httpx

from .errors import DeadlineExceeded, Effect, ProviderError, Unavailable

_NOTHING_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_CHANGED_BY_READING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})

_EVENT_STREAM: Final = "text/event-stream"

_Judge = Callable[[httpx.Response], ProviderError | None]


class OutboundTransport(httpx.AsyncBaseTransport):
    """Pass it to a vendor's library as `transport=`: requests then go through `context.http`, with its address guard.

    It follows no redirect, reads an answer completely, up to `largest_bytes` (after decompression), and raises the
    kernel's errors for failed connections, and any error that `judge` returns for an answer. None of these is an httpx
    error, so the library's own retries and translations never see them. Closing it closes nothing.

    With `streams` a success of the type `text/event-stream` is passed on as it comes, under the same limit.
    """

    def __init__(self, http: httpx.AsyncClient, *, largest_bytes: int, judge: _Judge, streams: bool = False) -> None:
        self._http = http
        self._largest_bytes = largest_bytes
        self._judge = judge
        self._streams = streams

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request. Raises Unavailable, DeadlineExceeded and what `judge` returns."""
        try:
            came = await self._http.send(request, stream=True, follow_redirects=False)
            if self._streams and came.is_success and came.headers.get("content-type", "").startswith(_EVENT_STREAM):
                events = _Events(came, self._largest_bytes)
                return httpx.Response(came.status_code, headers=_kept(came), stream=events, request=request)
            try:
                body = await self._read(came)
            finally:
                await came.aclose()
        except httpx.RequestError as error:
            raise connection_failed(error) from error
        answer = httpx.Response(came.status_code, headers=_kept(came), content=body, request=request)
        if (refusal := self._judge(answer)) is not None:
            raise refusal
        return answer

    async def _read(self, came: httpx.Response) -> bytes:
        body = bytearray()
        async for chunk in _limited(came, self._largest_bytes):
            body += chunk
        return bytes(body)


class _Events(httpx.AsyncByteStream):
    """The body of an answer as it comes."""

    def __init__(self, came: httpx.Response, largest_bytes: int) -> None:
        self._came = came
        self._largest_bytes = largest_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in _limited(self._came, self._largest_bytes):
                yield chunk
        except httpx.RequestError as error:
            raise connection_failed(error) from error

    async def aclose(self) -> None:
        await self._came.aclose()


async def _limited(came: httpx.Response, largest_bytes: int) -> AsyncIterator[bytes]:
    read = 0
    async for chunk in came.aiter_bytes():
        read += len(chunk)
        if read > largest_bytes:
            raise Unavailable(f"the answer is larger than {largest_bytes} bytes", effect=Effect.UNKNOWN)
        yield chunk


def _kept(came: httpx.Response) -> list[tuple[str, str]]:
    return [item for item in came.headers.multi_items() if item[0].lower() not in _CHANGED_BY_READING]


def connection_failed(error: httpx.RequestError) -> ProviderError:
    """Return the error for a failed request; the effect is NONE only where nothing can have been sent."""
    if isinstance(error, _NOTHING_SENT):
        return Unavailable(f"no connection: {error or type(error).__name__}", effect=Effect.NONE)
    if isinstance(error, httpx.TimeoutException):
        return DeadlineExceeded(f"no answer in time ({type(error).__name__})", effect=Effect.UNKNOWN)
    return Unavailable(f"the answer was lost ({type(error).__name__})", effect=Effect.UNKNOWN)


def web_address(text: str) -> httpx.URL | None:
    """Return an absolute http or https address with a valid host and port, or None."""
    try:
        url = httpx.URL(text)
        usable = url.scheme in ("http", "https") and url.host and url.port != 0
    except (httpx.InvalidURL, ValueError):  # also for a host that IDNA cannot encode
        return None
    return url if usable else None
