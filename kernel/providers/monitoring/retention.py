"""Attempts are kept for a configured time, and with them the counters that are their sums."""

from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import delete, select

from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.providers.models import Attempt, Spend

BATCH: Final = 2000
"""Rows of one transaction: others write in between."""


def kept_since(days: int) -> datetime:
    """Return the beginning of the month in which the kept time begins: counters are of whole days and months."""
    begins = clock.now() - timedelta(days=days)
    return datetime(begins.year, begins.month, 1, tzinfo=UTC)


async def delete_old_attempts(database: Database, *, days: int) -> int:
    """Delete attempts from before the kept time, and counters of such periods; return how many attempts."""
    horizon = kept_since(days)
    old = select(Attempt.id).where(Attempt.started_at < horizon).order_by(Attempt.started_at).limit(BATCH)
    deleted = 0
    while True:
        async with database.write() as session:
            found = await changed_rows(session, delete(Attempt).where(Attempt.id.in_(old)))
            if not found:
                # a month is `YYYY-MM` and a day `YYYY-MM-DD`: both sort before a later month
                await session.execute(delete(Spend).where(Spend.period < horizon.strftime("%Y-%m")))
                return deleted
            deleted += found
