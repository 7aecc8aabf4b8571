"""What a proxy says of the client, and what the socket says."""

import httpx
import pytest
from litestar import Request
from litestar.types import Receive, Scope, Send

from kernel.core.config import load_config
from kernel.core.web.request_middleware import RequestMiddleware, is_local

pytestmark = pytest.mark.anyio


async def seen(socket: str, **headers: str) -> tuple[str, bool]:
    """Return the client's address as handlers see it, and whether the request counts as made on this machine."""
    found: list[tuple[str, bool]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request[None, None, None](scope)  # type: ignore[arg-type]
        assert request.client is not None
        found.append((request.client.host, is_local(request)))  # type: ignore[arg-type]
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    config = load_config({"COVERWRIGHT_TRUSTED_PROXIES": "10.0.0.1, 127.0.0.1"})
    transport = httpx.ASGITransport(app=RequestMiddleware(app, config), client=(socket, 4000))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        await client.get("/", headers=headers)
    return found[0]


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("1.2.3.4:5678", "1.2.3.4"),
        ("9.9.9.9, 1.2.3.4:5678", "1.2.3.4"),
        ("[2001:db8::1]:99", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[::1]:99", "::1"),
        ("unknown", "10.0.0.1"),
        ("1.2.3.4.5:6", "10.0.0.1"),
        ("[]:1", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
async def test_an_address_is_read_with_and_without_its_port(header: str, address: str) -> None:
    assert (await seen("10.0.0.1", **{"x-forwarded-for": header}))[0] == address


async def test_only_listed_proxies_are_believed() -> None:
    assert await seen("10.0.0.2", **{"x-forwarded-for": "1.2.3.4"}) == ("10.0.0.2", False)


async def test_only_a_socket_of_this_machine_without_a_proxy_is_local() -> None:
    assert await seen("127.0.0.1") == ("127.0.0.1", True)
    assert await seen("::1") == ("::1", True)
    assert await seen("10.0.0.1", **{"x-forwarded-for": "127.0.0.1"}) == ("127.0.0.1", False)
    for header in ("x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-proto"):
        assert (await seen("127.0.0.1", **{header: "127.0.0.1"}))[1] is False, header
