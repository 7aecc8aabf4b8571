"""At the end of a web process, handlers that wait for their clients are told that these have gone."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kernel.core.web.stopping import EndStreams

pytestmark = pytest.mark.anyio

BODY = [{"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.request", "body": b"b"}]


class Server:
    """A server that has sent a whole request and hears nothing more of its client."""

    def __init__(self) -> None:
        self.messages = list(BODY)
        self.silent = asyncio.Event()
        self.seen: list[Any] = []

    async def receive(self) -> Any:
        if self.messages:
            return self.messages.pop(0)
        self.silent.set()
        return await asyncio.Event().wait()

    async def send(self, message: Any) -> None: ...

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            while not self.seen or self.seen[-1]["type"] != "http.disconnect":
                self.seen.append(await receive())


@pytest.fixture
def ends_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[int, int]]]:
    """Record signals that this process would send to itself."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    return lambda: sent


async def test_a_stream_ends_with_the_process(ends_by: Callable[[], list[tuple[int, int]]]) -> None:
    server = Server()
    by_force = threading.Event()
    layer = EndStreams(server.app, limit_s=0.05, by_force=by_force.set)
    loop = asyncio.get_running_loop()
    try:
        await layer({"type": "lifespan"}, server.receive, server.send)  # type: ignore[arg-type, typeddict-item]
        open_stream = asyncio.create_task(layer({"type": "http"}, server.receive, server.send))  # type: ignore[arg-type, typeddict-item]
        await server.silent.wait()
        assert not open_stream.done()
        signal.raise_signal(signal.SIGTERM)
        await open_stream
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
    assert server.seen == [*BODY, {"type": "http.disconnect"}]
    assert ends_by() == [(os.getpid(), signal.SIGINT)], "the server ends as well"
    assert await asyncio.to_thread(by_force.wait, 5.0), "whatever holds the process up has a limit"
