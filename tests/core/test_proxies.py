"""What a proxy says of the client, and what the socket says."""

import httpx
import pytest
from litestar import Request
from litestar.types import Receive, Scope, Send

from kernel.core.config import ConfigError, load_config
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

    config = load_config({"COVERWRIGHT_TRUSTED_PROXIES": "10.0.0.1, 127.0.0.1, 172.30.0.0/16, fd00::/8"})
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


@pytest.mark.parametrize("proxy", ["172.30.255.1", "::ffff:172.30.0.9", "fd12::1"])
async def test_a_proxy_of_a_listed_network_is_believed(proxy: str) -> None:
    assert (await seen(proxy, **{"x-forwarded-for": "1.2.3.4"}))[0] == "1.2.3.4"
    assert (await seen("172.31.0.1", **{"x-forwarded-for": "1.2.3.4"}))[0] == "172.31.0.1"


@pytest.mark.parametrize("entry", ["proxy.example", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.1:80"])
async def test_what_is_no_address_and_no_network_is_refused_at_the_start(entry: str) -> None:
    with pytest.raises(ConfigError, match="trusted_proxies"):
        load_config({"COVERWRIGHT_TRUSTED_PROXIES": entry})


async def test_only_a_socket_of_this_machine_without_a_proxy_is_local() -> None:
    assert await seen("127.0.0.1") == ("127.0.0.1", True)
    assert await seen("::1") == ("::1", True)
    assert await seen("10.0.0.1", **{"x-forwarded-for": "127.0.0.1"}) == ("127.0.0.1", False)
    for header in ("x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-proto"):
        assert (await seen("127.0.0.1", **{header: "127.0.0.1"}))[1] is False, header


@pytest.mark.parametrize(
    ("path", "shown", "status"),
    [
        ("/metrics", "Bearer of Prometheus", 204),
        ("/metrics", "Bearer of nobody", 400),
        ("/metrics", "", 400),
        ("/api/account", "Bearer of Prometheus", 400),
    ],
)
async def test_prometheus_asks_a_web_server_by_its_own_address(path: str, shown: str, status: int) -> None:
    """Without the token it would be enough that a page in a browser of this machine takes the name of another host."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    env = {"COVERWRIGHT_PUBLIC_URL": "https://covers.example", "COVERWRIGHT_METRICS_TOKEN": "of Prometheus"}
    transport = httpx.ASGITransport(app=RequestMiddleware(app, load_config(env)))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://10.0.0.7:8000") as client:
        assert (await client.get(path, headers={"authorization": shown})).status_code == status
