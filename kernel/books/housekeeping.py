"""Housekeeping of books in every worker: removes what is not needed any more."""

import logging
from typing import Final, NoReturn

from kernel.books.packs.service import PackService
from kernel.books.packs.worker import PackWorker
from kernel.books.service import BookService
from kernel.core.config import GenerationConfig
from kernel.core.queue.job_loop import repeat

log = logging.getLogger(__name__)

CLEANING_S: Final = 3600.0


class BookHousekeeping:
    """Empties the bin of books, removes expired packs and what a killed worker left on this machine's disk."""

    def __init__(self, config: GenerationConfig, books: BookService, packs: PackService, worker: PackWorker) -> None:
        self._config = config
        self._books = books
        self._packs = packs
        self._worker = worker

    async def run(self) -> NoReturn:
        """Clean now and every hour until canceled; one failure does not end the loop."""
        await repeat("books", self.clean, every_s=CLEANING_S)

    async def clean(self) -> None:
        """Do it once."""
        await self._worker.clean()
        purged = await self._books.purge(older_than_days=self._config.bin_days)
        expired = await self._packs.expire()
        if purged or expired:
            log.info("cleaned: %d books from the bin, %d packs of their files", purged, expired)
