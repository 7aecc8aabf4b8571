"""HTTP without a socket: `httpx.Client` on one thread, an ASGI application on another's event loop."""

import asyncio
import queue
from collections.abc import Iterator
from typing import Any, Final

import httpx

from tests.support.event_loop import EventLoopThread

CLIENT: Final = ("127.0.0.1", 40_000)
PATIENCE_S: Final = 60.0
LEAVING_S: Final = 5.0


class AsgiTransport(httpx.BaseTransport):
    """Hands requests to an application as a server would; the body of an answer is read while it is being sent."""

    def __init__(self, thread: EventLoopThread, app: Any) -> None:
        self._thread = thread
        self._app = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer as soon as its headers are there. Raises what the application raises."""
        exchange = _Exchange(self._thread, request)
        exchange.begin(self._app)
        status, headers = exchange.head()
        return httpx.Response(status, headers=headers, stream=exchange, request=request)


class _Exchange(httpx.SyncByteStream):
    """One request and its answer."""

    def __init__(self, thread: EventLoopThread, request: httpx.Request) -> None:
        self._thread = thread
        self._body: bytes | None = request.read()
        self._bodiless = request.method == "HEAD"
        self._scope = _scope(request)
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._gone = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self, app: Any) -> None:
        def create() -> None:
            self._task = asyncio.ensure_future(self._serve(app))

        self._thread.loop.call_soon_threadsafe(create)

    def head(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        message = self._next()
        assert message["type"] == "http.response.start", message
        return message["status"], message["headers"]

    def __iter__(self) -> Iterator[bytes]:
        more = True
        while more:
            message = self._next()
            more = message.get("more_body", False)
            if (data := message.get("body", b"")) and not self._bodiless:
                yield data

    def close(self) -> None:
        """Leave, as a browser does that closes the connection, and wait until the application has noticed."""
        self._thread.run(self._leave())

    def _next(self) -> Any:
        message = self._messages.get(timeout=PATIENCE_S)
        if isinstance(message, BaseException):
            raise message
        return message

    async def _serve(self, app: Any) -> None:
        try:
            await app(self._scope, self._receive, self._send)
            self._messages.put(httpx.RemoteProtocolError("the application has answered nothing more"))
        except BaseException as error:
            self._messages.put(error)
            if not isinstance(error, Exception):
                raise

    async def _receive(self) -> dict[str, Any]:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self._messages.put(message)

    async def _leave(self) -> None:
        self._gone.set()
        assert self._task is not None
        _, pending = await asyncio.wait({self._task}, timeout=LEAVING_S)
        for task in pending:
            task.cancel()


def _scope(request: httpx.Request) -> dict[str, Any]:
    raw_path, _, query = request.url.raw_path.partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": raw_path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": CLIENT,
        "server": (request.url.host, request.url.port or 80),
        "state": {},
        "extensions": {},
    }
