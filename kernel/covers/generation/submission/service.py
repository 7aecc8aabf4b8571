"""Accepting requests for covers: everything is checked, then the jobs are stored, all or none."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from sqlalchemy.exc import IntegrityError

from kernel.core.data.database import Database
from kernel.core.fault_points import faultpoint
from kernel.core.process.job_scope import job_accepted
from kernel.core.web.idempotency import check_key
from kernel.covers.generation.provider_selection import select_instances
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.submission.job_store import JobStore, NewJobs, SubmittedGenerations
from kernel.covers.generation.submission.prompt import PromptComposer
from kernel.covers.generation.submission.request import read_request
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.models import Generation
from kernel.covers.schemas import GenerateCoverIn
from kernel.pictures.encoding import Form
from kernel.pictures.store import FileRef
from kernel.providers import Registry
from kernel.providers.spending.budgets import Budgets


class SubmissionService:
    """The rules of acceptance. Knows no HTTP and no vendor."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        budgets: Budgets,
        composer: PromptComposer,
        references: ReferenceService,
        time_estimate: TimeEstimate,
        jobs: JobStore,
    ) -> None:
        self._database = database
        self._registry = registry
        self._budgets = budgets
        self._composer = composer
        self._references = references
        self._time_estimate = time_estimate
        self._jobs = jobs

    async def refuse_without_units(self, user_id: int, key: str | None, *, is_pro: bool) -> None:
        """Raise LimitReached for a user who has nothing left this month, unless the key is that of a known request."""
        await self._jobs.refuse_without_units(user_id, key, is_pro=is_pro)

    async def submit(
        self, user_id: int, body: GenerateCoverIn, *, is_pro: bool | None, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Store one job for each variant and reserve their units, or return the jobs that this key already made.

        All are accepted or none. `is_pro` None is the operator at the shell, whom no plan limits.
        Raises InvalidFields, TooLarge, WrongType, LimitReached, TooMany, NoProvider, UnsupportedRequest, OverBudget,
        Absent (a theme or cover of another user), IdempotencyConflict, and SignedOut for a deleted account.
        """
        check_key(key)
        request = await read_request(body)
        if replay := await self._jobs.made_before(user_id, key, request.digest):
            return replay
        selection = select_instances(
            self._registry, request.requirements, size=request.size, count=len(request.variants)
        )
        uploads = await self._references.read_uploads(request.uploads)
        faults = {**selection.faults, **request.faults}
        async with self._database.read() as connection:
            prompt = await self._composer.compose(
                connection, user_id, request, faults=faults, upload_faults=uploads.faults
            )
            if is_pro is not None:
                await self._budgets.refuse_over_budget(connection, user_id, selection.costs_micros)
            expected_ms = await self._time_estimate.of_first(connection, selection.instances)
        forms = [*await self._references.read_covers(user_id, request.cover_ids), *uploads.forms]
        jobs = NewJobs(request=request, prompt=prompt, refs={}, language=language, expected_ms=expected_ms)
        return await self.accept(user_id, jobs, forms, is_pro=is_pro, key=key)

    async def accept(
        self, user_id: int, jobs: NewJobs, forms: Sequence[Form], *, is_pro: bool | None, key: str | None
    ) -> SubmittedGenerations:
        """Store jobs, each with `forms` as its references, or return those that this key already made."""
        request, refs = jobs.request, dict[UUID, list[FileRef]]()
        try:
            for variant in request.variants if forms else ():  # each has its own: they go when their job has ended
                refs[variant.id] = await self._references.put(variant.id, forms)
            faultpoint("references_stored")
            await self._jobs.store(user_id, msgspec.structs.replace(jobs, refs=refs), is_pro=is_pro, key=key)
        except BaseException as error:
            await self._references.discard([ref for stored in refs.values() for ref in stored])
            if isinstance(error, IntegrityError) and (
                replay := await self._jobs.made_before(user_id, key, request.digest)
            ):
                return replay
            raise
        for variant in request.variants:
            job_accepted(Generation.job_kind, variant.id)
        faultpoint("accepted")
        return SubmittedGenerations(ids=tuple(variant.id for variant in request.variants), replayed=False)
