"""Asking image services for the picture of one job: whom, for what, and whether what came back is one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import AppError
from kernel.core.fault_points import faultpoint
from kernel.core.queue.pubsub import PubSub
from kernel.core.text.storable import storable
from kernel.covers.book_words import words_of
from kernel.covers.brief import make_brief
from kernel.covers.dimensions import nearest
from kernel.covers.elements import read_elements, stored_elements
from kernel.covers.generation.finishing import BY_PRESS, is_set_by_press
from kernel.covers.generation.job_control import GenerationControl, LostClaim
from kernel.covers.generation.provider_selection import ImageInstance, ImageRequirements, expected_cost
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.spool import MadePicture, Spool
from kernel.covers.generation.state_machine import GenerationStateMachine, Job
from kernel.covers.models import MADE_STYLE_CHARS
from kernel.covers.previews.service import GenerationPreviews
from kernel.pictures.ingest import Ingested, SlowPicture, ingest
from kernel.press.lettering.document import CoverWords
from kernel.providers import IMAGE, PAUSE_LOOK_S, PAUSED, Caller, NoProviderAvailable
from kernel.spi import (
    Brief,
    Cancellable,
    DeadlineExceeded,
    GeneratedImage,
    ImageRequest,
    ImageResult,
    NotFound,
    ProviderError,
    RateLimited,
    Resumable,
    Size,
    Unavailable,
)
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

SHORTEST_DEADLINE_S: Final = 1.0
CANCEL_S: Final = 10.0
"""A vendor that does not answer a cancellation within this time finishes, and bills, what was ordered."""

SMALLEST_SHARE: Final = 0.5
"""Of the sides that were requested: a picture below is a placeholder or a thumbnail, whatever the vendor calls it."""


class ReceivedImage(msgspec.Struct, frozen=True, kw_only=True):
    """A result that is paid for. `picture` is None when this machine was too busy to read it."""

    made: MadePicture
    picture: Ingested | None


class ResultPending(Exception):
    """The vendor that has accepted the order could not be asked for its result; it is worth asking again."""

    def __init__(self, error: ProviderError) -> None:
        super().__init__(error.detail)
        self.code = error.code
        self.retry_after = error.retry_after


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
        spool: Spool,
        previews: GenerationPreviews,
    ) -> None:
        self._config = config
        self._database = database
        self._state_machine = state_machine
        self._caller = caller
        self._themes = themes
        self._references = references
        self._pubsub = pubsub
        self._spool = spool
        self._previews = previews

    async def call_provider(self, job: Job) -> ReceivedImage:
        """Return the picture: the one that is made already, that of an interrupted call, or else of a new one.

        Raises ProviderError, NoProviderAvailable, ResultPending and LostClaim.
        """
        if job.spool_sha256 is not None:
            if (kept := await self._spool.load(job.id, job.spool_sha256)) is not None:
                return ReceivedImage(made=kept, picture=None)
            log.warning("what was made for job %s is not on this machine", job.id)
        if (torn := self._torn(job)) is not None:
            try:
                return await self._resume(job, torn)
            except NotFound:
                log.info("instance %s has nothing to show for job %s", torn.id, job.id)
            except (Unavailable, DeadlineExceeded, RateLimited) as error:
                left_s = (job.deadline - clock.now()).total_seconds()
                if left_s > self._config.generation.deadline_s / 2:
                    raise ResultPending(error) from error
                log.warning("instance %s is out of reach: job %s is ordered anew", torn.id, job.id)
            job = await self._anew(job)
        return await self._generate(job)

    async def cancel(self, generation_id: UUID) -> None:
        """Tell the vendor that what it still makes for a canceled job is not wanted, if it can be told."""
        if (ordered := await self._state_machine.forget_remote_id(generation_id)) is not None:
            await self._cancel(*ordered)

    async def _cancel(self, instance_id: str, remote_id: str) -> None:
        async def operation(chosen: ImageInstance) -> None:
            if isinstance(chosen.provider, Cancellable):
                await chosen.provider.cancel(remote_id)

        try:
            await self._caller.call(
                IMAGE,
                operation,
                name="cancel",
                result_type=None,
                repeatable=True,
                instance_id=instance_id,
                deadline_s=CANCEL_S,
                record=False,
            )
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("instance %s was not told of a canceled job: %s", instance_id, error)

    async def _anew(self, job: Job) -> Job:
        if not await self._state_machine.start_anew(job):
            raise LostClaim
        return msgspec.structs.replace(job, remote_id=None, spool_sha256=None, order_number=job.order_number + 1)

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
            return await chosen.provider.resume(str(job.remote_id), self._control(job, chosen))

        return await self._call(job, operation, name="resume", instance_id=torn.id)

    async def _generate(self, job: Job) -> ReceivedImage:
        self._refuse_early(job)
        brief = await self._brief(job)
        references = await self._references.load(job.id) if job.reference_count else ()
        mask = references[-1] if job.masked else None
        controls: list[GenerationControl] = []

        async def operation(chosen: ImageInstance) -> ImageResult:
            request = ImageRequest(
                prompt=job.composed_prompt[: chosen.capabilities.max_prompt_chars],
                size=nearest(Size(job.width, job.height), chosen.capabilities),
                brief=brief,
                model=job.requested_model,
                references=references[: job.reference_count],
                mask=mask,
                seed=job.seed,
                idempotency_key=job.order_key,
            )
            controls.append(self._control(job, chosen))
            return await chosen.provider.generate(request, controls[-1])

        faultpoint("before_provider")
        try:
            return await self._call(job, operation, name="generate", instance_id=job.requested_instance)
        except (LostClaim, asyncio.CancelledError):  # a claim that is lost while the vendor is asked cancels the call
            for control in controls:
                if control.unrecorded_id is not None:
                    await self._cancel(control.instance_id, control.unrecorded_id)
            raise

    def _control(self, job: Job, chosen: ImageInstance) -> GenerationControl:
        previews = self._previews if chosen.capabilities.previews else None
        return GenerationControl(job, self._state_machine, self._pubsub, chosen.id, previews)

    def _refuse_early(self, job: Job) -> None:
        """Raise NoProviderAvailable while the one service that the user chose is not worth a call."""
        if job.requested_instance is None:
            return
        instance = self._caller.registry.find(job.requested_instance, IMAGE)
        if instance.id in self._caller.registry.paused:
            raise NoProviderAvailable(IMAGE.name, {instance.id: PAUSED}, PAUSE_LOOK_S, paused=True)
        if (wait := instance.health.wait_s()) is not None:
            passes = instance.health.state != "attention"
            raise NoProviderAvailable(IMAGE.name, {instance.id: instance.health.last_code}, wait if passes else None)

    async def _call(
        self,
        job: Job,
        operation: Callable[[ImageInstance], Awaitable[ImageResult]],
        *,
        name: str,
        instance_id: str | None,
    ) -> ReceivedImage:
        received: list[ReceivedImage] = []
        asked: list[ImageInstance] = []
        size = Size(job.width, job.height)
        wish = ImageRequirements(
            references=job.reference_count,
            edit=job.refined_cover_id is not None,
            mask=job.masked,
            model=job.requested_model,
            canvas=size if job.extends_side is not None else None,
        )

        async def verify(result: ImageResult) -> None:
            received[:] = [await self._receive(job, asked[-1], result)]

        async def noted(chosen: ImageInstance) -> ImageResult:
            asked.append(chosen)
            return await operation(chosen)

        await self._caller.call(
            IMAGE,
            noted,
            name=name,
            result_type=ImageResult,
            repeatable=True,
            accepts=wish.suits if name == "generate" else None,
            verify=verify,
            estimate=(lambda chosen: expected_cost(chosen, size, wish)) if name == "generate" else None,
            instance_id=instance_id,
            job_id=str(job.id),
            user_id=job.user_id,
            first_attempt=job.attempts,
            new_work=name == "generate",
            deadline_s=max(SHORTEST_DEADLINE_S, (job.deadline - clock.now()).total_seconds()),
        )
        return received[0]

    async def _brief(self, job: Job) -> Brief:
        theme = None
        if job.theme_id is not None:
            async with self._database.read() as connection:
                theme = await self._themes.get(connection, job.user_id, job.theme_id)
        words = words_of(job)
        if job.refined_cover_id is not None and job.lettering == BY_PRESS:
            words |= dict.fromkeys(CoverWords.__struct_fields__, "")  # they are set again as they are on the cover
        return make_brief(
            words,
            description=job.prompt,
            style=job.style_prompt or "",
            theme=theme,
            language=job.language,
            elements=read_elements(job.elements),
        )

    async def _receive(self, job: Job, maker: ImageInstance, result: ImageResult) -> ReceivedImage:
        """Put the first picture of a result into the spool, then check it. Raises Unavailable: another try may do.

        What goes wrong on this machine is not the vendor's fault, and the picture stays.
        """
        if not result.images:
            await self._anew(job)
            raise Unavailable("the result holds no picture")
        made = MadePicture(
            data=result.images[0].data,
            asked=nearest(Size(job.width, job.height), maker.capabilities),
            lettered=maker.capabilities.lettering,
            artwork=_artwork(result.images[0], self._config.pictures.max_result_bytes),
            lettering=result.images[0].lettering,
            instance_id=maker.id,
            provider=maker.spec.label if maker.spec else maker.provider_id,
            model=result.model,
            style=storable(" ".join(result.images[0].style.split()), MADE_STYLE_CHARS),
            elements=stored_elements(result.images[0].elements),
        )
        if len(made.data) <= self._config.pictures.max_result_bytes:
            await self._keep(job, made)
        try:
            return ReceivedImage(made=made, picture=await self.read(job, made))
        except SlowPicture:
            return ReceivedImage(made=made, picture=None)

    async def _keep(self, job: Job, made: MadePicture) -> None:
        """Put a picture into the spool, or do without: it is in memory, and may be stored all the same."""
        try:
            sha256 = await self._spool.save(job.id, made)
            if not await self._state_machine.record_made(job, sha256):
                raise LostClaim
        except (OSError, SQLAlchemyError) as error:
            log.warning("the picture of job %s is kept in memory only: %s", job.id, type(error).__name__)

    async def read(self, job: Job, made: MadePicture) -> Ingested:
        """Decode a received picture and scale it to the job's size, or leave its size where words are set on it.

        Raises Unavailable for what is no picture or far smaller than asked, and SlowPicture when this machine is busy.
        """
        try:
            picture = await ingest(
                made.data,
                self._config.pictures,
                limit=self._config.pictures.max_result_bytes,
                fit=None if is_set_by_press(job, made) else Size(job.width, job.height),
                keeps_manifest=True,
            )
        except SlowPicture:
            raise
        except AppError as error:
            await self._anew(job)
            raise Unavailable(f"the result is not a usable picture: {error.message}") from error
        native, asked = picture.native, made.asked
        if native.width < asked.width * SMALLEST_SHARE or native.height < asked.height * SMALLEST_SHARE:
            await self._anew(job)
            raise Unavailable(
                f"the picture has {native.width} x {native.height} pixels instead of {asked.width} x {asked.height}"
            )
        return picture


def _artwork(image: GeneratedImage, most_bytes: int) -> bytes | None:
    """Return the picture without its words, if it came with one that may be kept."""
    return image.artwork if image.artwork is not None and len(image.artwork) <= most_bytes else None
