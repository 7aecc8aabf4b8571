"""The invariants of the quota ledger, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import case, func, select

from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.plans.models import CoverCredit, Quota, QuotaEntry


async def counters_equal_entries(connection: ReadConnection) -> list[str]:
    """Return the users whose counters differ from their entries."""
    counted = select(
        QuotaEntry.user_id,
        QuotaEntry.period,
        func.sum(case((QuotaEntry.state == "reserved", 1), else_=0)),
        func.sum(case((QuotaEntry.state == "committed", 1), else_=0)),
    ).where(QuotaEntry.counted)
    entries = {
        (user, period): (reserved, used)
        for user, period, reserved, used in await connection.execute(
            counted.group_by(QuotaEntry.user_id, QuotaEntry.period)
        )
    }
    rows = await connection.execute(select(Quota.user_id, Quota.period, Quota.reserved, Quota.used))
    counters = {(user, period): (reserved, used) for user, period, reserved, used in rows}
    none = (0, 0)
    return [
        f"user {key[0]} in {key[1]}: counter {counters.get(key, none)}, entries {entries.get(key, none)}"
        for key in sorted(entries.keys() | counters.keys())
        if entries.get(key, none) != counters.get(key, none)
    ]


async def counters_within_limits(connection: ReadConnection) -> list[str]:
    """Return the counters that are below zero or above their limit."""
    query = select(Quota.user_id, Quota.period, Quota.reserved, Quota.used, Quota.limit_seen).where(
        (Quota.reserved < 0) | (Quota.used < 0) | (Quota.reserved + Quota.used > Quota.limit_seen)
    )
    return [f"user {row.user_id} in {row.period}: {row.reserved}+{row.used}" for row in await connection.execute(query)]


async def credits_equal_entries(connection: ReadConnection) -> list[str]:
    """Return the credits of which more or fewer units are used than generations say."""
    held = case((QuotaEntry.state.in_(("reserved", "committed")), 1), else_=0)
    spent = func.coalesce(func.sum(held), 0)
    query = (
        select(CoverCredit.id, CoverCredit.used, spent.label("spent"))
        .outerjoin(QuotaEntry, QuotaEntry.credit_id == CoverCredit.id)
        .group_by(CoverCredit.id, CoverCredit.used)
        .having(spent != CoverCredit.used)
    )
    rows = await connection.execute(query)
    return [f"credit {row.id}: {row.used} used, entries {row.spent}" for row in rows]


INVARIANTS: Final[Invariants] = {
    "counters equal the entries they count": counters_equal_entries,
    "credits are used by the entries that name them": credits_equal_entries,
    "0 ≤ reserved and used, and their sum is within the limit": counters_within_limits,
}
