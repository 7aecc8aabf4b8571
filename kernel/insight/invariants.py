"""The invariant of the daily figures, for `coverwright doctor`."""

from datetime import date, timedelta
from typing import Final

from sqlalchemy import select

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.insight.models import DailyFigure, FigureState
from kernel.insight.rollup import OPEN_DAYS
from kernel.insight.schemas import Figures
from kernel.insight.truth import count_costs, count_covers, first_day

KEPT_COSTS: Final = timedelta(days=31)
"""Calls are kept for a configured time, at least to the beginning of their month: costs before are not looked at."""


async def figures_are_true(connection: ReadConnection) -> list[str]:
    """Return figures of days that are over and counted, and that their rows do not add up to.

    Figures of revenue are compared with their own sums: what is recurring is the sum of what changed it.
    """
    state = (await connection.execute(select(FigureState.refreshed_at))).scalar()
    begun = await first_day(connection)
    if state is None or begun is None:
        return []
    # a clock that was set back leaves days that are still to come, until they are counted again
    last = min(state.date(), clock.now().date()) - OPEN_DAYS - timedelta(days=1)
    truth = await count_covers(connection, begun, last)
    costs_since = max(begun, last - KEPT_COSTS)
    truth += await count_costs(connection, costs_since, last)
    columns = (DailyFigure.day, DailyFigure.metric, DailyFigure.label, DailyFigure.value)
    stored: Figures = Figures()
    query = select(*columns).where(DailyFigure.day <= last.isoformat())
    for row in await connection.execute(query.where(DailyFigure.metric.in_({key[1] for key in truth} | COUNTED))):
        if row.metric not in ("cost", "cost_unknown") or row.day >= costs_since.isoformat():
            stored[row.day, row.metric, row.label] = row.value
    return sorted(
        f"{' '.join(key)} is {stored[key]}, not {truth[key]}"
        for key in stored.keys() | truth.keys()
        if stored[key] != truth[key]
    ) + await _recurring(connection, last)


COUNTED: Final = {"signups", "active", "covers", "failures", "wait", "cost", "cost_unknown"}


async def _recurring(connection: ReadConnection, last: date) -> list[str]:
    """Return days at whose end the recurring revenue is not what it was the day before and what changed it."""
    names = ("mrr", "mrr_new", "mrr_expansion", "mrr_contraction", "mrr_churn")
    shown = (DailyFigure.value + DailyFigure.departed).label("shown")
    columns = (DailyFigure.day, DailyFigure.metric, DailyFigure.label, shown)
    past = (DailyFigure.metric.in_(names), DailyFigure.day <= last.isoformat())
    rows = (await connection.execute(select(*columns).where(*past).order_by(DailyFigure.day))).all()
    wrong, levels = [], dict[str, int]()
    changes, ends = dict[tuple[str, str], int](), dict[tuple[str, str], int]()
    for row in rows:
        place = (row.day, row.label)
        if row.metric == "mrr":
            ends[place] = row.shown
        else:
            changes[place] = changes.get(place, 0) + row.shown
    for day, currency in sorted(changes.keys() | ends.keys()):
        levels[currency] = levels.get(currency, 0) + changes.get((day, currency), 0)
        if ends.get((day, currency), 0) != levels[currency]:
            wrong.append(f"{day} {currency} ends with {ends.get((day, currency), 0)}, not {levels[currency]}")
    return wrong


INVARIANTS: Final[Invariants] = {"every daily figure is what its rows add up to": figures_are_true}
