"""Helpers of the contracts for plugins that wrap a vendor's library: a transport, and reading pictures."""

import gzip
import io

import httpx
import pytest
from PIL import Image

from kernel.spi import (
    DeadlineExceeded,
    Effect,
    OutboundTransport,
    ProviderError,
    RateLimited,
    Size,
    Unavailable,
    connection_failed,
    read_picture,
    web_address,
)


def never(answer: httpx.Response) -> ProviderError | None:
    return None


async def ask(answer: httpx.Response, *, largest_bytes: int = 1000, judge: object = never) -> httpx.Response:
    inner = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: answer), follow_redirects=True)
    transport = OutboundTransport(inner, largest_bytes=largest_bytes, judge=judge)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport) as client:
        came = await client.get("https://vendor.example/")
    assert not inner.is_closed, "the kernel's client is not the library's to close"
    await inner.aclose()
    return came


@pytest.mark.anyio
async def test_a_packed_answer_arrives_unpacked() -> None:
    answer = httpx.Response(200, content=gzip.compress(b"hello"), headers={"content-encoding": "gzip", "x-id": "7"})
    came = await ask(answer)
    assert (came.content, came.headers["x-id"]) == (b"hello", "7")


@pytest.mark.anyio
async def test_the_limit_counts_unpacked_bytes() -> None:
    answer = httpx.Response(200, content=gzip.compress(bytes(5000)), headers={"content-encoding": "gzip"})
    with pytest.raises(Unavailable, match="larger than 1000 bytes"):
        await ask(answer)


@pytest.mark.anyio
async def test_a_redirect_is_handed_back() -> None:
    assert (await ask(httpx.Response(307, headers={"location": "https://elsewhere.example"}))).status_code == 307


@pytest.mark.anyio
async def test_the_verdict_on_an_answer_is_raised() -> None:
    with pytest.raises(RateLimited):
        await ask(httpx.Response(429), judge=lambda answer: RateLimited(str(answer.status_code)))


@pytest.mark.parametrize(
    ("error", "kind", "effect"),
    [
        (httpx.ConnectError("refused"), Unavailable, Effect.NONE),
        (httpx.ConnectTimeout(""), Unavailable, Effect.NONE),
        (httpx.PoolTimeout(""), Unavailable, Effect.NONE),
        (httpx.ReadTimeout(""), DeadlineExceeded, Effect.UNKNOWN),
        (httpx.WriteTimeout(""), DeadlineExceeded, Effect.UNKNOWN),
        (httpx.ReadError(""), Unavailable, Effect.UNKNOWN),
        (httpx.RemoteProtocolError("cut"), Unavailable, Effect.UNKNOWN),
        (httpx.DecodingError("bad gzip"), Unavailable, Effect.UNKNOWN),
    ],
)
def test_only_without_a_connection_is_it_known_that_nothing_happened(
    error: httpx.RequestError, kind: type[ProviderError], effect: Effect
) -> None:
    told = connection_failed(error)
    assert (type(told), told.effect) == (kind, effect)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_a_picture_is_known_by_its_header(kind: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (30, 40)).save(buffer, kind.upper())
    picture = read_picture(buffer.getvalue(), seed=5)
    assert (picture.media_type, picture.size, picture.seed) == (f"image/{kind}", Size(30, 40), 5)


@pytest.mark.parametrize(
    "data", [b"", b"<html>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBP", b"GIF89a"]
)
def test_anything_else_is_the_vendors_fault(data: bytes) -> None:
    with pytest.raises(Unavailable):
        read_picture(data)


@pytest.mark.parametrize("text", ["https://[::1]:8443/v1", "http://images.example", "https://xn--mnchen-3ya.example"])
def test_public_addresses_are_accepted(text: str) -> None:
    assert str(web_address(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "images.example",
        "ftp://x.example",
        "https://",
        "http://[::1",
        "http://\u2100.example",
        "http://xn--.example",
        "http://x.example:0",
        "http://x.example:port",
        "https://x.example/\x01",
    ],
)
def test_what_cannot_be_an_address_is_none(text: str) -> None:
    assert web_address(text) is None
