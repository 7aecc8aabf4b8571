"""Goes on with looks that are being applied and that nobody asks for a step of any more: the page was closed."""

from datetime import timedelta
from typing import Final, NoReturn

from sqlalchemy import select, update

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database, changed_rows
from kernel.core.queue.job_loop import Waiting, repeat
from kernel.covers.series.models import LookRun
from kernel.covers.series.run_rows import OPEN
from kernel.covers.series.runs import LookRunService
from kernel.themes.models import Theme

ABANDONED: Final = timedelta(seconds=60)
"""A page that is open asks for the next step as soon as it has the answer to the last one: within some seconds."""


class LookRunContinuer:
    """A loop in every worker."""

    def __init__(self, config: GenerationConfig, database: Database, runs: LookRunService) -> None:
        self._every_s = config.sweep_s
        self._database = database
        self._runs = runs
        self._waiting = Waiting(database, select(LookRun.id).where(LookRun.state.in_(OPEN)))

    async def run(self) -> NoReturn:
        """Look for abandoned runs until cancelled."""
        await repeat("looks", self.finish_one, every_s=self._every_s, waiting=self._waiting)

    async def finish_one(self) -> bool:
        """Go to the end of the run that has stood longest; False where none stands. Raises what its steps raise.

        One whose step fails, or whose cover somebody changes meanwhile, is left standing and comes again.
        """
        taken = await self._take()
        if taken is None:
            return False
        user_id, theme_id = taken
        done = -1
        while (run := await self._runs.step(user_id, theme_id)).state in OPEN and run.done > done:
            done = run.done
        return True

    async def _take(self) -> tuple[int, int] | None:
        """Return whose run in which theme is abandoned, for this worker alone."""
        moment = clock.now()
        stands = LookRun.stepped_at.is_(None) | (LookRun.stepped_at < moment - ABANDONED)
        query = (
            select(LookRun.id, LookRun.theme_id, LookRun.stepped_at, Theme.user_id)
            .join(Theme, Theme.id == LookRun.theme_id)
            .where(LookRun.state.in_(OPEN), stands)
            .order_by(LookRun.id)
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        same = (LookRun.id == row.id, LookRun.stepped_at.is_not_distinct_from(row.stepped_at))
        async with self._database.write() as session:
            is_mine = await changed_rows(session, update(LookRun).where(*same).values(stepped_at=moment))
        return (row.user_id, row.theme_id) if is_mine else None
