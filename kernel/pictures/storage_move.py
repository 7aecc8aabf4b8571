"""Moves every stored picture from one storage to another while the product runs. Safe to stop at any point."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import func, select, update

from kernel.core.data.database import Database, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.fault_points import faultpoint
from kernel.pictures.site_folder import PREFIX
from kernel.pictures.storage_access import StorageAccess
from kernel.pictures.store import HOLDING
from kernel.providers import STORAGE, Instance, Registry
from kernel.spi import NotFound, ProviderError, StorageCapabilities, StorageProvider

log = logging.getLogger(__name__)

Storage = Instance[StorageProvider, StorageCapabilities]
OnProgress = Callable[["MoveProgress"], None]

BATCH: Final = 100
GIVE_UP_AFTER: Final = 10
"""This many failures in a row are not caused by single objects."""
OBJECT_S: Final = 300.0
"""Time limit for reading, writing and verifying one object."""
PROBE: Final = b"probe"
READERS_S: Final = 1.0
"""A reader that looked up a file just before its row changed has begun to read within this time."""


class MoveRefused(Exception):
    """The move cannot begin; the message is for the operator."""


@dataclass(slots=True)
class MoveProgress:
    """Progress of a move: objects to move, moved, and their bytes; `failed` maps a key to what went wrong.

    `failures` counts those in a row.
    """

    objects: int = 0
    bytes: int = 0
    moved: int = 0
    moved_bytes: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    failures: int = 0

    @property
    def given_up(self) -> bool:
        """Return whether there are so many failures in a row that single objects are not the cause."""
        return self.failures >= GIVE_UP_AFTER


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One row of one of the tables."""

    table: Any
    key: str
    media_type: str
    size: int
    sha256: str


