"""All jobs of all kinds, as administrators see them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    cast,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
    union_all,
)

from kernel.accounts.models import User
from kernel.accounts.validation import normal_email
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.job_pause import INSTANCE, JobPause
from kernel.core.data.moments import Moment
from kernel.core.errors import Absent
from kernel.core.process.job_scope import job_id
from kernel.core.queue.heartbeat import Beat, Heartbeats
from kernel.core.queue.server import QueueServerAway
from kernel.core.web.paging import ForeignCursor, decode_cursor, encode_cursor
from kernel.operation.job_sources import COLUMNS, OPEN, SOURCES, JobSource
from kernel.operation.schemas import (
    JobInstanceOut,
    JobKind,
    JobKindOut,
    JobOut,
    JobOverviewOut,
    JobState,
    PluginChangeOut,
    ProcessOut,
)
from kernel.providers import IMAGE, Registry

NO_JOB: Final = "This job does not exist."
CANCELED: Final[dict[str, tuple[JobState, ...]]] = {
    "generation": OPEN,
    "archive": OPEN,
    "edition_pack": OPEN,
    "account_email": ("waiting",),
    "campaign": OPEN,
    "price_move": OPEN,
    "backup": OPEN,
}
"""Which kinds can be canceled, and in which states. The others are owed to somebody, or done again in any case."""
RETRIED: Final[dict[str, tuple[JobState, ...]]] = dict.fromkeys(get_args(JobKind), ("waiting",)) | {
    "archive": ("waiting", "failed"),
    "edition_pack": ("waiting", "failed"),
    "webhook": ("waiting", "failed"),
    "customer_backfill": (),
    "price_move": (),
    "account_deletion": (),
    "backup": (),
}


class OpenCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many jobs of a kind are in a state and held by a worker, and since when the oldest has waited."""

    kind: str
    state: str
    worker: str | None
    count: int
    oldest_at: datetime | None


class JobService:
    """Reads all tables of jobs at once."""

    def __init__(self, database: Database, registry: Registry, heartbeats: Heartbeats) -> None:
        self._database = database
        self._registry = registry
        self._heartbeats = heartbeats

    async def page(
        self, *, kind: JobKind | None, state: JobState | None, owner: str | None, cursor: str | None, limit: int
    ) -> tuple[list[JobOut], str | None]:
        """Return one page, newest first, and the cursor of the next. Without a state, of those that are open.

        Raises InvalidFields for a foreign cursor.
        """
        states = OPEN if state is None else (state,)
        sources = SOURCES.values() if kind is None else (SOURCES[kind],)
        jobs = union_all(*(_owned(source, source.rows().where(source.is_in(*states)), owner) for source in sources))
        rows = jobs.subquery("job")
        query = _with_owner(rows)
        if (parts := decode_cursor(cursor, 3)) is not None:
            query = query.where(_after(rows.c, *parts))
        query = query.order_by(rows.c.created_at.desc(), rows.c.kind, rows.c.key).limit(limit + 1)
        async with self._database.scan() as connection:
            found = (await connection.execute(query)).all()
        last = found[limit - 1] if len(found) > limit else None
        following = None if last is None else encode_cursor(last.created_at.isoformat(), last.kind, last.key)
        return [_job_out(row) for row in found[:limit]], following

    async def get(self, named: str) -> JobOut:
        """Return one job. Raises Absent."""
        source, key = find_source(named)
        one = source.rows().where(source.key == key)
        rows = (one if source.only is None else one.where(source.only)).subquery("job")
        async with self._database.read() as connection:
            row = (await connection.execute(_with_owner(rows))).one_or_none()
        if row is None:
            raise Absent(NO_JOB)
        return _job_out(row)

    async def overview(self) -> JobOverviewOut:
        """Return what is open of each kind, what is paused, and which processes there are."""
        async with self._database.scan() as connection:
            counts, pauses = await open_counts(connection)
        return JobOverviewOut(
            kinds=[_kind_out(kind, counts, pauses.get(kind)) for kind in SOURCES],
            instances=[
                JobInstanceOut(instance_id=one.id, label=one.label, paused_at=pauses.get(INSTANCE + one.id))
                for one in self._registry.failover_order(IMAGE)
            ],
            processes=await self.processes(counts),
        )

    async def processes(self, counts: Sequence[OpenCount]) -> list[ProcessOut] | None:
        """Return all processes, with how many jobs each holds; None while the queue server is out of reach."""
        held: dict[str, int] = {}
        for one in counts:
            if one.worker is not None and one.state == "running":
                held[one.worker] = held.get(one.worker, 0) + one.count
        try:
            beats = await self._heartbeats.all()
        except QueueServerAway:
            return None
        return [_process_out(beat, held.get(beat.name, 0)) for beat in beats]


