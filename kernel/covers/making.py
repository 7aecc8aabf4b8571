"""What a worker does with one job: ask a provider, check the picture, store it, settle."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import AppError
from kernel.core.faults import faultpoint
from kernel.core.pubsub import PubSub
from kernel.covers.dimensions import nearest
from kernel.covers.lifecycle import Completed, Failed, Job, Lifecycle
from kernel.pictures.ingest import Ingested, ingest
from kernel.pictures.store import PictureStore
from kernel.providers import IMAGE, CallAbandoned, Caller, Instance, NoProviderAvailable
from kernel.spi import (
    Brief,
    ContentRefused,
    ImageCapabilities,
    ImageProvider,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    ProviderError,
    RateLimited,
    Size,
    Unavailable,
    Unsupported,
)
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

KEEP_SHARE: Final = 3
"""The lease is renewed three times before it would end."""

SENTENCES: Final[dict[str, str]] = {
    ContentRefused.code: "The image service declined this description. Nothing was used from your plan.",
    InvalidRequest.code: "The image service cannot work with this description. Nothing was used from your plan.",
    Unsupported.code: "No image service can make this at the moment. Nothing was used from your plan.",
    "no_provider": "Generation is paused at the moment. Nothing was used from your plan.",
    "storage_full": "There is no room to keep your cover at the moment. Nothing was used from your plan.",
}
DEFAULT_SENTENCE: Final = "Failed to generate cover. Please try again."


def generation_channel(generation_id: UUID) -> str:
    """Return the channel on which a generation's changes are told."""
    return f"generation:{generation_id}"


class LostClaim(CallAbandoned):
    """The job was cancelled or went to another worker: whatever comes back now is of no use."""


class Control:
    """How a provider talks back while it works on one job."""

    def __init__(self, job: Job, life: Lifecycle, pubsub: PubSub) -> None:
        self._job = job
        self._life = life
        self._pubsub = pubsub

    async def checkpoint(self, remote_id: str) -> None:
        """Remember the vendor's id of the job."""
        await self._life.remember_remote(self._job, remote_id[:255])

    async def progress(self, phase: str, fraction: float | None = None) -> None:
        """Tell followers what is going on. Raises LostClaim when the job is no longer ours."""
        share = min(1.0, max(0.0, fraction)) if fraction is not None else None
        if not await self._life.note(self._job, phase=phase[:32], progress=share):
            raise LostClaim
        await self._pubsub.publish(generation_channel(self._job.id), b"progress")


