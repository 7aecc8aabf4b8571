"""What Prometheus reads of the site as a whole: from the database, so that every web process tells the same.

Where several hosts are read, each tells it: take `max by` of these figures, never their sum.
"""

import logging
import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from kernel import __version__
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.job_pause import INSTANCE
from kernel.core.process.metrics import host_metrics_text
from kernel.operation.job_sources import SOURCES, age_s
from kernel.operation.jobs_service import JobService, OpenCount, open_counts
from kernel.operation.schemas import ProcessOut
from kernel.operation.system_schemas import BackupStateOut
from kernel.operation.system_service import SystemService
from kernel.providers import Registry
from kernel.providers.models import Notice, Spend

log = logging.getLogger(__name__)

MICROS: Final = 1_000_000
Rows = Iterable[tuple[Sequence[str], float]]


class _Made(Collector):
    """Families that are made already."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Return them."""
        return self._families


class MetricsService:
    """Makes the text that Prometheus reads: what this host's processes count, and the state of the site."""

    def __init__(
        self, config: Config, database: Database, registry: Registry, jobs: JobService, system: SystemService
    ) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._jobs = jobs
        self._system = system

    async def text(self) -> bytes:
        """Return all of it; without the database what the processes count, and that it is away."""
        collected = CollectorRegistry()
        collected.register(_Made(await self._families()))
        return host_metrics_text() + generate_latest(collected)

    async def _families(self) -> list[Metric]:
        families = list(self._of_process())
        try:
            async with self._database.scan() as connection:
                counts, pauses = await open_counts(connection)
                backup = await self._system.about_backups(connection)
                base = await self._system.about_database(connection)
                notices = await _open_notices(connection)
                spent = await _spent(connection)
        except (SQLAlchemyError, OSError) as error:
            log.warning("metrics without the database: %s", type(error).__name__)
            return [*families, _gauge("coverwright_database_up", "Whether the database can be read", [((), 0.0)])]
        families += _of_jobs(counts, pauses)
        families += _of_backups(backup)
        families += [
            _gauge("coverwright_database_up", "Whether the database can be read", [((), 1.0)]),
            _gauge("coverwright_database_size_bytes", "Size of the database", [((), float(base.bytes))]),
            _gauge("coverwright_notices_open", "Notices that wait for an administrator", [((), float(notices))]),
            _gauge(
                "coverwright_month_spent_dollars",
                "What was spent in this UTC month, as far as it is known",
                spent,
                ("provider_instance",),
            ),
        ]
        processes = await self._jobs.processes(counts)
        up = float(processes is not None)
        families.append(_gauge("coverwright_queue_up", "Whether the queue server can be reached", [((), up)]))
        families += _of_processes(processes or [])
        return families

    def _of_process(self) -> Iterator[Metric]:
        yield _gauge("coverwright_build_info", "The version, as a label", [((__version__,), 1.0)], ("version",))
        if self._config.data_dir.exists():
            usage = shutil.disk_usage(self._config.data_dir)
            yield _gauge("coverwright_disk_free_bytes", "Room on the disk of the data folder", [((), usage.free)])
            needed = float(self._config.pictures.min_free_bytes)
            yield _gauge("coverwright_disk_needed_bytes", "Room below which no cover is made", [((), needed)])
        yield _gauge(
            "coverwright_provider_up",
            "Whether an instance takes calls now",
            [
                ((one.kind, one.id), float(one.state == "ready" and one.health.state == "up"))
                for one in self._registry.snapshot.instances.values()
            ],
            ("kind", "provider_instance"),
        )


def _gauge(name: str, what: str, rows: Rows, labels: Sequence[str] = ()) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, what, labels=labels)
    for values, figure in rows:
        family.add_metric(values, figure)
    return family


def _of_jobs(counts: Sequence[OpenCount], pauses: dict[str, datetime]) -> Iterator[Metric]:
    now = clock.now()
    states = [(kind, state) for kind in SOURCES for state in ("waiting", "running")]
    found = {(kind, state): [one for one in counts if (one.kind, one.state) == (kind, state)] for kind, state in states}
    yield _gauge(
        "coverwright_jobs",
        "Jobs that wait or run",
        [(pair, float(sum(one.count for one in rows))) for pair, rows in found.items()],
        ("kind", "state"),
    )
    yield _gauge(
        "coverwright_jobs_oldest_age_seconds",
        "Age of the oldest job that waits or runs",
        [(pair, max((age_s(one.oldest_at, now) for one in rows), default=0.0)) for pair, rows in found.items()],
        ("kind", "state"),
    )
    yield _gauge(
        "coverwright_jobs_paused",
        "Whether a kind of jobs is paused",
        [((kind,), float(kind in pauses)) for kind in SOURCES],
        ("kind",),
    )
    yield _gauge(
        "coverwright_provider_paused",
        "Instances that administrators have paused",
        [((name.removeprefix(INSTANCE),), 1.0) for name in pauses if name.startswith(INSTANCE)],
        ("provider_instance",),
    )


def _of_backups(backup: BackupStateOut) -> Iterator[Metric]:
    if backup.at is not None:
        at, size = backup.at.timestamp(), float(backup.bytes or 0)
        yield _gauge("coverwright_backup_timestamp_seconds", "When the last complete backup was begun", [((), at)])
        yield _gauge("coverwright_backup_size_bytes", "Size of the last complete backup", [((), size)])
    missed = float(backup.missed)
    yield _gauge("coverwright_backups_missed", "Scheduled backups that are due and not made", [((), missed)])


def _of_processes(processes: Sequence[ProcessOut]) -> Iterator[Metric]:
    def state_of(one: ProcessOut) -> str:
        return "lost" if one.lost else "drained" if one.drained else "running"

    pairs = [(role, state) for role in ("web", "worker") for state in ("running", "drained", "lost")]
    yield _gauge(
        "coverwright_processes",
        "Web and worker processes of all hosts",
        [(pair, float(sum((one.role, state_of(one)) == pair for one in processes))) for pair in pairs],
        ("role", "state"),
    )
    apart: dict[str, float] = {}
    for one in processes:
        if not one.lost:
            apart[one.host] = max(apart.get(one.host, 0.0), abs(one.clock_ahead_s))
    yield _gauge(
        "coverwright_host_clock_apart_seconds",
        "How far a host's own clock is from the database's",
        [((name,), seconds) for name, seconds in sorted(apart.items())],
        ("host",),
    )


async def _open_notices(connection: ReadConnection) -> int:
    query = select(func.count()).where(Notice.resolved_at.is_(None), Notice.dismissed_at.is_(None))
    return int((await connection.execute(query)).scalar_one())


async def _spent(connection: ReadConnection) -> Rows:
    month = clock.month_of(clock.now())
    query = select(Spend.subject, Spend.spent_micros).where(Spend.scope == "instance_month", Spend.period == month)
    rows = (await connection.execute(query.order_by(Spend.subject))).all()
    return [((row.subject,), row.spent_micros / MICROS) for row in rows]
