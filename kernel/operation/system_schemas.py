"""Wire of the page *System*, and of `coverwright status`."""

from datetime import datetime
from typing import Literal

from kernel.core.schemas import Out
from kernel.operation.schemas import ProcessOut

SystemWarning = Literal[
    "schema",
    "queue_away",
    "no_worker",
    "versions_differ",
    "restart_needed",
    "clocks_differ",
    "disk_low",
    "backups_missed",
    "paused",
    "jobs_wait",
    "notices",
]


class DatabaseOut(Out, frozen=True, kw_only=True):
    """The database: its size in bytes, the revision of its schema and the newest that this version knows."""

    kind: Literal["sqlite", "postgresql"]
    version: str
    bytes: int
    revision: str
    newest_revision: str


class QueueOut(Out, frozen=True, kw_only=True):
    """The queue server: its memory in bytes, and the rings that no worker has heard yet."""

    version: str
    bytes: int
    rings: int


class DiskOut(Out, frozen=True, kw_only=True):
    """The disk of the data folder on the answering host, in bytes; below `needed` no cover is made."""

    free: int
    total: int
    needed: int


class OpenJobsOut(Out, frozen=True, kw_only=True):
    """Jobs of all kinds. `oldestAt` is when the oldest of those that wait was asked for, paused kinds left out."""

    waiting: int
    running: int
    oldest_at: datetime | None
    paused: list[str]


class SweepsOut(Out, frozen=True, kw_only=True):
    """When some worker last looked for forgotten jobs, and when it last removed what is not needed."""

    jobs_at: datetime | None
    cleaned_at: datetime | None


class BackupStateOut(Out, frozen=True, kw_only=True):
    """The last complete backup, and the schedule: `scheduledTo` is null without one. `missed` scheduled ones are due
    and not made.
    """

    at: datetime | None
    place: str | None
    bytes: int | None
    added: int | None
    error: str | None
    scheduled_to: str | None
    every_hours: int
    missed: int


class SystemOut(Out, frozen=True, kw_only=True):
    """The state of the site's machinery; queue, processes and sweeps are null while the queue server is away."""

    version: str
    python: str
    now: datetime
    database: DatabaseOut
    queue: QueueOut | None
    disk: DiskOut | None
    jobs: OpenJobsOut
    sweeps: SweepsOut | None
    backup: BackupStateOut
    notices: int
    processes: list[ProcessOut] | None
    warnings: list[SystemWarning]
