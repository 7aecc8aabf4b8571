"""Budgets: what may be spent by a user in a day, by an instance and by the site in a month, in UTC.

    before a call   reserve    one conditional UPDATE per counter: two calls cannot share the last cent
    after it        settle     with its attempt, in one transaction: the reservation is replaced by the amount spent
    a lost call     expire     its reservation counts as spent, because it may have reached the vendor
    fetched later   settle     the amount held for the first call is released: one picture was made, its cost is known

A counter always equals the attempts and reservations it counts. Where no price is known nothing is reserved or limited.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Final

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.ids import new_uuid_text
from kernel.core.errors import AppError
from kernel.providers.models import Attempt, Budget, Reservation, Spend
from kernel.providers.spending.counters import SCOPES, Counter, Scope, Spent, counters_of, hold, is_row, move

BUDGET_REACHED: Final = "budget_reached"
GRACE_S: Final = 60.0
"""A call that has not ended this long after its limit will never be recorded."""


GENERATE: Final = "generate"
RESUME: Final = "resume"
"""The two operations that make one picture and cost once."""


class OverBudget(AppError):
    """The user's budget of the day is exhausted."""

    status: ClassVar[int] = 402
    code = BUDGET_REACHED


class NoRoom(Exception):
    """A call would exceed the budget of this scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.scope = scope


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A call that is about to be made, and what it may cost. `lasts_s` is its maximum duration."""

    micros: int
    instance_id: str
    provider: str
    kind: str
    operation: str
    job_id: str | None
    user_id: int | None
    lasts_s: float


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A job whose picture was fetched from an instance after an interrupted call, at a known cost."""

    job_id: str
    instance_id: str


class Budgets:
    """The limits, as last read, and the counters. Without a database nothing is limited."""

    def __init__(self, database: Database | None) -> None:
        self._database = database
        self._limits: Mapping[tuple[str, str], int] | None = None if database else {}
        self._read_at: object | None = None

    async def refresh(self) -> None:
        """Read the limits again."""
        if self._database is None:
            return
        version = self._database.version()
        if version is None or version != self._read_at:  # else they are as they were read
            async with self._database.read() as connection:
                self._limits = await read_limits(connection)
            self._read_at = version

    async def reserve(self, call: Planned) -> str | None:
        """Reserve what a call may cost, and return the reservation's id; None when no budget applies to it.

        Raises NoRoom, and SQLAlchemyError when the database cannot be reached.
        """
        if self._limits is None:
            await self.refresh()
        limits = self._limits or {}
        at = clock.now()
        counters = counters_of(call.instance_id, call.user_id, at)
        known = {counter: limits.get(_limit_key(counter)) for counter in counters}
        if self._database is None or not call.micros or all(limit is None for limit in known.values()):
            return None
        reservation_id = new_uuid_text()
        async with self._database.write() as session:
            for counter, limit in known.items():
                if not await hold(session, counter, call.micros, limit):
                    raise NoRoom(next(scope for scope in SCOPES if scope == counter[0]))
            columns = {name: getattr(call, name) for name in call.__struct_fields__ if name != "lasts_s"}
            ends = at + timedelta(seconds=call.lasts_s + GRACE_S)
            await session.execute(insert(Reservation).values(id=reservation_id, at=at, expires_at=ends, **columns))
        return reservation_id

    async def refuse_over_budget(self, reader: ReadConnection, user_id: int, estimates: Iterable[int | None]) -> None:
        """Raise OverBudget when the user's budget of today is too small for each of these possible calls.

        A call that is free, or whose cost is unknown, is not limited. Without a budget for users nothing is read.
        """
        if self._limits is None:
            await self.refresh()
        limit = (self._limits or {}).get(("user_day", ""))
        wanted = list(estimates)
        if limit is None or not wanted or not all(wanted):
            return
        counter = counters_of("", user_id, clock.now())[-1]
        query = select(Spend.spent_micros + Spend.reserved_micros).where(*is_row(counter))
        spent = (await reader.execute(query)).scalar_one_or_none() or 0
        if spent + min(micros for micros in wanted if micros is not None) > limit:
            raise OverBudget("You have reached today's limit for paid image services. Please come back tomorrow.")

    async def expire(self) -> int:
        """End reservations of calls that were lost with their process; return how many.

        What such a call did is unknown: an attempt is written for it, and its reservation counts as spent, unless the
        call was resumed afterwards: then that reported the cost.
        """
        if self._database is None:
            return 0
        async with self._database.read() as connection:  # mostly there is nothing, and a read takes no lock
            due = select(Reservation.id).where(Reservation.expires_at < clock.now())
            ids = list((await connection.execute(due.limit(100))).scalars())
        if not ids:
            return 0
        async with self._database.write() as session:
            lost = await _take(session, ids)
            resumed = await _resumed(session, [row.job_id for row in lost if row.job_id])
            held = [row for row in lost if (row.job_id, row.instance_id, row.operation) not in resumed]
            rows = [_lost_attempt(row, held=row in held) for row in lost]
            if rows:
                await session.execute(insert(Attempt), rows)
            spent = [
                Spent(micros=row.micros, instance_id=row.instance_id, user_id=row.user_id, at=row.at) for row in held
            ]
            await move(session, lost, spent)
        return len(lost)


async def read_limits(connection: ReadConnection | AsyncSession) -> dict[tuple[str, str], int]:
    """Return scope and subject → limit in micros."""
    rows = await connection.execute(select(Budget.scope, Budget.subject, Budget.limit_micros))
    return {(scope, subject): limit for scope, subject, limit in rows}


async def save_limits(session: AsyncSession, limits: Mapping[tuple[Scope, str], int]) -> None:
    """Replace all limits."""
    await session.execute(delete(Budget))
    if limits:
        rows = [{"scope": scope, "subject": who, "limit_micros": micros} for (scope, who), micros in limits.items()]
        await session.execute(insert(Budget), rows)


async def settle(
    session: AsyncSession, reservations: Sequence[str], spent: Sequence[Spent], fetched: Sequence[Fetched] = ()
) -> None:
    """End reservations, add what was spent and release held amounts, in the transaction of the attempts."""
    if reservations or spent or fetched:
        back = [held for job in fetched for held in await _take_back(session, job)]
        await move(session, await _take(session, reservations), spent, back)


async def _take(session: AsyncSession, ids: Sequence[str]) -> Sequence[Any]:
    """Remove reservations and return those that still existed: each is taken once."""
    if not ids:
        return ()
    removal = delete(Reservation).where(Reservation.id.in_(ids))
    return (await session.execute(removal.returning(*Reservation.__table__.columns))).all()


async def _take_back(session: AsyncSession, job: Fetched) -> list[Spent]:
    """Return the amounts held for calls whose picture was fetched later: the cost is recorded with the fetch."""
    query = (
        select(Attempt.id, Attempt.user_id, Attempt.started_at, Attempt.held_micros)
        .where(Attempt.job_id == job.job_id, Attempt.instance_id == job.instance_id)
        .where(Attempt.operation == GENERATE, Attempt.outcome != "skipped")
        .order_by(Attempt.started_at.desc(), Attempt.id.desc())
        .limit(1)
        .with_for_update()
    )
    row = (await session.execute(query)).one_or_none()
    if row is None or row.held_micros is None:
        return []
    await session.execute(update(Attempt).where(Attempt.id == row.id).values(held_micros=None, **_COUNTED_ELSEWHERE))
    return [Spent(micros=row.held_micros, instance_id=job.instance_id, user_id=row.user_id, at=row.started_at)]


async def _resumed(session: AsyncSession, jobs: Sequence[str]) -> set[tuple[str | None, str, str]]:
    """Return job, instance and operation of calls whose result was fetched from an instance later, at a known cost."""
    if not jobs:
        return set()
    query = select(Attempt.job_id, Attempt.instance_id).where(
        Attempt.job_id.in_(jobs), Attempt.operation == RESUME, Attempt.cost_micros.is_not(None)
    )
    return {(row.job_id, row.instance_id, GENERATE) for row in await session.execute(query)}


def _lost_attempt(row: Any, *, held: bool) -> dict[str, Any]:
    return {
        "job_id": row.job_id,
        "kind": row.kind,
        "instance_id": row.instance_id,
        "provider": row.provider,
        "plugin_version": "",
        "operation": row.operation,
        "n": 1,
        "outcome": "abandoned",
        "detail": "the process ended during the call",
        "effect": "unknown",
        "started_at": row.at,
        "elapsed_ms": 0,
        "user_id": row.user_id,
        "estimated_micros": row.micros,
        "held_micros": row.micros if held else None,
        "created_at": clock.now(),
        **({"cost_micros": None, "cost_source": "unknown"} if held else _COUNTED_ELSEWHERE),
    }


_COUNTED_ELSEWHERE: Final[dict[str, Any]] = {"cost_micros": 0, "cost_source": "computed"}
"""For a call whose picture was fetched later: the cost is recorded with the fetch."""


def _limit_key(counter: Counter) -> tuple[str, str]:
    scope, subject, _ = counter
    return scope, subject if scope == "instance_month" else ""
