"""Asking image services for the picture of one job: whom, for what, and whether what came back is one."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import AppError
from kernel.core.fault_points import faultpoint
from kernel.core.queue.pubsub import PubSub
from kernel.covers.book_words import words_of
from kernel.covers.dimensions import nearest
from kernel.covers.generation.job_control import GenerationControl
from kernel.covers.generation.provider_selection import ImageInstance, ImageRequirements, expected_cost
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.state_machine import GenerationStateMachine, Job
from kernel.pictures.ingest import Ingested, ingest
from kernel.providers import IMAGE, Caller, CallOutcome, NoProviderAvailable
from kernel.spi import Brief, ImageRequest, ImageResult, NotFound, Resumable, Size, Unavailable
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

SHORTEST_DEADLINE_S: Final = 1.0


class ReceivedImage(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that passed, and who made it."""

    picture: Ingested
    instance_id: str
    provider: str
    model: str


class ImageProviderCall:
    """Asks for a job's picture. Knows no queue and ends no job."""

    def __init__(
        self,
        config: Config,
        database: Database,
        state_machine: GenerationStateMachine,
        caller: Caller,
        themes: ThemeService,
        references: ReferenceService,
        pubsub: PubSub,
    ) -> None:
        self._config = config
        self._database = database
        self._state_machine = state_machine
        self._caller = caller
        self._themes = themes
        self._references = references
        self._pubsub = pubsub

    async def call_provider(self, job: Job) -> ReceivedImage:
        """Return the picture: of the call that an earlier worker was torn from, else of a new one.

        Raises ProviderError, NoProviderAvailable and LostClaim.
        """
        if (torn := self._torn(job)) is not None:
            try:
                return await self._resume(job, torn)
            except NotFound:
                log.info("instance %s has forgotten what it did for job %s", torn.id, job.id)
        return await self._generate(job)

    def _torn(self, job: Job) -> ImageInstance | None:
        """Return the instance that still works on the job, or has done so, if it can be asked for the result."""
        if job.remote_id is None or job.instance_id is None:
            return None
        try:
            instance = self._caller.registry.find(job.instance_id, IMAGE)
        except NoProviderAvailable:
            return None
        able = instance.capabilities.resumable and isinstance(instance.provider, Resumable)
        return instance if able else None

    async def _resume(self, job: Job, torn: ImageInstance) -> ReceivedImage:
        async def operation(chosen: ImageInstance) -> ImageResult:
            if not isinstance(chosen.provider, Resumable):
                raise NotFound("it can no longer be resumed")
            control = GenerationControl(job, self._state_machine, self._pubsub, chosen.id)
            return await chosen.provider.resume(str(job.remote_id), control)

        return await self._call(job, operation, name="resume", instance_id=torn.id)

    async def _generate(self, job: Job) -> ReceivedImage:
        self._refuse_early(job)
        brief = await self._brief(job)
        references = await self._references.load(job.id) if job.reference_count else ()

        async def operation(chosen: ImageInstance) -> ImageResult:
            request = ImageRequest(
                prompt=job.composed_prompt[: chosen.capabilities.max_prompt_chars],
                size=nearest(Size(job.width, job.height), chosen.capabilities),
                brief=brief,
                model=job.requested_model,
                references=references,
                seed=job.seed,
                idempotency_key=str(job.id),
            )
            return await chosen.provider.generate(
                request, GenerationControl(job, self._state_machine, self._pubsub, chosen.id)
            )

        faultpoint("before_provider")
        return await self._call(job, operation, name="generate", instance_id=job.requested_instance)

    def _refuse_early(self, job: Job) -> None:
        """Raise NoProviderAvailable while the one service that the user chose is not worth a call."""
        if job.requested_instance is None:
            return
        instance = self._caller.registry.find(job.requested_instance, IMAGE)
        if (wait := instance.health.wait_s()) is not None:
            raise NoProviderAvailable(IMAGE.name, {instance.id: instance.health.last_code}, wait)

    async def _call(
        self,
        job: Job,
        operation: Callable[[ImageInstance], Awaitable[ImageResult]],
        *,
        name: str,
        instance_id: str | None,
    ) -> ReceivedImage:
        checked: list[Ingested] = []
        asked: list[str] = []
        size = Size(job.width, job.height)
        wish = ImageRequirements(references=job.reference_count, model=job.requested_model)

        async def verify(result: ImageResult) -> None:
            checked[:] = [await self._ingest(result, size)]

        async def named(chosen: ImageInstance) -> ImageResult:
            asked.append(chosen.spec.label if chosen.spec else chosen.provider_id)
            return await operation(chosen)

        outcome: CallOutcome[ImageResult] = await self._caller.call(
            IMAGE,
            named,
            name=name,
            result_type=ImageResult,
            repeatable=True,
            accepts=wish.suits if name == "generate" else None,
            verify=verify,
            estimate=(lambda can: expected_cost(can, size, wish)) if name == "generate" else None,
            instance_id=instance_id,
            job_id=str(job.id),
            user_id=job.user_id,
            first_attempt=job.attempts,
            deadline_s=max(SHORTEST_DEADLINE_S, (job.deadline - clock.now()).total_seconds()),
        )
        return ReceivedImage(
            picture=checked[0], instance_id=outcome.instance_id, provider=asked[-1], model=outcome.result.model
        )

    async def _brief(self, job: Job) -> Brief:
        colors: tuple[str, ...] = ()
        style = series = ""
        if job.theme_id is not None:
            async with self._database.read() as connection:
                theme = await self._themes.get(connection, job.user_id, job.theme_id)
            colors, style, series = tuple(theme.colors), theme.style_prompt, f"theme-{theme.id}"
        return Brief(
            description=job.prompt,
            **words_of(job),
            style=job.style_prompt or style,
            colors=colors,
            series=series,
            language=job.language,
        )

    async def _ingest(self, result: ImageResult, wanted: Size) -> Ingested:
        """Check the first picture of a result. Raises Unavailable for bytes that are not one: another try may do."""
        if not result.images:
            raise Unavailable("the result holds no picture")
        try:
            return await ingest(
                result.images[0].data,
                self._config.pictures,
                limit=self._config.pictures.max_result_bytes,
                fit=wanted,
            )
        except AppError as error:
            raise Unavailable(f"the result is not a usable picture: {error.message}") from error
