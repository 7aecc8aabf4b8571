"""What a worker does with one job: ask a provider, check the picture, store it, settle."""

import asyncio
import logging
import shutil
from contextlib import AbstractAsyncContextManager
from typing import Final
from uuid import UUID

from kernel.core.config import Config
from kernel.core.fault_points import faultpoint
from kernel.core.queue.job_loop import run_to_end
from kernel.core.queue.lease import hold_lease
from kernel.core.queue.pubsub import PubSub
from kernel.covers.generation.job_control import LostClaim, generation_channel
from kernel.covers.generation.provider_call import ImageProviderCall
from kernel.covers.generation.state_machine import Completed, Failed, GenerationStateMachine, Job
from kernel.pictures.store import PictureStore
from kernel.providers import NoProviderAvailable
from kernel.spi import ContentRefused, Effect, InvalidRequest, ProviderError, RateLimited, Unsupported

log = logging.getLogger(__name__)

SENTENCES: Final[dict[str, str]] = {
    ContentRefused.code: "The image service declined this description. Nothing was used from your plan.",
    InvalidRequest.code: "The image service cannot work with this description. Nothing was used from your plan.",
    Unsupported.code: "No image service can make this at the moment. Nothing was used from your plan.",
    "no_provider": "Generation is paused at the moment. Nothing was used from your plan.",
    "storage_full": "There is no room to keep your cover at the moment. Nothing was used from your plan.",
}
DEFAULT_SENTENCE: Final = "Failed to generate cover. Please try again."


class GenerationWorker:
    """Makes the cover of one claimed job and ends it, whatever happens on the way."""

    def __init__(
        self,
        config: Config,
        state_machine: GenerationStateMachine,
        provider_call: ImageProviderCall,
        pictures: PictureStore,
        pubsub: PubSub,
    ) -> None:
        self._config = config
        self._state_machine = state_machine
        self._provider_call = provider_call
        self._pictures = pictures
        self._pubsub = pubsub

    async def run(self, generation_id: UUID) -> None:
        """Claim the job and work on it; do nothing when there is nothing to claim."""
        job = await self._state_machine.claim(generation_id)
        if job is None:
            return
        await self._tell(job)
        try:
            async with self._holding(job):
                await self._make(job)
        except LostClaim:
            log.info("job %s is no longer ours", job.id)
        except asyncio.CancelledError:
            await self._state_machine.retry(job, code="interrupted", after_s=0.0, counts=False)
            raise
        except NoProviderAvailable as error:
            if error.retry_after is None:  # waiting will not help: nothing is set up, or all of it needs attention
                await self._state_machine.settle(job.id, self._failure("no_provider"), fence=job.fence)
            else:
                await self._again(job, "no_provider", error.retry_after, counts=False)
        except ProviderError as error:
            await self._after(job, error)
        except Exception:
            log.exception("job %s failed in the kernel", job.id)
            await self._again(job, "internal", None)
        finally:
            await self._tell(job)

    async def _tell(self, job: Job) -> None:
        await self._pubsub.publish(generation_channel(job.id), b"changed")

    def _holding(self, job: Job) -> AbstractAsyncContextManager[None]:
        """Hold the job while the block runs; LostClaim ends the block when it is lost."""

        async def canceled() -> None:
            async with self._pubsub.follow(f"cancel:{job.id}") as follower:
                while await follower.next(timeout_s=30.0) is None:
                    continue

        return hold_lease(
            lambda: self._state_machine.renew_lease(job),
            lease_s=self._config.generation.lease_s,
            lost=LostClaim,
            name=f"job {job.id}",
            watch=canceled,
        )

    async def _make(self, job: Job) -> None:
        if shutil.disk_usage(self._config.data_dir).free < self._config.pictures.min_free_bytes:
            await self._state_machine.settle(job.id, self._failure("storage_full"), fence=job.fence)
            return
        self._pictures.place()  # before a picture is paid for that nobody could keep
        made = await self._provider_call.call_provider(job)
        faultpoint("after_provider")
        if not await self._state_machine.record_progress(job, phase="saving"):
            raise LostClaim
        await self._tell(job)
        stored = await self._pictures.put(job.id, job.fence, made.picture)
        faultpoint("stored")
        done = Completed(picture=stored, instance_id=made.instance_id, provider=made.provider, model=made.model)
        await run_to_end(self._end(job, done))

    async def _end(self, job: Job, done: Completed) -> None:
        """Settle, or remove what was stored for nothing. Not to be broken off: nobody else knows of these objects."""
        if not await self._state_machine.settle(job.id, done, fence=job.fence):
            await self._pictures.discard(done.picture)

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
