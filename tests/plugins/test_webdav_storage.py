"""Tests of the WebDAV storage: the contract, and further guarantees."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import (
    DeadlineExceeded,
    InvalidRequest,
    ProviderError,
    ProviderSpec,
    QuotaExhausted,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
)
from kernel.spi.testing import FakeContext, StorageContract
from plugins.webdav_storage import WEBDAV
from plugins.webdav_storage.provider import WebDAVStorage
from plugins.webdav_storage.settings import WebDAVSettings
from tests.vendors.webdav_server import PASSWORD, USER, Front, WebDAVServer

ANYWHERE = WebDAVSettings(base_url="https://cloud.example/dav", username=USER, password=Secret(PASSWORD))
PAGE = "<html>Please sign in to the network</html>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDAVServer]:
    server = WebDAVServer(tmp_path_factory.mktemp("dav"))
    yield server
    server.close()


@pytest.fixture
def front() -> Front:
    return Front()


@pytest.fixture
def folder(server: WebDAVServer) -> Path:
    """The folder at the address, as the server has it."""
    return server.new_folder()


@pytest.fixture
def settings(server: WebDAVServer, folder: Path) -> WebDAVSettings:
    return msgspec.structs.replace(ANYWHERE, base_url=f"{server.url}/{folder.name}")


@pytest.fixture
async def storage(settings: WebDAVSettings, front: Front, tmp_path: Path) -> AsyncIterator[WebDAVStorage]:
    context = FakeContext(tmp_path, front)
    provider = WEBDAV.build(settings, context)
    yield provider
    await provider.aclose()
    await context.http.aclose()


class TestConformance(StorageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return WEBDAV

    @pytest.fixture
    def settings(self, server: WebDAVServer) -> Settings:
        return msgspec.structs.replace(ANYWHERE, base_url=f"{server.url}/{server.new_folder().name}/")

    @pytest.fixture
    def upstream(self, front: Front) -> Front:
        return front

    @pytest.fixture
    def nested_keys(self) -> bool:
        return False

    @pytest.fixture
    def broken(self, settings: WebDAVSettings) -> Mapping[str, Settings]:
        return {
            "base_url": msgspec.structs.replace(settings, base_url=f"{settings.base_url}nobody-made-it"),
            "username": msgspec.structs.replace(settings, username="a:b"),
            "password": msgspec.structs.replace(settings, password=Secret("another")),
            "folder": msgspec.structs.replace(settings, folder="a/.."),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, headers={"www-authenticate": 'Basic realm="x"'}),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
            "server_error": httpx.Response(500),
            "no_funds": httpx.Response(507),
            "garbage": httpx.Response(200, html=PAGE),
        }


async def one(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def put(storage: WebDAVStorage, key: str, data: bytes = b"x") -> None:
    await storage.put(key, one(data), size=len(data), media_type="image/png")


async def read(storage: WebDAVStorage, key: str, **span: int) -> bytes:
    return b"".join([block async for block in storage.read(key, **span)])


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def on(method: str, answer: httpx.Response | Exception) -> Any:
    """A fault that shows in requests of one method only."""

    def fault(request: httpx.Request) -> httpx.Response | None:
        if request.method != method:
            return None
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    return fault


# Settings


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_url", "cloud.example/dav"),
        ("base_url", "ftp://cloud.example"),
        ("base_url", "https://anna:word@cloud.example"),
        ("base_url", "https://cloud.example/dav?x=1"),
        ("base_url", "https://cloud.example/#/files"),
        ("username", "anna:x"),
        ("folder", "../other"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(field: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        WEBDAV.build(msgspec.structs.replace(ANYWHERE, **{field: value}), FakeContext(tmp_path))
    assert caught.value.field == field


# Objects


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "below"), [("coverwright", "coverwright/"), ("a/B", "a/B/"), ("", "")])
async def test_an_object_is_a_file_in_the_folder(
    settings: WebDAVSettings, folder: Path, front: Front, tmp_path: Path, name: str, below: str
) -> None:
    storage = WEBDAV.build(msgspec.structs.replace(settings, folder=name), FakeContext(tmp_path, front))
    await put(storage, "covers/1/a.png", b"picture")
    assert files(folder) == [f"{below}objects/covers/1/a.png"]
    assert (folder / f"{below}objects/covers/1/a.png").read_bytes() == b"picture"
    assert [info.key for info in (await storage.page("covers/")).objects] == ["covers/1/a.png"]
    await front.aclose()


@pytest.mark.anyio
async def test_a_second_object_in_a_folder_takes_two_requests(storage: WebDAVStorage, front: Front) -> None:
    await put(storage, "covers/1/a.png")
    front.seen.clear()
    await put(storage, "covers/1/b.png")
    assert front.seen == ["PUT", "MOVE"]


@pytest.mark.anyio
async def test_a_page_looks_only_into_folders_that_may_hold_it(storage: WebDAVStorage, front: Front) -> None:
    for key in ("a/1/x", "a/2/x", "b/1/x", "b/2/x"):
        await put(storage, key)
    front.seen.clear()
    assert [info.key for info in (await storage.page("a/", cursor="a/1/x")).objects] == ["a/2/x"]
    assert front.seen == ["PROPFIND"] * 3  # a, a/1 where the cursor is, a/2


@pytest.mark.anyio
async def test_a_folder_that_others_use_keeps_every_file_of_theirs(storage: WebDAVStorage, folder: Path) -> None:
    theirs = ["coverwright/incoming/notes.txt", "coverwright/objects/READ ME", "coverwright/objects/a/B.png", "x.jpg"]
    for name in theirs:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
        os.utime(folder / name, (time.time() - 7200,) * 2)
    await put(storage, "a/b.png")
    assert [info.key for info in (await storage.page("")).objects] == ["a/b.png"]
    for key in ("a/b.png", "a"):
        await storage.delete(key)
    assert files(folder) == sorted(theirs)


@pytest.mark.anyio
async def test_what_a_crash_left_half_written_is_removed_after_an_hour(storage: WebDAVStorage, folder: Path) -> None:
    incoming = folder / "coverwright" / "incoming"
    incoming.mkdir(parents=True)
    for letter, age_s in (("a", 7200), ("b", 60)):
        (incoming / f"coverwright-{letter * 32}").write_bytes(b"half")
        os.utime(incoming / f"coverwright-{letter * 32}", (time.time() - age_s,) * 2)
    await put(storage, "a")
    assert files(incoming) == [f"coverwright-{'b' * 32}"]


@pytest.mark.anyio
async def test_a_failed_upload_leaves_nothing(storage: WebDAVStorage, front: Front, folder: Path) -> None:
    front.handler = on("MOVE", httpx.Response(423))
    with pytest.raises(Unavailable, match="locked"):
        await put(storage, "a")
    assert files(folder) == []


@pytest.mark.anyio
async def test_an_object_never_replaces_a_folder_of_others(storage: WebDAVStorage) -> None:
    await put(storage, "a/b", b"first")
    with pytest.raises(InvalidRequest):
        await put(storage, "a")
    with pytest.raises(InvalidRequest):
        await put(storage, "a/b/c")
    assert await read(storage, "a/b") == b"first"


@pytest.mark.anyio
async def test_folders_that_somebody_removed_are_made_again(storage: WebDAVStorage, folder: Path) -> None:
    await put(storage, "a/b")
    shutil.rmtree(folder / "coverwright" / "objects")
    await put(storage, "a/b", b"again")
    assert await read(storage, "a/b") == b"again"
    shutil.rmtree(folder / "coverwright")
    with pytest.raises(Unavailable):  # its bytes are gone: the kernel gives them again
        await put(storage, "a/b", b"once more")
    await put(storage, "a/b", b"once more")
    assert await read(storage, "a/b") == b"once more"


@pytest.mark.anyio
async def test_a_canceled_upload_is_no_object(storage: WebDAVStorage, folder: Path) -> None:
    begun = asyncio.Event()

    async def stall() -> AsyncIterator[bytes]:
        yield bytes(100)
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(storage.put("a", stall(), size=200, media_type="image/png"))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await storage.page("")).objects == ()
    assert files(folder / "coverwright" / "objects") == []


@pytest.mark.anyio
async def test_behind_a_proxy_that_ends_tls_the_target_is_named_by_its_path(
    storage: WebDAVStorage, front: Front
) -> None:
    def other_server(request: httpx.Request) -> httpx.Response | None:
        absolute = request.headers.get("destination", "").startswith("http")
        return httpx.Response(502) if absolute else None

    front.handler = other_server
    await put(storage, "a", b"x")
    assert await read(storage, "a") == b"x"


@pytest.mark.anyio
async def test_a_server_that_knows_no_ranges_is_read_from_the_start(storage: WebDAVStorage, front: Front) -> None:
    whole = bytes(range(200))
    await put(storage, "a", whole)
    front.handler = on("GET", httpx.Response(200, headers={"etag": '"1"'}, content=whole))
    assert await read(storage, "a", start=20, end=30) == whole[20:30]
    assert await read(storage, "a", start=190) == whole[190:]
    assert await read(storage, "a", start=300) == b""


# Trouble


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "answer", "kind"),
    [
        ("PUT", httpx.Response(507), QuotaExhausted),
        ("PUT", httpx.Response(413), QuotaExhausted),
        ("PUT", httpx.Response(423), Unavailable),
        ("PUT", httpx.Response(503), Unavailable),
        ("PUT", httpx.Response(408), DeadlineExceeded),
        ("PUT", httpx.ReadError("cut"), Unavailable),
        ("MKCOL", httpx.Response(200, html=PAGE), Unavailable),
        ("MOVE", httpx.Response(500), Unavailable),
        ("MOVE", httpx.Response(502), Unavailable),
        ("MOVE", httpx.Response(404), Unavailable),
        ("MOVE", httpx.ReadTimeout("slow"), DeadlineExceeded),
    ],
)
async def test_a_put_that_fails_says_why_and_leaves_the_last_object(
    storage: WebDAVStorage, front: Front, method: str, answer: Any, kind: type[ProviderError]
) -> None:
    await put(storage, "kept/a", b"as it was")
    front.handler = on(method, answer)
    with pytest.raises(kind):
        await put(storage, "kept/a" if method != "MKCOL" else "fresh/a", b"other")
    front.handler = lambda request: None
    assert await read(storage, "kept/a") == b"as it was"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html=PAGE),
        httpx.Response(200, headers={"etag": '"1"'}, html=PAGE),
        httpx.Response(302, headers={"location": "https://portal.example/"}),
        httpx.Response(206, headers={"etag": '"1"'}, content=b"x"),
        httpx.Response(206, headers={"etag": '"1"', "content-range": "bytes 3-3/9"}, content=b"x"),
    ],
    ids=["page", "page with an ETag", "redirect", "unknown part", "another part"],
)
async def test_what_is_no_object_is_not_taken_for_one(
    storage: WebDAVStorage, front: Front, answer: httpx.Response
) -> None:
    await put(storage, "a")
    front.handler = on("GET", answer)
    with pytest.raises((Unavailable, SettingsInvalid)):
        await read(storage, "a", start=1)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "answer", "step", "field", "words"),
    [
        ("PROPFIND", httpx.Response(401, headers={"www-authenticate": "Basic"}), "sign in", "password", "app password"),
        ("PROPFIND", httpx.Response(401, headers={"www-authenticate": "Digest"}), "sign in", "password", "Basic"),
        ("PROPFIND", httpx.Response(404), "folder", "base_url", "make it"),
        ("PROPFIND", httpx.Response(405), "folder", "base_url", "does not speak WebDAV"),
        ("PROPFIND", httpx.Response(200, html=PAGE), "folder", "base_url", "does not speak WebDAV"),
        ("PROPFIND", httpx.Response(207, html=PAGE), "reach", "base_url", "does not speak WebDAV"),
        (
            "PROPFIND",
            httpx.Response(301, headers={"location": "https://u:p@new.example/dav/?token=1"}),
            "folder",
            "base_url",
            "https://new.example/dav/",
        ),
        ("PROPFIND", httpx.Response(503), "folder", None, "503"),
        ("PROPFIND", httpx.ConnectError("refused"), "reach", "base_url", "refused"),
        ("PROPFIND", httpx.ReadTimeout("slow"), "reach", "base_url", "in time"),
        ("MKCOL", httpx.Response(403), "write", "username", "right to read, write and delete"),
        ("PUT", httpx.Response(403), "write", "username", "right to read, write and delete"),
        ("PUT", httpx.Response(507), "write", None, "full"),
        ("PUT", httpx.Response(413), "write", None, "client_max_body_size"),
        ("MOVE", httpx.Response(403), "write", "username", "403"),
        ("MOVE", httpx.Response(404), "write", None, "does not move files"),
        ("GET", httpx.Response(200, headers={"etag": '"1"'}, content=b"other"), "read", None, "other bytes"),
        ("DELETE", httpx.Response(423), "delete", None, "locked"),
        ("DELETE", httpx.Response(204), "delete", None, "still there"),
    ],
)
async def test_the_check_says_what_is_wrong_and_what_to_do(
    storage: WebDAVStorage, front: Front, method: str, answer: Any, step: str, field: str | None, words: str
) -> None:
    front.handler = on(method, answer)
    failed = [step for step in (await storage.check()).steps if step.status == "fail"]
    assert [(found.name, found.field) for found in failed] == [(step, field)]
    assert words in failed[0].detail
    assert "token" not in failed[0].detail and "u:p" not in failed[0].detail


@pytest.mark.anyio
async def test_the_check_warns_without_encryption_and_says_how_much_is_free(storage: WebDAVStorage) -> None:
    steps = {step.name: step for step in (await storage.check()).steps}
    assert steps["encryption"].status == "warn"
    assert "GB free" in steps["space"].detail
    assert list(steps) == ["reach", "sign in", "folder", "encryption", "space", "write", "read", "delete"]


@pytest.mark.anyio
async def test_a_check_that_fails_leaves_nothing(storage: WebDAVStorage, front: Front, folder: Path) -> None:
    front.handler = on("GET", httpx.Response(500))
    assert not (await storage.check()).ok
    assert files(folder) == []
