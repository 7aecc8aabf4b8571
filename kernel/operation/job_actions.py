"""What administrators do with jobs: try one now, cancel one, pause and resume kinds and services, drain workers.

Every action has the same effect when it is done twice, and is in the audit trail when it has changed something.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import case, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.data.job_pause import INSTANCE, JobPause
from kernel.core.errors import Absent, Conflict, NoProvider
from kernel.core.outbox import extend_emails, withdraw_email
from kernel.core.queue.heartbeat import Heartbeats
from kernel.core.queue.server import QueueServerAway
from kernel.operation.job_sources import SOURCES, JobSource
from kernel.operation.jobs_service import CANCELED, NO_JOB, RETRIED, find_source
from kernel.providers import IMAGE, Registry
from kernel.providers.administration.revision_follower import RevisionFollower

ENDED: Final = "This job has ended."
NOT_THIS: Final = "That cannot be done with this job."
AGAIN: Final[dict[str, Any]] = {
    "attempts": 0,
    "finished_at": None,
    "expires_at": None,
    "error_code": None,
    "error_message": None,
    "applied_at": None,
    "error": "",
}
"""What a job that failed and is tried again is set back to, where its table has such a column."""

CancelIn = Callable[[AsyncSession, Any], Awaitable[bool]]
ResumeIn = Callable[[AsyncSession], Awaitable[None]]
Tell = Callable[[Any], Awaitable[None]]


class JobHandling(msgspec.Struct, frozen=True, kw_only=True):
    """What a kind needs of its own package. `cancel_in` cancels a job in a transaction and says whether it was open;
    `canceled` tells of it afterwards. `resume_in` prepares those that wait for going on after a pause.
    """

    cancel_in: CancelIn | None = None
    canceled: Tell | None = None
    resume_in: ResumeIn | None = None


OF_EMAILS: Final = JobHandling(cancel_in=withdraw_email, resume_in=extend_emails)


class JobActions:
    """Changes jobs of all kinds; each method is one transaction."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        follower: RevisionFollower,
        heartbeats: Heartbeats,
        handling: Mapping[str, JobHandling],
        wake_paused: ResumeIn,
    ) -> None:
        self._database = database
        self._registry = registry
        self._follower = follower
        self._heartbeats = heartbeats
        self._handling = handling
        self._wake_paused = wake_paused

    async def retry(self, named: str, actor: Actor) -> None:
        """Let a job be tried now, one that has failed from its first try on; one that runs is left alone.

        Raises Absent, and Conflict: `job_ended`, `job_not_retryable`.
        """
        source, key = find_source(named)
        async with self._database.write() as session:
            state = await self._state(session, source, key)
            if state == "running":
                return
            if state not in RETRIED[source.kind]:
                if state == "waiting":
                    raise Conflict(NOT_THIS, code="job_not_retryable")
                raise Conflict(ENDED, code="job_ended")
            values: dict[str, Any] = {"run_after": clock.now()}
            where = [source.key == key, source.is_in(state)]
            if state == "failed":
                there = set(source.table.__table__.columns.keys())
                values |= {name: value for name, value in AGAIN.items() if name in there}
                values["state"] = source.states["waiting"][0]
            elif source.kind == "campaign":
                # one that is scheduled begins by itself: its recipients are chosen then
                begun = source.column("state").not_in(source.planned)
                values |= {"state": case((begun, "sending"), else_=source.column("state")), "reason": None}
            else:
                where.append(source.column("run_after") > clock.now())
            if await changed_rows(session, update(source.table).where(*where).values(**values)):
                audit(session, "job.retry", actor_id=actor.id, ip=actor.ip, object=f"job:{named}")

    async def cancel(self, named: str, actor: Actor) -> None:
        """End a job for good; one that is canceled already stays so.

        Raises Absent, and Conflict: `job_ended`, `job_not_cancelable`, also for an email that is just being sent.
        """
        source, key = find_source(named)
        handling = self._handling.get(source.kind, JobHandling())
        async with self._database.write() as session:
            state = await self._state(session, source, key)
            if state == "canceled":
                return
            if state in ("completed", "failed"):
                raise Conflict(ENDED, code="job_ended")
            if handling.cancel_in is None or state not in CANCELED.get(source.kind, ()):
                raise Conflict(NOT_THIS, code="job_not_cancelable")
            if not await handling.cancel_in(session, key):
                raise Conflict(ENDED, code="job_ended")
            audit(session, "job.cancel", actor_id=actor.id, ip=actor.ip, object=f"job:{named}")
        if handling.canceled is not None:
            await handling.canceled(key)

    async def pause_kind(self, kind: str, actor: Actor) -> None:
        """Let no worker begin jobs of a kind; those that run go on. Raises Absent."""
        if kind not in SOURCES:
            raise Absent(NO_JOB)
        await self._pause(kind, actor)

    async def resume_kind(self, kind: str, actor: Actor) -> None:
        """Let jobs of a kind be begun again; their time begins anew. Raises Absent."""
        if kind not in SOURCES:
            raise Absent(NO_JOB)
        await self._resume(kind, actor, self._handling.get(kind, JobHandling()).resume_in)

    async def pause_instance(self, instance_id: str, actor: Actor) -> None:
        """Give an image service no new work; covers that no other one can make wait. Raises Absent."""
        if all(one.id != instance_id for one in self._registry.failover_order(IMAGE)):
            raise Absent("This instance does not exist.")
        await self._pause(INSTANCE + instance_id, actor)
        await self._follower.announce_pause()

    async def resume_instance(self, instance_id: str, actor: Actor) -> None:
        """Give it work again, also one that was removed meanwhile."""
        await self._resume(INSTANCE + instance_id, actor, self._wake_paused)
        await self._follower.announce_pause()

    async def drain(self, worker: str, on: bool, actor: Actor) -> None:
        """Let a worker begin no more jobs, or begin them again. Raises Absent, and NoProvider without queue server."""
        try:
            known = [beat for beat in await self._heartbeats.all() if beat.name == worker and beat.role == "worker"]
            if not known:
                raise Absent("This worker does not exist.")
            changed = await self._heartbeats.drain(worker, on)
        except QueueServerAway as error:
            raise NoProvider("The queue server cannot be reached. Please try again.", retry_after=5.0) from error
        if changed:
            async with self._database.write() as session:
                action = "worker.drain" if on else "worker.resume"
                audit(session, action, actor_id=actor.id, ip=actor.ip, object=f"worker:{worker}")

    async def _state(self, session: AsyncSession, source: JobSource, key: Any) -> Any:
        query = select(source.state()).where(source.key == key)
        if source.only is not None:
            query = query.where(source.only)
        state = (await session.execute(query)).scalar_one_or_none()
        if state is None:
            raise Absent(NO_JOB)
        return state

    async def _pause(self, name: str, actor: Actor) -> None:
        async with self._database.write() as session:
            row = insert_into(session, JobPause).values(name=name, paused_at=clock.now())
            added = await session.execute(row.on_conflict_do_nothing(index_elements=["name"]).returning(JobPause.name))
            if added.first() is not None:
                audit(session, "job.pause", actor_id=actor.id, ip=actor.ip, object=f"job:{name}")

    async def _resume(self, name: str, actor: Actor, prepare: ResumeIn | None) -> None:
        async with self._database.write() as session:
            if not await changed_rows(session, delete(JobPause).where(JobPause.name == name)):
                return
            if prepare is not None:
                await prepare(session)
            audit(session, "job.resume", actor_id=actor.id, ip=actor.ip, object=f"job:{name}")
