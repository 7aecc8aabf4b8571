"""Reading the daily figures: from the kept ones only, however much there is."""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import and_, select, true

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.core.text.csv_file import csv_lines
from kernel.insight.models import DailyFigure, FigureState
from kernel.insight.schemas import FigureSeries, FiguresOut

LONGEST: Final = timedelta(days=366)
USUAL: Final = timedelta(days=29)
"""From the first to the last day where none are given: thirty days."""


class FigureService:
    """The figures of a range of days, beside those of as many days before."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, since: date | None, until: date | None) -> FiguresOut:
        """Return the figures of a range, by default of the last thirty days. Raises InvalidFields, InvalidRange."""
        first, last = checked_range(since, until)
        length = last - first + timedelta(days=1)
        before = first - length
        days = [(before + timedelta(days=step)).isoformat() for step in range(2 * length.days)]
        place = {day: index for index, day in enumerate(days)}
        shown = (DailyFigure.value + DailyFigure.departed).label("shown")
        columns = (FigureState.refreshed_at, DailyFigure.day, DailyFigure.metric, DailyFigure.label, shown)
        within = and_(true(), DailyFigure.day >= days[0], DailyFigure.day <= days[-1])
        query = select(*columns).select_from(FigureState).outerjoin(DailyFigure, within)
        async with self._database.scan() as connection:
            rows = (await connection.execute(query)).all()
        series: dict[tuple[Any, str], list[int]] = defaultdict(lambda: [0] * len(days))
        for row in rows:
            if row.day is not None and row.shown:
                series[row.metric, row.label][place[row.day]] = row.shown
        return FiguresOut(
            since=first,
            until=last,
            previous_since=before,
            previous_until=first - timedelta(days=1),
            refreshed_at=rows[0].refreshed_at if rows else None,
            series=[
                FigureSeries(metric=metric, label=label, values=values[length.days :], previous=values[: length.days])
                for (metric, label), values in sorted(series.items())
            ],
        )

    async def table(self, since: date | None, until: date | None) -> str:
        """Return the figures of a range as CSV: day, metric, label, value. Raises as `read`."""
        found = await self.read(since, until)
        rows: list[tuple[object, ...]] = [("day", "metric", "label", "value")]
        for step in range((found.until - found.since).days + 1):
            day = (found.since + timedelta(days=step)).isoformat()
            rows.extend(
                (day, series.metric, series.label, series.values[step])
                for series in found.series
                if series.values[step]
            )
        return csv_lines(rows)


def checked_range(since: date | None, until: date | None) -> tuple[date, date]:
    """Return the first and the last day. Raises InvalidFields for an end before its beginning, or too long a range."""
    last = until or max(clock.now().date(), since or date.min)
    first = since or max(last - USUAL, EARLIEST)
    if last < first:
        raise InvalidFields({"to": "The end must not be before the beginning."})
    if last - first >= LONGEST:
        raise InvalidFields({"from": "At most a year can be shown at once."})
    if first < EARLIEST:
        raise InvalidFields({"from": "There is nothing from so long ago."})
    return first, last


EARLIEST: Final = date(2000, 1, 1)
