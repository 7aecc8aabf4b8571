"""Postmark's client in a thread; its requests are sent by the kernel's guarded HTTP client."""

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from typing import Any, Final

import httpx
from postmarker.core import PostmarkClient
from requests import PreparedRequest, Response, Session
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict

from kernel.spi import DeadlineExceeded, Effect, InvalidRequest, ProviderError, SettingsInvalid, Unavailable
from plugins.postmark_email.errors import refusal

MAX_BATCH_BYTES: Final = 50_000_000
"""For one call, in its JSON form."""
MAX_ANSWER_BYTES: Final = 20_000_000


class Bridge(BaseAdapter):
    """Carries the requests of one call from its thread into the event loop; `cancel` releases the thread at once.

    So the address guard applies, redirects are not followed, and a slow answer cannot exceed the limit.
    """

    def __init__(self, http: httpx.AsyncClient, timeout_s: float) -> None:
        super().__init__()
        self._http = http
        self._timeout_s = timeout_s
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._under_way: Future[Response] | None = None
        self._cancelled = False

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """Send one request, from the thread. Raises ProviderError."""
        with self._lock:
            if self._cancelled:
                raise Unavailable("the call was cancelled")
            self._under_way = asyncio.run_coroutine_threadsafe(self._fetch(request), self._loop)
        try:
            return self._under_way.result()
        except CancelledError as error:
            raise Unavailable("the call was cancelled", effect=Effect.UNKNOWN) from error

    async def _fetch(self, request: PreparedRequest) -> Response:
        body = request.body or b""
        content = body.encode() if isinstance(body, str) else bytes(body)  # type: ignore[arg-type]  # never a stream
        if len(content) > MAX_BATCH_BYTES:
            raise InvalidRequest(f"more than {MAX_BATCH_BYTES} bytes in one call")
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._exchange(request, content)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise Unavailable(f"no connection to Postmark: {error}", field="api_url") from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise SettingsInvalid("this is not an address", field="api_url") from error
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DeadlineExceeded("Postmark did not answer in time", effect=Effect.UNKNOWN) from error
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise Unavailable(f"the answer was lost: {type(error).__name__}", effect=Effect.UNKNOWN) from error

    async def _exchange(self, request: PreparedRequest, content: bytes) -> Response:
        method, url = request.method or "GET", request.url or ""
        headers = {name: str(value) for name, value in request.headers.items()}
        async with self._http.stream(method, url, content=content, headers=headers, follow_redirects=False) as answer:
            found = bytearray()
            async for chunk in answer.aiter_bytes():
                found += chunk
                if len(found) > MAX_ANSWER_BYTES:
                    raise Unavailable("the answer is too long", effect=Effect.UNKNOWN)
            if answer.is_redirect:
                raise SettingsInvalid("Postmark's API does not redirect; its token goes nowhere else", field="api_url")
            response = Response()
            response.status_code = answer.status_code
            response.headers = CaseInsensitiveDict(answer.headers)
            response.url, response.request, response.encoding = url, request, "utf-8"
            response._content = bytes(found)
            return response

    def cancel(self) -> None:
        """Cancel the call."""
        with self._lock:
            self._cancelled = True
            if self._under_way is not None:
                self._under_way.cancel()

    def close(self) -> None:
        """Close nothing: it holds no connection."""


def make_client(token: str, api_url: str, bridge: Bridge) -> Any:
    """Return Postmark's client over the bridge. Its repr contains its token: never log it."""
    session = Session()
    session.trust_env = False  # no proxies, no .netrc
    session.mount("https://", bridge)
    session.mount("http://", bridge)
    client = PostmarkClient(server_token=token, root_api_url=api_url)
    client._session = session
    client.check_response = check_response  # the client's own check fails on an answer without an ErrorCode
    return client


def check_response(response: Response) -> None:
    """Raise Refused for every status but 200."""
    if response.status_code == 200:
        return
    try:
        body = response.json()
    except ValueError:
        body = None
    raise refusal(response.status_code, {name.lower(): value for name, value in response.headers.items()}, body)


def unreadable(error: Exception) -> ProviderError:
    """Return the error for an answer that the client cannot read."""
    return Unavailable(f"the answer cannot be read: {type(error).__name__}", effect=Effect.UNKNOWN)
