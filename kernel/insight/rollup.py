"""Keeps the daily figures: a worker counts all days once, the last ones again and again, invoices as they change."""

import asyncio
import logging
from datetime import date, timedelta
from typing import Any, Final, NoReturn

import msgspec
from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.queue.job_loop import Waiting, repeat
from kernel.insight import revenue
from kernel.insight.models import DailyFigure, FigureState
from kernel.insight.schemas import Figures
from kernel.insight.truth import count_costs, count_covers, count_gifts, first_day
from kernel.providers.monitoring.retention import kept_since

log = logging.getLogger(__name__)

REFRESH_S: Final = 300.0
"""How old the figures of today may be."""

OPEN_DAYS: Final = timedelta(days=1)
"""The day before the last count is counted again: what ended at midnight may have been stored later."""

REVENUE: Final = (
    "revenue",
    "mrr",
    "mrr_new",
    "mrr_expansion",
    "mrr_contraction",
    "mrr_churn",
    "first_payers",
    "payers",
)
COSTS: Final = ("cost", "cost_unknown")
STATE: Final = 1
BATCH: Final = 500


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Figures, and from which day on they are all that there is. `revenue_changed`: those of all days are in it."""

    fence: int
    since: date
    until: date
    costs_since: date
    revenue_changed: bool
    invoices: str
    figures: Figures


class FigureKeeper:
    """Counts figures and stores those that changed. Several workers may try; one of them stores."""

    def __init__(self, config: Config, database: Database) -> None:
        self._database = database
        self._attempt_days = config.providers.attempt_days
        self.grace: Final = timedelta(days=config.billing.past_due_grace_days)

    async def run(self) -> NoReturn:
        """Keep the figures until canceled; one failure does not end the loop."""
        await repeat("daily figures", self._step, waiting=self.waiting())

    def waiting(self) -> Waiting:
        """Return what tells whether a rebuild was asked for; whether figures are old is looked up more rarely."""
        return Waiting(self._database, select(FigureState.id).where(FigureState.refreshed_at.is_(None)))

    async def _step(self) -> None:
        async with self._database.read() as connection:
            seen = (await connection.execute(select(FigureState.refreshed_at))).scalar()
        if seen is None or abs((clock.now() - seen).total_seconds()) >= REFRESH_S:
            await self.refresh()

    async def refresh(self) -> None:
        """Count what may have changed, and store it unless figures changed meanwhile: then it is counted again."""
        while True:
            async with self._database.snapshot() as connection:
                counted = await self._count(connection)
            async with self._database.write() as session:
                if await self._store(session, counted):
                    return

    async def rebuild(self, actor: Actor) -> None:
        """Have all days counted again by a worker, soon. What is shown stays until then."""
        async with self._database.write() as session:
            again = {"refreshed_at": None, "invoices": "", "fence": FigureState.fence + 1}
            await session.execute(update(FigureState).values(**again))
            audit(session, "figures.rebuild", actor_id=actor.id, ip=actor.ip)

    async def _count(self, connection: ReadConnection) -> Counted:
        state = (
            await connection.execute(select(FigureState.fence, FigureState.refreshed_at, FigureState.invoices))
        ).first()
        today = clock.now().date()
        seen = state.refreshed_at.date() if state and state.refreshed_at else None
        since = min(seen, today) - OPEN_DAYS if seen else await first_day(connection) or today
        costs_since = max(since, kept_since(self._attempt_days).date())
        figures = await count_covers(connection, since, today)
        figures += await count_costs(connection, costs_since, today)
        figures += await count_gifts(connection, today)
        invoices = f"{today}:{await revenue.fingerprint(connection)}"
        changed = state is None or state.invoices != invoices
        if changed:
            figures.update(await self.count_revenue(connection, today))  # amounts may be negative: `+` drops those
        return Counted(
            fence=state.fence if state else 0,
            since=since,
            until=today,
            costs_since=costs_since,
            revenue_changed=changed,
            invoices=invoices,
            figures=figures,
        )

    async def count_revenue(self, connection: ReadConnection, until: date) -> Figures:
        """Return the figures of revenue of all days until one, in a thread: there may be many invoices."""
        prices = await revenue.read_prices(connection)
        paid = await revenue.read_paid(connection)
        return await asyncio.to_thread(revenue.count_revenue, paid, prices, self.grace, until)

    async def _store(self, session: AsyncSession, counted: Counted) -> bool:
        """Make the stored figures equal to what was counted; False when they were changed since."""
        await session.execute(
            insert_into(session, FigureState).values(id=STATE, fence=0, invoices="").on_conflict_do_nothing()
        )
        ours = update(FigureState).where(FigureState.id == STATE, FigureState.fence == counted.fence)
        now = {"fence": FigureState.fence + 1, "refreshed_at": clock.now(), "invoices": counted.invoices}
        if not await changed_rows(session, ours.values(**now)):
            return False
        columns = (DailyFigure.day, DailyFigure.metric, DailyFigure.label, DailyFigure.value)
        stored = {
            (row.day, row.metric, row.label): row.value for row in await session.execute(_within(counted, columns))
        }
        changed = [
            {"day": key[0], "metric": key[1], "label": key[2], "value": value}
            for key in stored.keys() | counted.figures.keys()
            if (value := counted.figures.get(key, 0)) != stored.get(key, 0)
        ]
        for start in range(0, len(changed), BATCH):
            row = insert_into(session, DailyFigure).values(changed[start : start + BATCH])
            await session.execute(
                row.on_conflict_do_update(index_elements=["day", "metric", "label"], set_={"value": row.excluded.value})
            )
        nothing = (DailyFigure.value == 0, DailyFigure.departed == 0)
        if any(not row["value"] for row in changed):
            await session.execute(delete(DailyFigure).where(*nothing))
        log.debug("%d daily figures changed", len(changed))
        return True


def _within(counted: Counted, columns: tuple[Any, ...]) -> Any:
    """Return the query of the stored figures that were counted."""
    since, until = counted.since.isoformat(), counted.until.isoformat()
    day, metric = DailyFigure.day, DailyFigure.metric
    usual = metric.not_in((*REVENUE, *COSTS, "gifts")) & (day >= since)
    costs = metric.in_(COSTS) & (day >= counted.costs_since.isoformat())
    parts: list[ColumnElement[bool]] = [usual, costs, (metric == "gifts") & (day == until)]
    if counted.revenue_changed:
        parts.append(metric.in_(REVENUE))
    return select(*columns).where(or_(*parts))
