"""The WebDAV storage itself.

<address>/<folder>/objects/<key>                    finished objects
<address>/<folder>/incoming/coverwright-<random>    objects being written; what is left here is removed an hour later

Folders stay when their last object is removed: WebDAV removes a folder with all that is in it, and another process may
just have put something there.
"""

import asyncio
import hashlib
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from typing import Final
from weakref import WeakValueDictionary

from kernel.spi import (
    CheckReport,
    Effect,
    InvalidRequest,
    NotFound,
    ObjectInfo,
    ObjectPage,
    ProviderContext,
    ProviderError,
    SettingsInvalid,
    StorageCapabilities,
    Unavailable,
    Unsupported,
    check_object_key,
    check_page_limit,
    check_range,
    is_object_key,
    measured_chunks,
)
from plugins.webdav_storage.check import Check
from plugins.webdav_storage.folders import Folders, Walk, parent_of
from plugins.webdav_storage.multistatus import Entry
from plugins.webdav_storage.server import Server
from plugins.webdav_storage.settings import WebDAVSettings

UPLOAD: Final = re.compile(r"coverwright-[0-9a-f]{32}")
BELOW_A_FILE: Final = frozenset({400, 403, 409})
NO_FILE: Final = BELOW_A_FILE | {200, 405, 501}
REDIRECTS: Final = range(300, 400)
"""What servers answer to a GET of a folder, or of a path that leads through a file; some send a page about it."""

STALE_S: Final = 3600.0
CLEANED_AT_ONCE: Final = 50
CLEANING_LIMIT_S: Final = 10.0


def build(settings: WebDAVSettings, context: ProviderContext) -> "WebDAVStorage":
    """Return the provider; opens no connection. Raises SettingsInvalid."""
    if {".", ".."} & set(settings.folder.split("/")):
        raise SettingsInvalid("A folder's name cannot be . or ..", field="folder")
    if ":" in settings.username:
        raise SettingsInvalid("A user name has no colon.", field="username")
    return WebDAVStorage(settings, Server(settings, context))