def find_source(named: str) -> tuple[JobSource, Any]:
    """Return the table and the key of a job. Raises Absent."""
    kind, _, key = named.partition("-")
    source = SOURCES.get(kind)  # type: ignore[call-overload]
    try:
        return source, source.read_key(key)
    except (AttributeError, ValueError) as error:
        raise Absent(NO_JOB) from error


async def open_counts(connection: ReadConnection) -> tuple[list[OpenCount], dict[str, datetime]]:
    """Return how many jobs are open, and since when what is paused, in one statement."""
    legs: list[Select[Any]] = [
        select(
            literal("pause").label("kind"),
            JobPause.name.label("state"),
            cast(null(), String).label("worker"),
            literal(0).label("count"),
            JobPause.paused_at.label("oldest_at"),
        )
    ]
    for source in SOURCES.values():
        since, state = source.waits_since(), source.state()
        worker = source.column("worker")
        worker = cast(null(), String) if worker is None else worker
        counted = select(literal(source.kind), state, worker, func.count(), func.min(since, type_=Moment))
        # by position: PostgreSQL takes the same expression with other parameters for another one
        legs.append(counted.where(source.is_in(*OPEN)).group_by(literal_column("2"), literal_column("3")))
    found = (await connection.execute(union_all(*legs))).all()
    counts = [OpenCount(**row._asdict()) for row in found if row.kind != "pause"]
    return counts, {row.state: row.oldest_at for row in found if row.kind == "pause"}


def _owned(source: JobSource, rows: Select[Any], owner: str | None) -> Select[Any]:
    """Keep the jobs of the user with this address."""
    if owner is None:
        return rows
    column = source.column("owner_id")
    mine = select(User.id).where(User.email_norm == (normal_email(owner) or ""))
    return rows.where(literal(False) if column is None else column.in_(mine))


def _with_owner(rows: Any) -> Select[Any]:
    return select(rows, User.email.label("owner")).outerjoin(User, User.id == rows.c.owner_id)


def _after(columns: Any, moment: str, kind: str, key: str) -> ColumnElement[bool]:
    """Match what stands behind a row in the order of the list. Raises InvalidFields."""
    try:
        created = datetime.fromisoformat(moment)
    except ValueError as error:
        raise ForeignCursor from error
    if created.tzinfo is None or kind not in SOURCES:
        raise ForeignCursor
    same = columns.created_at == created
    later_key = and_(columns.kind == kind, columns.key > key)
    return or_(columns.created_at < created, and_(same, or_(columns.kind > kind, later_key)))


def _job_out(row: Any) -> JobOut:
    source = SOURCES[row.kind]
    values = {name: getattr(row, name) for name in COLUMNS}
    return JobOut(
        id=job_id(row.kind, source.show_key(row.key)),
        kind=row.kind,
        state=row.state,
        progress=row.progress,
        owner=row.owner or None,
        can_retry=row.state in RETRIED[row.kind],
        can_cancel=row.state in CANCELED.get(row.kind, ()),
        **values | {"attempts": row.attempts or 0, "error": row.error or None, "about": row.about or None},
    )


def _kind_out(kind: JobKind, counts: Sequence[OpenCount], paused_at: datetime | None) -> JobKindOut:
    mine = [one for one in counts if one.kind == kind]
    return JobKindOut(
        kind=kind,
        waiting=sum(one.count for one in mine if one.state == "waiting"),
        running=sum(one.count for one in mine if one.state == "running"),
        oldest_at=min((one.oldest_at for one in mine if one.oldest_at), default=None),
        paused_at=paused_at,
    )


def _process_out(beat: Beat, running: int) -> ProcessOut:
    told = msgspec.structs.asdict(beat)
    del told["restart"]
    told["changes"] = [PluginChangeOut(**msgspec.structs.asdict(change)) for change in beat.changes]
    return ProcessOut(**told, lost=beat.is_lost, running=running)
