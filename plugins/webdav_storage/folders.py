"""The folders of the storage: made before something is put into them, remembered, and walked through in order."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from kernel.spi import AuthFailed, NotFound, SettingsInvalid, Unavailable
from plugins.webdav_storage.errors import NO_FOLDER
from plugins.webdav_storage.multistatus import Entry
from plugins.webdav_storage.server import Listing, Server

MOST_REMEMBERED: Final = 10_000
LISTED_AHEAD: Final = 4
"""WebDAV lists one folder at a time: the next ones are asked for while one is read."""


class Folders:
    """Makes folders with as few requests as possible."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._known: set[str] = set()
        self._making = asyncio.Lock()

    async def make(self, path: str) -> None:
        """See to it that a folder and its parents exist. Raises SettingsInvalid if the address itself does not."""
        if path and path not in self._known:
            async with self._making:  # servers disagree about two that make the same
                await self._make(path)

    def forget(self, path: str) -> None:
        """Look again, the next time, whether the folder and its parents exist."""
        while path:
            self._known.discard(path)
            path = parent_of(path)

    async def file_among(self, path: str) -> str | None:
        """Return which of the folder and its parents is a file, if one is."""
        while path:
            with suppress(NotFound, Unavailable, AuthFailed):  # also below a file
                if not (await self._server.find(path)).folder:
                    return path
            path = parent_of(path)
        return None

    async def _make(self, path: str) -> None:
        if not path:
            raise SettingsInvalid(NO_FOLDER, field="base_url")
        if not await self._server.make_folder(path):
            await self._make(parent_of(path))
            if not await self._server.make_folder(path):
                raise Unavailable("a folder could not be made, although its parent exists")
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known.add(path)


class Walk:
    """Goes through the files below a folder, in the order of their keys: of their paths below it."""

    def __init__(self, server: Server, top: str, prefix: str, after: str) -> None:
        self._server = server
        self._top = top
        self._prefix = prefix
        self._after = after

    async def files(self) -> AsyncGenerator[tuple[str, Entry], None]:
        """Yield keys that have the prefix and are greater than `after`, with their files."""
        folder = self._prefix[: self._prefix.rfind("/") + 1]
        async with aclosing(self._files(folder, await self._list(folder))) as found:
            async for item in found:
                yield item

    async def _files(self, folder: str, listing: Listing | None) -> AsyncGenerator[tuple[str, Entry], None]:
        if listing is None:
            return
        # a folder sorts like its keys: with the slash
        entries = {folder + name + ("/" if entry.folder else ""): entry for name, entry in listing.entries.items()}
        wanted = [path for path in sorted(entries) if self._wants(path)]
        later = deque(path for path in wanted if path.endswith("/"))
        ahead: dict[str, asyncio.Task[Listing | None]] = {}
        try:
            for path in wanted:
                if not path.endswith("/"):
                    yield path, entries[path]
                    continue
                while later and len(ahead) < LISTED_AHEAD:
                    ahead[later[0]] = asyncio.create_task(self._list(later[0]))
                    later.popleft()
                async with aclosing(self._files(path, await ahead[path])) as found:
                    del ahead[path]
                    async for item in found:
                        yield item
        finally:
            for task in ahead.values():
                task.cancel()
            await asyncio.gather(*ahead.values(), return_exceptions=True)

    def _wants(self, path: str) -> bool:
        if path.endswith("/"):
            fits = path.startswith(self._prefix) or self._prefix.startswith(path)
            return fits and (path > self._after or self._after.startswith(path))
        return path.startswith(self._prefix) and path > self._after

    async def _list(self, folder: str) -> Listing | None:
        """Return what a folder holds, None for one that is missing, or was removed meanwhile."""
        try:
            return await self._server.list(f"{self._top}/{folder}".rstrip("/"))
        except NotFound:
            return None


def parent_of(path: str) -> str:
    """Return the folder in which something is, an empty text at the top."""
    return path.rpartition("/")[0]
