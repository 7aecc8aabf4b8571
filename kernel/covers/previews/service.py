"""What a picture looks like so far: made small beside the call, kept for a moment by the queue server, never stored."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

import msgspec

from kernel.core.config import PicturesConfig
from kernel.core.errors import AppError
from kernel.core.queue.server import QueueServer, QueueServerAway
from kernel.covers.schemas import GenerationStatus
from kernel.pictures.ingest import ingest_preview
from kernel.providers import IMAGE, Registry
from kernel.spi import PREVIEW_BYTES

log = logging.getLogger(__name__)

APART_S: Final = 1.0
"""Previews of one job that come faster are dropped."""
PER_CLAIM: Final = 1000
"""More than a job can show in one claim: the numbers of the next claim begin above those of this one."""


class PreviewedJob(msgspec.Struct):
    """What this process knows of a job that it works on. `count` is how many previews it has begun to make."""

    fence: int
    tell: Callable[[], Awaitable[None]]
    count: int = 0
    last_s: float = float("-inf")
    making: asyncio.Task[None] | None = None


class GenerationPreviews:
    """Keeps the latest preview of each job for as long as its worker holds it.

    A preview is a luxury: whatever goes wrong with one is logged, and the job does not notice.
    """

    def __init__(self, config: PicturesConfig, server: QueueServer, registry: Registry, *, keep_s: float) -> None:
        """`keep_s` is how long a worker may be silent before what it has shown goes away."""
        self._config = config
        self._server = server
        self._registry = registry
        self._keep_ms = int(keep_s * 1000)
        self._jobs: dict[UUID, PreviewedJob] = {}

    # For the worker of a job

    def begin(self, job_id: UUID, fence: int, tell: Callable[[], Awaitable[None]]) -> None:
        """Take previews of a job from now on; `tell` its followers of each."""
        self._jobs[job_id] = PreviewedJob(fence=fence, tell=tell)

    def offer(self, job_id: UUID, picture: bytes) -> None:
        """Show a picture, unless it is too large, too soon after the one before, or that is not ready yet."""
        shown = self._jobs.get(job_id)
        moment = time.monotonic()
        if shown is None or moment - shown.last_s < APART_S or (shown.making and not shown.making.done()):
            return
        if not isinstance(picture, bytes) or len(picture) > PREVIEW_BYTES or shown.count + 1 >= PER_CLAIM:
            log.info("a preview of job %s is not taken", job_id)
            return
        shown.count, shown.last_s = shown.count + 1, moment
        shown.making = asyncio.create_task(self._show(job_id, shown, picture))

    async def keep(self, job_id: UUID) -> None:
        """Keep what is shown of a job: its worker still holds it."""
        shown = self._jobs.get(job_id)
        if shown is not None and shown.count:
            with contextlib.suppress(QueueServerAway):
                await self._server.ask(lambda: self._server.redis.pexpire(_key(job_id), self._keep_ms))

    async def end(self, job_id: UUID) -> None:
        """Take away what is shown of a job, and take no more."""
        shown = self._jobs.pop(job_id, None)
        if shown is None or not shown.count:
            return
        if shown.making is not None:
            shown.making.cancel()
            await asyncio.wait((shown.making,))
        with contextlib.suppress(QueueServerAway):
            await self._server.ask(lambda: self._server.redis.delete(_key(job_id)))

    async def _show(self, job_id: UUID, shown: PreviewedJob, picture: bytes) -> None:
        try:
            small = await ingest_preview(picture, self._config, limit=PREVIEW_BYTES)
            kept = self._server.redis.pipeline(transaction=True)
            number = shown.fence * PER_CLAIM + shown.count
            kept.hset(_key(job_id), mapping={"number": number, "picture": small})
            kept.pexpire(_key(job_id), self._keep_ms)
            await self._server.ask(kept.execute)
            await shown.tell()
        except (AppError, QueueServerAway) as error:
            log.info("a preview of job %s is not shown: %s", job_id, type(error).__name__)
        except Exception:
            log.exception("a preview of job %s is not shown", job_id)

    # For those who look at it

    async def in_all(self, statuses: Sequence[GenerationStatus]) -> list[GenerationStatus]:
        """Return these statuses with the numbers of the previews that are there; nobody is asked where none can be."""
        working = [status.id for status in statuses if status.status == "processing"]
        if not working or not self._is_claimed():
            return list(statuses)
        asked = self._server.redis.pipeline(transaction=False)
        for one in working:
            asked.hget(_key(one), "number")
        try:
            numbers = dict(zip(working, await self._server.ask(asked.execute), strict=True))
        except QueueServerAway:
            return list(statuses)
        return [
            msgspec.structs.replace(status, preview=int(number)) if (number := numbers.get(status.id)) else status
            for status in statuses
        ]

    async def latest(self, job_id: UUID) -> bytes | None:
        """Return the WebP that is shown of a job now, or None."""
        with contextlib.suppress(QueueServerAway):
            picture: bytes | None = await self._server.ask(lambda: self._server.redis.hget(_key(job_id), "picture"))
            return picture
        return None

    def _is_claimed(self) -> bool:
        instances = self._registry.failover_order(IMAGE)
        return any(instance.usable and instance.capabilities.previews for instance in instances)


def _key(job_id: UUID) -> str:
    return f"coverwright:preview:{job_id}"
