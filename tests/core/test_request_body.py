"""Bodies that come slowly, break off or are too many: a 4xx at once, and nobody else waits."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.core.config import load_config
from kernel.core.web import request_body
from kernel.core.web.request_middleware import RequestMiddleware
from tests.support.applications import application
from tests.support.databases import Databases

pytestmark = pytest.mark.anyio

Receive = Callable[[], Any]
HALF = {"type": "http.request", "body": b'{"email":', "more_body": True}


@pytest.fixture
async def site(tmp_path: Path, databases: Databases) -> AsyncIterator[RequestMiddleware]:
    """The application, with an empty database."""
    databases.migrated("sqlite", tmp_path)
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path)})
    with application(config) as app:
        async with app.lifespan():
            yield RequestMiddleware(app, config)


async def post(site: RequestMiddleware, receive: Receive, address: str = "10.0.0.7") -> tuple[int, dict[str, Any]]:
    """Send a request whose body comes from a function; return status and body of the answer."""
    told: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        told.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"100")]
    scope: Any = {
        "type": "http",
        "method": "POST",
        "path": "/api/auth/sign-in",
        "raw_path": b"/api/auth/sign-in",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": headers,
        "client": (address, 4711),
        "server": ("localhost", 8000),
    }
    await site(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in told)
    return told[0]["status"], msgspec.json.decode(body)["error"]


def script(*messages: Any) -> Receive:
    """Return a function that hands out messages, raises errors, and then waits for ever."""
    left = list(messages)

    async def receive() -> Any:
        if not left:
            await asyncio.Event().wait()
        message = left.pop(0)
        if isinstance(message, Exception):
            raise message
        return message

    return receive


async def test_a_body_that_pauses_too_long_is_given_up(
    site: RequestMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "SLOW_S", 0.01)
    monkeypatch.setattr(request_body, "PAUSE_S", 0.05)
    assert (await post(site, script(HALF)))[0] == 408
    monkeypatch.setattr(request_body, "PAUSE_S", 15)
    monkeypatch.setattr(request_body, "TOTAL_S", 0.2)

    async def drip() -> Any:
        await asyncio.sleep(0.05)
        return HALF

    status, error = await post(site, drip)
    assert status == 408 and error["code"] == "request_timeout"


@pytest.mark.parametrize("end", [{"type": "http.disconnect"}, RuntimeError("invalid chunk size line: 1")])
async def test_a_body_that_breaks_off_is_no_failure_of_ours(
    site: RequestMiddleware, caplog: pytest.LogCaptureFixture, end: Any
) -> None:
    with caplog.at_level(logging.WARNING):
        status, error = await post(site, script(HALF, end))
    assert status == 400 and error["code"] == "malformed"
    ours = [record for record in caplog.records if record.name.startswith(("kernel.core", "litestar"))]
    assert [record for record in ours if record.levelno >= logging.ERROR or record.exc_info] == []


async def test_nobody_holds_more_than_so_many_bodies_in_flight(
    site: RequestMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "SLOW_S", 0.05)
    monkeypatch.setattr(request_body, "PER_ADDRESS", 3)
    monkeypatch.setattr(request_body, "ALTOGETHER", 5)
    whole = {"type": "http.request", "body": b"{", "more_body": False}
    held = [asyncio.create_task(post(site, script(HALF))) for _ in range(3)]
    await asyncio.sleep(0.2)
    async with asyncio.timeout(1):
        status, error = await post(site, script(HALF))
    assert status == 429 and error["requestId"] != "-"
    others = [asyncio.create_task(post(site, script(HALF), f"10.0.1.{n}")) for n in range(2)]
    await asyncio.sleep(0.2)
    async with asyncio.timeout(1):
        assert (await post(site, script(HALF), "10.0.2.1"))[0] == 429
    at_once = [post(site, script(whole)) for _ in range(20)]
    assert {status for status, _ in await asyncio.gather(*at_once)} == {400}  # read, and no JSON: they are not slow
    for task in (*held, *others):
        task.cancel()
    await asyncio.gather(*held, *others, return_exceptions=True)
    again = asyncio.create_task(post(site, script(HALF)))
    await asyncio.sleep(0.2)
    assert not again.done()  # there is room again
    again.cancel()
    await asyncio.gather(again, return_exceptions=True)


async def test_large_bodies_hold_no_more_memory_than_so_much(
    site: RequestMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "LARGE_BYTES", 50)
    monkeypatch.setattr(request_body, "LARGE_PER_ADDRESS", 250)
    monkeypatch.setattr(request_body, "LARGE_ALTOGETHER", 350)
    left = [{"type": "http.request", "body": b"x" * 50, "more_body": more} for more in (True, False)]

    async def whole(address: str) -> int:
        messages = list(left)

        async def receive() -> Any:
            return messages.pop(0)

        status, _ = await post(site, receive, address)
        assert messages == [], "it is read to its end, or the sender would not see the answer"
        return status

    held = [asyncio.create_task(post(site, script(HALF))) for _ in range(2)]
    await asyncio.sleep(0)
    assert await whole("10.0.0.7") == 429
    assert await whole("10.0.0.8") == 400  # read, and no JSON
    held.append(asyncio.create_task(post(site, script(HALF), "10.0.0.9")))
    await asyncio.sleep(0)
    assert await whole("10.0.0.8") == 429
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)
    assert await whole("10.0.0.7") == 400
    monkeypatch.setattr(request_body, "LARGE_PER_ADDRESS", 50)
    announced = request_body.announced_bytes
    monkeypatch.setattr(request_body, "announced_bytes", lambda scope: 0 * announced(scope))
    assert await whole("10.0.0.7") == 429  # what does not say how long it is counts as it comes
