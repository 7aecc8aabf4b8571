"""Jobs that are rows of a table: claimed by one worker at a time, held by a lease, tried again later.

    waiting -> held -> waiting again, or ended

Every claim raises the row's fence. Only the holder of the current fence may change a held row, so a worker that
lost its lease, however late it wakes, changes nothing.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, cast

import msgspec
from sqlalchemy import ColumnElement, Integer, Row, String, and_, bindparam, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, ReadConnection, changed_rows
from kernel.core.data.job_pause import is_paused
from kernel.core.data.moments import Moment
from kernel.core.process import this_process
from kernel.core.process.metrics import JOB_DELAY, JOBS_ENDED

OPEN_STATES: Final = ("queued", "running")


class LeasedJob:
    """Columns that make a table's rows jobs.

    `attempts` counts the claims, `fence` proves the latest, `lease_until` ends it and is null while nobody holds the
    row; `worker` is the process that made the latest claim. Nobody claims it before `run_after`, or while its
    `job_kind` is paused. A table with a `state` keeps ended jobs, and its open jobs are `queued` or `running`; of a
    table without one an ended job's row is deleted.
    """

    job_kind: ClassVar[str]
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    fence: Mapped[int] = mapped_column(Integer, default=0)
    lease_until: Mapped[datetime | None] = mapped_column(Moment, default=None)
    run_after: Mapped[datetime] = mapped_column(Moment)
    worker: Mapped[str | None] = mapped_column(String(this_process.NAME_CHARS), default=None)


class ClaimedJob(Protocol):
    """A Struct of a row that a worker holds: the columns that it needs, and the fence that proves the claim."""

    __struct_fields__: ClassVar[tuple[str, ...]]

    @property
    def id(self) -> Any:
        """Return the row's key."""

    @property
    def attempts(self) -> int:
        """Return how often the job was claimed, this claim included."""

    @property
    def fence(self) -> int:
        """Return the number of the claim."""


class Backoff(msgspec.Struct, frozen=True, kw_only=True):
    """How long a failed job waits: twice as long after each attempt, with jitter, between half and all of it."""

    base_s: float
    max_s: float

    def wait_s(self, attempts: int) -> float:
        """Return the seconds to wait after this many attempts."""
        longest = min(self.max_s, self.base_s * 2 ** min(max(attempts - 1, 0), 20))
        return random.uniform(longest / 2, longest)


JobT = TypeVar("JobT", bound=ClaimedJob)


