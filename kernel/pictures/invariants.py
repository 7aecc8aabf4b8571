"""The invariants between stored objects and the rows that name them, for `coverwright doctor`."""

import asyncio
import hashlib
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.sql.selectable import CompoundSelect

from kernel.core.data.database import Database
from kernel.core.invariants import Finding
from kernel.pictures.models import ArchiveFile, PictureFile
from kernel.pictures.store import HOLDING, PREFIX, FileRef, PictureStore, orphan_horizon_unix
from kernel.providers import STORAGE, Registry
from kernel.spi import ProviderError

INTACT: Final = "every recorded file is there, with the recorded bytes"
NO_ORPHANS: Final = "no stored object older than an hour is without a row"


async def files_are_intact(
    database: Database, pictures: PictureStore, without: Select[tuple[str]] | CompoundSelect[tuple[str]]
) -> Finding:
    """Read and hash every recorded file, without those of the keys that `without` selects."""
    refs: list[FileRef] = []
    async with database.read() as connection:
        for table in (PictureFile, ArchiveFile):
            columns = [getattr(table, name) for name in FileRef.__struct_fields__]
            files = select(*columns).where(table.object_key.not_in(without))
            refs += [FileRef(**row._asdict()) for row in await connection.execute(files)]
    broken = []
    for ref in refs:
        digest, size = hashlib.sha256(), 0
        try:
            async for chunk in pictures.chunks(ref):
                await asyncio.to_thread(digest.update, chunk)
                size += len(chunk)
        except Exception as error:
            broken.append(f"{ref.object_key}: {type(error).__name__}")
            continue
        if size != ref.size or digest.hexdigest() != ref.sha256:
            broken.append(f"{ref.object_key}: other bytes than recorded")
    return Finding(promise=INTACT, broken=tuple(broken))


async def objects_have_rows(database: Database, registry: Registry) -> Finding:
    """List every storage instance for objects that no row names."""
    horizon = orphan_horizon_unix()
    async with database.read() as connection:
        rows = [await connection.execute(select(table.object_key)) for table in HOLDING]
        named = {key for result in rows for key in result.scalars()}
    stray: list[str] = []
    for instance in registry.snapshot.instances.values():
        if instance.kind != STORAGE.name or not instance.usable:
            continue
        cursor: str | None = None
        try:
            async with registry.lease_instance(instance.id, STORAGE) as storage:
                while True:
                    page = await storage.provider.page(PREFIX, cursor=cursor, limit=500)
                    old = [item.key for item in page.objects if item.modified_unix < horizon]
                    stray += [key for key in old if key not in named]
                    cursor = page.cursor
                    if cursor is None:
                        break
        except ProviderError as error:
            stray.append(f"storage {instance.id}: {error.code}")
    return Finding(promise=NO_ORPHANS, broken=tuple(stray))
