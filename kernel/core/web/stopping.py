"""The end of a web process: what would hold it up, such as a stream of events, is ended first."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable
from typing import Final

from litestar.types import ASGIApp, HTTPDisconnectEvent, Receive, ReceiveMessage, Scope, Send

from kernel.core.process.interpreter import leave

log = logging.getLogger(__name__)

STOP_S: Final = 5.0
"""A process that has not ended this long after the request ends by force; the launcher allows a little more."""


def _end_by_force() -> None:
    log.warning("this web process was still busy %g s after it had to end; it ends by force", STOP_S)
    leave(1)


class EndStreams:
    """The outermost layer of what the server runs. The server waits for open responses before it ends; some never end.

    On SIGTERM every handler that waits for its client after the whole request is told that the client has gone. What
    goes on nevertheless, such as an upload, has `limit_s`; then the process is ended `by_force`.
    """

    def __init__(self, app: ASGIApp, *, limit_s: float = STOP_S, by_force: Callable[[], None] = _end_by_force) -> None:
        self._app = app
        self._stopping = asyncio.Event()
        self._limit = threading.Timer(limit_s, by_force)
        self._limit.daemon = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or the start and end of the process."""
        kind: str = scope["type"]
        if kind == "lifespan":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._stop)
        await self._app(scope, self._ended_by_stop(receive) if kind == "http" else receive, send)

    def _stop(self) -> None:
        if not self._stopping.is_set():
            self._limit.start()
        self._stopping.set()
        os.kill(os.getpid(), signal.SIGINT)  # the server itself ends at either signal

    def _ended_by_stop(self, receive: Receive) -> Receive:
        whole = False

        async def next_message() -> ReceiveMessage:
            nonlocal whole
            if whole:
                return await self._message_or_stop(receive)
            message = await receive()
            whole = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        return next_message

    async def _message_or_stop(self, receive: Receive) -> ReceiveMessage:
        waiting = asyncio.ensure_future(receive())
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
            return waiting.result() if waiting.done() else HTTPDisconnectEvent(type="http.disconnect")
        finally:
            waiting.cancel()
            stopping.cancel()