class JobTable(Generic[JobT]):
    """The life of the rows of one table. Every method works in the caller's transaction and commits nothing.

    `claimed` names the columns that a claim returns. With `reclaim` False a dead worker's job is never taken over: what
    it may have done must not be done twice. With `pausable` False a pause of the kind does not hold back claims here.
    """

    def __init__(
        self,
        table: type[Base],
        claimed: type[JobT],
        *,
        lease_s: float,
        reclaim: bool = True,
        pausable: bool = True,
    ) -> None:
        self._table: Any = table
        self._claimed = claimed
        self._lease = timedelta(seconds=lease_s)
        self._reclaim = reclaim
        self._pausable = pausable
        self._stateful = hasattr(table, "state")
        self.kind: Final[str] = cast(Any, table).job_kind
        self._columns = tuple(getattr(table, name) for name in claimed.__struct_fields__)
        # built once, because workers ask these again and again: compiling a statement costs more than running it
        rows, moment = cast(Any, table), cast(Any, bindparam("moment", type_=Moment))
        due = select(rows.id).where(self.due(moment)).order_by(rows.run_after, rows.id)
        self._due = due.limit(bindparam("limit", type_=Integer))
        self._abandoned = select(rows.id).where(self.abandoned(moment)).limit(1)
        unended = select(rows.id)
        self.open: Final = unended.where(rows.state.in_(OPEN_STATES)) if self._stateful else unended
        """Selects the jobs that have not ended, due or not."""

    def due(self, moment: datetime) -> ColumnElement[bool]:
        """Match jobs that may be claimed: waiting and due, or held under a lease that has ended; none while paused."""
        waiting = and_(self._waiting(), self._table.run_after <= moment)
        due = or_(waiting, self.abandoned(moment)) if self._reclaim else waiting
        return and_(due, ~self.paused()) if self._pausable else due

    def paused(self) -> ColumnElement[bool]:
        """Match while the kind of these jobs is paused."""
        return is_paused(self.kind)

    def abandoned(self, moment: datetime) -> ColumnElement[bool]:
        """Match jobs whose holder did not renew its lease."""
        running = self._table.state == "running" if self._stateful else self._table.lease_until.is_not(None)
        return and_(running, self._table.lease_until <= moment)

    def _waiting(self) -> ColumnElement[bool]:
        waiting: ColumnElement[bool] = (
            self._table.state == "queued" if self._stateful else self._table.lease_until.is_(None)
        )
        return waiting

    def held(self, job: JobT) -> ColumnElement[bool]:
        """Match the job while the claim is still valid."""
        return and_(self._table.id == job.id, self._table.fence == job.fence, self._table.lease_until.is_not(None))

    async def due_ids(self, reader: ReadConnection | AsyncSession, *, limit: int) -> Sequence[Any]:
        """Return the ids of jobs that may be claimed, those that waited longest first."""
        found = await reader.execute(self._due, {"moment": clock.now(), "limit": limit})
        return found.scalars().all()

    async def any_abandoned(self, reader: ReadConnection | AsyncSession) -> bool:
        """Say whether there is a job whose holder did not renew its lease."""
        return (await reader.execute(self._abandoned, {"moment": clock.now()})).first() is not None

    async def claim(self, session: AsyncSession, job_id: Any, **values: Any) -> JobT | None:
        """Take a job and set `values` with it; None when another worker has it, or it is not due.

        A drained process takes none.
        """
        if this_process.is_drained():
            return None
        moment = clock.now()
        claim = update(self._table).where(self._table.id == job_id, self.due(moment))
        values |= {
            "attempts": self._table.attempts + 1,
            "fence": self._table.fence + 1,
            "lease_until": moment + self._lease,
            "worker": this_process.name(),
        }
        if self._stateful:
            values["state"] = "running"
        due = self._table.run_after.label("due")
        row = (await session.execute(claim.values(**values).returning(due, *self._columns))).one_or_none()
        if row is None:
            return None
        columns = row._asdict()
        waited_s, job = (moment - columns.pop("due")).total_seconds(), self._claimed(**columns)
        if job.attempts == 1:
            JOB_DELAY.labels(self.kind).observe(max(0.0, waited_s))
        return job

    async def update(self, session: AsyncSession, job: JobT, **values: Any) -> bool:
        """Change a held job; False when the claim is no longer valid."""
        return await changed_rows(session, update(self._table).where(self.held(job)).values(**values)) == 1

    async def renew(self, session: AsyncSession, job: JobT) -> bool:
        """Extend the lease; False when the claim is no longer valid."""
        return await self.update(session, job, lease_until=clock.now() + self._lease)

    async def put_back(
        self, session: AsyncSession, job: JobT, *, after_s: float = 0.0, counts: bool = True, **values: Any
    ) -> bool:
        """Let the job wait for its next attempt; False when the claim is no longer valid.

        An attempt that does not `count` leaves the number of attempts as it was before the claim.
        """
        if self._stateful:
            values["state"] = "queued"
        back = await self.update(
            session,
            job,
            lease_until=None,
            worker=None,
            run_after=clock.now() + timedelta(seconds=after_s),
            attempts=job.attempts if counts else job.attempts - 1,
            **values,
        )
        if back:
            JOBS_ENDED.labels(self.kind, "retried" if counts else "released").inc()
        return back

    async def end(
        self, session: AsyncSession, *which: ColumnElement[bool], returning: Sequence[Any] = (), **values: Any
    ) -> Sequence[Row[Any]]:
        """End the open jobs that match, held or not; `values` say how. Return the asked columns of each."""
        ending = update(self._table).where(*which, self._table.state.in_(OPEN_STATES))
        ended = {"lease_until": None, "fence": self._table.fence + 1, "finished_at": clock.now()}
        columns = returning or (self._table.id,)
        rows = (await session.execute(ending.values(**ended, **values).returning(*columns))).all()
        if rows:
            JOBS_ENDED.labels(self.kind, values["state"]).inc(len(rows))
        return rows

    async def shorten_leases(self, session: AsyncSession) -> None:
        """End leases that no clock could have given now: one that was set back since would keep a dead worker's jobs.

        A worker that lives renews its leases as ever.
        """
        latest = clock.now() + self._lease
        overlong = self._table.lease_until > latest + self._lease
        await session.execute(update(self._table).where(overlong).values(lease_until=latest))

    async def remove_abandoned(self, session: AsyncSession) -> Sequence[Any]:
        """Delete the jobs whose holder did not renew its lease, and return their ids."""
        gone = delete(self._table).where(self.abandoned(clock.now())).returning(self._table.id)
        ids = (await session.execute(gone)).scalars().all()
        if ids:
            JOBS_ENDED.labels(self.kind, "lost").inc(len(ids))
        return ids

    async def remove(self, session: AsyncSession, job: JobT, *which: ColumnElement[bool]) -> bool:
        """Delete a held job that has ended; False when the claim is no longer valid, or it does not match."""
        removed = await changed_rows(session, delete(self._table).where(self.held(job), *which)) == 1
        if removed:
            JOBS_ENDED.labels(self.kind, "completed").inc()
        return removed
