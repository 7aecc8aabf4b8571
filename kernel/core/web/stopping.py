"""The end of a web process: what would hold it up, such as a stream of events, is ended first."""

import asyncio
import logging
import os
import signal
import threading
from typing import Final

from litestar.types import ASGIApp, HTTPDisconnectEvent, Receive, ReceiveMessage, Scope, Send

from kernel.core.interpreter import leave

log = logging.getLogger(__name__)

STOP_S: Final = 5.0
"""A process that has not ended this long after the request ends by force; the launcher allows a little more."""


class EndStreams:
    """The outermost layer of what the server runs. The server waits for open responses before it ends; some never end.

    On SIGTERM every handler that waits for its client after the whole request is told that the client has gone. What
    goes on nevertheless, such as an upload, has `STOP_S`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._stopping = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or the start and end of the process."""
        kind: str = scope["type"]
        if kind == "lifespan":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._stop)
        await self._app(scope, self._ended_by_stop(receive) if kind == "http" else receive, send)

    def _stop(self) -> None:
        self._stopping.set()
        limit = threading.Timer(STOP_S, _end_by_force)
        limit.daemon = True
        limit.start()
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


def _end_by_force() -> None:
    log.warning("this web process was still busy %g s after it had to end; it ends by force", STOP_S)
    leave(1)
