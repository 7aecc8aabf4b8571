"""What workers do for covers: run a job when its bell rings, and look after those whose bell was lost."""

import asyncio
import logging
import random
from typing import Any, Final
from uuid import UUID

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.database import Database
from kernel.core.queue import Doorbell
from kernel.covers.archives import ArchiveService
from kernel.covers.gallery import GalleryService
from kernel.covers.lifecycle import OVERDUE_MESSAGE, Failed, Lifecycle
from kernel.covers.making import Maker
from kernel.covers.references import ReferenceService
from kernel.pictures.store import PictureStore

log = logging.getLogger(__name__)

GENERATE: Final = "generate"
FORGOTTEN_AFTER_S: Final = 2.0
HOUSEKEEPING_S: Final = 3600.0
FIRST_CLEANING_S: Final = 60.0


async def generate(context: dict[str, Any], *, job_id: str) -> None:
    """SAQ task: make the cover of one generation."""
    maker: Maker = context["maker"]
    await maker.run(UUID(job_id))


async def ring(bell: Doorbell, config: GenerationConfig, generation_id: UUID, attempts: int) -> bool:
    """Ring for a job; say whether it was heard. The key drops double rings, but changes with time, so that a dead entry
    in the queue blocks nothing for long.
    """
    bucket = int(clock.now_unix() // config.lease_s)
    key = f"{generation_id}-{attempts}-{bucket}"
    return await bell.ring(GENERATE, str(generation_id), key=key, timeout_s=int(config.deadline_s) + 60)


class Sweeper:
    """A plain loop in every worker: it needs no queue, so it works when the queue does not."""

    def __init__(
        self,
        config: GenerationConfig,
        database: Database,
        life: Lifecycle,
        bell: Doorbell,
        gallery: GalleryService,
        pictures: PictureStore,
        maker: Maker,
        references: ReferenceService,
        archives: ArchiveService,
    ) -> None:
        self._config = config
        self._database = database
        self._life = life
        self._bell = bell
        self._gallery = gallery
        self._pictures = pictures
        self._maker = maker
        self._references = references
        self._archives = archives
        self._working: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Sweep until cancelled; one failure does not end the loop."""
        cleaned = clock.now_unix() - HOUSEKEEPING_S + FIRST_CLEANING_S
        while True:
            await asyncio.sleep(self._config.sweep_s * random.uniform(0.75, 1.25))
            try:
                await self.sweep()
                if not 0 <= clock.now_unix() - cleaned < HOUSEKEEPING_S:  # below zero when the clock was set back
                    cleaned = clock.now_unix()
                    await self.clean()
            except Exception:
                log.exception("sweep failed; the next one follows")

    async def sweep(self) -> None:
        """End overdue jobs, drop what ended ones needed, ring again for forgotten ones.

        One that no bell is heard for is taken over directly.
        """
        for generation_id in await self._life.overdue():
            await self._life.settle(generation_id, Failed(code="deadline_exceeded", message=OVERDUE_MESSAGE))
        await self._references.forget_ended()
        forgotten = await self._life.due(older_than_s=FORGOTTEN_AFTER_S)
        for generation_id, attempts in forgotten:
            if not await ring(self._bell, self._config, generation_id, attempts):
                self._take_over(generation_id)
                return

    def _take_over(self, generation_id: UUID) -> None:
        """Work without the queue server: slower, one at a time, but nothing waits for it."""
        if self._working:
            return
        task = asyncio.create_task(self._maker.run(generation_id))
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def clean(self) -> None:
        """Empty the bin, forget old archives and remove objects that no row names."""
        purged = await self._gallery.purge(older_than_days=self._config.bin_days)
        expired = await self._archives.expire()
        collected = await self._pictures.collect(self._database)
        if purged or expired or collected:
            log.info("cleaned: %d covers from the bin, %d archives, %d stray objects", purged, expired, collected)
