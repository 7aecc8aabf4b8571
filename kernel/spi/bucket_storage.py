"""A storage in a bucket: the same for every vendor that `buckets` knows."""

import hashlib
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, NamedTuple

from .buckets import PART_BYTES, Bucket
from .checks import CheckReport, CheckSteps
from .errors import InvalidRequest, NotFound, ProviderError, SettingsInvalid, Unavailable, Unsupported
from .storage import ObjectInfo, ObjectPage, StorageCapabilities
from .storage_requests import check_object_key, check_page_limit, check_range, is_object_key, measured_chunks

_SHA256: Final = "sha256"
"""Metadata of an object that was stored in one request."""

_LONGEST_URL_S: Final = 604_800
"""A signature of S3 and of Google is valid for seven days at most."""

_LARGEST_BYTES: Final = 10_000 * PART_BYTES
"""S3 and Google accept 10,000 parts, Azure 50,000."""

_LISTING_KEPT_S: Final = 60.0


class _Kept(NamedTuple):
    """A listing that goes on: what it found next after the page that ended with `cursor`, and how long that counts."""

    prefix: str
    cursor: str
    until: float
    following: ObjectInfo
    listing: AsyncGenerator[ObjectInfo, None]


class BucketStorage:
    """Objects in a bucket, which makes one visible when it is complete, and durable from then on.

    `prefix` is the folder for all objects, or empty. Raises SettingsInvalid.
    """

    def __init__(self, bucket: Bucket, *, prefix: str, signed_urls: bool = True) -> None:
        if {".", ".."} & set(prefix.split("/")):
            raise SettingsInvalid("A folder's name cannot be . or ..", field="prefix")
        self._bucket = bucket
        self._vendor = bucket.vendor
        self._prefix = f"{prefix}/" if prefix else ""
        self._signed_urls = signed_urls
        self._kept: _Kept | None = None

    def capabilities(self) -> StorageCapabilities:
        """Return the capabilities: perhaps signed addresses, and objects of up to 10,000 parts."""
        return StorageCapabilities(signed_urls=self._signed_urls, max_object_bytes=_LARGEST_BYTES)

    async def check(self) -> CheckReport:
        """List the bucket, then write, read and remove a small object."""
        steps = CheckSteps()
        path = f"{self._prefix}check/{secrets.token_hex(8)}"
        data = secrets.token_bytes(16)
        try:
            await self._bucket.guard()
            steps.add("reach", "ok")
            async for _ in self._bucket.list(f"{self._prefix}check", ""):
                break
            steps.add(self._vendor.bucket_field, "ok")
            await self._bucket.put(
                path, data, {"Content-Type": "application/octet-stream", self._vendor.size_name: str(len(data))}
            )
            steps.add("write", "ok")
            found = b"".join([block async for block in self._bucket.blocks(await self._bucket.get(path))])
            steps.add("read", "ok" if found == data else "fail", "" if found == data else "other bytes came back")
            await self._bucket.delete(path)
            steps.add("delete", "ok")
        except ProviderError as error:
            steps.add(self._next_step(steps.report()), "fail", error.detail, field=self._field(error))
        return steps.report()

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        """Store an object: a small one in one request, with its digest; a large one in parts."""
        path = self._path(key)
        if size > _LARGEST_BYTES:
            raise InvalidRequest(f"more than {_LARGEST_BYTES} bytes")
        digest = hashlib.sha256()
        attributes = {"Content-Type": media_type, self._vendor.size_name: str(size)}
        blocks = measured_chunks(chunks, size, digest)
        try:
            if size > PART_BYTES:
                await self._bucket.put_parts(path, blocks, attributes)
            else:
                data = b"".join([block async for block in blocks])
                await self._bucket.put(path, data, attributes | {_SHA256: digest.hexdigest()})
        except NotFound as error:  # whatever is missing when writing, it is not the object
            field = self._vendor.bucket_field
            raise SettingsInvalid(f"there is no such {field}", field=field) from error
        return ObjectInfo(
            key=key, size=size, sha256=digest.hexdigest(), media_type=media_type, modified_unix=time.time()
        )

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield an object's bytes. A whole object is checked against its stored digest."""
        path = self._path(key)
        check_range(start, end)
        if start == 0 and end is None:
            found = await self._bucket.get(path)
            digest = hashlib.sha256()
            async for block in self._bucket.blocks(found):
                digest.update(block)
                yield block
            if found.attributes.get(_SHA256, digest.hexdigest()) != digest.hexdigest():
                raise Unavailable("the object is damaged")
            return
        known = (await self._bucket.get(path, head=True)).meta  # S3 and others answer 416 to a range beyond the end
        stop = known["size"] if end is None else min(end, known["size"])
        if start < stop:
            found = await self._bucket.get(path, span=(start, stop), etag=known["e_tag"])
            async for block in self._bucket.blocks(found):
                yield block

    async def info(self, key: str) -> ObjectInfo:
        """Return the data of an object."""
        found = await self._bucket.get(self._path(key), head=True)
        return ObjectInfo(
            key=key,
            size=found.meta["size"],
            sha256=found.attributes.get(_SHA256),
            media_type=found.attributes.get("Content-Type"),
            modified_unix=found.meta["last_modified"].timestamp(),
        )

    async def delete(self, key: str) -> None:
        """Remove an object."""
        await self._bucket.delete(self._path(key))

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        """List objects. The next page goes on where this one ends, within a minute in the same listing.

        Azure may list from the beginning to find a place in the middle, so that all pages of many would take long.
        """
        check_page_limit(limit)
        kept, self._kept = self._kept, None
        if kept is not None and (kept.prefix, kept.cursor) == (prefix, cursor) and time.monotonic() < kept.until:
            listing, found = kept.listing, [kept.following]
        else:
            listing, found = self._listing(prefix, cursor), []
        async for info in listing:
            if len(found) == limit:
                last = found[-1].key
                self._kept = _Kept(prefix, last, time.monotonic() + _LISTING_KEPT_S, info, listing)
                return ObjectPage(objects=tuple(found), cursor=last)
            found.append(info)
        return ObjectPage(objects=tuple(found))

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        """Return a short-lived address of the object."""
        path = self._path(key)
        if not self._signed_urls:
            raise Unsupported("these settings cannot sign an address")
        if download_name is not None:
            raise Unsupported("a signed address cannot name the download")
        if not 1 <= seconds <= _LONGEST_URL_S:
            raise InvalidRequest(f"the time must be from 1 to {_LONGEST_URL_S} seconds")
        return await self._bucket.sign(path, seconds)

    async def aclose(self) -> None:
        """Let go of a listing; idle connections the library closes by itself."""
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.listing.aclose()

    async def _listing(self, prefix: str, cursor: str | None) -> AsyncGenerator[ObjectInfo, None]:
        """Yield the objects after a key. The bucket lists whole folders; keys without the prefix are left out here."""
        folder = prefix.rpartition("/")[0]
        if folder and not is_object_key(folder):
            return  # no key begins like this
        wanted, folder = self._prefix + prefix, (self._prefix + folder).rstrip("/")
        async for entry in self._bucket.list(folder, self._prefix + cursor if cursor else ""):
            path = entry["path"]
            if not path.startswith(wanted):
                if path > wanted:
                    return
                continue
            key = path.removeprefix(self._prefix)
            if is_object_key(key):  # else another program stored it
                yield ObjectInfo(key=key, size=entry["size"], modified_unix=entry["last_modified"].timestamp())

    def _path(self, key: str) -> str:
        """Return the object's full key. Raises InvalidRequest for what is no key."""
        return self._prefix + check_object_key(key)

    def _next_step(self, report: CheckReport) -> str:
        """Return the name of the step that was running."""
        return ("reach", self._vendor.bucket_field, "write", "read", "delete")[len(report.steps)]

    def _field(self, error: ProviderError) -> str | None:
        """Return the setting at fault; a missing answer points to the address."""
        if isinstance(error, NotFound):
            return self._vendor.bucket_field
        return error.field or (self._vendor.address_field if error.upstream_status is None else None)
