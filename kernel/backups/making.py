"""Makes a backup while everything goes on.

First the objects that rows name now, which takes long; then the database, as it is at one moment; then the objects that
its rows name and that are not yet held, which are few. One that was removed between the last two is in nobody's
database any more: the database is then read once more, so that every backup is complete in itself.
"""

import asyncio
import hashlib
import logging
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import select, text

from kernel import __version__
from kernel.backups.contents.configuration import shown_configuration
from kernel.backups.contents.keys import key_check
from kernel.backups.contents.manifests import (
    BACKUPS,
    DATABASE,
    JSON,
    KEYS,
    LISTED,
    MANIFEST,
    MOMENT,
    OBJECTS,
    PAGE,
    ListedObject,
    Manifest,
    MissingObject,
    StoredFile,
    object_key,
    store_file,
)
from kernel.backups.contents.object_index import ObjectIndex, write_list
from kernel.backups.contents.table_files import FORMAT, DumpEnd, digest, dump
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.fault_points import faultpoint
from kernel.core.vault import Vault
from kernel.pictures.models import GenerationReference, StorageSite
from kernel.pictures.storage_access import DamagedObject, StorageAccess
from kernel.pictures.store import HOLDING
from kernel.providers import STORAGE, NoProviderAvailable, Registry
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

SPOOL: Final = "backup-"
"""Beginning of the names of folders in the data folder that hold a backup's files while they are made or read."""
MAKING: Final = f"{SPOOL}making-"
AT_ONCE: Final = 8
"""Objects that are copied at the same time."""
LOOKS: Final = 5
"""How often the database is read when objects that it names are removed before they are copied."""
SHOWN_MISSING: Final = 1000

Tell = Callable[[str, int, int], None]
"""Is told the phase, how many objects it has done, and of how many."""
_HOLDERS: Final = {str(table.__tablename__): table for table in HOLDING}


class BackupFailed(Exception):
    """The backup is not complete; the message is for the operator."""


class _RemovedMeanwhile(Exception):
    """An object that the saved database names was removed before it was copied."""


def new_name() -> str:
    """Return a name for a backup that begins now: later ones sort behind it."""
    now = clock.now().astimezone(UTC)
    return f"{now.strftime(MOMENT)}-{now.microsecond:06d}"


class BackupMaker:
    """Makes backups of this site."""

    def __init__(self, config: Config, database: Database, registry: Registry, vault: Vault) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._vault = vault

    async def make(self, place: StorageAccess, name: str, tell: Tell, *, keys: bytes | None = None) -> Manifest:
        """Make a backup called `name`; `keys` are those of secrets, encrypted.

        Raises BackupFailed and ProviderError.
        """
        self._config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in self._config.data_dir.glob(f"{MAKING}*"):  # by one that was killed: only one is made at a time
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=MAKING, dir=self._config.data_dir) as folder:
            index = ObjectIndex(Path(folder) / "objects.db")
            try:
                return await _OneBackup(self, place, name, tell, Path(folder), index).make(keys)
            finally:
                index.close()

    async def rows(self, connection: Any) -> AsyncIterator[list[ListedObject]]:
        """Yield the rows that name objects."""
        for holder, table in _HOLDERS.items():
            after = ("", "")
            while True:
                columns = (table.instance_id, table.object_key, table.sha256, table.size, table.media_type)
                query = select(*columns).order_by(table.instance_id, table.object_key).limit(PAGE)
                query = query.where(_after(table, *after))
                found = (await connection.execute(query)).all()
                if not found:
                    break
                after = (found[-1].instance_id, found[-1].object_key)
                yield [
                    ListedObject(
                        holder=holder,
                        instance=row.instance_id,
                        key=row.object_key,
                        sha256=row.sha256,
                        size=row.size,
                        media_type=row.media_type,
                    )
                    for row in found
                ]

    async def site(self, connection: Any) -> str:
        """Return the name of the site's folder, which no other site has."""
        return (await connection.execute(select(StorageSite.name))).scalar() or ""

    async def is_named(self, entry: ListedObject) -> bool:
        """Say whether a row still names this object."""
        table = _HOLDERS[entry.holder]
        query = select(table.object_key).where(table.instance_id == entry.instance, table.object_key == entry.key)
        async with self._database.scan() as connection:
            return (await connection.execute(query)).first() is not None


def _after(table: Any, instance_id: str, key: str) -> Any:
    same = (table.instance_id == instance_id) & (table.object_key > key)
    return (table.instance_id > instance_id) | same


