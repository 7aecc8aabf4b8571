"""The backups of this site: one at a time, each a row that is held by whoever makes it; scheduled, and kept by age."""

import asyncio
import logging
from datetime import timedelta
from typing import Any, Final, NoReturn
from uuid import UUID

import msgspec
from sqlalchemy import case, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.backups.contents.manifests import BackupAbsent, Manifest, complete_names, read_manifest
from kernel.backups.making import BackupFailed, BackupMaker, Tell, new_name
from kernel.backups.models import Backup
from kernel.backups.places import PlaceRefused, absolute, open_place
from kernel.backups.pruning import prune
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.core.data.job_table import JobTable
from kernel.core.process.job_scope import working_on
from kernel.core.queue.job_loop import repeat
from kernel.core.queue.lease import hold_lease
from kernel.providers import Registry
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

KIND: Final = "backup"
LEASE_S: Final = 60.0
LOOK_S: Final = 60.0
AGAIN_AFTER: Final = timedelta(minutes=15)
"""A scheduled backup that failed is tried again after this time."""
ERROR_CHARS: Final = 300


class BackupBusy(Exception):
    """Another backup is being made."""


class LostBackup(Exception):
    """The row was taken from this process."""


class ClaimedBackup(msgspec.Struct, frozen=True, kw_only=True):
    """What a process that makes a backup needs of its row."""

    id: UUID
    attempts: int
    fence: int
    place: str
    name: str


class BackupService:
    """Makes backups, and knows of those that were made."""

    def __init__(self, config: Config, database: Database, registry: Registry, maker: BackupMaker) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._maker = maker
        self._jobs = JobTable(Backup, ClaimedBackup, lease_s=LEASE_S, reclaim=False, pausable=False)

    async def run_now(self, place: str, tell: Tell, *, keys: bytes | None = None) -> Manifest:
        """Make a backup in this process.

        Raises BackupBusy, BackupFailed, PlaceRefused, LostBackup and ProviderError.
        """
        job = await self._begin(absolute(place))
        with working_on(self._jobs.kind, job.id):
            return await self._make(job, tell, keys)

    async def run(self) -> NoReturn:
        """Make scheduled backups until canceled: of all workers, one makes each."""
        await repeat("backups", self.step, every_s=LOOK_S)

    async def cancel_in(self, session: AsyncSession, backup_id: UUID) -> bool:
        """End a backup that is being made, in the caller's transaction; whoever makes it notices and stops."""
        return bool(await self._jobs.end(session, Backup.id == backup_id, state="failed", error="canceled"))

    async def step(self) -> None:
        """Make the scheduled backup when it is due; also end those whose process is gone."""
        await self._end_abandoned()
        place = self._config.backup.to
        if not place or not await self._is_due(absolute(place)):
            return
        try:
            manifest = await self.run_now(place, lambda phase, done, of: None)
        except BackupBusy:
            return
        except (BackupFailed, PlaceRefused, LostBackup, ProviderError) as error:
            log.error("the backup to %s failed: %s", place, error)
            return
        made = (manifest.name, manifest.objects, manifest.size, manifest.added)
        log.info("backup %s: %d objects, %d bytes, %d of them new", *made)

    async def _is_due(self, place: str) -> bool:
        """Say whether the newest complete backup of this place is older than wanted, and none failed a while ago.

        Paused, only those that are asked for by hand are made.
        """
        complete = func.max(case((Backup.state == "completed", Backup.created_at)))
        paused = self._jobs.paused().label("paused")
        query = select(func.max(Backup.created_at), complete, paused)
        query = query.where(Backup.kind == KIND, Backup.place == place)
        async with self._database.read() as connection:
            begun, made, is_paused = (await connection.execute(query)).one()
        if is_paused:
            return False
        now, every = clock.now(), timedelta(hours=self._config.backup.every_hours)
        if begun is None:
            return True
        return now - begun >= AGAIN_AFTER and (made is None or now - made >= every)

    async def _begin(self, place: str) -> ClaimedBackup:
        """Write and claim the row of a new backup. Raises BackupBusy."""
        await self._end_abandoned()
        now, row = clock.now(), new_uuid()
        try:
            async with self._database.write() as session:
                await session.execute(
                    insert(Backup).values(id=row, kind=KIND, created_at=now, state="queued", place=place, run_after=now)
                )
                job = await self._jobs.claim(session, row, name=new_name())
        except IntegrityError as error:
            raise BackupBusy("another backup is being made") from error
        assert job is not None
        return job

    async def _make(self, job: ClaimedBackup, tell: Tell, keys: bytes | None) -> Manifest:
        name = job.name
        try:
            async with (
                hold_lease(lambda: self._keep(job), lease_s=LEASE_S, lost=LostBackup, name=f"backup {name}"),
                open_place(job.place, self._registry) as place,
            ):
                if names := await complete_names(place):
                    await self._refuse_other_site((await read_manifest(place, names[0])).site)
                manifest = await self._maker.make(place, name, tell, keys=keys)
                scheduled = self._config.backup.to
                if scheduled and job.place == absolute(scheduled):  # one made by hand elsewhere removes nothing
                    await self._prune(place)
                await self._end(
                    job,
                    state="completed",
                    objects=manifest.objects,
                    size=manifest.size,
                    added=manifest.added,
                    missing=len(manifest.missing),
                )
                return manifest
        except LostBackup:
            raise
        except BaseException as error:
            words = "stopped" if isinstance(error, asyncio.CancelledError) else str(error)
            await self._end(job, state="failed", error=words[:ERROR_CHARS] or type(error).__name__)
            raise

    async def _prune(self, place: Any) -> None:
        """Remove what is older than it is kept, while no other backup can begin: it would count on these objects.

        A failure here does not make the new backup a failed one.
        """
        try:
            removed = await prune(
                place, keep=timedelta(days=self._config.backup.keep_days), folder=self._config.data_dir
            )
        except (ProviderError, BackupAbsent) as error:
            log.warning("old backups are not removed: %s", error)
            return
        if removed:
            log.info("old backups removed: %s", ", ".join(removed))

    async def _refuse_other_site(self, site: str) -> None:
        async with self._database.read() as connection:
            mine = await self._maker.site(connection)
        if site and mine and site != mine:
            raise PlaceRefused("another site keeps its backups in this place: each needs a place of its own")

    async def _keep(self, job: ClaimedBackup) -> bool:
        async with self._database.write() as session:
            return await self._jobs.renew(session, job)

    async def _end(self, job: ClaimedBackup, **values: Any) -> None:
        async with self._database.write() as session:
            await self._jobs.end(session, self._jobs.held(job), **values)

    async def _end_abandoned(self) -> None:
        """End the rows of processes that are gone; what they had copied is used by the next backup."""
        async with self._database.read() as connection:
            if not await self._jobs.any_abandoned(connection):
                return
        async with self._database.write() as session:
            await self._jobs.end(session, self._jobs.abandoned(clock.now()), state="failed", error="interrupted")
