"""What the tests of storages in buckets share."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, Final

import httpx
import msgspec
import pytest

from kernel.spi import (
    PART_BYTES,
    BucketStorage,
    InvalidRequest,
    ProviderSpec,
    Settings,
    SettingsInvalid,
    Unavailable,
)
from kernel.spi.testing import FailsWith, FakeContext, Loopback, StorageContract
from kernel.spi.testing.faults import script
from tests.vendors.wire import Conduct, Wire, cut, hang_up, on_the_wire, says

PAGE: Final = b"<html>Please sign in to the network</html>"
UNTOLD: Final = "what a vendor says of the key"
MODIFIED: Final = "Last-Modified: Wed, 21 Oct 2026 07:28:00 GMT"
MIB: Final = 1_048_576
LARGE: Final = PART_BYTES + 3 * MIB


class BucketContract(StorageContract):
    """The rules for storages, and those that hold for buckets: their vendor is at the address `endpoint`.

    `meta` begins the header of an object's metadata, `size_name` is ours for the size.
    """

    endpoint_path: ClassVar[str] = ""
    meta: ClassVar[str]
    size_name: ClassVar[str] = "coverwright-size"

    @pytest.fixture
    def retry_after_s(self) -> float | None:
        return None  # the library does not pass it on

    @pytest.fixture
    def fails_with(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, faults: Mapping[str, Any]
    ) -> FailsWith:
        @asynccontextmanager
        async def fail(name: str, variant: int = 0) -> AsyncIterator[Any]:
            with Loopback(script(name, faults.get(name), variant)) as vendor:
                if name == "unreachable":
                    vendor.close()
                changed = msgspec.structs.replace(settings, endpoint=vendor.url + self.endpoint_path)
                provider = spec.build(changed, context)
                yield provider
                await provider.aclose()

        return fail

    def on_a_wire(
        self, spec: ProviderSpec[Any, Any], settings: Settings, folder: Path, conduct: Conduct, *, allowed: bool = True
    ) -> AbstractAsyncContextManager[tuple[Any, Wire]]:
        """The storage with the kernel's own context, and a server that misbehaves."""
        path = self.endpoint_path
        return on_the_wire(spec, settings, folder, conduct, allowed=allowed, path=path, field="endpoint")

    async def test_what_was_stored_is_known_by_its_digest_and_type(self, provider: BucketStorage) -> None:
        await put(provider, "a/b.png", b"picture")
        info = await provider.info("a/b.png")
        assert (info.size, info.media_type, info.sha256) == (7, "image/png", hashlib.sha256(b"picture").hexdigest())

    async def test_a_large_object_appears_only_when_all_of_it_is_there(self, provider: BucketStorage) -> None:
        async def blocks(size: int) -> AsyncIterator[bytes]:
            for _ in range(size // MIB):
                yield bytes(MIB)

        with pytest.raises(InvalidRequest):
            await provider.put("large", blocks(LARGE - MIB), size=LARGE, media_type="image/png")
        assert await keys(provider) == []
        await provider.put("large", blocks(LARGE), size=LARGE, media_type="image/png")
        assert (await provider.info("large")).size == LARGE
        assert await read(provider, "large", start=5, end=9) == bytes(4)

    async def test_a_folder_keeps_two_installations_apart(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> None:
        one, two = (spec.build(msgspec.structs.replace(settings, prefix=name), context) for name in ("one", "two"))
        await put(one, "same/key", b"one")
        await put(two, "same/key", b"two")
        assert await read(one, "same/key") == b"one"
        assert await keys(two) == ["same/key"]

    @pytest.mark.parametrize("stamp", ["", 'ETag: "1"', "size"])
    async def test_a_web_page_is_not_taken_for_an_object(
        self, spec: ProviderSpec[Any, Any], settings: Settings, tmp_path: Path, stamp: str
    ) -> None:
        stamps = {"": (), "size": ('ETag: "1"', f"{self.meta}{self.size_name}: 7")}.get(stamp, (stamp,))
        page = says("200 OK", "Content-Type: text/html", MODIFIED, *stamps, body=PAGE)
        async with self.on_a_wire(spec, settings, tmp_path, page) as (storage, _):
            for call in (read(storage, "a"), storage.info("a")):
                with pytest.raises(Unavailable):
                    await call

    async def test_a_damaged_object_is_not_served_as_whole(
        self, spec: ProviderSpec[Any, Any], settings: Settings, tmp_path: Path
    ) -> None:
        meta = (f"{self.meta}sha256: {hashlib.sha256(b'as it was').hexdigest()}", f"{self.meta}{self.size_name}: 8")
        damaged = says("200 OK", 'ETag: "1"', MODIFIED, *meta, body=b"as it is")
        async with self.on_a_wire(spec, settings, tmp_path, damaged) as (storage, _):
            with pytest.raises(Unavailable, match="damaged"):
                await read(storage, "a")

    async def test_what_is_cut_in_the_middle_is_no_whole_object(
        self, spec: ProviderSpec[Any, Any], settings: Settings, tmp_path: Path
    ) -> None:
        lines = ("HTTP/1.1 200 OK", "Content-Length: 1000", 'ETag: "1"', MODIFIED, f"{self.meta}{self.size_name}: 1000")

        async def cut_off(writer: Any) -> None:
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + bytes(400))
            await writer.drain()

        async with self.on_a_wire(spec, settings, tmp_path, cut_off) as (storage, wire):
            with pytest.raises(Unavailable):
                await read(storage, "a")
            assert wire.requests == 1

    @pytest.mark.parametrize("conduct", [cut, hang_up])
    async def test_a_lost_answer_is_not_asked_for_again(
        self, spec: ProviderSpec[Any, Any], settings: Settings, tmp_path: Path, conduct: Conduct
    ) -> None:
        async with self.on_a_wire(spec, settings, tmp_path, conduct) as (storage, wire):
            with pytest.raises(Unavailable):
                await put(storage, "a")
            assert wire.requests == 1

    async def test_a_private_address_is_refused_unless_the_operator_lists_it(
        self, spec: ProviderSpec[Any, Any], settings: Settings, tmp_path: Path
    ) -> None:
        async with self.on_a_wire(spec, settings, tmp_path, says("200 OK"), allowed=False) as (storage, wire):
            for call in (put(storage, "a"), read(storage, "a"), storage.delete("a"), storage.page("")):
                with pytest.raises(SettingsInvalid) as caught:
                    await call
                assert caught.value.field == "endpoint"
            report = await storage.check()
        assert [(step.name, step.status, step.field) for step in report.steps] == [("reach", "fail", "endpoint")]
        assert wire.requests == 0


def says_code(status: int, code: str) -> httpx.Response:
    """An error as all vendors put it, with words that nobody may repeat."""
    return httpx.Response(status, text=f"<Error><Code>{code}</Code><Message>{UNTOLD}</Message></Error>")


async def one(data: bytes) -> AsyncIterator[bytes]:
    """Yield all bytes at once."""
    yield data


async def put(storage: BucketStorage, key: str, data: bytes = b"x") -> None:
    """Store a picture."""
    await storage.put(key, one(data), size=len(data), media_type="image/png")


async def read(storage: BucketStorage, key: str, **span: int) -> bytes:
    """Return the bytes of an object, or of a range."""
    return b"".join([block async for block in storage.read(key, **span)])


async def keys(storage: BucketStorage, prefix: str = "", *, limit: int = 100) -> list[str]:
    """Return the keys of all pages."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await storage.page(prefix, cursor=cursor, limit=limit)
        found += [info.key for info in page.objects]
        if (cursor := page.cursor) is None:
            return found
