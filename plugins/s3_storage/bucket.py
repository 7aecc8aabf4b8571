"""A bucket behind obstore, with what the library lacks: the address guard, and a check of the answers.

What remains: the library (0.12) takes neither a resolver nor a rule for redirects. So a name that resolves differently
within GUARDED_FOR_S after our check, and a server that answers a GET with a redirect, can make it connect to an address
that the guard has not seen; from https only to https. No key is ever sent, the signature is dropped for another host,
and what comes back must look like an object, see `_recognize`. A network with unprotected services should be closed to
this process by other means.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeVar, cast
from urllib.parse import SplitResult, urlsplit

from kernel.spi import Effect, NotFound, ProviderContext, SettingsInvalid, Unavailable
from plugins.s3_storage.errors import translate
from plugins.s3_storage.settings import S3Settings

T = TypeVar("T")

REQUEST_LIMIT: Final = "60s"
CONNECT_LIMIT: Final = "5s"
GUARDED_FOR_S: Final = 60.0
"""How long a name that resolved to allowed addresses is trusted: the library resolves it again for each connection."""

PART_BYTES: Final = 8_388_608
BLOCK_BYTES: Final = 262_144
LISTED_AT_ONCE: Final = 1000
"""The most that S3 lists in one answer."""

SIZE: Final = "coverwright-size"
SHA256: Final = "sha256"
"""Metadata that marks our own objects: proxies and portals answer 200 with a page of their own."""


class Bucket:
    """Whole objects in, bytes out. Paths are full keys in the bucket."""

    def __init__(self, settings: S3Settings, context: ProviderContext) -> None:
        import obstore
        from obstore.exceptions import BaseError

        self._library = obstore
        self._foreign = (BaseError, OSError, ValueError)
        self._context = context
        self._address = address_of(settings)
        self._store = _open(settings, self._address)
        self._guarded_until = 0.0

    async def guard(self) -> None:
        """Raise SettingsInvalid unless the operator allows the address; Unavailable when the name does not resolve."""
        now = asyncio.get_running_loop().time()
        if now >= self._guarded_until:
            url = self._address
            port = url.port or {"http": 80, "https": 443}[url.scheme]
            await self._context.find_addresses(url.hostname or "", port, field="endpoint")
            self._guarded_until = now + GUARDED_FOR_S

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
            raise translate(error) from None
        _recognize(found)
        return found

    async def blocks(self, found: Any) -> AsyncIterator[bytes]:
        """Yield the bytes of an answer. Raises Unavailable for another length than announced."""
        left = found.range[1] - found.range[0]
        try:
            async for block in found.stream(BLOCK_BYTES):
                left -= len(block)
                yield bytes(block)
        except self._foreign as error:
            raise translate(error) from None
        if left:
            raise Unavailable("another number of bytes came than was announced")

    async def delete(self, path: str) -> None:
        """Remove an object; succeed if it does not exist."""
        try:
            await self._done(lambda: self._library.delete_async(self._store, path))
        except NotFound:
            return

    async def list(self, folder: str, after: str) -> AsyncIterator[dict[str, Any]]:
        """Yield the data of the objects in a folder, in the order of their paths, from `after` on."""
        await self.guard()
        found = self._library.list(self._store, folder or None, offset=after or None, chunk_size=LISTED_AT_ONCE)
        try:
            async for chunk in found:
                for entry in chunk:
                    yield dict(entry)
        except self._foreign as error:
            raise translate(error) from None

    async def sign(self, path: str, seconds: int) -> str:
        """Return an address that lets anybody read the object for this long."""
        lasting = timedelta(seconds=seconds)
        return await self._done(lambda: self._library.sign_async(self._store, "GET", path, lasting))

    async def _done(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a call of the library and translate its errors."""
        await self.guard()  # before the library is called: it starts at once, awaited or not
        try:
            return await work()
        except self._foreign as error:
            raise translate(error) from None


def address_of(settings: S3Settings) -> SplitResult:
    """Return the address to which requests are sent. Raises SettingsInvalid."""
    tail = ".cn" if settings.region.startswith("cn-") else ""
    text = settings.endpoint.rstrip("/") or f"https://s3.{settings.region}.amazonaws.com{tail}"
    try:
        url = urlsplit(text)
        usable = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        usable = False
    if not usable or url.path or url.query or url.fragment or url.username is not None:
        raise SettingsInvalid("An address looks like https://minio.example:9000.", field="endpoint")
    if not settings.path_style:
        url = url._replace(netloc=f"{settings.bucket}.{url.netloc}")
    return url


def _open(settings: S3Settings, address: SplitResult) -> Any:
    """Open the store without connecting. Every value is given, else the library takes it from the environment."""
    from obstore.store import S3Store

    def credentials() -> Any:
        return {
            "access_key_id": settings.access_key_id.reveal(),
            "secret_access_key": settings.secret_access_key.reveal(),
            "token": None,
            "expires_at": None,
        }

    endpoint = address.geturl()
    return S3Store(
        settings.bucket,
        config={
            "aws_endpoint_url_s3": endpoint,
            "endpoint": endpoint,
            "region": settings.region,
            "virtual_hosted_style_request": not settings.path_style,
            "disable_bulk_delete": True,
            "skip_signature": False,
            "unsigned_payload": False,
            "request_payer": False,
        },
        client_options={
            "allow_http": address.scheme == "http",
            "timeout": REQUEST_LIMIT,
            "connect_timeout": CONNECT_LIMIT,
        },
        retry_config={"max_retries": 0},
        credential_provider=credentials,
    )


def _recognize(found: Any) -> None:
    """Raise Unavailable unless the answer looks like an object: with an ETag, and of the size that was stored."""
    meta, attributes = found.meta, found.attributes
    if not meta["e_tag"]:
        raise Unavailable("what came back is not an object", effect=Effect.NONE)
    announced = attributes.get(SIZE)
    if announced is None and attributes.get("Content-Type", "").startswith("text/html"):
        raise Unavailable("a web page came back instead of the object", effect=Effect.NONE)
    if announced is not None and announced != str(meta["size"]):
        raise Unavailable("the object has another size than it was stored with", effect=Effect.NONE)
