"""Housekeeping in every worker: runs forgotten jobs again, and removes what is not needed any more."""

import asyncio
import logging
from typing import Final, NoReturn
from uuid import UUID

from sqlalchemy import select, union_all

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.queue.doorbell import Doorbell
from kernel.core.queue.heartbeat import CLEANED, SWEPT, tell_done
from kernel.core.queue.job_loop import Waiting, until_next
from kernel.core.queue.server import QueueServer
from kernel.covers.archives.service import ArchiveService
from kernel.covers.gallery.service import GalleryService
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.spool import Spool
from kernel.covers.generation.state_machine import OVERDUE_MESSAGE, Failed, GenerationStateMachine
from kernel.covers.generation.tasks import ring_doorbell
from kernel.covers.generation.worker import GenerationWorker
from kernel.covers.models import Generation
from kernel.pictures.models import GenerationReference
from kernel.pictures.store import PictureStore

log = logging.getLogger(__name__)

FORGOTTEN_AFTER_S: Final = 2.0


HOUSEKEEPING_S: Final = 3600.0


FIRST_CLEANING_S: Final = 60.0


class Sweeper:
    """A plain loop in every worker: it needs no queue, so it works when the queue does not."""

    def __init__(
        self,
        config: GenerationConfig,
        database: Database,
        state_machine: GenerationStateMachine,
        bell: Doorbell,
        queue_server: QueueServer,
        gallery: GalleryService,
        pictures: PictureStore,
        generation_worker: GenerationWorker,
        references: ReferenceService,
        archives: ArchiveService,
        spool: Spool,
    ) -> None:
        self._config = config
        self._database = database
        self._state_machine = state_machine
        self._bell = bell
        self._queue_server = queue_server
        self._gallery = gallery
        self._pictures = pictures
        self._generation_worker = generation_worker
        self._references = references
        self._archives = archives
        self._spool = spool
        self._working: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Sweep until canceled; one failure does not end the loop. What is worked on directly has time to end."""
        try:
            await self._sweep_for_ever()
        finally:
            if self._working:
                await asyncio.wait(self._working, timeout=self._config.drain_s)

    async def _sweep_for_ever(self) -> NoReturn:
        cleaned = clock.now_unix() - HOUSEKEEPING_S + FIRST_CLEANING_S
        unended = select(Generation.id).where(Generation.state.in_(OPEN_STATES))
        held = union_all(unended, select(GenerationReference.generation_id))
        waiting = Waiting(self._database, select(held.subquery()))
        while True:
            await asyncio.sleep(until_next(self._config.sweep_s))
            try:
                if await waiting.worth_a_look():
                    await self.sweep()
                await tell_done(self._queue_server, SWEPT)
                if not 0 <= clock.now_unix() - cleaned < HOUSEKEEPING_S:  # below zero when the clock was set back
                    cleaned = clock.now_unix()
                    await self.clean()
                    await tell_done(self._queue_server, CLEANED)
            except Exception:
                log.exception("sweep failed; the next one follows")

    async def sweep(self) -> None:
        """End overdue jobs, remove the references of ended ones, ring again for forgotten ones.

        When the queue server is unreachable, run one of them directly.
        """
        await self._state_machine.recover_from_clock_step()
        for generation_id in await self._state_machine.overdue():
            await self._state_machine.settle(generation_id, Failed(code="deadline_exceeded", message=OVERDUE_MESSAGE))
        await self._references.forget_ended()
        forgotten = await self._state_machine.due(older_than_s=FORGOTTEN_AFTER_S)
        for generation_id, attempts in forgotten:
            if not await ring_doorbell(self._bell, self._config, generation_id, attempts):
                self._run_directly(generation_id)
                return

    def _run_directly(self, generation_id: UUID) -> None:
        """Work without the queue server: slower, one job at a time, but no job is left waiting."""
        if self._working:
            return
        task = asyncio.create_task(self._generation_worker.run(generation_id))
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def clean(self) -> None:
        """Empty the bin, delete expired archives and remove objects that no row names."""
        purged = await self._gallery.purge(older_than_days=self._config.bin_days)
        expired = await self._archives.expire()
        turn = int(clock.now_unix() // HOUSEKEEPING_S)
        mine = await self._queue_server.claim(f"collect:{turn}", keep_s=HOUSEKEEPING_S)
        collected = 0 if mine is False else await self._pictures.collect()  # one lists all objects, not every worker
        spooled = await asyncio.to_thread(self._spool.jobs)
        for job_id in spooled - await self._state_machine.open_among(spooled):
            await self._spool.remove(job_id)
        if purged or expired or collected:
            log.info("cleaned: %d covers from the bin, %d archives, %d stray objects", purged, expired, collected)
