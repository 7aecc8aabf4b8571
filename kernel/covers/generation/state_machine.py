"""The life of a generation after submission: claim, renew, retry, cancel, and the one function that ends it.

queued -> running -> completed | failed | canceled,   running -> queued for another attempt
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES, Backoff, JobTable
from kernel.core.fault_points import faultpoint
from kernel.covers.book_words import BookWords, word_columns
from kernel.covers.cover_read import search_key, text_key
from kernel.covers.extensions import keep_extension
from kernel.covers.lettering.refined import as_shown, show_refined
from kernel.covers.lettering.versions import add_version
from kernel.covers.models import PAUSED_PHASE, Cover, Generation
from kernel.pictures.store import PictureStore, StoredPicture
from kernel.plans.service import PlanService
from kernel.press.lettering.document import Lettering

RETRYING: Final = "retrying"
CLOCK_STEP: Final = timedelta(seconds=60)
"""A deadline that is later than possible by more than this was given by a clock that was set back."""
OVERDUE_MESSAGE: Final = "The cover was not finished in time. Nothing was counted against your plan."
LOST_MESSAGE: Final = "The cover could not be made. Nothing was counted against your plan."


class Job(BookWords, frozen=True, kw_only=True):
    """A claimed generation: what to make. `instance_id` and `remote_id` name an interrupted call to be resumed.

    `spool_sha256` is the result that is made and not yet stored. `order_number` counts the orders whose result could
    not be used: each has a key of its own, or a vendor would return the same result again. `refined_cover_id` is the
    cover that is refined; with `masked` the last reference is the mask. With `extends_side` its artwork goes on there.
    """

    id: UUID
    attempts: int
    fence: int
    user_id: int
    prompt: str
    width: int
    height: int
    theme_id: int | None
    language: str
    seed: int
    composed_prompt: str
    style_prompt: str | None
    reference_count: int
    refined_cover_id: int | None
    masked: bool
    extends_side: str | None
    requested_instance: str | None
    requested_model: str | None
    lettering: str
    lettering_style: str | None
    elements: list[dict[str, Any]] | None
    instance_id: str | None
    remote_id: str | None
    spool_sha256: str | None
    order_number: int
    deadline: datetime

    @property
    def order_key(self) -> str:
        """Return the idempotency key of the current order."""
        return f"{self.id}-{self.order_number}" if self.order_number else str(self.id)


class Completed(msgspec.Struct, frozen=True, kw_only=True):
    """The end with a cover. `artwork` is the picture without its words, `lettering` the words where our press set them
    or, with `is_own_picture`, as the service says that it did: only that picture looks just like it. `style` is what
    the service says of its technique and mood, `elements` what it says that it drew. For a refinement `over_version` is
    the version of its cover whose words are on it.
    """

    picture: StoredPicture
    artwork: StoredPicture | None = None
    lettering: Lettering | None = None
    is_own_picture: bool = False
    over_version: int | None = None
    instance_id: str
    provider: str
    model: str
    style: str = ""
    elements: list[dict[str, Any]] | None = None


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """The end without one: a code for machines, a sentence for the user."""

    code: str
    message: str


class Canceled(msgspec.Struct, frozen=True, kw_only=True):
    """The end by the user's wish."""


Outcome = Completed | Failed | Canceled
_COVER_COLUMNS: Final = (Generation.user_id, Generation.theme_id, Generation.prompt, *word_columns(Generation))
_ENDED: Final = (
    *_COVER_COLUMNS,
    Generation.refined_cover_id,
    Generation.extends_side,
    Generation.extended_artwork_id,
)


