"""Faulty storage providers."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from kernel.spi import InvalidRequest, NotFound, ObjectInfo, ObjectPage
from kernel.spi.testing import StorageContract
from plugins.disk_storage.provider import DiskStorage
from tests.kit.careless import careless
from tests.kit.careless_basics import Nothing


class Disk(DiskStorage):
    """A disk storage as a base for faults."""

    def __init__(self, settings: Any, context: Any) -> None:
        super().__init__(Path(context.data_dir))
        self.root = Path(context.data_dir) / "objects"


class InPlace(Disk):
    """Writes straight into the object."""

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        path = self.root / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        async for chunk in chunks:
            with path.open("ab") as file:
                file.write(chunk)
        return ObjectInfo(key=key, size=path.stat().st_size)


@careless("STO_01", StorageContract, Nothing)
class LosesTheLastByte(Disk):
    """Loses the last byte."""

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        data = b"".join([chunk async for chunk in super().read(key, start=start, end=end)])
        yield data[:-1]


@careless("STO_02", StorageContract, Nothing)
class ReadsIntoMemory(Disk):
    """Holds a whole object in memory."""

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        yield (self.root / key).read_bytes()


@careless("STO_03", StorageContract, Nothing)
class TrustsKeys(InPlace):
    """Joins any key to its folder."""


@careless("STO_04", StorageContract, Nothing)
class NeverReplaces(Disk):
    """Keeps the first object of a key."""

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        if (self.root / key).exists():
            return await self.info(key)
        return await super().put(key, chunks, size=size, media_type=media_type)


@careless("STO_05", StorageContract, Nothing)
class MixesWriters(InPlace):
    """Mixes the data of two writers of one key."""

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        path = self.root / key
        path.parent.mkdir(parents=True, exist_ok=True)
        async for chunk in chunks:
            await self._blocking(path.touch)
            with path.open("ab") as file:
                file.write(chunk)
        return ObjectInfo(key=key, size=path.stat().st_size)


@careless("STO_06", StorageContract, Nothing)
class EndIncluded(Disk):
    """Takes the end of a range as included."""

    async def read(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        async for chunk in super().read(key, start=start, end=None if end is None else end + 1):
            yield chunk


@careless("STO_07", StorageContract, Nothing)
class LeavesHalves(InPlace):
    """Leaves half an object after an interrupted put."""


@careless("STO_08", StorageContract, Nothing)
class EmptyForAbsent(Disk):
    """Reports an absent object as empty."""

    async def info(self, key: str) -> ObjectInfo:
        try:
            return await super().info(key)
        except NotFound:
            return ObjectInfo(key=key, size=0)


@careless("STO_09", StorageContract, Nothing)
class NeverDeletes(Disk):
    """Reports a deletion without deleting."""

    async def delete(self, key: str) -> None:
        return


@careless("STO_10", StorageContract, Nothing)
class LosesBetweenPages(Disk):
    """Loses an object at every page break."""

    async def page(self, prefix: str, *, cursor: str | None = None, limit: int = 100) -> ObjectPage:
        return await super().page(prefix, cursor=cursor and cursor + "~", limit=limit)


@careless("STO_11", StorageContract, Nothing)
class ShortKeys(Disk):
    """Truncates keys to a column's width."""

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        if len(key) > 255:
            raise InvalidRequest("too long")
        return await super().put(key, chunks, size=size, media_type=media_type)


@careless("STO_12", StorageContract, Nothing)
class MadeUpAddress(Disk):
    """Returns an address that it does not claim."""

    async def signed_url(self, key: str, *, seconds: int, download_name: str | None = None) -> str:
        return f"file://{self.root / key}"


@careless("STO_13", StorageContract, Nothing)
class CheckLeavesFile(Disk):
    """Leaves a file behind in its check."""

    async def check(self) -> Any:
        report = await super().check()
        (self.root / "probe").write_text("probe")
        return report
