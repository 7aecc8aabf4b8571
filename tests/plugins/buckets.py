"""What the tests of storages in buckets share."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Final

import msgspec
import pytest

from kernel.spi import BucketStorage, ProviderSpec, Settings
from kernel.spi.testing import FailsWith, FakeContext, Loopback, StorageContract
from kernel.spi.testing.faults import script

PAGE: Final = b"<html>Please sign in to the network</html>"
STAMPED: Final = ('ETag: "1"', "Last-Modified: Wed, 21 Oct 2026 07:28:00 GMT")


class BucketContract(StorageContract):
    """The rules for storages, with a vendor that fails at the address of the setting `endpoint`."""

    endpoint_path: ClassVar[str] = ""

    @pytest.fixture
    def retry_after_s(self) -> float | None:
        return None  # the library does not pass it on

    @pytest.fixture
    def fails_with(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, faults: Mapping[str, Any]
    ) -> FailsWith:
        @asynccontextmanager
        async def fail(name: str, variant: int = 0) -> AsyncIterator[Any]:
            with Loopback(script(name, faults.get(name), variant)) as vendor:
                if name == "unreachable":
                    vendor.close()
                changed = msgspec.structs.replace(settings, endpoint=vendor.url + self.endpoint_path)
                provider = spec.build(changed, context)
                yield provider
                await provider.aclose()

        return fail


async def one(data: bytes) -> AsyncIterator[bytes]:
    """Yield all bytes at once."""
    yield data


async def put(storage: BucketStorage, key: str, data: bytes = b"x") -> None:
    """Store a picture."""
    await storage.put(key, one(data), size=len(data), media_type="image/png")


async def read(storage: BucketStorage, key: str, **span: int) -> bytes:
    """Return the bytes of an object, or of a range."""
    return b"".join([block async for block in storage.read(key, **span)])


async def keys(storage: BucketStorage, prefix: str = "", *, limit: int = 100) -> list[str]:
    """Return the keys of all pages."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await storage.page(prefix, cursor=cursor, limit=limit)
        found += [info.key for info in page.objects]
        if (cursor := page.cursor) is None:
            return found