class GenerationStateMachine:
    """Moves generations from state to state. Each method is one short transaction."""

    def __init__(
        self, config: GenerationConfig, database: Database, plans: PlanService, pictures: PictureStore
    ) -> None:
        self._config = config
        self._database = database
        self._plans = plans
        self._pictures = pictures
        self._jobs = JobTable(Generation, Job, lease_s=config.lease_s)
        self._backoff = Backoff(base_s=config.retry_base_s, max_s=config.retry_max_s)

    async def claim(self, generation_id: UUID) -> Job | None:
        """Take a job that is due or whose worker died; None when there is nothing to take.

        A job that is past its deadline or out of attempts is settled as failed instead.
        """
        moment = clock.now()
        async with self._database.write() as session:
            job = await self._jobs.claim(session, generation_id, started_at=moment, phase="preparing", progress=None)
            if job is None:
                return None
            overdue = job.deadline <= moment
            exhausted = job.attempts > self._config.max_attempts and job.spool_sha256 is None
            if overdue or exhausted:
                failure = Failed(
                    code="deadline_exceeded" if overdue else "attempts_exhausted",
                    message=OVERDUE_MESSAGE if overdue else LOST_MESSAGE,
                )
                await self.settle_in(session, job.id, failure, fence=job.fence)
                return None
        faultpoint("claimed")
        return job

    async def renew_lease(self, job: Job) -> bool:
        """Extend the lease; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.renew(session, job)

    async def record_progress(
        self, job: Job, *, phase: str, progress: float | None = None, position: int | None = None
    ) -> bool:
        """Store what is going on; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.update(session, job, phase=phase, progress=progress, vendor_position=position)

    async def record_remote_id(self, job: Job, instance_id: str, remote_id: str) -> bool:
        """Store which instance works on the job and the vendor's id of it; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.update(session, job, instance_id=instance_id, remote_id=remote_id)

    async def record_made(self, job: Job, sha256: str) -> bool:
        """Store which result in the spool is the job's; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.update(session, job, spool_sha256=sha256, phase="saving", progress=None)

    async def start_anew(self, job: Job) -> bool:
        """Forget an order that brought nothing usable, so that the next is another; False when the claim is lost."""
        values = {"remote_id": None, "spool_sha256": None, "order_number": Generation.order_number + 1}
        async with self._database.write() as session:
            return await self._jobs.update(session, job, **values)

    async def forget_remote_id(self, generation_id: UUID) -> tuple[str, str] | None:
        """Take from a job that was canceled, or ran out of time, the instance and the vendor's id of what may still go
        on there; they are taken once.
        """
        unwanted = (
            Generation.id == generation_id,
            Generation.state.in_(("canceled", "failed")),
            Generation.instance_id.is_not(None),
            Generation.remote_id.is_not(None),
        )
        async with self._database.write() as session:
            query = select(Generation.instance_id, Generation.remote_id).where(*unwanted).with_for_update()
            row = (await session.execute(query)).one_or_none()
            if row is None:
                return None
            await session.execute(update(Generation).where(*unwanted).values(remote_id=None))
            return row.instance_id, row.remote_id

    async def open_among(self, ids: Collection[UUID]) -> set[UUID]:
        """Return those of these jobs that have not ended."""
        query = select(Generation.id).where(Generation.id.in_(ids), Generation.state.in_(OPEN_STATES))
        async with self._database.read() as connection:
            return set((await connection.execute(query)).scalars())

    async def retry(
        self, job: Job, *, code: str, after_s: float | None, counts: bool = True, forget: bool = False
    ) -> bool:
        """Put the job back into the queue; False when the claim is no longer valid, or no attempt is left.

        `after_s` is the provider's request in seconds; without it the wait doubles with each attempt.
        An attempt that does not `count` (the vendor was busy, this worker stops) leaves the attempts as they were.
        `forget` drops the vendor's id of the job, when that call has ended: the next attempt must not wait for it.
        """
        if counts and job.attempts >= self._config.max_attempts:
            return False
        wait_s = self._backoff.wait_s(job.attempts) if after_s is None else after_s
        if clock.now() + timedelta(seconds=wait_s) >= job.deadline:
            return False
        values = {"phase": RETRYING, "progress": None, "error_code": code} | ({"remote_id": None} if forget else {})
        async with self._database.write() as session:
            return await self._jobs.put_back(session, job, after_s=wait_s, counts=counts, **values)

    async def wait_out_pause(self, job: Job, after_s: float) -> bool:
        """Let a job wait for a service that is paused; False when the claim is no longer valid.

        Its time begins anew: nobody works on it meanwhile, and the pause may be long.
        """
        deadline = clock.now() + timedelta(seconds=after_s + self._config.deadline_s)
        values = {"phase": PAUSED_PHASE, "progress": None, "error_code": None, "deadline": deadline}
        async with self._database.write() as session:
            return await self._jobs.put_back(session, job, after_s=after_s, counts=False, **values)

    async def resume_in(self, session: AsyncSession) -> None:
        """Let the time of the jobs that wait begin anew after a pause of all."""
        deadline = clock.now() + timedelta(seconds=self._config.deadline_s)
        waiting = update(Generation).where(Generation.state == "queued", Generation.deadline < deadline)
        await session.execute(waiting.values(deadline=deadline))

    async def wake_paused_in(self, session: AsyncSession) -> None:
        """Let the jobs that wait for a paused service look for one now."""
        waiting = update(Generation).where(Generation.state == "queued", Generation.phase == PAUSED_PHASE)
        await session.execute(waiting.values(run_after=clock.now(), phase=RETRYING))

    async def settle(self, generation_id: UUID, outcome: Outcome, *, fence: int | None = None) -> bool:
        """End a job, once. `fence` proves a worker's claim; None is the user's or the sweeper's word.

        Returns False, having changed nothing, when the job had ended already or is no longer the caller's.
        """
        async with self._database.write() as session:
            settled = await self.settle_in(session, generation_id, outcome, fence=fence)
            if settled:
                faultpoint("inside_settle")
        if settled:
            faultpoint("settled")
        return settled

    async def settle_in(
        self, session: AsyncSession, generation_id: UUID, outcome: Outcome, *, fence: int | None
    ) -> bool:
        """Do the work of `settle` in the caller's transaction: state, cover and quota change together or not at all."""
        which = [Generation.id == generation_id]
        if fence is not None:
            which.append(Generation.fence == fence)
        final = _final_values(outcome)
        ended = await self._jobs.end(session, *which, returning=_ENDED, progress=None, phase="done", **final)
        if not ended:
            return False
        row = ended[0]
        if isinstance(outcome, Completed):
            await self._keep(session, generation_id, row, outcome)
        await self._plans.settle(session, generation_id, used=isinstance(outcome, Completed))
        return True

    async def _keep(self, session: AsyncSession, generation_id: UUID, row: Row[Any], done: Completed) -> None:
        """Write the cover, or the new version of the one that was refined, or how its artwork goes on.

        Raises CoverGone and CoverMovedOn.
        """
        if row.extends_side is not None:
            await as_shown(session, row.refined_cover_id)
            await keep_extension(
                session,
                self._pictures,
                row.refined_cover_id,
                artwork_id=row.extended_artwork_id,
                side=row.extends_side,
                generation_id=generation_id,
                picture=done.picture,
            )
            return
        if row.refined_cover_id is not None and done.over_version is not None:
            await show_refined(
                session,
                self._pictures,
                row.refined_cover_id,
                generation_id=generation_id,
                over_version=done.over_version,
                picture=done.picture,
                artwork=done.artwork,
                lettering=done.lettering,
            )
            return
        picture_id = await self._pictures.record(session, done.picture)
        artwork_id = await self._pictures.record(session, done.artwork) if done.artwork else None
        words = {column.key: getattr(row, column.key) for column in _COVER_COLUMNS}
        prompt_key = search_key(words.pop("prompt"))
        made = await session.execute(
            insert(Cover)
            .values(
                generation_id=generation_id,
                picture_id=picture_id,
                artwork_id=artwork_id,
                starred=False,
                title_key=text_key(row.title),
                author_key=text_key(row.author),
                prompt_key=prompt_key,
                created_at=clock.now(),
                **words,
            )
            .returning(Cover.id)
        )
        cover_id = made.scalar_one()
        if artwork_id is None:
            return
        kept = picture_id if done.lettering is None or done.is_own_picture else None
        await add_version(session, cover_id, 1, done.lettering, artwork_id=artwork_id, picture_id=kept)

    async def due(self, *, older_than_s: float, limit: int = 200) -> list[tuple[UUID, int]]:
        """Return (id, attempts) of jobs that should be running and are not: lost bells, lost workers.

        The bell of a job that was queued less than `older_than_s` ago was just rung; one that waits for its next
        attempt has no bell.
        """
        moment = clock.now()
        rung = (
            (Generation.state == "queued")
            & (Generation.run_after > moment - timedelta(seconds=older_than_s))
            & (Generation.phase != RETRYING)
        )
        query = select(Generation.id, Generation.attempts).where(self._jobs.due(moment), ~rung)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(Generation.run_after).limit(limit))
            return [(row.id, row.attempts) for row in rows]

    async def recover_from_clock_step(self) -> None:
        """Bring deadlines and leases back that were given by a clock which has been set back since."""
        latest = clock.now() + timedelta(seconds=self._config.deadline_s)
        late = (Generation.state.in_(OPEN_STATES), Generation.deadline > latest + CLOCK_STEP)
        async with self._database.read() as connection:
            if (await connection.execute(select(Generation.id).where(*late).limit(1))).first() is None:
                return
        async with self._database.write() as session:
            await self._jobs.shorten_leases(session)
            await session.execute(update(Generation).where(*late).values(deadline=latest, run_after=clock.now()))

    async def overdue(self, *, limit: int = 200) -> list[UUID]:
        """Return jobs whose deadline has passed; while all are paused, only those that a worker works on."""
        query = (
            select(Generation.id)
            .where(Generation.state.in_(OPEN_STATES), Generation.deadline <= clock.now())
            .where(~self._jobs.paused() | (Generation.lease_until > clock.now()))
            .limit(limit)
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())


def _final_values(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Completed():
            return {
                "state": "completed",
                "instance_id": outcome.instance_id,
                "provider": outcome.provider,
                "model": outcome.model,
                "made_style": outcome.style or None,
                "made_elements": outcome.elements,
                "error_code": None,
                "error_message": None,
            }
        case Failed():
            return {"state": "failed", "error_code": outcome.code, "error_message": outcome.message}
        case Canceled():
            return {"state": "canceled", "error_code": None, "error_message": None}