class _OneBackup:
    """One backup in the making."""

    def __init__(
        self, maker: BackupMaker, place: StorageAccess, name: str, tell: Tell, folder: Path, index: ObjectIndex
    ) -> None:
        self._maker = maker
        self._place = place
        self._name = name
        self._tell = tell
        self._folder = folder
        self._index = index
        self._added = 0
        self._copied = 0
        self._missing: dict[tuple[str, str, str], MissingObject] = {}

    async def make(self, keys: bytes | None) -> Manifest:
        began = clock.now()
        database, registry = self._maker._database, self._maker._registry
        self._tell("looking", 0, 0)
        async for page in self._place.pages(OBJECTS, limit=PAGE):
            self._index.hold([f"{item.key.rpartition('/')[2]}:{item.size}" for item in page.objects])
        async with database.scan() as connection:
            async for rows in self._maker.rows(connection):
                self._index.add(rows)
        with suppress(_RemovedMeanwhile):  # what is gone now is in no later database
            await self._copy(registry, retrying=True)
        faultpoint("backup_objects")
        for look in range(LOOKS):
            end, revision, site = await self._read_database()
            faultpoint("backup_database")
            try:
                await self._copy(registry, retrying=look + 1 < LOOKS)
                break
            except _RemovedMeanwhile:
                log.info("objects were removed while the backup was made: reading the database again")
        else:
            raise BackupFailed("objects are removed faster than they are copied")
        return await self._finish(began, end, revision, site, keys)

    async def _read_database(self) -> tuple[DumpEnd, str, str]:
        """Write all rows as they are at one moment to the spool, and note which objects they name."""
        self._tell("database", self._copied, self._copied)
        self._missing.clear()
        self._index.forget_objects()
        async with self._maker._database.snapshot() as connection:
            revision = str((await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one())
            site = await self._maker.site(connection)
            end = await dump(connection, self._folder / DATABASE, revision=revision)
            async for rows in self._maker.rows(connection):
                self._index.add(rows)
        return end, revision, site

    async def _copy(self, registry: Registry, *, retrying: bool) -> None:
        """Copy all objects that the place lacks. Raises _RemovedMeanwhile, at the end, if one was removed."""
        removed = False
        while wanted := self._index.wanted(AT_ONCE):
            copies = (self._copy_one(registry, entry) for entry in wanted)
            outcomes = await asyncio.gather(*copies, return_exceptions=True)
            for entry, why in zip(wanted, outcomes, strict=True):
                if isinstance(why, BaseException):
                    raise why
                if why is None:
                    self._index.hold([f"{entry.sha256}:{entry.size}"])
                    self._copied += 1
                    self._added += entry.size
                    continue
                self._index.remove(entry)
                still_named = await self._maker.is_named(entry)
                if still_named or entry.holder == GenerationReference.__tablename__ or not retrying:
                    known = (entry.holder, entry.instance, entry.key)
                    self._missing[known] = MissingObject(key=entry.key, why=why)
                else:
                    removed = True
            self._tell("objects", self._copied, self._copied)
            faultpoint("backup_copying")
        if removed:
            raise _RemovedMeanwhile

    async def _copy_one(self, registry: Registry, entry: ListedObject) -> str | None:
        """Copy one object; return why there is none. Raises BackupFailed when its storage cannot be read."""
        try:
            async with registry.lease_instance(entry.instance, STORAGE) as source:
                storage = StorageAccess(source.provider)
                await self._place.put(
                    object_key(entry.sha256),
                    lambda: storage.read(entry.key, sha256=entry.sha256),
                    size=entry.size,
                    media_type=entry.media_type,
                    sha256=entry.sha256,
                )
        except NotFound:
            return "it is not in its storage"
        except DamagedObject as error:
            return error.detail
        except NoProviderAvailable as error:
            if registry.instance(entry.instance) is None:
                return f"its storage {entry.instance} was removed"
            raise BackupFailed(f"the storage {entry.instance} cannot be used: {error}") from error
        except ProviderError as error:
            raise BackupFailed(f"{entry.key}: {error.code}: {error.detail}") from error
        return None

    async def _finish(self, began: datetime, end: DumpEnd, revision: str, site: str, keys: bytes | None) -> Manifest:
        self._tell("files", self._copied, self._copied)
        write_list(self._index, self._folder / LISTED)
        files: dict[str, StoredFile] = {}
        if keys is not None:
            (self._folder / KEYS).write_bytes(keys)
        for name in (DATABASE, LISTED, *([KEYS] if keys is not None else [])):
            path = self._folder / name
            sha256 = await asyncio.to_thread(digest, path)
            files[name] = StoredFile(size=path.stat().st_size, sha256=sha256)
            await store_file(self._place, f"{BACKUPS}{self._name}/{name}", path, files[name])
            faultpoint("backup_files")
        objects, total = self._index.totals()
        manifest = Manifest(
            format=FORMAT,
            name=self._name,
            site=site,
            version=__version__,
            revision=revision,
            began=began,
            ended=clock.now(),
            rows=end.rows,
            database=files[DATABASE],
            listed=files[LISTED],
            keys=files.get(KEYS),
            key_check=key_check(self._maker._vault),
            objects=objects,
            bytes=total,
            added=self._added,
            missing=tuple(list(self._missing.values())[:SHOWN_MISSING]),
            configuration=shown_configuration(self._maker._config),
        )
        data = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
        path = self._folder / MANIFEST
        path.write_bytes(data)
        file = StoredFile(size=len(data), sha256=hashlib.sha256(data).hexdigest())
        await store_file(self._place, f"{BACKUPS}{self._name}/{MANIFEST}", path, file, JSON)
        return manifest
