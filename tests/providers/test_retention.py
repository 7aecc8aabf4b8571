"""How long attempts are kept, and what stays true without them."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from kernel.core.data.database import Database
from kernel.providers.invariants import spending_adds_up
from kernel.providers.models import Attempt, Spend
from kernel.providers.monitoring import retention
from kernel.providers.monitoring.retention import delete_old_attempts
from kernel.providers.monitoring.statistics import LONGEST_RANGE, usage
from kernel.providers.spending.counters import Spent, move
from tests.providers.conftest import StubInstances
from tests.providers.test_usage import NOON, Nobody, at_noon, fill, row

__all__ = ["at_noon"]

pytestmark = pytest.mark.anyio

DEFAULT_DAYS = 400


async def spend(database: Database, *moments: datetime) -> None:
    """Record an attempt of 5 micros at each moment, and count it as the product does."""
    await fill(database, *(row(moment, cost_micros=5, user_id=7) for moment in moments))
    async with database.write() as session:
        await move(session, [], [Spent(micros=5, instance_id="one", user_id=7, at=moment) for moment in moments])


async def test_old_attempts_go_and_a_year_of_statistics_stays(
    stubs: StubInstances, database: Database, at_noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    old = [NOON - timedelta(days=days) for days in (440, 500, 800, 900, 1000)]
    kept = [NOON - timedelta(days=days) for days in (0, 40, LONGEST_RANGE.days - 1)]
    await spend(database, *old, *kept)
    assert await delete_old_attempts(database, days=DEFAULT_DAYS) == len(old)
    assert await delete_old_attempts(database, days=DEFAULT_DAYS) == 0
    since = (NOON - LONGEST_RANGE).date()
    async with database.read() as connection:
        shown = await usage(connection, stubs.registry({"one": {}}), Nobody(), by="instance", since=since, until=None)
        assert [(entry.calls, entry.cost_micros) for entry in shown.rows] == [(len(kept), 5 * len(kept))]
        assert await spending_adds_up(connection) == []


async def test_this_months_budgets_know_what_was_spent_however_short_attempts_are_kept(
    database: Database, at_noon: None
) -> None:
    first = NOON.replace(day=1)
    await spend(database, first, first - timedelta(days=40))
    assert await delete_old_attempts(database, days=1) == 1
    async with database.read() as connection:
        assert (await connection.execute(select(func.count(Attempt.id)))).scalar_one() == 1
        months = select(Spend.spent_micros).where(Spend.scope == "site_month")
        assert list((await connection.execute(months)).scalars()) == [5]
        assert await spending_adds_up(connection) == []
