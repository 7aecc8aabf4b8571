"""The outbound client connects only to public addresses, and to those that an operator has listed."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

from kernel.core.config import ConfigError, load_config
from kernel.core.http_client import AddressRefused, allowed_addresses, find_addresses, is_public, open_client


@pytest.fixture
def canary() -> Iterator[tuple[int, list[str]]]:
    """A server on this machine, and the requests it got."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302 if self.path == "/away" else 200)
            if self.path == "/away":
                self.send_header("location", "/there")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.anyio
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "0.0.0.0"])
async def test_nothing_on_this_machine_is_reached(canary: tuple[int, list[str]], host: str) -> None:
    port, asked = canary
    async with open_client(load_config({})) as client:
        for address in (f"http://{host}:{port}/", f"http://{host}/", f"https://{host}/"):
            with pytest.raises((httpx.TransportError, httpx.InvalidURL)):
                await client.get(address)
    assert asked == []


@pytest.mark.anyio
async def test_a_name_that_resolves_to_a_private_address_is_refused(
    canary: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, asked = canary

    def resolve(host: str, *_: object, **__: object) -> list[object]:
        mixed = ["93.184.215.14", "127.0.0.1"]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in mixed]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    async with open_client(load_config({})) as client:
        with pytest.raises(httpx.ConnectError, match="not a public address"):
            await client.get("http://rebinding.example/")
    assert asked == []


@pytest.mark.anyio
@pytest.mark.parametrize(("address", "entry"), [("127.0.0.1:8188", "127.0.0.1:8188"), ("127.0.0.1", "127.0.0.1:80")])
async def test_a_refusal_names_its_cure(address: str, entry: str) -> None:
    async with open_client(load_config({}), "studio", "image") as client:
        with pytest.raises(httpx.ConnectError) as caught:
            await client.get(f"http://{address}/")
    assert str(caught.value).endswith(f"; an operator may list studio={entry} in COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES")


@pytest.mark.anyio
async def test_a_listed_address_is_reached_and_redirects_are_not_followed(canary: tuple[int, list[str]]) -> None:
    port, asked = canary
    config = load_config({"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"127.0.0.1:{port}"})
    async with open_client(config) as client:
        answer = await client.get(f"http://127.0.0.1:{port}/away")
    assert (answer.status_code, asked) == (302, ["/away"])


@pytest.mark.anyio
async def test_who_speaks_no_http_is_given_addresses_that_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"], ["93.184.215.14", "10.0.0.1"], ["10.0.0.1"]]

    def resolve(host: str, port: int, *_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    public = ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    assert await find_addresses("mail.example", 587, ()) == public
    with pytest.raises(AddressRefused):
        await find_addresses("mail.example", 587, {"mail.example:25"})
    assert await find_addresses("mail.example", 25, {"mail.example:25"}) == ("10.0.0.1",)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("224.0.0.1", False),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
    ],
)
def test_disguised_addresses_are_seen_through(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.anyio
async def test_a_name_is_looked_up_as_idna_2008_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def resolve(host: str, *_: object, **__: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert await find_addresses("Straße.example", 443, ()) == ("93.184.215.14",)
    assert asked == ["xn--strae-oqa.example"]


def test_the_public_address_has_its_host_in_ascii() -> None:
    assert load_config({"COVERWRIGHT_PUBLIC_URL": "https://straße.example/x/"}).public_url == (
        "https://xn--strae-oqa.example/x"
    )
    with pytest.raises(ConfigError, match=r"site\.public_url"):
        load_config({"COVERWRIGHT_PUBLIC_URL": "covers.example"})


@pytest.mark.anyio
async def test_what_is_listed_for_one_use_is_not_reached_through_another(canary: tuple[int, list[str]]) -> None:
    port, asked = canary
    config = load_config({"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"image=127.0.0.1:{port}, mail-2 = LocalHost:25, a:1"})
    assert allowed_addresses(config) == {"a:1"}
    assert allowed_addresses(config, "mail-2", "email") == {"localhost:25", "a:1"}
    async with open_client(config, "issuer", "signin") as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(f"http://127.0.0.1:{port}/")
    assert asked == []
    async with open_client(config, "ours", "image") as client:
        assert (await client.get(f"http://127.0.0.1:{port}/")).status_code == 200


@pytest.mark.parametrize("entry", ["localhost", "a=b=c:1", "http://x:1", "x:port", "Image=x:1"])
def test_an_entry_that_is_no_address_is_refused_at_the_start(entry: str) -> None:
    with pytest.raises(ConfigError, match=r"security\.allow_private_addresses"):
        load_config({"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": entry})
