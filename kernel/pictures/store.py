"""Stores pictures: objects are written before the row that names them, and removed after it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import delete, insert, select, union, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.core.fault_points import faultpoint
from kernel.core.queue.job_loop import run_to_end
from kernel.pictures.encoding import Form
from kernel.pictures.ingest import Ingested
from kernel.pictures.models import ArchiveFile, EditionPackFile, GenerationReference, Picture, PictureFile
from kernel.pictures.site_folder import SiteFolder
from kernel.pictures.storage_access import Chunks, StorageAccess
from kernel.providers import STORAGE, Caller, Instance, NoProviderAvailable
from kernel.spi import NotFound, ObjectInfo, ProviderError, StorageCapabilities, StorageProvider

log = logging.getLogger(__name__)

HASH_CHARS: Final = 16
"""Length of the content's hash in names and addresses: enough to distinguish versions of one picture."""
ORPHAN_AGE = timedelta(hours=1)
"""A newer object without a row is left alone: its transaction may still be open."""


REMOVAL_S: Final = 30.0
"""How long a stop waits until what was half stored is removed; later the collector does."""

StorageInstance = Instance[StorageProvider, StorageCapabilities]


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


HOLDING: Final = (PictureFile, GenerationReference, ArchiveFile, EditionPackFile)
"""The tables whose rows name objects in storage."""
FILE_COLUMNS: Final = tuple(getattr(PictureFile, name) for name in FileRef.__struct_fields__)


def _extension(form: Form) -> str:
    return form.media_type.partition("/")[2]


def _one_chunk(data: bytes) -> Chunks:
    async def chunks() -> AsyncIterator[bytes]:
        yield data

    return chunks


