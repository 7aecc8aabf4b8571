"""Loops of the workers: steps that are repeated, and jobs that are tried until they succeed."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Generic, NoReturn, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Select, select

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.data.job_table import Backoff, JobT, JobTable
from kernel.core.errors import AppError
from kernel.core.process import this_process
from kernel.core.process.job_scope import working_on
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""How often a loop looks whether something is due."""

PHASE_S: Final = random.random()
"""Processes do not look at the same time."""
LONGEST_S: Final = 30.0
JUMP_S: Final = 0.5
SAME_LOOK_S: Final = 0.05
"""What one loop has asked for, the others need not ask for again so soon, where the database has no version: all loops
of a process wake up at once.
"""

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


class _Looks:
    """What all loops of a process wait for in one database, asked for in one statement: they look at the same time."""

    def __init__(self) -> None:
        self._rows: list[Select[Any]] = []
        self._every: Select[Any] = select()
        self._found: tuple[bool, ...] = ()
        self._version: object | None = None
        self._asked_s = -LONGEST_S
        self._one_at_a_time = asyncio.Lock()

    def add(self, rows: Select[Any]) -> int:
        """Take up what a loop waits for; return its number."""
        self._rows.append(rows)
        self._every = select(*(rows.exists().label(f"found_{place}") for place, rows in enumerate(self._rows)))
        return len(self._rows) - 1

    async def find(self, number: int, database: Database) -> tuple[bool, object | None]:
        """Return whether there is such a row, and a version of the database to which the answer applies.

        Raises SQLAlchemyError.
        """
        async with self._one_at_a_time:
            asked_s, version = time.monotonic(), database.version()
            same = asked_s - self._asked_s < SAME_LOOK_S if version is None else version == self._version
            if number >= len(self._found) or not same:
                async with database.read() as connection:
                    self._found = tuple((await connection.execute(self._every)).one())
                self._asked_s, self._version = asked_s, version
            return self._found[number], self._version


_looks: Final[WeakKeyDictionary[Database, _Looks]] = WeakKeyDictionary()


class Waiting:
    """Tells a loop whether a look may find anything, for less than the look costs: most of the time nothing waits.

    Rows wait, whether they are due or not; or the database has changed since none did; or the clock has jumped; or
    nobody has looked for LONGEST_S, for what else a step may do.
    """

    def __init__(self, database: Database, rows: Select[Any]) -> None:
        """`rows` selects those that are due now or may become due as time passes."""
        self._database = database
        self._looks = _looks.setdefault(database, _Looks())
        self._number = self._looks.add(rows)
        self._none_at: object | None = None
        self._looked_s = -LONGEST_S
        self._clock_s = 0.0

    async def worth_a_look(self) -> bool:
        """Say whether to look now."""
        now, ahead = time.monotonic(), clock.now_unix() - time.monotonic()
        if now - self._looked_s >= LONGEST_S or abs(ahead - self._clock_s) >= JUMP_S:
            self._looked_s, self._clock_s, self._none_at = now, ahead, None
            return True
        version = self._database.version()
        if version is not None and version == self._none_at:
            return False
        found, version = await self._looks.find(self._number, self._database)
        self._none_at = None if found else version
        return found


async def repeat(
    name: str,
    step: Callable[[], Awaitable[bool | None]],
    *,
    every_s: float = LOOK_S,
    waiting: Waiting | None = None,
    drained_too: bool = False,
) -> NoReturn:
    """Take steps until cancelled, at once again while a step says that there may be more to do; none while `waiting`
    says that it is not worth it.

    A failed step is logged under `name` and does not end the loop. A drained process takes none, unless
    `drained_too`.
    """
    while True:
        try:
            if (drained_too or not this_process.is_drained()) and (waiting is None or await waiting.worth_a_look()):
                while await step() and (drained_too or not this_process.is_drained()):
                    continue
        except Exception as error:
            log.warning("%s: %s", name, type(error).__name__, exc_info=error)
        await asyncio.sleep(until_next(every_s))


def until_next(every_s: float) -> float:
    """Return the seconds until the loops of this process look again: all at once, so that it wakes up once for all."""
    left_s = every_s - (time.monotonic() + PHASE_S) % every_s
    return left_s if left_s > every_s / 10 else left_s + every_s


class JobLoop(Generic[JobT]):
    """Does the jobs of a table whose rows go when they have ended; one that fails is tried again, later each time.

    Up to `parallel` jobs run at a time. They begin in the order in which they are due; a slow one holds up no other.
    """

    def __init__(
        self,
        name: str,
        database: Database,
        jobs: JobTable[JobT],
        work: Callable[[JobT], Awaitable[None]],
        *,
        backoff: Backoff,
        parallel: int = 1,
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
        self._parallel = parallel

    async def run(self) -> NoReturn:
        """Take steps until cancelled."""
        await repeat(self._name, self.step, waiting=Waiting(self._database, self._jobs.open))

    async def step(self) -> None:
        """Do the jobs that are due, and those that become due meanwhile."""
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                if len(running) < self._parallel and (job := await self._claim()) is not None:
                    running.add(asyncio.create_task(self._do(job), name=f"{self._name} {job.id}"))
                elif running:
                    ended, running = await asyncio.wait(running, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                    for task in ended:
                        task.result()
                else:
                    return
        finally:
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)

    async def _claim(self) -> JobT | None:
        """Take the job that has been due for the longest and that no other worker takes."""
        async with self._database.read() as connection:
            ids = await self._jobs.due_ids(connection, limit=BATCH)
        for job_id in ids:
            async with self._database.write() as session:
                job = await self._jobs.claim(session, job_id)
            if job is not None:
                return job
        return None

    async def _do(self, job: JobT) -> None:
        with working_on(self._jobs.kind, job.id):
            await self._attempt(job)

    async def _attempt(self, job: JobT) -> None:
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
