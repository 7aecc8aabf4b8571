"""The WebDAV storage on the wire: servers that break HTTP, TLS or XML, with the kernel's own client."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import httpx
import msgspec
import pytest

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import DeadlineExceeded, NotFound, Secret, Unavailable
from kernel.spi.testing import FakeContext
from plugins.webdav_storage import WEBDAV
from plugins.webdav_storage import server as webdav
from plugins.webdav_storage.multistatus import Entry, MultiStatus
from plugins.webdav_storage.provider import WebDAVStorage
from plugins.webdav_storage.settings import WebDAVSettings
from tests.plugins.mail_server import make_certificate
from tests.vendors.wire import Conduct, bomb, cut, drip, endless, hang_up, on_the_wire, says

ANYWHERE = WebDAVSettings(base_url="https://cloud.example/dav", username="anna", password=Secret("app-password"))
FOLDER = "<resourcetype><collection/></resourcetype>"
FILE = "<resourcetype/><getcontentlength>7</getcontentlength>"


def listed(*entries: tuple[str, str], status: str = "HTTP/1.1 200 OK") -> bytes:
    """What a server says of paths and their properties."""
    responses = (
        f"<response><href>{escape(path)}</href><propstat><prop>{found}</prop><status>{status}</status></propstat></response>"
        for path, found in entries
    )
    return f'<?xml version="1.0"?><multistatus xmlns="DAV:">{"".join(responses)}</multistatus>'.encode()


def entries(document: bytes, piece: int = 7) -> list[Entry]:
    """Read a document as it comes over a slow line."""
    reader = MultiStatus()
    for start in range(0, len(document), piece):
        reader.feed(document[start : start + piece])
    return reader.entries()


def answering(folder: Path, document: bytes) -> WebDAVStorage:
    """A storage whose server answers every request with this document."""
    upstream = httpx.MockTransport(lambda request: httpx.Response(207, content=document))
    return WEBDAV.build(ANYWHERE, FakeContext(folder, upstream))


async def put(storage: WebDAVStorage, key: str) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"x"

    await storage.put(key, chunks(), size=1, media_type="image/png")


async def read(storage: WebDAVStorage, key: str) -> bytes:
    return b"".join([block async for block in storage.read(key)])


# The connection


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up])
async def test_a_lost_answer_is_not_asked_for_again(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(WEBDAV, ANYWHERE, tmp_path, conduct) as (storage, upstream):
        with pytest.raises(Unavailable):
            await put(storage, "a")
        assert upstream.requests == 1


@pytest.mark.anyio
async def test_an_object_that_breaks_off_is_not_taken_as_whole(tmp_path: Path) -> None:
    async def half(writer: asyncio.StreamWriter) -> None:
        writer.write(b'HTTP/1.1 200 OK\r\nETag: "1"\r\nContent-Length: 1000\r\n\r\nhalf')
        await writer.drain()

    async with on_the_wire(WEBDAV, ANYWHERE, tmp_path, half) as (storage, _):
        with pytest.raises(Unavailable):
            await read(storage, "a")


@pytest.mark.anyio
async def test_an_answer_that_never_completes_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webdav, "REQUEST_LIMIT_S", 0.2)

    async def dripping(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 207 Multi-Status\r\nContent-Length: 1000000\r\n\r\n<?xml version='1.0'?>")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    for conduct in (drip, dripping):
        async with on_the_wire(WEBDAV, ANYWHERE, tmp_path, conduct) as (storage, _):
            for call in (storage.page(""), storage.delete("a")):
                with pytest.raises((DeadlineExceeded, Unavailable)):
                    await call


@pytest.mark.anyio
async def test_an_answer_without_end_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webdav, "LARGEST_LISTING", 1_000_000)

    async def endless_list(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 207 Multi-Status\r\nContent-Length: 9999999999\r\n\r\n<?xml version='1.0'?>")
        while True:
            writer.write(b" " * 65_536)
            await writer.drain()

    for conduct in (endless_list, endless, bomb):
        async with on_the_wire(WEBDAV, ANYWHERE, tmp_path, conduct) as (storage, _):
            for call in (storage.page(""), storage.info("a"), put(storage, "a")):
                with pytest.raises(Unavailable):
                    await call


@pytest.mark.anyio
async def test_a_private_address_is_refused_unless_the_operator_lists_it(tmp_path: Path) -> None:
    async with on_the_wire(WEBDAV, ANYWHERE, tmp_path, says("200 OK"), allowed=False) as (storage, upstream):
        calls: tuple[Awaitable[Any], ...] = (put(storage, "a"), read(storage, "a"), storage.delete("a"))
        for call in calls:
            with pytest.raises(Unavailable, match="COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES"):
                await call
        report = await storage.check()
    assert [(step.name, step.status, step.field) for step in report.steps] == [("reach", "fail", "base_url")]
    assert upstream.requests == 0


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("scheme", "address", "words"),
    [
        ("https", "127.0.0.1", "certificate is not trusted"),
        ("https", "", "no TLS at this address"),
        ("http", "127.0.0.1", "answer was lost"),
    ],
)
async def test_trouble_with_tls_is_named(tmp_path: Path, scheme: str, address: str, words: str) -> None:
    """Where the server has a certificate that nobody trusts, or speaks plainly, and we come either way."""
    came: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not address:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        else:
            came.append(await reader.read(100))
        writer.close()

    encrypted = make_certificate(tmp_path, address).server if address else None
    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=encrypted)
    place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": place}
    context = ProviderBuildContext(load_config(env), "webdav")
    storage = WEBDAV.build(msgspec.structs.replace(ANYWHERE, base_url=f"{scheme}://{place}/dav"), context)
    (step,) = (await storage.check()).steps
    assert (step.name, step.status, step.field) == ("reach", "fail", "base_url")
    assert words in step.detail
    assert came == []
    await context.aclose()
    server.close()
    await server.wait_closed()


# The list of a folder


def test_names_are_decoded_whatever_the_server_calls_the_namespace() -> None:
    document = b"""<?xml version="1.0" encoding="utf-8"?>
    <D:multistatus xmlns:D="DAV:" xmlns:s="http://sabredav.org/ns"><D:response>
      <D:href>https://cloud.example/dav/anna%20m%C3%BCller/</D:href>
      <D:propstat><D:prop><D:resourcetype><D:collection/><s:other/></D:resourcetype>
        <D:getlastmodified>Wed, 21 Oct 2026 07:28:00 GMT</D:getlastmodified>
        <D:quota-available-bytes>5000</D:quota-available-bytes></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
      <D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
    </D:response></D:multistatus>"""
    (found,) = entries(document)
    assert (found.path, found.folder, found.size, found.free) == ("/dav/anna müller", True, None, 5000)
    assert found.modified_unix == 1792567680.0


@pytest.mark.parametrize(
    "found",
    [
        "<getcontentlength>-3</getcontentlength>",
        "<getcontentlength>many</getcontentlength>",
        "<getcontentlength>" + "9" * 30 + "</getcontentlength>",
        "<getlastmodified>yesterday</getlastmodified><quota-available-bytes>-3</quota-available-bytes>",
    ],
)
def test_figures_that_are_none_are_not_believed(found: str) -> None:
    (entry,) = entries(listed(("/dav/a", found)))
    assert (entry.size, entry.modified_unix, entry.free) == (None, 0.0, None)


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"<html><body>Please sign in</body></html>",
        b"<multistatus/>",
        listed(("/dav/a", FILE))[:-5],
        b'<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><multistatus xmlns="DAV:">&b;</multistatus>',
        b'<?xml version="1.0" encoding="klingon"?><multistatus xmlns="DAV:"/>',
        listed(("/dav/" + "a" * 100_000, FILE)),
        listed(("http://[/", FILE)),
    ],
    ids=["nothing", "page", "no namespace", "cut", "entities", "encoding", "long name", "broken address"],
)
@pytest.mark.anyio
async def test_what_is_no_list_is_not_taken_for_one(tmp_path: Path, document: bytes) -> None:
    storage = answering(tmp_path, document)
    for call in (storage.page(""), storage.info("a")):
        with pytest.raises(Unavailable):
            await call


@pytest.mark.anyio
async def test_a_proxy_that_changes_paths_is_named(tmp_path: Path) -> None:
    storage = answering(
        tmp_path, listed(("/inner/coverwright/objects", FOLDER), ("/inner/coverwright/objects/a", FILE))
    )
    for call in (storage.page(""), storage.info("a"), storage.delete("a")):
        with pytest.raises(Unavailable, match="proxy"):
            await call


@pytest.mark.anyio
async def test_only_what_is_directly_in_the_folder_is_listed(tmp_path: Path) -> None:
    top = "/dav/coverwright/objects"
    found = listed((f"{top}/", FOLDER), (f"{top}/a", FILE), (f"{top}/b/c", FILE), ("/dav/elsewhere", FILE))
    page = await answering(tmp_path, found).page("")
    assert [(info.key, info.size) for info in page.objects] == [("a", 7)]


@pytest.mark.anyio
async def test_a_file_of_unknown_size_is_no_object_to_rely_on(tmp_path: Path) -> None:
    storage = answering(tmp_path, listed(("/dav/coverwright/objects/a", "<resourcetype/>")))
    with pytest.raises(Unavailable, match="how large"):
        await storage.info("a")


@pytest.mark.anyio
async def test_a_redirect_that_adds_a_slash_names_a_folder(tmp_path: Path) -> None:
    upstream = httpx.MockTransport(lambda request: httpx.Response(301, headers={"location": f"{request.url.path}/"}))
    storage = WEBDAV.build(ANYWHERE, FakeContext(tmp_path, upstream))
    with pytest.raises(NotFound):
        await read(storage, "a")
    await storage.delete("a")
