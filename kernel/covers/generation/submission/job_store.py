"""Storing accepted jobs: their units reserved and their rows written in one transaction, once for each key."""

from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.profile.deletion import hold_account
from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import NoProvider, TooMany
from kernel.core.fault_points import faultpoint
from kernel.core.web.idempotency import made_before
from kernel.covers.book_words import words_of
from kernel.covers.cover_read import search_key
from kernel.covers.elements import stored_elements
from kernel.covers.extensions import Side
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.submission.prompt import ComposedPrompt
from kernel.covers.generation.submission.request import CoverRequest
from kernel.covers.models import Generation
from kernel.pictures.store import FileRef
from kernel.plans.service import Plan, PlanService
from kernel.themes.service import ThemeService

QUEUE_RETRY_S: Final = 30.0


class SubmittedGenerations(msgspec.Struct, frozen=True, kw_only=True):
    """The stored jobs, `id` is the first; `replayed` when the key had been seen before with the same request."""

    ids: tuple[UUID, ...]
    replayed: bool

    @property
    def id(self) -> UUID:
        """The first job's id."""
        return self.ids[0]


class NewJobs(msgspec.Struct, frozen=True, kw_only=True):
    """What the jobs of one request have in common, and the stored references of each. `refined_cover_id` is the cover
    that is refined; with `masked` the last reference is the mask. With `extends_side` its artwork
    `extended_artwork_id` goes on there.
    """

    request: CoverRequest
    prompt: ComposedPrompt
    refs: dict[UUID, list[FileRef]]
    language: str
    expected_ms: int
    refined_cover_id: int | None = None
    masked: bool = False
    extends_side: Side | None = None
    extended_artwork_id: int | None = None


class JobStore:
    """Writes new jobs; the state machine takes over from there."""

    def __init__(
        self,
        config: GenerationConfig,
        database: Database,
        plans: PlanService,
        themes: ThemeService,
        references: ReferenceService,
    ) -> None:
        self._config = config
        self._database = database
        self._plans = plans
        self._themes = themes
        self._references = references

    async def made_before(self, user_id: int, key: str | None, digest: str) -> SubmittedGenerations | None:
        """Return the jobs of a request that came with this key before. Raises IdempotencyConflict for another one."""
        if key is None:
            return None
        query = select(Generation.id, Generation.request_hash).where(
            Generation.user_id == user_id, Generation.idempotency_key == key
        )
        async with self._database.read() as connection:
            first = await made_before(connection, query, digest)
            if first is None:
                return None
            others = select(Generation.id).where(Generation.batch_id == first, Generation.id != first)
            ids = (first, *(await connection.execute(others.order_by(Generation.id))).scalars())
        return SubmittedGenerations(ids=ids, replayed=True)

    async def refuse_without_units(self, user_id: int, key: str | None, *, is_pro: bool) -> None:
        """Raise LimitReached for a user who has nothing left this month; `store` counts, this only looks.

        Who has made covers under this key may repeat that request.
        """
        known = select(Generation.id).where(Generation.user_id == user_id, Generation.idempotency_key == key)
        async with self._database.read() as connection:
            if key is not None and (await connection.execute(known)).first() is not None:
                return
            plan = Plan(is_pro, await self._plans.limits_in(connection))
            if not await self._plans.has_unit(connection, user_id, plan):
                raise plan.refusal()

    async def store(self, user_id: int, jobs: NewJobs, *, is_pro: bool | None, key: str | None) -> None:
        """Store the jobs, or none of them.

        Raises LimitReached, TooMany, NoProvider, Absent, SignedOut, and IntegrityError for a key that another request
        took meanwhile.
        """
        request, theme, moment = jobs.request, jobs.prompt.theme, clock.now()
        common = self._common_values(user_id, jobs)
        ids = [variant.id for variant in request.variants]
        rows = [
            common | {"id": variant.id, "seed": variant.seed, "idempotency_key": None} for variant in request.variants
        ]
        rows[0]["idempotency_key"] = key
        async with self._database.write() as session:
            await hold_account(session, user_id)
            limits = await self._plans.limits_in(session)
            plan = Plan(is_pro, limits) if is_pro is not None else None
            if theme:
                await self._themes.hold(session, user_id, theme.id)
            # The rows first: who repeats a key waits for its unique index here, holding no counter others wait for.
            await session.execute(insert(Generation), rows)
            for generation_id, stored in jobs.refs.items():
                await self._references.record(session, generation_id, stored)
            await self._plans.reserve(session, user_id=user_id, plan=plan, generation_ids=ids, moment=moment)
            await self._refuse_crowds(session, user_id)
            if theme:
                await self._themes.count_use(session, theme.id, times=len(ids))
            faultpoint("before_accept_commit")

    def _common_values(self, user_id: int, jobs: NewJobs) -> dict[str, object]:
        request, prompt, moment = jobs.request, jobs.prompt, clock.now()
        assert request.size is not None
        return {
            "user_id": user_id,
            "batch_id": request.variants[0].id,
            "request_hash": request.digest,
            "prompt": prompt.prompt,
            **words_of(prompt),
            "search_key": search_key(prompt.prompt, prompt.title, prompt.author),
            "dimensions": request.dimensions,
            "width": request.size.width,
            "height": request.size.height,
            "theme_id": prompt.theme.id if prompt.theme else None,
            "language": jobs.language,
            "composed_prompt": prompt.text,
            "style_prompt": request.own_style,
            "reference_count": len(jobs.refs.get(request.variants[0].id, ())) - jobs.masked,
            "refined_cover_id": jobs.refined_cover_id,
            "masked": jobs.masked,
            "extends_side": jobs.extends_side,
            "extended_artwork_id": jobs.extended_artwork_id,
            "reference_covers": list(request.cover_ids),
            "requested_instance": request.requirements.instance_id,
            "requested_model": request.requirements.model,
            "lettering": request.lettering,
            "lettering_style": request.lettering_style,
            "elements": stored_elements(request.elements),
            "expected_ms": jobs.expected_ms,
            "state": "queued",
            "attempts": 0,
            "fence": 0,
            "run_after": moment,
            "deadline": moment + timedelta(seconds=self._config.deadline_s),
            "phase": "queued",
            "created_at": moment,
        }

    async def _refuse_crowds(self, session: AsyncSession, user_id: int) -> None:
        """Raise TooMany for a user with enough open jobs, NoProvider when the queue is full; the new ones count."""
        mine = select(func.count()).where(Generation.user_id == user_id, Generation.state.in_(OPEN_STATES))
        if (await session.execute(mine)).scalar_one() > self._config.in_flight_per_user:
            raise TooMany(
                "Please wait until one of your covers is finished.", code="too_many_in_flight", retry_after=5.0
            )
        waiting = select(func.count()).where(Generation.state == "queued")
        if (await session.execute(waiting)).scalar_one() > self._config.queue_limit:
            raise NoProvider("Too many covers are waiting just now. Please try again soon.", retry_after=QUEUE_RETRY_S)
