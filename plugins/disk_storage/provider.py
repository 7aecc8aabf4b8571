"""The disk storage itself."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from kernel.spi import (
    CheckReport,
    CheckSteps,
    InvalidRequest,
    ObjectInfo,
    ObjectPage,
    ProviderContext,
    ProviderError,
    SettingsInvalid,
    StorageCapabilities,
    Unsupported,
    add_space_step,
    check_object_key,
    check_page_limit,
    check_range,
)
from plugins.disk_storage.errors import translate
from plugins.disk_storage.files import Incoming, Outgoing, Tree
from plugins.disk_storage.settings import DiskSettings

A = ParamSpec("A")
T = TypeVar("T")

THREADS: Final = 4
CHUNK_BYTES: Final = 262_144


def build(settings: DiskSettings, context: ProviderContext) -> "DiskStorage":
    """Return the provider; touches nothing. Raises SettingsInvalid for a relative path."""
    folder = Path(settings.folder or context.data_dir)
    if not folder.is_absolute():
        raise SettingsInvalid("The path must be absolute: it starts with a slash.", field="folder")
    return DiskStorage(folder)


class DiskStorage:
    """Objects as files. Every write is atomic and durable when `put` returns."""

    def __init__(self, folder: Path) -> None:
        self._tree = Tree(folder)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="disk-storage")
        self._cleaned = False

    def capabilities(self) -> StorageCapabilities:
        """Return the capabilities; without signed addresses, because the kernel serves the bytes itself."""
        return StorageCapabilities()

    async def check(self) -> CheckReport:
        """Write, read and remove a probe file; report the free space."""
        steps = CheckSteps()
        try:
            free = await self._blocking(self._tree.probe)
        except ProviderError as error:
            steps.add("write", "fail", error.detail, field="folder")
            return steps.report()
        steps.add("write", "ok", "a file was written, read and removed")
        add_space_step(steps, free)
        return steps.report()

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        """Store an object."""
        check_object_key(key)
        if not self._cleaned:
            self._cleaned = True
            await self._blocking(self._tree.remove_stale)
        incoming = Incoming(self._tree)
        try:
            await self._blocking(incoming.open)
            async for block in _blocks(chunks):
                if incoming.size + len(block) > size:
                    raise InvalidRequest(f"more than the announced {size} bytes")
                await self._blocking(incoming.write, block)
            if incoming.size != size:
                raise InvalidRequest(f"{incoming.size} bytes instead of the announced {size}")
            return await self._blocking(incoming.keep, key, media_type)
        finally:
            incoming.drop()

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield an object's bytes."""
        check_object_key(key)
        check_range(start, end)
        outgoing = Outgoing(self._tree, key, start)
        try:
            await self._blocking(outgoing.open)
            left = None if end is None else end - start
            while left is None or left > 0:
                wanted = CHUNK_BYTES if left is None else min(left, CHUNK_BYTES)
                block = await self._blocking(outgoing.read, wanted)
                if not block:
                    return
                left = None if left is None else left - len(block)
                yield block
        finally:
            outgoing.close()

    async def info(self, key: str) -> ObjectInfo:
        """Return the data of an object."""
        return await self._blocking(self._tree.info, check_object_key(key))

    async def delete(self, key: str) -> None:
        """Remove an object."""
        await self._blocking(self._tree.delete, check_object_key(key))

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        """List objects."""
        check_page_limit(limit)
        return await self._blocking(self._tree.page, prefix, cursor, limit)

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        """Not supported."""
        raise Unsupported("files on disk have no address of their own")

    async def aclose(self) -> None:
        """End the threads; they are idle by now."""
        self._threads.shutdown(wait=False)

    async def _blocking(self, work: Callable[A, T], *args: A.args, **kwargs: A.kwargs) -> T:
        """Run file work in a thread. A cancellation waits for the thread: it holds an open file."""
        future = asyncio.get_running_loop().run_in_executor(self._threads, lambda: work(*args, **kwargs))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                try:
                    await asyncio.wait({future})
                except asyncio.CancelledError:
                    continue  # canceled twice; the first is passed on below
            raise
        except OSError as error:
            raise translate(error) from error


async def _blocks(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Gather small chunks into blocks that are worth a thread."""
    waiting = bytearray()
    async for chunk in chunks:
        waiting += chunk
        if len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)