class Maker:
    """Makes the cover of one claimed job and ends it, whatever happens on the way."""

    def __init__(
        self,
        config: Config,
        database: Database,
        life: Lifecycle,
        caller: Caller,
        pictures: PictureStore,
        themes: ThemeService,
        pubsub: PubSub,
    ) -> None:
        self._config = config
        self._database = database
        self._life = life
        self._caller = caller
        self._pictures = pictures
        self._themes = themes
        self._pubsub = pubsub

    async def run(self, generation_id: UUID) -> None:
        """Claim the job and work on it; do nothing when there is nothing to claim."""
        job = await self._life.claim(generation_id)
        if job is None:
            return
        await self._tell(job)
        try:
            async with self._holding(job):
                await self._make(job)
        except LostClaim:
            log.info("job %s is no longer ours", job.id)
        except asyncio.CancelledError:
            await self._life.retry(job, code="interrupted", after_s=0.0, counts=False)
            raise
        except NoProviderAvailable as error:
            if error.retry_after is None:  # waiting will not help: nothing is set up, or all of it needs attention
                await self._life.settle(job.id, self._failure("no_provider"), fence=job.fence)
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

    @asynccontextmanager
    async def _holding(self, job: Job) -> AsyncIterator[None]:
        """Renew the lease while the block runs; cancel the block, as LostClaim, when it is lost."""
        worker = asyncio.current_task()
        assert worker is not None
        lost = False

        async def renew() -> None:
            nonlocal lost
            while True:
                await asyncio.sleep(self._config.generation.lease_s / KEEP_SHARE)
                try:
                    kept = await self._life.keep(job)
                except Exception as error:  # the lease outlasts a failed renewal or two; the fence guards the rest
                    log.warning("lease of job %s not renewed: %s", job.id, type(error).__name__)
                    continue
                if not kept:
                    lost = True
                    worker.cancel()
                    return

        async def watch() -> None:
            """React to a cancellation at once instead of at the next renewal."""
            nonlocal lost
            async with self._pubsub.follow(f"cancel:{job.id}") as follower:
                while await follower.next(timeout_s=30.0) is None:
                    continue
            lost = True
            worker.cancel()

        tasks = [asyncio.create_task(renew()), asyncio.create_task(watch())]
        try:
            yield
        except asyncio.CancelledError:
            if lost:
                worker.uncancel()
                raise LostClaim from None
            raise
        finally:
            for task in tasks:
                task.cancel()

    async def _make(self, job: Job) -> None:
        if shutil.disk_usage(self._config.data_dir).free < self._config.pictures.min_free_bytes:
            await self._life.settle(job.id, self._failure("storage_full"), fence=job.fence)
            return
        brief = await self._brief(job)
        wanted = Size(job.width, job.height)
        control = Control(job, self._life, self._pubsub)
        checked: list[Ingested] = []
        asked: list[str] = []

        async def verify(result: ImageResult) -> None:
            checked[:] = [await self._ingest(result, wanted)]

        async def ask(chosen: Instance[ImageProvider, ImageCapabilities]) -> ImageResult:
            asked.append(chosen.spec.label if chosen.spec else chosen.provider_id)
            request = ImageRequest(
                prompt=job.composed_prompt[: chosen.capabilities.max_prompt_chars],
                size=nearest(wanted, chosen.capabilities),
                brief=brief,
                seed=job.seed,
                idempotency_key=str(job.id),
            )
            return await chosen.provider.generate(request, control)

        faultpoint("before_provider")
        outcome = await self._caller.call(
            IMAGE,
            ask,
            name="generate",
            result_type=ImageResult,
            repeatable=True,
            verify=verify,
            job_id=str(job.id),
            first_attempt=job.attempts,
            deadline_s=max(1.0, (job.deadline - clock.now()).total_seconds()),
        )
        faultpoint("after_provider")
        await control.progress("saving")
        stored = await self._pictures.put(job.id, job.fence, checked[0])
        faultpoint("stored")
        done = Completed(
            picture=stored,
            instance_id=outcome.instance_id,
            provider=asked[-1],
            model=outcome.result.model,
        )
        ending = asyncio.ensure_future(self._end(job, done))
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await asyncio.wait({ending})
            raise

    async def _end(self, job: Job, done: Completed) -> None:
        """Settle, or remove what was stored for nothing. Not to be broken off: nobody else knows of these objects."""
        if not await self._life.settle(job.id, done, fence=job.fence):
            await self._pictures.discard(done.picture)

    async def _brief(self, job: Job) -> Brief:
        colors: tuple[str, ...] = ()
        style = series = ""
        if job.theme_id is not None:
            async with self._database.read() as connection:
                theme = await self._themes.get(connection, job.user_id, job.theme_id)
            colors, style, series = tuple(theme.colors), theme.style_prompt, f"theme-{theme.id}"
        return Brief(
            description=job.prompt,
            title=job.title,
            author=job.author,
            genre=job.genre,
            style=style,
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

    async def _after(self, job: Job, error: ProviderError) -> None:
        """Try again where that may help, otherwise end the job."""
        if error.retry:
            counts = not isinstance(error, RateLimited)
            await self._again(job, error.code, error.retry_after, counts=counts)
        else:
            await self._life.settle(job.id, self._failure(error.code), fence=job.fence)

    async def _again(self, job: Job, code: str, after_s: float | None, *, counts: bool = True) -> None:
        if not await self._life.retry(job, code=code, after_s=after_s, counts=counts):
            await self._life.settle(job.id, self._failure(code), fence=job.fence)

    def _failure(self, code: str) -> Failed:
        return Failed(code=code, message=SENTENCES.get(code, DEFAULT_SENTENCE))
