"""Stores pictures: objects are written before the row that names them, and removed after it."""

import logging
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import delete, insert, select, union, union_all
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.core.fault_points import faultpoint
from kernel.core.queue.job_loop import run_to_end
from kernel.pictures.ingest import Form, Ingested
from kernel.pictures.models import ArchiveFile, GenerationReference, Picture, PictureFile
from kernel.providers import STORAGE, NoProviderAvailable, Registry
from kernel.spi import NotFound, ObjectInfo, ProviderError

log = logging.getLogger(__name__)

PREFIX = "covers/"
HASH_CHARS: Final = 16
"""Length of the content's hash in names and addresses: enough to distinguish versions of one picture."""
ORPHAN_AGE = timedelta(hours=1)
"""A newer object without a row is left alone: its transaction may still be open."""


class StoredPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture whose objects are in storage but whose rows are not yet written."""

    instance_id: str
    keys: tuple[str, ...]
    ingested: Ingested


class FileRef(msgspec.Struct, frozen=True, kw_only=True):
    """The location of one form of a picture."""

    instance_id: str
    object_key: str
    media_type: str
    size: int
    sha256: str


HOLDING: Final = (PictureFile, GenerationReference, ArchiveFile)
"""The tables whose rows name objects in storage."""
FILE_COLUMNS: Final = tuple(getattr(PictureFile, name) for name in FileRef.__struct_fields__)


async def _one_chunk(data: bytes) -> AsyncIterator[bytes]:
    yield data


class PictureStore:
    """Writes, reads and removes pictures through the storage instances."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def place(self) -> str:
        """Return the id of the storage instance for new pictures. Raises NoProviderAvailable."""
        return self._registry.first(STORAGE).id

    async def put(self, owner_id: UUID, fence: int, ingested: Ingested) -> StoredPicture:
        """Store all forms under keys of this claim of this job, so that a stale worker removes only its own.

        A picture that no job made has an id of its own instead of the job's, and the fence 0.
        Raises ProviderError; nothing is left behind then, nor when it is canceled.
        """
        async with self._registry.lease(STORAGE) as disk:
            storage = disk.provider
            keys: list[str] = []
            try:
                for form in ingested.forms:
                    extension = form.media_type.removeprefix("image/")
                    key = f"{PREFIX}{owner_id}/{fence}-{form.name}-{form.sha256[:HASH_CHARS]}.{extension}"
                    keys.append(key)
                    await storage.put(key, _one_chunk(form.data), size=len(form.data), media_type=form.media_type)
                    faultpoint("half_stored")
            except BaseException:
                unfinished = StoredPicture(instance_id=disk.id, keys=tuple(keys), ingested=ingested)
                await run_to_end(self.discard(unfinished))
                raise
            return StoredPicture(instance_id=disk.id, keys=tuple(keys), ingested=ingested)

    async def put_references(self, generation_id: UUID, forms: Sequence[Form]) -> list[FileRef]:
        """Store reference pictures of a generation. Raises ProviderError; nothing is left behind then."""
        refs: list[FileRef] = []
        async with self._registry.lease(STORAGE) as disk:
            try:
                for position, form in enumerate(forms):
                    extension = form.media_type.removeprefix("image/")
                    refs.append(
                        FileRef(
                            instance_id=disk.id,
                            object_key=f"{PREFIX}{generation_id}/reference-{position}-{form.sha256[:HASH_CHARS]}.{extension}",
                            media_type=form.media_type,
                            size=len(form.data),
                            sha256=form.sha256,
                        )
                    )
                    await disk.provider.put(
                        refs[-1].object_key, _one_chunk(form.data), size=len(form.data), media_type=form.media_type
                    )
            except BaseException:
                await run_to_end(self.erase(refs))
                raise
        return refs

    async def put_archive(self, key: str, chunks: AsyncIterator[bytes], *, size: int, sha256: str) -> FileRef:
        """Store an archive of covers under `covers/<key>` as a stream. Raises ProviderError."""
        object_key, media_type = f"{PREFIX}{key}", "application/zip"
        async with self._registry.lease(STORAGE) as disk:
            await disk.provider.put(object_key, chunks, size=size, media_type=media_type)
            return FileRef(instance_id=disk.id, object_key=object_key, media_type=media_type, size=size, sha256=sha256)

    async def discard(self, stored: StoredPicture) -> None:
        """Remove the objects of a picture that was never recorded. The collector removes later what fails here."""
        try:
            async with self._registry.lease_instance(stored.instance_id, STORAGE) as disk:
                for key in stored.keys:
                    await disk.provider.delete(key)
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("unrecorded picture left behind: %s", type(error).__name__)

    async def record(self, session: AsyncSession, stored: StoredPicture) -> int:
        """Write the rows of a stored picture in the caller's transaction; return the picture's id."""
        ingested = stored.ingested
        made = await session.execute(
            insert(Picture)
            .values(
                sha256=ingested.forms[0].sha256,
                width=ingested.size.width,
                height=ingested.size.height,
                native_width=ingested.native.width,
                native_height=ingested.native.height,
                tint=ingested.tint,
                placeholder=ingested.placeholder,
                created_at=clock.now(),
            )
            .returning(Picture.id)
        )
        picture_id = int(made.scalar_one())
        await session.execute(
            insert(PictureFile),
            [
                {
                    "picture_id": picture_id,
                    "form": form.name,
                    "instance_id": stored.instance_id,
                    "object_key": key,
                    "media_type": form.media_type,
                    "size": len(form.data),
                    "sha256": form.sha256,
                }
                for form, key in zip(ingested.forms, stored.keys, strict=True)
            ],
        )
        return picture_id

    async def file(self, reader: AsyncConnection, picture_id: int, form: str) -> FileRef:
        """Find one form of a picture. Raises Absent."""
        query = select(*FILE_COLUMNS).where(PictureFile.picture_id == picture_id, PictureFile.form == form)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent
        return FileRef(**row._asdict())

    async def chunks(self, ref: FileRef, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield the bytes of a form from `start` up to, not including, `end`, from the instance that holds it."""
        async with self._registry.lease_instance(ref.instance_id, STORAGE) as disk:
            async for chunk in disk.provider.read(ref.object_key, start=start, end=end):
                yield chunk

    async def read(self, ref: FileRef) -> bytes:
        """Return a whole form. Raises Absent when the object does not exist any more."""
        try:
            return b"".join([chunk async for chunk in self.chunks(ref)])
        except NotFound as error:
            raise Absent("The file of this picture no longer exists.") from error

    async def forget(self, session: AsyncSession, picture_ids: list[int]) -> list[FileRef]:
        """Delete the rows of pictures in the caller's transaction; return what `erase` then removes from storage."""
        if not picture_ids:
            return []
        rows = (await session.execute(select(*FILE_COLUMNS).where(PictureFile.picture_id.in_(picture_ids)))).all()
        await session.execute(delete(PictureFile).where(PictureFile.picture_id.in_(picture_ids)))
        await session.execute(delete(Picture).where(Picture.id.in_(picture_ids)))
        return [FileRef(**row._asdict()) for row in rows]

    async def erase(self, refs: Sequence[FileRef]) -> None:
        """Remove objects whose rows are deleted."""
        for ref in refs:
            try:
                async with self._registry.lease_instance(ref.instance_id, STORAGE) as disk:
                    await disk.provider.delete(ref.object_key)
            except (ProviderError, NoProviderAvailable) as error:
                log.warning("object left behind: %s", type(error).__name__)

    async def destroy(self, refs: Sequence[FileRef]) -> None:
        """Remove objects whose rows still exist and are deleted next; succeed for objects that do not exist.

        Raises ProviderError and NoProviderAvailable when one cannot be reached. Objects of an instance that does not
        exist any more cannot be reached, and count as removed.
        """
        for ref in refs:
            if self._registry.instance(ref.instance_id) is None:
                log.warning("object of a removed storage: %s", ref.instance_id)
                continue
            async with self._registry.lease_instance(ref.instance_id, STORAGE) as disk:
                await disk.provider.delete(ref.object_key)

    async def collect(self, database: Database) -> int:
        """Remove objects older than an hour that no row names, from every reachable storage; return how many."""
        removed = 0
        for instance in self._registry.snapshot.instances.values():
            if instance.kind == STORAGE.name and instance.usable:
                try:
                    removed += await self._collect_from(instance.id, database)
                except (ProviderError, NoProviderAvailable) as error:
                    log.warning("storage %s is not cleaned: %s", instance.id, type(error).__name__)
        return removed

    async def _collect_from(self, instance_id: str, database: Database) -> int:
        removed = 0
        horizon = orphan_horizon_unix()
        holders = await _holders(database)
        async with self._registry.lease_instance(instance_id, STORAGE) as disk:
            storage = disk.provider
            cursor: str | None = None
            while True:
                page = await storage.page(PREFIX, cursor=cursor, limit=500)
                old = [item for item in page.objects if item.modified_unix < horizon]
                for key in await _unnamed(database, {*holders, disk.id}, old):
                    await storage.delete(key)
                    removed += 1
                if page.cursor is None:
                    return removed
                cursor = page.cursor


def orphan_horizon_unix() -> float:
    """Return the unix time before which an object without a row is stray; storages know only the real time."""
    return clock.wall_unix() - ORPHAN_AGE.total_seconds()


async def _holders(database: Database) -> set[str]:
    """Return the instances that rows name, including removed ones."""
    queries = [select(table.instance_id) for table in HOLDING]
    async with database.read() as connection:
        return set((await connection.execute(union(*queries))).scalars())


async def _unnamed(database: Database, holders: set[str], objects: list[ObjectInfo]) -> list[str]:
    """Return the keys that no row names, in whichever instance: two instances may share a place."""
    keys = [item.key for item in objects]
    if not keys:
        return []
    queries = [
        select(table.object_key).where(table.instance_id.in_(holders), table.object_key.in_(keys)) for table in HOLDING
    ]
    async with database.read() as connection:
        named = set((await connection.execute(union_all(*queries))).scalars())
    return [key for key in keys if key not in named]
