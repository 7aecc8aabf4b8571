"""Loops of the workers: steps that are repeated, and jobs that are tried until they succeed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Generic, NoReturn, TypeVar

from sqlalchemy import ColumnElement

from kernel.core.data.database import Database
from kernel.core.data.job_table import Backoff, JobT, JobTable
from kernel.core.errors import AppError
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""How often a loop looks whether something is due."""

BATCH: Final = 20


ResultT = TypeVar("ResultT")


async def run_to_end(work: Coroutine[Any, Any, ResultT], *, at_most_s: float | None = None) -> ResultT:
    """Run work that must not be cut off; a cancellation waits for its end first, no longer than `at_most_s`."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=at_most_s)
        raise


async def repeat(name: str, step: Callable[[], Awaitable[bool | None]], *, every_s: float = LOOK_S) -> NoReturn:
    """Take steps until cancelled, at once again while a step says that there may be more to do.

    A failed step is logged under `name` and does not end the loop.
    """
    while True:
        try:
            while await step():
                continue
        except Exception as error:
            log.warning("%s: %s", name, type(error).__name__, exc_info=error)
        await asyncio.sleep(every_s)


class JobLoop(Generic[JobT]):
    """Does the jobs of a table whose rows go when they have ended; one that fails is tried again, later each time."""

    def __init__(
        self,
        name: str,
        database: Database,
        jobs: JobTable[JobT],
        work: Callable[[JobT], Awaitable[None]],
        *,
        backoff: Backoff,
        unchanged: Callable[[JobT], ColumnElement[bool]] | None = None,
        failure: Callable[[Exception], dict[str, Any]] = lambda error: {},
    ) -> None:
        """`unchanged` matches a row that needs no second run: nothing was added to it during the first. `failure` says
        what to store of an error.
        """
        self._name = name
        self._database = database
        self._jobs = jobs
        self._work = work
        self._backoff = backoff
        self._unchanged = unchanged
        self._failure = failure

    async def step(self) -> bool:
        """Do the jobs that are due, one after the other; say whether there may be more."""
        async with self._database.read() as connection:
            ids = await self._jobs.due_ids(connection, limit=BATCH)
        for job_id in ids:
            async with self._database.write() as session:
                job = await self._jobs.claim(session, job_id)
            if job is not None:
                await self._do(job)
        return len(ids) == BATCH

    async def _do(self, job: JobT) -> None:
        try:
            await self._work(job)
        except asyncio.CancelledError:  # another worker goes on at once
            async with self._database.write() as session:
                await self._jobs.put_back(session, job, counts=False)
            raise
        except Exception as error:
            expected = isinstance(error, ProviderError | AppError)
            log.warning("%s %s failed: %s", self._name, job.id, error, exc_info=None if expected else error)
            wait_s = self._backoff.wait_s(job.attempts)
            async with self._database.write() as session:
                await self._jobs.put_back(session, job, after_s=wait_s, **self._failure(error))
            return
        async with self._database.write() as session:
            if not await self._jobs.remove(session, job, *([self._unchanged(job)] if self._unchanged else ())):
                await self._jobs.put_back(session, job, counts=False)
