"""A bucket behind obstore, with what the library lacks: the address guard, and a check of the answers.

What remains: the library (0.12) takes neither a resolver nor a rule for redirects. So a name that resolves differently
within _GUARDED_FOR_S after our check, and a server that answers a GET with a redirect, can make it connect to an
address that the guard has not seen; from https only to https. No key is ever sent, the signature is dropped for another
host, and what comes back must look like an object, see `_recognize`. A network with unprotected services should be
closed to this process by other means.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeVar, cast
from urllib.parse import SplitResult, urlsplit

import msgspec

from .bucket_errors import BucketMeaning, bucket_error
from .errors import Effect, NotFound, SettingsInvalid, Unavailable
from .provider import ProviderContext

_T = TypeVar("_T")

_REQUEST_LIMIT: Final = "60s"
_CONNECT_LIMIT: Final = "5s"
_GUARDED_FOR_S: Final = 60.0
"""How long a name that resolved to allowed addresses is trusted: the library resolves it again for each connection."""

PART_BYTES: Final = 8_388_608
"""Of an object that is stored in parts."""

_BLOCK_BYTES: Final = 262_144
_LISTED_AT_ONCE: Final = 1000
"""The most that S3 and Google list in one answer."""


class BucketVendor(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between vendors: the settings that name bucket and address, and what their errors mean.

    `size_name` is the metadata that marks our own objects: proxies and portals answer 200 with a page of their own.
    """

    meanings: Mapping[str, BucketMeaning]
    bucket_field: str = "bucket"
    address_field: str = "endpoint"
    size_name: str = "coverwright-size"


def bucket_address(text: str, *, example: str, path: bool = False) -> SplitResult:
    """Return the address of a service; only with `path` it may have one. Raises SettingsInvalid for `endpoint`."""
    try:
        url = urlsplit(text.rstrip("/"))
        usable = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        usable = False
    if not usable or (url.path and not path) or url.query or url.fragment or url.username is not None:
        raise SettingsInvalid(f"An address looks like {example}.", field="endpoint")
    return url


def bucket_options(address: SplitResult) -> dict[str, Any]:
    """Return the arguments that every store of obstore is made with: time limits, and no repetitions of its own."""
    return {
        "client_options": {
            "allow_http": address.scheme == "http",
            "timeout": _REQUEST_LIMIT,
            "connect_timeout": _CONNECT_LIMIT,
        },
        "retry_config": {"max_retries": 0},
    }


class Bucket:
    """Whole objects in, bytes out. Paths are full keys in the bucket. `store` is one of obstore's, not yet used."""

    def __init__(self, store: Any, address: SplitResult, vendor: BucketVendor, context: ProviderContext) -> None:
        import obstore  # only where buckets are used; the contracts themselves need no obstore
        from obstore.exceptions import BaseError

        self.vendor = vendor
        self._library = obstore
        self._foreign = (BaseError, OSError, ValueError)
        self._context = context
        self._address = address
        self._store = store
        self._guarded_until = 0.0

    async def guard(self) -> None:
        """Raise SettingsInvalid unless the operator allows the address; Unavailable when the name does not resolve."""
        now = asyncio.get_running_loop().time()
        if now >= self._guarded_until:
            url = self._address
            port = url.port or {"http": 80, "https": 443}[url.scheme]
            await self._context.find_addresses(url.hostname or "", port, field=self.vendor.address_field)
            self._guarded_until = now + _GUARDED_FOR_S

    async def put(self, path: str, data: bytes, attributes: dict[str, str]) -> None:
        """Store an object in one request, replacing an earlier one."""
        put = self._library.put_async
        await self._done(lambda: put(self._store, path, data, attributes=attributes, use_multipart=False))

    async def put_parts(self, path: str, blocks: AsyncIterator[bytes], attributes: dict[str, str]) -> None:
        """Store an object in parts. It appears when the last part is there; if `blocks` raises, it never does."""
        writer = self._library.open_writer_async(
            self._store, path, attributes=attributes, buffer_size=PART_BYTES, max_concurrency=2
        )
        async for block in blocks:
            await self._done(partial(writer.write, block))
        await self._done(writer.close)

    async def get(self, path: str, *, head: bool = False, span: tuple[int, int] | None = None, etag: str = "") -> Any:
        """Return obstore's answer for an object or a span of its bytes. Raises NotFound, and Unavailable for a page."""
        options: dict[str, Any] = {"head": head}
        if span is not None:
            options |= {"range": span, "if_match": etag}
        await self.guard()
        try:
            found = await self._library.get_async(self._store, path, options=cast(Any, options))
        except self._foreign as error:
            raise bucket_error(error, self.vendor.meanings) from None
        _recognize(found, self.vendor.size_name)
        return found

    async def blocks(self, found: Any) -> AsyncIterator[bytes]:
        """Yield the bytes of an answer. Raises Unavailable for another length than announced."""
        left = found.range[1] - found.range[0]
        try:
            async for block in found.stream(_BLOCK_BYTES):
                left -= len(block)
                yield bytes(block)
        except self._foreign as error:
            raise bucket_error(error, self.vendor.meanings) from None
        if left:
            raise Unavailable("another number of bytes came than was announced")

    async def delete(self, path: str) -> None:
        """Remove an object; succeed if it does not exist."""
        try:
            await self._done(lambda: self._library.delete_async(self._store, path))
        except NotFound:
            return

    async def list(self, folder: str, after: str) -> AsyncIterator[dict[str, Any]]:
        """Yield the data of the objects in a folder, in the order of their paths, after the path `after`.

        A service that takes no place to begin at lists the folder from its beginning, and what comes before is left
        out here. Raises SettingsInvalid for a bucket that lists in another order: pages of it would lose objects.
        """
        await self.guard()
        found = self._library.list(self._store, folder or None, offset=after or None, chunk_size=_LISTED_AT_ONCE)
        last = ""
        try:
            async for chunk in found:
                for entry in chunk:
                    if entry["path"] < last:
                        raise SettingsInvalid(
                            "it does not list in the order of names; take one without a hierarchy of folders",
                            field=self.vendor.bucket_field,
                        )
                    last = entry["path"]
                    if last > after:
                        yield dict(entry)
        except self._foreign as error:
            raise bucket_error(error, self.vendor.meanings) from None

    async def sign(self, path: str, seconds: int) -> str:
        """Return an address that lets anybody read the object for this long."""
        lasting = timedelta(seconds=seconds)
        return await self._done(lambda: self._library.sign_async(self._store, "GET", path, lasting))

    async def _done(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Run a call of the library and translate its errors."""
        await self.guard()  # before the library is called: it starts at once, awaited or not
        try:
            return await work()
        except self._foreign as error:
            raise bucket_error(error, self.vendor.meanings) from None


def _recognize(found: Any, size_name: str) -> None:
    """Raise Unavailable unless the answer looks like an object: with an ETag, and of the size that was stored."""
    meta, attributes = found.meta, found.attributes
    if not meta["e_tag"]:
        raise Unavailable("what came back is not an object", effect=Effect.NONE)
    announced = attributes.get(size_name)
    if announced is None and attributes.get("Content-Type", "").startswith("text/html"):
        raise Unavailable("a web page came back instead of the object", effect=Effect.NONE)
    if announced is not None and announced != str(meta["size"]):
        raise Unavailable("the object has another size than it was stored with", effect=Effect.NONE)
