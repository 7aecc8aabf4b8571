"""The life of a job after acceptance: claim, keep, retry, cancel, and the one function that ends it.

    queued -> running -> completed | failed | canceled,   running -> queued for another try

Every claim raises the row's fence. Only the holder of the current fence may change a running job, so a worker that lost
its lease, however late it wakes, changes nothing.
"""

import random
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.database import Database, changed_rows
from kernel.core.faults import faultpoint
from kernel.core.telemetry import SETTLED
from kernel.covers.models import Cover, Generation
from kernel.covers.views import text_key
from kernel.pictures.store import PictureStore, StoredPicture
from kernel.plans.service import PlanService

RETRYING: Final = "retrying"
OVERDUE_MESSAGE: Final = "The cover was not finished in time. Nothing was counted against your plan."
LOST_MESSAGE: Final = "The cover could not be made. Nothing was counted against your plan."


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A claimed generation: what to make, and the fence that proves the claim.

    `instance_id` and `remote_id` are of a call that an earlier worker was torn from.
    """

    id: UUID
    user_id: int
    prompt: str
    title: str
    author: str
    genre: str
    width: int
    height: int
    theme_id: int | None
    language: str
    seed: int
    composed_prompt: str
    style_prompt: str | None
    reference_count: int
    requested_instance: str | None
    requested_model: str | None
    instance_id: str | None
    remote_id: str | None
    attempts: int
    fence: int
    deadline: datetime


class Completed(msgspec.Struct, frozen=True, kw_only=True):
    """The end with a cover."""

    picture: StoredPicture
    instance_id: str
    provider: str
    model: str


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """The end without one: a code for machines, a sentence for the user."""

    code: str
    message: str


class Canceled(msgspec.Struct, frozen=True, kw_only=True):
    """The end by the user's wish."""


Outcome = Completed | Failed | Canceled
_JOB_COLUMNS: Final = tuple(getattr(Generation, name) for name in Job.__struct_fields__)


