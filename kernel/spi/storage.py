"""Contract of the kind `storage`: store bytes under a key."""

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec

from .provider import Provider


class StorageCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do. `max_object_bytes` None means no limit of its own."""

    signed_urls: bool = False
    max_object_bytes: int | None = None


class ObjectInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A stored object; `sha256` is the lower-case hex digest of its bytes when the store knows it."""

    key: str
    size: int
    sha256: str | None = None
    media_type: str | None = None
    modified_unix: float = 0.0


class ObjectPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a listing; `cursor` None means that it is the last."""

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
        """Yield the bytes from `start` up to, not including, `end`. The first step raises NotFound."""
        ...

    async def info(self, key: str) -> ObjectInfo:
        """Return what is known of the object. Raises NotFound."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the object; succeed if it does not exist."""
        ...

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        """List objects whose key starts with `prefix`, in the order of their keys."""
        ...

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        """Return a short-lived public address of the object. Raises Unsupported unless `signed_urls` is claimed."""
        ...