class WebDAVStorage:
    """Objects as files. One appears whole: it is uploaded under another name and then moved.

    Durable is what the server calls stored. A new object never replaces anything; where one is replaced, many servers
    remove the old one before they move the new one to its place.
    """

    def __init__(self, settings: WebDAVSettings, server: Server) -> None:
        top = f"{settings.folder}/" if settings.folder else ""
        self._objects = f"{top}objects"
        self._incoming = f"{top}incoming"
        self._server = server
        self._folders = Folders(server)
        self._check = Check(server, self._folders, self._incoming, encrypted=settings.base_url.startswith("https:"))
        self._placing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._cleaned_at: float | None = None

    def capabilities(self) -> StorageCapabilities:
        """Return the capabilities; without signed addresses, which WebDAV does not have."""
        return StorageCapabilities()

    async def check(self) -> CheckReport:
        """Look at the folder, then write, move, read, list and remove a file as large as a cover."""
        return await self._check.run(self._upload())

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        """Store an object."""
        target, upload, digest = self._path(key), self._upload(), hashlib.sha256()
        await self._folders.make(self._incoming)
        try:
            blocks = measured_chunks(chunks, size, digest)
            await self._server.put(upload, blocks, size=size, media_type=media_type)
            async with self._placing.setdefault(key, asyncio.Lock()):
                await self._place(upload, target)
        except Exception as error:
            await self._drop(upload)
            if isinstance(error, ProviderError) and error.upstream_status in (404, 409):
                self._folders.forget(self._incoming)
                raise Unavailable("a folder is gone; it is made anew when this is tried again") from error
            raise
        await self._clean()
        return ObjectInfo(
            key=key, size=size, sha256=digest.hexdigest(), media_type=media_type, modified_unix=time.time()
        )

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield an object's bytes."""
        path = self._path(key)
        check_range(start, end)
        if start == end:
            await self._find(key)
            return
        try:
            async with aclosing(self._server.read(path, start, end)) as blocks:
                async for block in blocks:
                    yield block
        except ProviderError as error:
            if error.upstream_status in NO_FILE or error.upstream_status in REDIRECTS:
                await self._find(key)
            raise

    async def info(self, key: str) -> ObjectInfo:
        """Return the data of an object."""
        return _info(key, await self._find(key))

    async def delete(self, key: str) -> None:
        """Remove an object. What is a folder of others is no object, and is left alone."""
        with suppress(NotFound):
            await self._find(key)
            await self._server.delete(self._path(key))

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        """List objects, of the folders that may hold them."""
        check_page_limit(limit)
        if (folder := parent_of(prefix)) and not is_object_key(folder):
            return ObjectPage(objects=())  # no key begins like this
        found: list[ObjectInfo] = []
        async with aclosing(Walk(self._server, self._objects, prefix, cursor or "").files()) as files:
            async for key, entry in files:
                if not is_object_key(key):  # stored by another program
                    continue
                if len(found) == limit:
                    return ObjectPage(objects=tuple(found), cursor=found[-1].key)
                found.append(_info(key, entry))
        return ObjectPage(objects=tuple(found))

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        """Not supported."""
        raise Unsupported("a WebDAV server has no addresses for a short time")

    async def aclose(self) -> None:
        """Release nothing: the client is the kernel's."""

    async def _place(self, upload: str, target: str) -> None:
        """Move an upload to its place. Raises InvalidRequest where a folder is, or a file where a folder has to be."""
        folder, status = parent_of(target), 0
        for _ in range(2):  # a folder that was known may have been removed
            await self._folders.make(folder)
            status = await self._server.move(upload, target, replace=False)
            if status == 412:
                # replacing a folder would remove all objects in it
                with suppress(NotFound):
                    if (await self._server.find(target)).folder:
                        raise InvalidRequest("the key is a folder of other objects")
                status = await self._server.move(upload, target, replace=True)
            if status in (201, 204):
                return
            self._folders.forget(folder)
        if await self._folders.file_among(folder):
            raise InvalidRequest("a part of the key is an object already")
        raise Unavailable(f"{status}: the object was not moved to its place", effect=Effect.UNKNOWN)

    async def _find(self, key: str) -> Entry:
        """Return the data of an object. Raises NotFound for a folder, and below a file."""
        path = self._path(key)
        try:
            entry = await self._server.find(path)
        except ProviderError as error:
            if error.upstream_status in BELOW_A_FILE and await self._folders.file_among(parent_of(path)):
                raise NotFound(key) from error
            raise
        if entry.folder:
            raise NotFound(key)
        return entry

    async def _drop(self, upload: str) -> None:
        """Remove an upload that failed, if the server lets us."""
        with suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(CLEANING_LIMIT_S):
                await self._server.delete(upload)

    async def _clean(self) -> None:
        """Remove what was left half-written, once an hour; by the server's clock."""
        now = time.monotonic()
        if self._cleaned_at is not None and now < self._cleaned_at + STALE_S:
            return
        self._cleaned_at = now
        with suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(CLEANING_LIMIT_S):
                listing = await self._server.list(self._incoming)
                horizon = (listing.now_unix or 0.0) - STALE_S
                stale = [
                    name
                    for name, entry in listing.entries.items()
                    if UPLOAD.fullmatch(name) and not entry.folder and 0 < entry.modified_unix < horizon
                ]
                for name in stale[:CLEANED_AT_ONCE]:
                    await self._server.delete(f"{self._incoming}/{name}")

    def _upload(self) -> str:
        # no dot in front: web servers often hide such names
        return f"{self._incoming}/coverwright-{secrets.token_hex(16)}"

    def _path(self, key: str) -> str:
        return f"{self._objects}/{check_object_key(key)}"


def _info(key: str, entry: Entry) -> ObjectInfo:
    if entry.size is None:
        raise Unavailable("the server does not say how large a file is")
    return ObjectInfo(key=key, size=entry.size, modified_unix=entry.modified_unix)
