"""Rules for storage providers."""

import asyncio
import hashlib
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from .. import InvalidRequest, NotFound, ObjectInfo, StorageCapabilities, StorageProvider, Unsupported, misfit
from .contract import ProviderContract
from .strategies import drawn, objects, told

PNG: Final = "image/png"
MIB: Final = 1024 * 1024
LARGE_BYTES: Final = 20 * MIB
MEMORY_LIMIT: Final = 8 * MIB
BAD_KEYS: Final = (
    "",
    "/",
    "/etc/passwd",
    "../outside",
    "a/../../outside",
    "a/..",
    ".",
    "a/./b",
    "a//b",
    "a/",
    "a\\..\\b",
    "a\0b",
    "a b",
    "a\nb",
    "Ä",
    "UPPER",
    "a%2f..",
    "x" * 513,
)
ORDERED_KEYS: Final = ("p/a", "p/a-b", "p/a.b/c", "p/a/b", "p/a/b-c", "p/ab", "p/b/1", "p/b/2", "p/b_", "pq")
"""In the order of their keys. `p/a` and `p/a/b` may exclude each other where keys are files; see `nested_keys`."""


class StorageContract(ProviderContract):
    """Inherit it, override `spec` and `broken`, and what else the vendor needs. The storage must start empty."""

    capabilities_type = StorageCapabilities
    faults_needed: ClassVar[tuple[str, ...]] = ("bad_key", "server_error", "garbage")
    repeatable: ClassVar[bool] = True

    @pytest.fixture
    def nested_keys(self) -> bool:
        """Return whether an object's key may also be the folder of others, as in `p/a` and `p/a/b`."""
        return True

    async def exercise(self, provider: Any) -> bytes:
        """Store, read and delete one object."""
        key = f"kit/{id(asyncio.current_task())}"
        await put(provider, key, b"kit")
        found = await read(provider, key)
        await provider.delete(key)
        return found

    async def test_STO_01_any_size_comes_back_as_it_was(self, provider: StorageProvider) -> None:
        for size in (0, 1, 65_537):
            data = bytes(index % 251 for index in range(size))
            info = await put(provider, f"round/{size}", data)
            assert misfit(info, ObjectInfo) is None
            assert (info.key, info.size) == (f"round/{size}", size)
            assert info.sha256 in (None, hashlib.sha256(data).hexdigest())
            assert await read(provider, f"round/{size}") == data

    async def test_STO_02_a_large_object_needs_little_memory(self, provider: StorageProvider) -> None:
        block = bytes(range(256)) * 256
        digest = hashlib.sha256()

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(LARGE_BYTES // len(block)):
                yield block

        tracemalloc.start()
        try:
            await provider.put("large/object", chunks(), size=LARGE_BYTES, media_type=PNG)
            size = 0
            async for chunk in provider.read("large/object"):
                digest.update(chunk)
                size += len(chunk)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert size == LARGE_BYTES
        assert digest.digest() == hashlib.sha256(block * (LARGE_BYTES // len(block))).digest()
        assert peak < MEMORY_LIMIT, f"{peak / MIB:.0f} MiB in memory for an object of {LARGE_BYTES // MIB} MiB"

    async def test_STO_03_keys_cannot_leave_the_storage(self, provider: StorageProvider, tmp_path: Path) -> None:
        for key in BAD_KEYS:
            calls: tuple[Callable[[], Awaitable[object]], ...] = (
                partial(put, provider, key, b"x"),
                partial(read, provider, key),
                partial(provider.info, key),
                partial(provider.delete, key),
            )
            for number, call in enumerate(calls):
                try:
                    await call()
                except InvalidRequest:
                    continue
                pytest.fail(f"call {number} took the key {key[:40]!r}")
        assert [path.name for path in tmp_path.rglob("*outside*")] == []

    async def test_STO_04_the_last_put_of_a_key_stands(self, provider: StorageProvider) -> None:
        await put(provider, "again", b"first and longer")
        await put(provider, "again", b"second")
        assert await read(provider, "again") == b"second"
        assert (await provider.info("again")).size == 6

    async def test_STO_05_parallel_puts_leave_one_whole_object(self, provider: StorageProvider) -> None:
        bodies = [bytes([65 + index]) * 200_000 for index in range(6)]
        await asyncio.gather(*(put(provider, "race", body) for body in bodies))
        assert await read(provider, "race") in bodies

    async def test_STO_06_ranges_are_exact(self, provider: StorageProvider) -> None:
        data = bytes(range(256)) * 3
        await put(provider, "ranges", data)
        for start, end in ((0, None), (0, 0), (0, 1), (5, 10), (767, 768), (700, 5000), (768, None), (9000, None)):
            assert await read(provider, "ranges", start, end) == data[start:end], f"{start} to {end}"
        for start, end in ((-1, None), (5, 4)):
            with pytest.raises(InvalidRequest):
                await read(provider, "ranges", start, end)

    async def test_STO_07_an_interrupted_put_leaves_nothing(self, provider: StorageProvider) -> None:
        await put(provider, "kept", b"as it was")
        for key in ("kept", "fresh"):
            with pytest.raises(ConnectionError):
                await provider.put(key, _broken_off(), size=300_000, media_type=PNG)
            await _cancel_midway(provider, key)
            for announced in (2, 4):
                with pytest.raises(InvalidRequest):
                    await provider.put(key, _chunks(b"abc"), size=announced, media_type=PNG)
        assert await read(provider, "kept") == b"as it was"
        with pytest.raises(NotFound):
            await provider.info("fresh")
        assert [info.key for info in (await provider.page("")).objects] == ["kept"]

    async def test_STO_08_nothing_there_is_not_found(self, provider: StorageProvider) -> None:
        await put(provider, "some/object", b"x")
        for key in ("absent", "some", "some/object/below"):
            with pytest.raises(NotFound):
                await provider.info(key)
            with pytest.raises(NotFound):
                await read(provider, key)
            await provider.delete(key)
        assert await read(provider, "some/object") == b"x"

    async def test_STO_09_deleted_is_gone(self, provider: StorageProvider) -> None:
        await put(provider, "gone/one", b"1")
        await put(provider, "gone/two", b"2")
        await provider.delete("gone/one")
        await provider.delete("gone/one")
        with pytest.raises(NotFound):
            await provider.info("gone/one")
        assert [info.key for info in (await provider.page("gone/")).objects] == ["gone/two"]
        await put(provider, "gone/one", b"back")
        assert await read(provider, "gone/one") == b"back"

    async def test_STO_10_pages_neither_repeat_nor_lose(self, provider: StorageProvider, nested_keys: bool) -> None:
        keys = [key for key in ORDERED_KEYS if nested_keys or key != "p/a"]
        for key in reversed(keys):
            await put(provider, key, key.encode())
        for prefix in ("", "p", "p/", "p/a", "p/b/", "p/b/2", "nothing", "../"):
            expected = [key for key in keys if key.startswith(prefix)]
            for limit in (1, 2, 3, 100):
                found: list[ObjectInfo] = []
                cursor: str | None = None
                while True:
                    page = await provider.page(prefix, cursor=cursor, limit=limit)
                    assert len(page.objects) <= limit
                    found += page.objects
                    if (cursor := page.cursor) is None:
                        break
                assert [info.key for info in found] == expected, f"prefix {prefix!r}, {limit} a page"
                assert all(info.size == len(info.key) for info in found)

    async def test_STO_11_a_key_may_be_512_characters_long(self, provider: StorageProvider) -> None:
        key = "/".join(["k" * 63] * 8)
        await put(provider, key, b"deep")
        assert await read(provider, key) == b"deep"

    async def test_STO_12_signed_addresses_are_as_claimed(self, provider: StorageProvider) -> None:
        await put(provider, "signed", b"x")
        if provider.capabilities().signed_urls:
            assert (await provider.signed_url("signed", seconds=60)).startswith(("http://", "https://"))
        else:
            with pytest.raises(Unsupported):
                await provider.signed_url("signed", seconds=60)

    async def test_STO_13_the_check_leaves_nothing(self, provider: StorageProvider) -> None:
        await provider.check()
        assert (await provider.page("")).objects == ()

    async def test_STO_14_any_key_and_any_bytes_come_back(self, provider: StorageProvider) -> None:
        for number, (key, data) in enumerate(drawn(objects())):
            place = f"any/{number}/{key}"
            await put(provider, place, data)
            middle = len(data) // 2
            assert await read(provider, place) == data, told(place)
            assert await read(provider, place, middle, None) == data[middle:], told(place)
            assert (await provider.info(place)).size == len(data), told(place)
            assert [info.key for info in (await provider.page(f"any/{number}/")).objects] == [place]


async def put(provider: StorageProvider, key: str, data: bytes) -> ObjectInfo:
    """Store bytes in chunks of odd size."""
    return await provider.put(key, _chunks(data), size=len(data), media_type=PNG)


async def read(provider: StorageProvider, key: str, start: int = 0, end: int | None = None) -> bytes:
    """Return the bytes of a range."""
    return b"".join([chunk async for chunk in provider.read(key, start=start, end=end)])


async def _chunks(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 40_009):
        yield data[start : start + 40_009]


async def _broken_off() -> AsyncIterator[bytes]:
    yield bytes(280_000)
    raise ConnectionError("the sender went away")


async def _cancel_midway(provider: StorageProvider, key: str) -> None:
    halfway = asyncio.Event()

    async def stall() -> AsyncIterator[bytes]:
        yield bytes(280_000)
        halfway.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(provider.put(key, stall(), size=300_000, media_type=PNG))
    await halfway.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
