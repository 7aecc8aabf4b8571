"""How the kernel uses any storage: tried again where that may help, and not believed where it can be checked."""

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeVar

from kernel.spi import NotFound, ObjectInfo, ObjectPage, ProviderError, StorageProvider, Unavailable

log = logging.getLogger(__name__)

TRIES: Final = 3
PAUSE_S: Final = 0.25
"""Before the second try; doubled before the third."""
PATIENCE_S: Final = 8.0
"""After this long a read is not tried again: somebody may be waiting for its first byte."""

Chunks = Callable[[], AsyncIterator[bytes]]
"""Gives an object's bytes from their beginning, each time it is called."""

T = TypeVar("T")


class DamagedObject(Unavailable):
    """The bytes of an object are not those recorded."""


class Tries:
    """The tries of one operation."""

    def __init__(self, patience_s: float = math.inf) -> None:
        self._failed = 0
        self._until = time.monotonic() + patience_s

    async def again(self, error: ProviderError) -> None:
        """Wait until the operation should be tried again. Raises the error when that would not help."""
        self._failed += 1
        pause = max(PAUSE_S * 2 ** (self._failed - 1), error.retry_after or 0.0)
        if not error.retry or self._failed == TRIES or time.monotonic() + pause > self._until:
            raise error
        log.info("storage, try %d: %s: %s", self._failed, error.code, error.detail)
        await asyncio.sleep(pause)


async def retried(operation: Callable[[], Awaitable[T]]) -> T:
    """Return the result of an operation that may be repeated. Raises ProviderError."""
    tries = Tries()
    while True:
        try:
            return await operation()
        except ProviderError as error:
            await tries.again(error)


class StorageAccess:
    """One storage. Every operation of the contract may be repeated, so each is."""

    def __init__(self, provider: StorageProvider) -> None:
        self._provider = provider

    async def put(self, key: str, chunks: Chunks, *, size: int, media_type: str, sha256: str) -> None:
        """Store an object and look whether it is there, with this size and, where the store knows it, this digest."""

        async def store() -> None:
            await self._provider.put(key, chunks(), size=size, media_type=media_type)
            try:
                found = await retried(lambda: self._provider.info(key))
            except NotFound as error:
                raise Unavailable("an object that was stored is not there") from error
            if found.size != size or found.sha256 not in (None, sha256):
                raise Unavailable("an object that was stored has other bytes")

        await retried(store)

    async def read(self, key: str, *, sha256: str, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`; None is the object's end.

        A whole object is compared with its digest while it passes, and its last chunk is held back until then: other
        bytes never arrive as a complete object. A range cannot be compared without reading the rest, so it is not.
        Raises NotFound at the first step.
        """
        chunks = self._resumed(key, start, end)
        if start or end is not None:
            async for chunk in chunks:
                yield chunk
            return
        digest, held = hashlib.sha256(), b""
        async for chunk in chunks:
            digest.update(chunk)
            if held:
                yield held
            held = chunk
        if digest.hexdigest() != sha256:
            log.error("object %s is damaged", key)
            raise DamagedObject("the stored bytes are not those recorded")
        yield held

    def raw(self, key: str) -> AsyncIterator[bytes]:
        """Yield the bytes of an object whose digest is not known. Raises NotFound at the first step."""
        return self._resumed(key, 0, None)

    async def _resumed(self, key: str, start: int, end: int | None) -> AsyncIterator[bytes]:
        """Yield bytes, and go on where they ended when an answer breaks off."""
        tries = Tries(PATIENCE_S)
        while True:
            try:
                async for chunk in self._provider.read(key, start=start, end=end):
                    start += len(chunk)
                    yield chunk
                    tries = Tries(PATIENCE_S)
            except ProviderError as error:
                await tries.again(error)
            else:
                return

    async def exists(self, key: str) -> bool:
        """Say whether there is an object of this key."""
        return await self.find(key) is not None

    async def find(self, key: str) -> ObjectInfo | None:
        """Return what is known of an object, None when there is none of this key."""
        try:
            return await retried(lambda: self._provider.info(key))
        except NotFound:
            return None

    async def delete(self, key: str) -> None:
        """Remove an object; succeed if it does not exist."""
        await retried(lambda: self._provider.delete(key))

    async def pages(self, prefix: str, *, limit: int) -> AsyncIterator[ObjectPage]:
        """Yield the pages of a listing."""
        cursor: str | None = None
        while True:
            page = await self._page(prefix, cursor, limit)
            yield page
            if (cursor := page.cursor) is None:
                return

    async def _page(self, prefix: str, cursor: str | None, limit: int) -> ObjectPage:
        return await retried(lambda: self._provider.page(prefix, cursor=cursor, limit=limit))