class Lifecycle:
    """Moves generations from state to state. Each method is one short transaction."""

    def __init__(
        self, config: GenerationConfig, database: Database, plans: PlanService, pictures: PictureStore
    ) -> None:
        self._config = config
        self._database = database
        self._plans = plans
        self._pictures = pictures

    async def claim(self, generation_id: UUID) -> Job | None:
        """Take a job that is due, or whose holder fell silent; None when there is nothing to take.

        A job that is past its deadline or out of attempts is settled as failed instead.
        """
        moment = clock.now()
        async with self._database.write() as session:
            row = (
                await session.execute(
                    update(Generation)
                    .where(Generation.id == generation_id, _due(moment))
                    .values(
                        state="running",
                        attempts=Generation.attempts + 1,
                        fence=Generation.fence + 1,
                        lease_until=moment + timedelta(seconds=self._config.lease_s),
                        started_at=moment,
                        phase="preparing",
                        progress=None,
                    )
                    .returning(*_JOB_COLUMNS)
                )
            ).one_or_none()
            if row is None:
                return None
            job = Job(**row._asdict())
            if job.deadline <= moment or job.attempts > self._config.max_attempts:
                overdue = job.deadline <= moment
                failure = Failed(
                    code="deadline_exceeded" if overdue else "attempts_exhausted",
                    message=OVERDUE_MESSAGE if overdue else LOST_MESSAGE,
                )
                await self.settle_in(session, job.id, failure, fence=job.fence)
                return None
        faultpoint("claimed")
        return job

    async def keep(self, job: Job) -> bool:
        """Extend the lease; False when the job is no longer ours."""
        until = clock.now() + timedelta(seconds=self._config.lease_s)
        async with self._database.write() as session:
            return await changed_rows(session, update(Generation).where(*_held(job)).values(lease_until=until)) == 1

    async def note(self, job: Job, *, phase: str, progress: float | None = None) -> bool:
        """Store what is going on; False when the job is no longer ours."""
        values = {"phase": phase, "progress": progress}
        async with self._database.write() as session:
            return await changed_rows(session, update(Generation).where(*_held(job)).values(**values)) == 1

    async def remember_remote(self, job: Job, instance_id: str, remote_id: str) -> bool:
        """Store who works on the job and the vendor's id of it, as soon as it is known; False when it is not ours."""
        values = {"instance_id": instance_id, "remote_id": remote_id}
        async with self._database.write() as session:
            return await changed_rows(session, update(Generation).where(*_held(job)).values(**values)) == 1

    async def retry(
        self, job: Job, *, code: str, after_s: float | None, counts: bool = True, forget: bool = False
    ) -> bool:
        """Put the job back into the queue; False when it is no longer ours, or may not be tried again.

        `after_s` is the provider's wish in seconds; without one the wait doubles with each attempt, with full jitter.
        A try that does not `count` (the vendor was busy, we were told to stop) leaves the attempts as they were.
        `forget` the vendor's id of the job when the call has ended for good: the next try must not wait for it.
        """
        if counts and job.attempts >= self._config.max_attempts:
            return False
        ceiling = min(self._config.retry_max_s, self._config.retry_base_s * 2 ** (job.attempts - 1))
        wait = after_s if after_s is not None else random.uniform(ceiling / 2, ceiling)
        moment = clock.now()
        run_after = moment + timedelta(seconds=wait)
        if run_after >= job.deadline:
            return False
        values = {
            "state": "queued",
            "run_after": run_after,
            "lease_until": None,
            "phase": RETRYING,
            "progress": None,
            "error_code": code,
            "attempts": job.attempts if counts else job.attempts - 1,
        }
        if forget:
            values["remote_id"] = None
        async with self._database.write() as session:
            return await changed_rows(session, update(Generation).where(*_held(job)).values(**values)) == 1

    async def settle(self, generation_id: UUID, outcome: Outcome, *, fence: int | None = None) -> bool:
        """End a job, once. `fence` proves a worker's claim; None is the user's or the sweeper's word.

        Returns False, having changed nothing, when the job had ended already or is no longer the caller's.
        """
        async with self._database.write() as session:
            settled = await self.settle_in(session, generation_id, outcome, fence=fence)
            if settled:
                faultpoint("inside_settle")
        if settled:
            SETTLED.labels(type(outcome).__name__.lower()).inc()
            faultpoint("settled")
        return settled

    async def settle_in(
        self, session: AsyncSession, generation_id: UUID, outcome: Outcome, *, fence: int | None
    ) -> bool:
        """Do the work of `settle` in the caller's transaction: state, cover and quota change together or not at all."""
        values = _final_values(outcome) | {
            "finished_at": clock.now(),
            "lease_until": None,
            "progress": None,
            "phase": "done",
            "fence": Generation.fence + 1,
        }
        open_job = [Generation.id == generation_id, Generation.state.in_(("queued", "running"))]
        if fence is not None:
            open_job.append(Generation.fence == fence)
        row = (
            await session.execute(
                update(Generation)
                .where(*open_job)
                .values(**values)
                .returning(
                    Generation.user_id, Generation.theme_id, Generation.title, Generation.author, Generation.genre
                )
            )
        ).one_or_none()
        if row is None:
            return False
        if isinstance(outcome, Completed):
            picture_id = await self._pictures.record(session, outcome.picture)
            await session.execute(
                insert(Cover).values(
                    generation_id=generation_id,
                    picture_id=picture_id,
                    starred=False,
                    title_key=text_key(row.title),
                    author_key=text_key(row.author),
                    created_at=clock.now(),
                    **row._asdict(),
                )
            )
        await self._plans.settle(session, generation_id, used=isinstance(outcome, Completed))
        return True

    async def due(self, *, older_than_s: float, limit: int = 200) -> list[tuple[UUID, int]]:
        """Return (id, attempts) of jobs that should be running and are not: lost bells, lost workers."""
        moment = clock.now()
        query = (
            select(Generation.id, Generation.attempts)
            .where(_due(moment, moment - timedelta(seconds=older_than_s)))
            .order_by(Generation.run_after)
            .limit(limit)
        )
        async with self._database.read() as connection:
            return [(row.id, row.attempts) for row in (await connection.execute(query)).all()]

    async def overdue(self, *, limit: int = 200) -> list[UUID]:
        """Return jobs whose deadline has passed."""
        query = (
            select(Generation.id)
            .where(Generation.state.in_(("queued", "running")), Generation.deadline <= clock.now())
            .limit(limit)
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())


def _due(moment: datetime, rung_before: datetime | None = None) -> ColumnElement[bool]:
    """Match jobs that may be claimed: waiting and due, or running under a lease that has ended."""
    lately = Generation.run_after <= moment
    if rung_before is not None:  # a fresh job's bell was just rung; for one that waits for its next try nobody rings
        lately = (Generation.run_after <= rung_before) | (lately & (Generation.phase == RETRYING))
    waiting = (Generation.state == "queued") & lately
    silent = (Generation.state == "running") & (Generation.lease_until <= moment)
    return or_(waiting, silent)


def _held(job: Job) -> tuple[ColumnElement[bool], ...]:
    return (Generation.id == job.id, Generation.state == "running", Generation.fence == job.fence)


def _final_values(outcome: Outcome) -> dict[str, str | Literal[None]]:
    match outcome:
        case Completed():
            return {
                "state": "completed",
                "instance_id": outcome.instance_id,
                "provider": outcome.provider,
                "model": outcome.model,
                "error_code": None,
                "error_message": None,
            }
        case Failed():
            return {"state": "failed", "error_code": outcome.code, "error_message": outcome.message}
        case Canceled():
            return {"state": "canceled", "error_code": None, "error_message": None}
