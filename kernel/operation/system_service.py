"""The state of everything that the site runs on, for the page *System* and for `coverwright status`."""

import platform
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import func, literal, select, text

import kernel
from kernel import __version__
from kernel.accounts.models import User
from kernel.backups.models import Backup
from kernel.backups.places import absolute
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection
from kernel.core.queue.doorbell import QUEUE_NAME
from kernel.core.queue.heartbeat import CLEANED, SWEPT, Heartbeats
from kernel.core.queue.server import QueueServer, QueueServerAway
from kernel.operation.jobs_service import JobService, OpenCount, open_counts
from kernel.operation.schemas import ProcessOut
from kernel.operation.system_schemas import (
    BackupStateOut,
    DatabaseOut,
    DiskOut,
    OpenJobsOut,
    QueueOut,
    SweepsOut,
    SystemOut,
    SystemWarning,
)
from kernel.providers.models import Notice

APART_S: Final = 2.0
"""Clocks that differ by more can mislead who compares logs of two hosts; what is due follows the database's clock."""
LATE: Final = timedelta(minutes=10)
"""A job that waits for longer than this, and is not paused, waits for something that does not come."""
MISSED: Final = 2
"""So many scheduled backups that were not made are worth a warning."""

_SQLITE: Final = "SELECT sqlite_version() AS version, page_count * page_size AS bytes FROM pragma_page_count(), "
_SIZE: Final = {
    True: text(_SQLITE + "pragma_page_size()"),
    False: text("SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes"),
}


class SystemService:
    """Reads the state of database, queue server, disk, workers and backups."""

    def __init__(
        self, config: Config, database: Database, server: QueueServer, heartbeats: Heartbeats, jobs: JobService
    ) -> None:
        self._config = config
        self._database = database
        self._server = server
        self._heartbeats = heartbeats
        self._jobs = jobs

    async def state(self) -> SystemOut:
        """Return everything, with what an administrator should look at."""
        async with self._database.scan() as connection:
            about = await self.about_database(connection)
            counts, pauses = await open_counts(connection)
            backup = await self.about_backups(connection)
            open_notices = select(func.count()).where(Notice.resolved_at.is_(None), Notice.dismissed_at.is_(None))
            notices = int((await connection.execute(open_notices)).scalar_one())
        queue, sweeps = await self._about_queue()
        disk, jobs = self._about_disk(), _open_jobs(counts, sorted(pauses))
        processes = await self._jobs.processes(counts)
        signs: dict[SystemWarning, bool] = {
            "schema": about.revision != about.newest_revision,
            "queue_away": queue is None,
            **dict.fromkeys(_of_processes(processes), True),
            "disk_low": disk is not None and disk.free < disk.needed,
            "backups_missed": backup.missed >= MISSED,
            "paused": bool(pauses),
            "jobs_wait": jobs.oldest_at is not None and clock.now() - jobs.oldest_at > LATE,
            "notices": notices > 0,
        }
        return SystemOut(
            version=__version__,
            python=platform.python_version(),
            now=clock.now(),
            database=about,
            queue=queue,
            disk=disk,
            jobs=jobs,
            sweeps=sweeps,
            backup=backup,
            notices=notices,
            processes=processes,
            warnings=[sign for sign, seen in signs.items() if seen],
        )

    async def about_database(self, connection: ReadConnection) -> DatabaseOut:
        """Return the size and the versions of the database."""
        row = (await connection.execute(_SIZE[self._database.sqlite])).one()
        revision = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
        return DatabaseOut(
            kind="sqlite" if self._database.sqlite else "postgresql",
            version=str(row.version),
            bytes=int(row.bytes),
            revision=revision or "",
            newest_revision=newest_revision(),
        )

    async def about_backups(self, connection: ReadConnection) -> BackupStateOut:
        """Return the last complete backup, and what was scheduled since and not made."""
        complete = Backup.state == "completed"
        last = select(Backup).where(Backup.kind == "backup", complete).order_by(Backup.created_at.desc()).limit(1)
        made = (await connection.execute(last)).one_or_none()
        newest = select(Backup.state, Backup.error).where(Backup.kind == "backup")
        latest = (await connection.execute(newest.order_by(Backup.created_at.desc()).limit(1))).one_or_none()
        place = absolute(self._config.backup.to) if self._config.backup.to else None
        scheduled = select(func.max(Backup.created_at)).where(Backup.kind == "backup", complete, Backup.place == place)
        first = select(func.min(User.created_at))
        columns = (scheduled.scalar_subquery().label("scheduled"), first.scalar_subquery().label("begun"))
        times = (await connection.execute(select(literal(1), *columns))).one()
        return BackupStateOut(
            at=made.created_at if made else None,
            place=without_secrets(made.place) if made else None,
            bytes=made.size if made else None,
            added=made.added if made else None,
            error=latest.error if latest and latest.state == "failed" else None,
            scheduled_to=without_secrets(place) if place else None,
            every_hours=self._config.backup.every_hours,
            missed=self._missed(times.scheduled or times.begun) if place else 0,
        )

    def _missed(self, since: datetime | None) -> int:
        """Return how many scheduled backups are due since then."""
        every = timedelta(hours=self._config.backup.every_hours)
        return 0 if since is None else max(0, int((clock.now() - since) / every))

    async def _about_queue(self) -> tuple[QueueOut | None, SweepsOut | None]:
        redis = self._server.redis
        try:
            info = await self._server.ask(lambda: redis.info())
            rings = await self._server.ask(lambda: redis.llen(f"saq:{QUEUE_NAME}:queued"))
            done = await self._heartbeats.done()
        except QueueServerAway:
            return None, None
        version = str(info.get("valkey_version") or info.get("redis_version") or "")
        queue = QueueOut(version=version, bytes=int(info.get("used_memory", 0)), rings=int(rings))
        return queue, SweepsOut(jobs_at=done.get(SWEPT), cleaned_at=done.get(CLEANED))

    def _about_disk(self) -> DiskOut | None:
        if not self._config.data_dir.exists():  # nothing is kept on this machine
            return None
        usage = shutil.disk_usage(self._config.data_dir)
        return DiskOut(free=usage.free, total=usage.total, needed=self._config.pictures.min_free_bytes)


def newest_revision() -> str:
    """Return the newest revision of the schema that this version has."""
    folder = Path(kernel.__file__).parent / "migrations" / "versions"
    return max((file.name.partition("_")[0] for file in folder.glob("[0-9]*.py")), default="")


def without_secrets(place: str) -> str:
    """Return an address without what stands before its host, which may be a password."""
    return re.sub(r"//[^/@]*@", "//", place)


def _open_jobs(counts: Sequence[OpenCount], paused: list[str]) -> OpenJobsOut:
    waiting = [one for one in counts if one.state == "waiting"]
    oldest = [one.oldest_at for one in waiting if one.oldest_at and one.kind not in paused]
    return OpenJobsOut(
        waiting=sum(one.count for one in waiting),
        running=sum(one.count for one in counts if one.state == "running"),
        oldest_at=min(oldest, default=None),
        paused=paused,
    )


def _of_processes(processes: list[ProcessOut] | None) -> Iterator[SystemWarning]:
    alive = [one for one in processes or () if not one.lost]
    if processes is not None and not any(one.role == "worker" for one in alive):
        yield "no_worker"
    if len({one.version for one in alive}) > 1:
        yield "versions_differ"
    if any(one.changes for one in alive):
        yield "restart_needed"
    if any(abs(one.clock_ahead_s) > APART_S for one in alive):
        yield "clocks_differ"
