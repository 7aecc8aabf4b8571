"""What a worker does with one job: ask a provider, check the picture, store it, settle."""

import asyncio
import logging
import shutil
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from itertools import count
from typing import Final
from uuid import UUID

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.job_table import Backoff
from kernel.core.fault_points import faultpoint
from kernel.core.process.job_scope import working_on
from kernel.core.queue.job_loop import run_to_end
from kernel.core.queue.lease import hold_lease
from kernel.core.queue.pubsub import PubSub
from kernel.covers.generation.finishing import CoverFinisher, FinishedCover
from kernel.covers.generation.job_control import LostClaim, generation_channel
from kernel.covers.generation.provider_call import ImageProviderCall, ReceivedImage, ResultPending
from kernel.covers.generation.spool import MadePicture, Spool
from kernel.covers.generation.state_machine import Completed, Failed, GenerationStateMachine, Job
from kernel.covers.lettering.press import PressBusy
from kernel.covers.lettering.refined import CoverGone, CoverMovedOn
from kernel.covers.models import Generation
from kernel.covers.previews.service import GenerationPreviews
from kernel.pictures.ingest import SlowPicture
from kernel.pictures.store import PictureStore
from kernel.providers import NoProviderAvailable
from kernel.spi import (
    AuthFailed,
    ContentRefused,
    Effect,
    InvalidRequest,
    ProviderBug,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unsupported,
)

log = logging.getLogger(__name__)

TROUBLE_OF_THE_SITE: Final = (
    "The trouble is with the image service of this site, not with your description. Nothing was used from your plan. "
    "The administrators have been notified. Please come back later."
)
SENTENCES: Final[dict[str, str]] = {
    **{
        error.code: TROUBLE_OF_THE_SITE
        for error in (AuthFailed, SettingsInvalid, QuotaExhausted, ProviderBug, RateLimited)
    },
    ContentRefused.code: "The image service declined this description. Nothing was used from your plan.",
    InvalidRequest.code: "The image service cannot work with this description. Nothing was used from your plan.",
    Unsupported.code: "No image service can make this at the moment. Nothing was used from your plan.",
    "no_provider": "Generation is paused at the moment. Nothing was used from your plan.",
    "storage_unavailable": "Your cover could not be saved in time. Nothing was used from your plan.",
    "cover_gone": "The cover was removed while it was refined. Nothing was used from your plan.",
    "storage_full": "There is no room to keep your cover at the moment. Nothing was used from your plan.",
}
STORE_BACKOFF: Final = Backoff(base_s=0.5, max_s=10.0)
DEFAULT_SENTENCE: Final = "Failed to generate cover. Please try again."


