"""Counts figures from the stored rows: what the daily figures must be equal to."""

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, String, case, cast, extract, func, literal, literal_column, select

from kernel.accounts.models import User
from kernel.accounts.pro_override import has_gift
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.covers.models import Generation
from kernel.insight.models import DepartedUser
from kernel.insight.schemas import Figures
from kernel.providers.models import Attempt
from kernel.providers.monitoring.statistics import UNKNOWN_COST

WAITS_S: Final = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
"""Upper bounds, in seconds, of the groups in which waiting times are counted."""

DAY_S: Final = 86_400
ENDED: Final = ("completed", "failed", "canceled")


async def count_covers(connection: ReadConnection, since: date, until: date, user_id: int | None = None) -> Figures:
    """Return what happened to covers and who was there, from a day to a day, both included."""
    lite = connection.dialect.name == "sqlite"
    day = day_of(Generation.finished_at, lite=lite)
    begins, ends = clock.begin_of(since), clock.end_of(until)
    mine = [Generation.finished_at >= begins, Generation.finished_at < ends, Generation.state.in_(ENDED)]
    mine.append(_whose(Generation.user_id, user_id))
    group = (day, Generation.state, Generation.provider, Generation.error_code, _wait(lite=lite))
    names = ("day", "state", "provider", "code", "wait")
    columns: list[Any] = [column.label(name) for column, name in zip(group, names, strict=True)]
    found: Figures = Counter()
    counted = select(*columns, func.count().label("many")).where(*mine).group_by(*group)
    for row in await connection.execute(counted):
        found[row.day, "covers", f"{row.state}:{row.provider or ''}"] += row.many
        if row.state == "failed":
            found[row.day, "failures", row.code or ""] += row.many
        if row.state == "completed":
            found[row.day, "wait", str(row.wait or "")] += row.many
    people = select(day.label("day"), func.count(Generation.user_id.distinct()).label("many")).where(*mine)
    for row in await connection.execute(people.group_by(day)):
        found[row.day, "active", ""] += row.many
    return found + await _signups(connection, begins, ends, user_id)


async def _signups(connection: ReadConnection, begins: datetime, ends: datetime, user_id: int | None) -> Figures:
    day = day_of(User.created_at, lite=connection.dialect.name == "sqlite")
    query = (
        select(day.label("day"), func.count().label("many"))
        .where(User.created_at >= begins, User.created_at < ends, _whose(User.id, user_id))
        .group_by(day)
    )
    return Counter({(row.day, "signups", ""): row.many for row in await connection.execute(query)})


async def count_costs(connection: ReadConnection, since: date, until: date) -> Figures:
    """Return what calls cost; they stay when an account goes, and go themselves after a configured time."""
    day = day_of(Attempt.started_at, lite=connection.dialect.name == "sqlite")
    query = (
        select(
            day.label("day"),
            Attempt.instance_id.label("instance"),
            func.coalesce(func.sum(Attempt.cost_micros), 0).label("cost"),
            func.coalesce(func.sum(case((UNKNOWN_COST, 1), else_=0)), 0).label("unknown"),
        )
        .where(Attempt.started_at >= clock.begin_of(since), Attempt.started_at < clock.end_of(until))
        .group_by(day, Attempt.instance_id)
    )
    found: Figures = Counter()
    for row in await connection.execute(query):
        found[row.day, "cost", row.instance] += int(row.cost)
        found[row.day, "cost_unknown", row.instance] += int(row.unknown)
    return +found


async def count_gifts(connection: ReadConnection, today: date) -> Figures:
    """Return how many have Pro from an administrator now: when they got it is not stored."""
    query = select(func.count()).select_from(User).where(has_gift(), ~is_being_deleted())
    return +Counter({(today.isoformat(), "gifts", ""): int((await connection.execute(query)).scalar_one())})


async def first_day(connection: ReadConnection) -> date | None:
    """Return the day of the oldest account, cover or call; None where there is nothing."""
    oldest = [
        (await connection.execute(select(func.min(column)))).scalar_one()
        for column in (User.created_at, Generation.finished_at, Attempt.started_at)
    ]
    days = [moment.astimezone(UTC).date() for moment in oldest if moment is not None]
    return min(days) if days else None


def _whose(owner: Any, user_id: int | None) -> ColumnElement[bool]:
    """Match one user, or all who have not departed."""
    matched: ColumnElement[bool] = owner.not_in(select(DepartedUser.user_id)) if user_id is None else owner == user_id
    return matched


def day_of(moment: Any, *, lite: bool) -> ColumnElement[str]:
    """Return the UTC day of a moment as `YYYY-MM-DD`."""
    if lite:
        return func.substr(cast(moment, String), 1, 10)
    return func.to_char(func.timezone(literal_column("'UTC'"), moment), literal_column("'YYYY-MM-DD'"))


def _wait(*, lite: bool) -> ColumnElement[Any]:
    """Return the group of the waiting time of a cover; null for one that took longer than the last."""
    if lite:
        seconds: Any = (func.julianday(Generation.finished_at) - func.julianday(Generation.created_at)) * DAY_S
    else:
        seconds = cast(extract("epoch", Generation.finished_at - Generation.created_at), Float)
    groups: list[Any] = [(seconds <= literal_column(str(most)), literal_column(str(most))) for most in WAITS_S]
    return case((Generation.state != "completed", literal(None)), *groups)