class StorageMove:
    """Copies, verifies, changes the row, and only then removes the original. Continues an interrupted move."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    async def plan(self, source: str) -> MoveProgress:
        """Return how much there is to move."""
        found = MoveProgress()
        async with self._database.scan() as connection:
            for table in HOLDING:
                sizes = select(func.count().label("objects"), func.coalesce(func.sum(table.size), 0).label("bytes"))
                row = (await connection.execute(sizes.where(table.instance_id == source))).one()
                found.objects += int(row.objects)
                found.bytes += int(row.bytes)
        return found

    async def move(self, source: str, target: str, on_progress: OnProgress) -> MoveProgress:
        """Move everything; `on_progress` is called after each object. Raises MoveRefused and NoProviderAvailable."""
        if source == target:
            raise MoveRefused("The two are the same instance.")
        async with (
            self._registry.lease_instance(source, STORAGE) as old,
            self._registry.lease_instance(target, STORAGE) as new,
        ):
            if new.state != "ready":
                raise MoveRefused(f"{target} is {new.state}: it takes nothing new.")
            try:
                if await _same_place(StorageAccess(old.provider), StorageAccess(new.provider)):
                    raise MoveRefused(f"{source} and {target} are the same place: nothing would be left.")
            except ProviderError as error:
                raise MoveRefused(f"{source} or {target} cannot be used: {error.code} {error.detail}") from error
            done = await self.plan(source)
            while not done.given_up and await self._pass(old, new, done, on_progress):
                pass  # objects made meanwhile follow in the next pass
            if not done.given_up:
                await self._finish(old, new)
            return done

    async def _pass(self, old: Storage, new: Storage, done: MoveProgress, on_progress: OnProgress) -> bool:
        """Go through all files once. Return whether any was moved."""
        before, waiting = done.moved, list[str]()
        async for batch in self._batches(old.id):
            moved = [
                file.key
                for file in batch
                if file.key not in done.failed
                and not done.given_up
                and await self._carry(file, old, new, done, on_progress)
            ]
            await self._remove(old, waiting)  # those of the previous batch: their readers have had time
            waiting = moved
        if waiting:
            await asyncio.sleep(READERS_S)
            await self._remove(old, waiting)
        return done.moved > before

    async def _batches(self, source: str) -> AsyncIterator[list[_File]]:
        for table in HOLDING:
            after = ""
            while True:
                query = (
                    select(table.object_key, table.media_type, table.size, table.sha256)
                    .where(table.instance_id == source, table.object_key > after)
                    .order_by(table.object_key)
                    .limit(BATCH)
                )
                async with self._database.scan() as connection:
                    rows = (await connection.execute(query)).all()
                if not rows:
                    break
                after = rows[-1].object_key
                yield [
                    _File(table=table, key=row.object_key, media_type=row.media_type, size=row.size, sha256=row.sha256)
                    for row in rows
                ]

    async def _carry(
        self, file: _File, old: Storage, new: Storage, done: MoveProgress, on_progress: OnProgress
    ) -> bool:
        """Move one file and change its row. Return whether its object in the old place can be removed."""
        if wrong := await self._copy(file, old, new):
            done.failed[file.key] = wrong
            done.failures += 1
            on_progress(done)
            return False
        done.failures = 0
        faultpoint("move_copied")
        if not await self._change_row(file, old.id, new.id):
            if not await self._is_at(file, new.id):  # deleted meanwhile, with its object
                await self._remove(new, [file.key])
            return False
        faultpoint("move_changed")
        done.moved += 1
        done.moved_bytes += file.size
        on_progress(done)
        return True

    async def _copy(self, file: _File, old: Storage, new: Storage) -> str:
        """Copy and verify one object; return what went wrong, or nothing."""
        try:
            async with asyncio.timeout(OBJECT_S):
                return await _copied(file, StorageAccess(old.provider), StorageAccess(new.provider))
        except TimeoutError:
            return f"not done within {OBJECT_S:.0f} s"
        except ProviderError as error:
            return f"{error.code}: {error.detail}"
        except Exception as error:  # a plugin that breaks its contract must not end the move
            log.exception("object %s", file.key)
            return type(error).__name__

    async def _change_row(self, file: _File, source: str, target: str) -> bool:
        table = file.table
        statement = (
            update(table)
            .where(table.instance_id == source, table.object_key == file.key)
            .values(instance_id=target)
            .execution_options(synchronize_session=False)
        )
        async with self._database.write() as session:
            return await changed_rows(session, statement) > 0

    async def _is_at(self, file: _File, instance_id: str) -> bool:
        query = select(file.table.object_key).where(
            file.table.instance_id == instance_id, file.table.object_key == file.key
        )
        async with self._database.read() as connection:
            return (await connection.execute(query)).first() is not None

    async def _remove(self, old: Storage, keys: Sequence[str]) -> None:
        for key in keys:
            try:
                await StorageAccess(old.provider).delete(key)
            except ProviderError as error:
                log.warning("object %s is left behind: %s", key, error.code)

    async def _finish(self, old: Storage, new: Storage) -> None:
        """Remove what an interrupted move left in the old place: objects whose rows name the new one."""
        async for page in StorageAccess(old.provider).pages(PREFIX, limit=BATCH):
            keys = [item.key for item in page.objects]
            async with self._database.scan() as connection:
                for table in HOLDING:
                    query = select(table.object_key).where(table.instance_id == new.id, table.object_key.in_(keys))
                    await self._remove(old, list((await connection.execute(query)).scalars()))


async def _copied(file: _File, old: StorageAccess, new: StorageAccess) -> str:
    """Copy one object and read it back; return what is wrong with it, or nothing. Raises ProviderError."""
    if await old.exists(file.key):
        await new.put(
            file.key,
            lambda: old.read(file.key, sha256=file.sha256),
            size=file.size,
            media_type=file.media_type,
            sha256=file.sha256,
        )
    try:  # what does not exist in the old place may have been removed there by an earlier move
        async for _ in new.read(file.key, sha256=file.sha256):
            pass
    except NotFound:
        return "the object is missing"
    return ""


async def _same_place(old: StorageAccess, new: StorageAccess) -> bool:
    """Write through one instance and look for the object through the other."""

    async def probe() -> AsyncIterator[bytes]:
        yield PROBE

    key = f"{PREFIX}move-{new_uuid()}"
    digest = hashlib.sha256(PROBE).hexdigest()
    await new.put(key, probe, size=len(PROBE), media_type="application/octet-stream", sha256=digest)
    try:
        return await old.exists(key)
    finally:
        await new.delete(key)
