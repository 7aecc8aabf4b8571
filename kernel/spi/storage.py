"""Contract of the kind `storage`: store bytes under a key."""

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec

from .provider import Provider


class StorageCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do. `signed_urls` claims `signed_url`; `max_object_bytes` None: no limit of its own."""

    signed_urls: bool = False
    max_object_bytes: int | None = None


class ObjectInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A stored object; `size` in bytes. `sha256` is the lower-case hex digest of its bytes when the store knows it.

    `modified_unix` is when it was stored, in unix seconds; 0 when the store does not know.
    """

    key: str
    size: int
    sha256: str | None = None
    media_type: str | None = None
    modified_unix: float = 0.0


class ObjectPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a listing; `cursor` asks for the next one, None means that there is none."""

    objects: tuple[ObjectInfo, ...]
    cursor: str | None = None


class StorageProvider(Provider, Protocol):
    """Stores objects. Keys are `/`-separated words of `[a-z0-9._-]`, at most 512 characters, chosen by the kernel."""

    def capabilities(self) -> StorageCapabilities:
        """Return what this instance can do; no I/O."""
        ...

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        """Store the bytes under the key, all or nothing, and durably: after it returns, a power cut loses nothing.

        Called again with the same key it replaces the object. May raise InvalidRequest (bad key, or a stream whose
        length is not `size`), Unavailable, QuotaExhausted (disk full) and AuthFailed.
        """
        ...

    def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`; None is the end of the object.

        Called when a picture is shown, downloaded or moved, and again from where an earlier reading broke off. Not a
        coroutine: it returns an iterator, whose first step raises NotFound, and InvalidRequest for a bad key or range.
        Any step may raise Unavailable. Must not hold a whole object in memory.
        """
        ...

    async def info(self, key: str) -> ObjectInfo:
        """Return what is known of the object. Raises NotFound, and InvalidRequest for a bad key."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the object; succeed if it does not exist. Raises InvalidRequest for a bad key."""
        ...

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        """List up to `limit` objects whose key starts with `prefix`, in the order of their keys.

        `cursor` is that of the page before. Objects that are stored or deleted meanwhile may be missing or listed;
        every other one is listed once. Raises InvalidRequest for a cursor or limit that it does not know.
        """
        ...

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        """Return an address from which anybody can read the object for so many seconds, and no longer.

        `download_name` is the name under which a browser saves it. Raises Unsupported unless `signed_urls` is claimed,
        and InvalidRequest for a bad key.
        """
        ...
