"""The counters of spent and reserved amounts: the rows of `spend`, and how they change."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import bindparam, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import changed_rows, insert_into
from kernel.providers.models import Spend

Scope = Literal["site_month", "instance_month", "user_day"]
Counter = tuple[str, str, str]
"""Scope, subject and period of one row of `spend`."""

SCOPES: Final[tuple[Scope, ...]] = ("site_month", "instance_month", "user_day")
"""The order in which counters are updated, everywhere, so that transactions do not deadlock."""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt adds to the counters of its time."""

    micros: int
    instance_id: str
    user_id: int | None
    at: datetime


def counters_of(instance_id: str, user_id: int | None, at: datetime) -> list[Counter]:
    """Return the counters to which a call at this time belongs, in the order of SCOPES."""
    day = at.astimezone(UTC).strftime("%Y-%m-%d")
    counters: list[Counter] = [("site_month", "", day[:7]), ("instance_month", instance_id, day[:7])]
    return counters if user_id is None else [*counters, ("user_day", str(user_id), day)]


async def hold(session: AsyncSession, counter: Counter, micros: int, limit: int | None) -> bool:
    """Reserve in one counter; False when that would exceed its limit."""
    change = update(Spend).where(*is_row(counter))
    if limit is not None:
        change = change.where(Spend.spent_micros + Spend.reserved_micros + micros <= limit)
    change = change.values(reserved_micros=Spend.reserved_micros + micros)
    if await changed_rows(session, change):
        return True
    fresh = insert_into(session, Spend).values(reserved_micros=0, **_columns(counter, 0))
    await session.execute(fresh.on_conflict_do_nothing())
    return bool(await changed_rows(session, change))


async def move(session: AsyncSession, ended: Sequence[Any], spent: Sequence[Spent], back: Sequence[Spent] = ()) -> None:
    """End reservations (`ended`, their rows), add what was spent, and take `back` what was counted before."""
    released: dict[Counter, int] = {}
    for row in ended:
        for counter in counters_of(row.instance_id, row.user_id, row.at):
            released[counter] = released.get(counter, 0) + row.micros
    added: dict[Counter, int] = {}
    for entry in spent:
        for counter in counters_of(entry.instance_id, entry.user_id, entry.at):
            added[counter] = added.get(counter, 0) + entry.micros
    for entry in back:
        for counter in counters_of(entry.instance_id, entry.user_id, entry.at):
            added[counter] = added.get(counter, 0) - entry.micros
            released.setdefault(counter, 0)
    connection = await session.connection()
    if released:
        moves = [_amounts(counter, added.pop(counter, 0), released[counter]) for counter in _sorted(released)]
        await connection.execute(_MOVE, moves)
    if added:
        fresh = insert_into(session, Spend).values(reserved_micros=0)
        adding = fresh.on_conflict_do_update(
            index_elements=["scope", "subject", "period"],
            set_={"spent_micros": Spend.spent_micros + fresh.excluded.spent_micros},
        )
        await connection.execute(adding, [_columns(counter, added[counter]) for counter in _sorted(added)])


_MOVE: Final = (
    update(Spend)
    .where(Spend.scope == bindparam("of_scope"), Spend.subject == bindparam("of_subject"))
    .where(Spend.period == bindparam("of_period"))
    .values(
        spent_micros=Spend.spent_micros + bindparam("more_spent"),
        reserved_micros=Spend.reserved_micros - bindparam("less_reserved"),
    )
)


def _amounts(counter: Counter, spent: int, released: int) -> dict[str, Any]:
    scope, subject, period = counter
    more = {"more_spent": spent, "less_reserved": released}
    return {"of_scope": scope, "of_subject": subject, "of_period": period, **more}


def _sorted(counters: Iterable[Counter]) -> list[Counter]:
    return sorted(counters, key=lambda counter: ([*SCOPES].index(counter[0]), counter))  # type: ignore[arg-type]


def is_row(counter: Counter) -> tuple[Any, ...]:
    """Return the conditions that find a counter."""
    scope, subject, period = counter
    return Spend.scope == scope, Spend.subject == subject, Spend.period == period


def _columns(counter: Counter, spent: int) -> dict[str, Any]:
    scope, subject, period = counter
    return {"scope": scope, "subject": subject, "period": period, "spent_micros": spent}