class PictureStore:
    """Writes, reads and removes pictures through the storage instances."""

    def __init__(self, caller: Caller, database: Database) -> None:
        self._caller = caller
        self._registry = caller.registry
        self._database = database
        self._folder = SiteFolder(database)

    def place(self) -> str:
        """Return the id of the storage instance for new pictures. Raises NoProviderAvailable."""
        return self._registry.first(STORAGE).id

    async def put(self, owner_id: UUID, fence: int, ingested: Ingested) -> StoredPicture:
        """Store all forms under keys of this claim of this job, so that a stale worker removes only its own.

        A picture that no job made has an id of its own instead of the job's, and the fence 0. When the first storage in
        failover order fails, the next one is tried. Raises ProviderError and NoProviderAvailable; nothing is left
        behind then, nor when it is canceled.
        """
        ended = asyncio.Event()
        folder = await self._folder.prefix()
        keys = tuple(
            f"{folder}{owner_id}/{fence}-{form.name}-{form.sha256[:HASH_CHARS]}.{_extension(form)}"
            for form in ingested.forms
        )

        stored: StoredPicture | None = None

        async def operation(chosen: StorageInstance) -> None:
            nonlocal stored
            ended.clear()
            try:
                await self._put_forms(chosen, keys, ingested)
                stored = StoredPicture(instance_id=chosen.id, keys=keys, ingested=ingested)
            finally:
                ended.set()

        ended.set()
        try:
            await self._caller.call(STORAGE, operation, name="put", result_type=None, repeatable=True, record=False)
        except BaseException:
            await run_to_end(ended.wait(), at_most_s=REMOVAL_S)
            if stored is not None:  # canceled when all was stored, before the caller said so
                await run_to_end(self.discard(stored))
            raise
        assert stored is not None
        return stored

    async def _put_forms(self, chosen: StorageInstance, keys: tuple[str, ...], ingested: Ingested) -> None:
        storage, tried = StorageAccess(chosen.provider), 0
        try:
            for key, form in zip(keys, ingested.forms, strict=True):
                tried += 1
                await storage.put(
                    key, _one_chunk(form.data), size=len(form.data), media_type=form.media_type, sha256=form.sha256
                )
                faultpoint("half_stored")
        except BaseException:
            unfinished = StoredPicture(instance_id=chosen.id, keys=keys[:tried], ingested=ingested)
            await run_to_end(self.discard(unfinished))
            raise

    async def put_references(self, generation_id: UUID, forms: Sequence[Form]) -> list[FileRef]:
        """Store reference pictures of a generation. Raises ProviderError; nothing is left behind then."""
        folder, refs = await self._folder.prefix(), list[FileRef]()
        async with self._registry.lease(STORAGE) as disk:
            try:
                for position, form in enumerate(forms):
                    refs.append(
                        FileRef(
                            instance_id=disk.id,
                            object_key=f"{folder}{generation_id}/reference-{position}-{form.sha256[:HASH_CHARS]}.{_extension(form)}",
                            media_type=form.media_type,
                            size=len(form.data),
                            sha256=form.sha256,
                        )
                    )
                    await StorageAccess(disk.provider).put(
                        refs[-1].object_key,
                        _one_chunk(form.data),
                        size=len(form.data),
                        media_type=form.media_type,
                        sha256=form.sha256,
                    )
            except BaseException:
                await run_to_end(self.erase(refs))
                raise
        return refs

    async def put_archive(self, key: str, chunks: Chunks, *, size: int, sha256: str) -> FileRef:
        """Store a ZIP under this key in the site's folder as a stream.

        Raises ProviderError; nothing is left behind then, nor when it is canceled.
        """
        object_key, media_type = f"{await self._folder.prefix()}{key}", "application/zip"
        async with self._registry.lease(STORAGE) as disk:
            ref = FileRef(instance_id=disk.id, object_key=object_key, media_type=media_type, size=size, sha256=sha256)
            try:
                await StorageAccess(disk.provider).put(
                    object_key, chunks, size=size, media_type=media_type, sha256=sha256
                )
            except BaseException:
                await run_to_end(self.erase([ref]))
                raise
        return ref

    async def discard(self, stored: StoredPicture) -> None:
        """Remove the objects of a picture that was never recorded. The collector removes later what fails here."""
        try:
            async with self._registry.lease_instance(stored.instance_id, STORAGE) as disk:
                for key in stored.keys:
                    await StorageAccess(disk.provider).delete(key)
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

    async def file(self, reader: ReadConnection, picture_id: int, form: str) -> FileRef:
        """Find one form of a picture. Raises Absent."""
        query = select(*FILE_COLUMNS).where(PictureFile.picture_id == picture_id, PictureFile.form == form)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent
        return FileRef(**row._asdict())

    async def chunks(self, ref: FileRef, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield the bytes of a form from `start` up to, not including, `end`, from the instance that holds it.

        Of a whole form the last bytes come only when all are those recorded.
        """
        async with self._registry.lease_instance(ref.instance_id, STORAGE) as disk:
            storage = StorageAccess(disk.provider)
            async for chunk in storage.read(ref.object_key, sha256=ref.sha256, start=start, end=end):
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
                    await StorageAccess(disk.provider).delete(ref.object_key)
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
                await StorageAccess(disk.provider).delete(ref.object_key)

    async def collect(self) -> int:
        """Remove objects older than an hour that no row names, from this site's folder in every reachable storage.

        Return how many.
        """
        removed = 0
        for instance in self._registry.snapshot.instances.values():
            if instance.kind == STORAGE.name and instance.usable:
                try:
                    removed += await self._collect_from(instance.id)
                except (ProviderError, NoProviderAvailable) as error:
                    log.warning("storage %s is not cleaned: %s", instance.id, type(error).__name__)
        return removed

    async def _collect_from(self, instance_id: str) -> int:
        removed = 0
        horizon = orphan_horizon_unix()
        holders = await _holders(self._database)
        async with self._registry.lease_instance(instance_id, STORAGE) as disk:
            storage = StorageAccess(disk.provider)
            async for page in storage.pages(await self._folder.prefix(), limit=500):
                old = [item for item in page.objects if item.modified_unix < horizon]
                for key in await _unnamed(self._database, {*holders, disk.id}, old):
                    await storage.delete(key)
                    removed += 1
        return removed


def orphan_horizon_unix() -> float:
    """Return the unix time before which an object without a row is stray; storages know only the real time."""
    return clock.wall_unix() - ORPHAN_AGE.total_seconds()


async def _holders(database: Database) -> set[str]:
    """Return the instances that rows name, including removed ones."""
    queries = [select(table.instance_id) for table in HOLDING]
    async with database.scan() as connection:
        return set((await connection.execute(union(*queries))).scalars())


async def _unnamed(database: Database, holders: set[str], objects: list[ObjectInfo]) -> list[str]:
    """Return the keys that no row names, in whichever instance: two instances may share a place."""
    keys = [item.key for item in objects]
    if not keys:
        return []
    queries = [
        select(table.object_key).where(table.instance_id.in_(holders), table.object_key.in_(keys)) for table in HOLDING
    ]
    async with database.scan() as connection:
        named = set((await connection.execute(union_all(*queries))).scalars())
    return [key for key in keys if key not in named]
