"""Puts a backup into an empty place: its rows into any database, its objects into any storage."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from kernel.backups.contents.manifests import ListedObject, Manifest, object_key
from kernel.backups.contents.object_index import read_list
from kernel.backups.contents.table_files import dumped_tables, load
from kernel.backups.making import Tell
from kernel.backups.models import Backup
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.core.fault_points import faultpoint
from kernel.pictures.storage_access import StorageAccess
from kernel.pictures.store import HOLDING
from kernel.providers import STORAGE, NoProviderAvailable, Registry
from kernel.spi import NotFound, ProviderError

AT_ONCE: Final = 8
RESTORE: Final = "restore"
MADE_BY_MIGRATIONS: Final = frozenset({"provider_revision"})
"""Tables that have rows in a new database."""
HOLDERS: Final = {str(table.__tablename__): table for table in HOLDING}


class RestoreRefused(Exception):
    """The backup cannot be restored here; the message is for the operator."""


async def state_of(config: Config, name: str) -> str:
    """Return `empty`, or `loaded` when an interrupted restore of this backup has left the rows here.

    Raises RestoreRefused for a database that holds anything else.
    """
    engine = create_async_engine(config.database_url)
    try:
        async with engine.connect() as connection:
            there = set(await connection.run_sync(lambda sync: sa.inspect(sync).get_table_names()))
            if Backup.__tablename__ in there:
                query = sa.select(Backup.name).where(Backup.state == "restoring")
                if (begun := (await connection.execute(query)).scalar()) is not None:
                    if begun == name:
                        return "loaded"
                    raise RestoreRefused(f"a restore of {begun} was interrupted here: finish that one")
            for table in dumped_tables():
                if table.name not in there or table.name in MADE_BY_MIGRATIONS:
                    continue
                first = sa.select(sa.literal(1)).select_from(table).limit(1)
                if (await connection.execute(first)).first() is not None:
                    raise RestoreRefused(f"the database is not empty: there are rows in `{table.name}`")
    finally:
        await engine.dispose()
    return "empty"


async def load_rows(config: Config, path: Path, place: str, name: str) -> None:
    """Load all rows in one transaction, and note that the objects are still to come. Raises DumpError."""
    engine = create_async_engine(config.database_url)
    try:
        async with engine.connect() as connection:
            await _begin(connection)
            await load(connection, path)
            now = clock.now()
            begun: Mapping[str, Any] = {
                "id": new_uuid(),
                "kind": RESTORE,
                "created_at": now,
                "state": "restoring",
                "place": place,
                "name": name,
                "run_after": now,
            }
            await connection.execute(sa.insert(Backup).values(begun))
            await connection.commit()
    finally:
        await engine.dispose()


async def _begin(connection: AsyncConnection) -> None:
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("PRAGMA foreign_keys=ON")


class ObjectRestore:
    """Puts the objects of a backup into storage. Continues an interrupted restore."""

    def __init__(self, database: Database, registry: Registry, place: StorageAccess) -> None:
        self._database = database
        self._registry = registry
        self._place = place

    async def run(self, listed: Path, manifest: Manifest, tell: Tell, *, into: str = "") -> None:
        """Put all into the storage that the rows name, or into the instance `into`; the rows name that one then.

        Where an instance does not exist or cannot be used, the first in the failover order takes its place. Raises
        RestoreRefused and ProviderError.
        """
        done, batch = 0, list[ListedObject]()
        for entry in read_list(listed):
            batch.append(entry)
            if len(batch) == AT_ONCE:
                await self._put_all(batch, into)
                faultpoint("restore_objects")
                done += len(batch)
                tell("objects", done, manifest.objects)
                batch.clear()
        await self._put_all(batch, into)
        tell("objects", done + len(batch), manifest.objects)
        async with self._database.write() as session:
            ended = sa.update(Backup).where(Backup.state == "restoring", Backup.name == manifest.name)
            await session.execute(ended.values(state="restored", finished_at=clock.now()))

    async def _put_all(self, batch: list[ListedObject], into: str) -> None:
        outcomes = await asyncio.gather(*(self._put(entry, into) for entry in batch), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        moved = [(entry, str(target)) for entry, target in zip(batch, outcomes, strict=True)]
        async with self._database.write() as session:
            for entry, target in moved:
                if target != entry.instance:
                    table = HOLDERS[entry.holder]
                    this = (table.instance_id == entry.instance, table.object_key == entry.key)
                    await session.execute(sa.update(table).where(*this).values(instance_id=target))

    async def _put(self, entry: ListedObject, into: str) -> str:
        """Put one object; return the instance that has it."""
        target = into or self._target(entry.instance)
        try:
            async with self._registry.lease_instance(target, STORAGE) as instance:
                storage = StorageAccess(instance.provider)
                if not await _is_there(storage, entry):
                    await storage.put(
                        entry.key,
                        lambda: self._place.read(object_key(entry.sha256), sha256=entry.sha256),
                        size=entry.size,
                        media_type=entry.media_type,
                        sha256=entry.sha256,
                    )
        except NotFound as error:
            raise RestoreRefused(f"{entry.key}: the backup does not hold it; verify the backup") from error
        except NoProviderAvailable as error:
            raise RestoreRefused(f"the storage {target} cannot be used: {error}") from error
        except ProviderError as error:
            raise RestoreRefused(f"{entry.key}: {error.code}: {error.detail}") from error
        return target

    def _target(self, instance_id: str) -> str:
        known = self._registry.instance(instance_id)
        if known is not None and known.kind == STORAGE.name and known.usable:
            return instance_id
        return self._registry.first(STORAGE).id


async def _is_there(storage: StorageAccess, entry: ListedObject) -> bool:
    """Say whether an earlier, interrupted restore has put it here: all or nothing is put, so its size tells."""
    found = await storage.find(entry.key)
    return found is not None and found.size == entry.size and found.sha256 in (None, entry.sha256)