class GenerationWorker:
    """Makes the cover of one claimed job and ends it, whatever happens on the way."""

    def __init__(
        self,
        config: Config,
        state_machine: GenerationStateMachine,
        provider_call: ImageProviderCall,
        finisher: CoverFinisher,
        pictures: PictureStore,
        pubsub: PubSub,
        spool: Spool,
        previews: GenerationPreviews,
    ) -> None:
        self._config = config
        self._state_machine = state_machine
        self._provider_call = provider_call
        self._finisher = finisher
        self._pictures = pictures
        self._pubsub = pubsub
        self._spool = spool
        self._previews = previews
        self._unstored: set[UUID] = set()

    async def run(self, generation_id: UUID) -> None:
        """Claim the job and work on it; of one that was canceled tell the vendor that still makes it."""
        job = await self._state_machine.claim(generation_id)
        if job is None:
            await self._provider_call.cancel(generation_id)
            return
        with working_on(Generation.job_kind, job.id):
            await self._attempt(job)

    async def _attempt(self, job: Job) -> None:
        await self._tell(job)
        self._previews.begin(job.id, job.fence, lambda: self._tell(job))
        try:
            async with self._holding(job):
                await self._make(job)
        except LostClaim:
            log.info("job %s is no longer ours", job.id)
            await self._provider_call.cancel(job.id)
            await self._clear_spool(job)
        except asyncio.CancelledError:
            await self._state_machine.retry(job, code="interrupted", after_s=0.0, counts=False)
            raise
        except NoProviderAvailable as error:
            if error.paused and error.retry_after is not None:
                await self._state_machine.wait_out_pause(job, error.retry_after)
            elif error.retry_after is None:  # waiting will not help: nothing is set up, or all of it needs attention
                await self._state_machine.settle(job.id, self._failure("no_provider"), fence=job.fence)
            else:
                await self._again(job, "no_provider", error.retry_after, counts=False)
        except CoverGone:
            await self._state_machine.settle(job.id, self._failure("cover_gone"), fence=job.fence)
            await self._clear_spool(job)
        except ResultPending as pending:
            await self._again(job, pending.code, pending.retry_after, counts=False)
        except ProviderError as error:
            await self._after(job, error)
        except Exception:
            log.exception("job %s failed in the kernel", job.id)
            await self._again(job, "internal", None)
        finally:
            await self._previews.end(job.id)
            await self._tell(job)

    async def _tell(self, job: Job) -> None:
        await self._pubsub.publish(generation_channel(job.id), b"changed")

    def _holding(self, job: Job) -> AbstractAsyncContextManager[None]:
        """Hold the job while the block runs; LostClaim ends the block when it is lost."""

        async def keep() -> bool:
            await self._previews.keep(job.id)
            return await self._state_machine.renew_lease(job)

        async def canceled() -> None:
            async with self._pubsub.follow(f"cancel:{job.id}") as follower:
                while await follower.next(timeout_s=30.0) is None:
                    continue

        return hold_lease(
            keep,
            lease_s=self._config.generation.lease_s,
            lost=LostClaim,
            name=f"job {job.id}",
            watch=canceled,
        )

    async def _make(self, job: Job) -> None:
        if shutil.disk_usage(self._config.data_dir).free < self._config.pictures.min_free_bytes:
            await self._state_machine.settle(job.id, self._failure("storage_full"), fence=job.fence)
            return
        if job.spool_sha256 is None:  # before a picture is paid for that nobody could keep
            self._pictures.place()
            await self._finisher.check_cover(job)
            if self._unstored:
                await self._again(job, "storage_unavailable", None, counts=False)
                return
        received = await self._provider_call.call_provider(job)
        faultpoint("after_provider")
        await self._tell(job)
        while True:
            if (done := await self._store(job, received)) is None:
                await self._state_machine.settle(job.id, self._failure("storage_unavailable"), fence=job.fence)
                await self._clear_spool(job)
                return
            faultpoint("stored")
            try:
                await run_to_end(self._end(job, done))
            except CoverMovedOn:
                log.info("the words of the cover that job %s refines were changed: they are set anew", job.id)
            else:
                return

    async def _store(self, job: Job, received: ReceivedImage) -> Completed | None:
        """Finish and store a picture that is paid for, as often as it takes; None when the job has no time left."""
        picture, cover = received.picture, None
        try:
            for attempt in count(1):
                retry_after: float | None = None
                try:
                    picture = picture or await self._provider_call.read(job, received.made)
                    cover = cover or await self._finisher.finish(job, received.made, picture)
                except (SlowPicture, PressBusy) as error:
                    trouble = error.message
                else:
                    try:
                        return await self._put(job, received.made, cover)
                    except (ProviderError, NoProviderAvailable) as error:
                        trouble, retry_after = str(error), error.retry_after
                        self._unstored.add(job.id)
                log.warning("the picture of job %s is not stored yet: %s", job.id, trouble)
                wait_s = STORE_BACKOFF.wait_s(attempt) if retry_after is None else retry_after
                if clock.now() + timedelta(seconds=wait_s) >= job.deadline:
                    break
                await asyncio.sleep(wait_s)
            return None
        finally:
            self._unstored.discard(job.id)

    async def _put(self, job: Job, made: MadePicture, cover: FinishedCover) -> Completed:
        """Store all pictures of a cover, or none. Raises ProviderError and NoProviderAvailable."""
        artwork = await self._pictures.put(job.id, job.fence, cover.artwork) if cover.artwork else None
        try:
            picture = await self._pictures.put(job.id, job.fence, cover.picture)
        except BaseException:
            if artwork:
                await run_to_end(self._pictures.discard(artwork))
            raise
        return Completed(
            picture=picture,
            artwork=artwork,
            lettering=cover.lettering,
            is_own_picture=cover.is_own_picture,
            over_version=cover.over_version,
            instance_id=made.instance_id,
            provider=made.provider,
            model=made.model,
            style=made.style,
            elements=made.elements,
        )

    async def _clear_spool(self, job: Job) -> None:
        """Remove what is kept for a job, unless another worker goes on with it."""
        if not await self._state_machine.open_among((job.id,)):
            await self._spool.remove(job.id)

    async def _end(self, job: Job, done: Completed) -> None:
        """Settle, or remove what was stored for nothing. Not to be broken off: nobody else knows of these objects."""
        try:
            ended = await self._state_machine.settle(job.id, done, fence=job.fence)
        except (CoverGone, CoverMovedOn):
            await self._discard(done)
            raise
        if ended:
            await self._spool.remove(job.id)
        else:
            await self._discard(done)

    async def _discard(self, done: Completed) -> None:
        for stored in filter(None, (done.picture, done.artwork)):
            await self._pictures.discard(stored)

    async def _after(self, job: Job, error: ProviderError) -> None:
        """Try again where that may help, otherwise end the job."""
        if error.retry:
            busy = isinstance(error, RateLimited)
            over = not busy and error.effect is Effect.NONE  # else the vendor may still be at it: ask for that result
            await self._again(job, error.code, error.retry_after, counts=not busy, forget=over)
        else:
            await self._state_machine.settle(job.id, self._failure(error.code), fence=job.fence)

    async def _again(
        self, job: Job, code: str, after_s: float | None, *, counts: bool = True, forget: bool = False
    ) -> None:
        if not await self._state_machine.retry(job, code=code, after_s=after_s, counts=counts, forget=forget):
            await self._state_machine.settle(job.id, self._failure(code), fence=job.fence)

    def _failure(self, code: str) -> Failed:
        return Failed(code=code, message=SENTENCES.get(code, DEFAULT_SENTENCE))
