"""The invariants between stored objects and the rows that name them, for `coverwright doctor`."""

from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.sql.selectable import CompoundSelect

from kernel.core.data.database import Database
from kernel.core.invariants import PromiseFinding
from kernel.pictures.models import ArchiveFile, EditionPackFile, PictureFile
from kernel.pictures.site_folder import SiteFolder
from kernel.pictures.storage_access import StorageAccess
from kernel.pictures.store import HOLDING, FileRef, PictureStore, orphan_horizon_unix
from kernel.providers import STORAGE, Registry
from kernel.spi import ProviderError

INTACT: Final = "every recorded file is there, with the recorded bytes"
NO_ORPHANS: Final = "no stored object older than an hour is without a row"


async def files_are_intact(
    database: Database, pictures: PictureStore, without: Select[tuple[str]] | CompoundSelect[tuple[str]]
) -> PromiseFinding:
    """Read every recorded file to its end, which compares its bytes, but none of the keys that `without` selects."""
    refs: list[FileRef] = []
    async with database.scan() as connection:
        for table in (PictureFile, ArchiveFile, EditionPackFile):
            columns = [getattr(table, name) for name in FileRef.__struct_fields__]
            files = select(*columns).where(table.object_key.not_in(without))
            refs += [FileRef(**row._asdict()) for row in await connection.execute(files)]
    broken = []
    for ref in refs:
        try:
            async for _ in pictures.chunks(ref):
                pass
        except Exception as error:
            broken.append(f"{ref.object_key}: {type(error).__name__} {error}")
    return PromiseFinding(promise=INTACT, broken=tuple(broken))


async def objects_have_rows(database: Database, registry: Registry) -> PromiseFinding:
    """List the site's folder in every storage instance for objects that no row names."""
    horizon, folder = orphan_horizon_unix(), await SiteFolder(database).prefix()
    async with database.scan() as connection:
        rows = [await connection.execute(select(table.object_key)) for table in HOLDING]
        named = {key for result in rows for key in result.scalars()}
    stray: list[str] = []
    for instance in registry.snapshot.instances.values():
        if instance.kind != STORAGE.name or not instance.usable:
            continue
        try:
            async with registry.lease_instance(instance.id, STORAGE) as storage:
                async for page in StorageAccess(storage.provider).pages(folder, limit=500):
                    old = [item.key for item in page.objects if item.modified_unix < horizon]
                    stray += [key for key in old if key not in named]
        except ProviderError as error:
            stray.append(f"storage {instance.id}: {error.code}")
    return PromiseFinding(promise=NO_ORPHANS, broken=tuple(stray))
