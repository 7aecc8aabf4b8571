"""Budgets: what may be spent by a user in a day, by an instance and by the site in a month, in UTC.

    before a call   reserve    one conditional UPDATE per counter: two calls cannot share the last cent
    after it        settle     with its attempt, in one transaction: the reservation goes, what was spent comes
    a lost call     expire     its reservation counts as spent, for it may have reached the vendor

A counter always equals the attempts and reservations it counts. Where no price is known nothing is reserved or limited.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, Literal

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.database import Database, changed_rows, insert_into
from kernel.core.errors import AppError
from kernel.core.ids import new_uuid
from kernel.providers.models import Attempt
from kernel.providers.operation.models import Budget, Reservation, Spend

Scope = Literal["site_month", "instance_month", "user_day"]
Counter = tuple[str, str, str]
"""Scope, subject and period of one row of `spend`."""

BUDGET_REACHED: Final = "budget_reached"
SCOPES: Final[tuple[Scope, ...]] = ("site_month", "instance_month", "user_day")
"""The order in which counters are touched, everywhere, so that no two transactions wait for each other."""

GRACE_S: Final = 60.0
"""A call that has not ended so long after its limit will never be written down."""


GENERATE: Final = "generate"
RESUME: Final = "resume"
"""The two operations that make one picture and cost once."""


class OverBudget(AppError):
    """A user has spent what a user may in one day."""

    status: ClassVar[int] = 402
    code = BUDGET_REACHED


class NoRoom(Exception):
    """A call would go beyond the budget of this scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.scope = scope


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A call that is about to be made, and what it may cost. `lasts_s` is how long it can take."""

    micros: int
    instance_id: str
    provider: str
    kind: str
    operation: str
    job_id: str | None
    user_id: int | None
    lasts_s: float


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt adds to the counters of its time."""

    micros: int
    instance_id: str
    user_id: int | None
    at: datetime


def counters_of(instance_id: str, user_id: int | None, at: datetime) -> list[Counter]:
    """Return the counters that a call at this time belongs to, in the order of SCOPES."""
    day = at.astimezone(UTC).strftime("%Y-%m-%d")
    counters: list[Counter] = [("site_month", "", day[:7]), ("instance_month", instance_id, day[:7])]
    return counters if user_id is None else [*counters, ("user_day", str(user_id), day)]


class Budgets:
    """The limits, as last read, and the counters. Without a database nothing is limited."""

    def __init__(self, database: Database | None) -> None:
        self._database = database
        self._limits: Mapping[tuple[str, str], int] | None = None if database else {}

    async def refresh(self) -> None:
        """Read the limits again."""
        if self._database is not None:
            async with self._database.read() as connection:
                self._limits = await read_limits(connection)

    async def reserve(self, call: Planned) -> str | None:
        """Reserve what a call may cost, and return the reservation's id; None when no budget concerns it.

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
        reservation_id = str(new_uuid())
        async with self._database.write() as session:
            for counter, limit in known.items():
                if not await _hold(session, counter, call.micros, limit):
                    raise NoRoom(next(scope for scope in SCOPES if scope == counter[0]))
            kept = {name: getattr(call, name) for name in call.__struct_fields__ if name != "lasts_s"}
            ends = at + timedelta(seconds=call.lasts_s + GRACE_S)
            await session.execute(insert(Reservation).values(id=reservation_id, at=at, expires_at=ends, **kept))
        return reservation_id

    async def refuse_over_budget(self, reader: AsyncConnection, user_id: int, estimates: Iterable[int | None]) -> None:
        """Raise OverBudget when the user's budget of today has room for none of these possible calls.

        A call whose cost is unknown is not limited. Without a budget for users nothing is read.
        """
        if self._limits is None:
            await self.refresh()
        limit = (self._limits or {}).get(("user_day", ""))
        wanted = list(estimates)
        if limit is None or not wanted or None in wanted:
            return
        counter = counters_of("", user_id, clock.now())[-1]
        query = select(Spend.spent_micros + Spend.reserved_micros).where(*_is(counter))
        spent = (await reader.execute(query)).scalar_one_or_none() or 0
        if spent + min(micros for micros in wanted if micros is not None) > limit:
            raise OverBudget("You have reached today's limit for paid image services. Please come back tomorrow.")

    async def expire(self) -> int:
        """End reservations of calls that were lost with their process; return how many.

        What such a call did nobody knows: an attempt is written for it, and its reservation counts as spent, unless the
        call was resumed afterwards: then that told what it cost.
        """
        if self._database is None:
            return 0
        async with self._database.read() as connection:  # mostly nothing, and a look takes no lock
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
            await _move(session, lost, spent)
        return len(lost)


async def read_limits(connection: AsyncConnection | AsyncSession) -> dict[tuple[str, str], int]:
    """Return scope and subject → limit in micros."""
    rows = await connection.execute(select(Budget.scope, Budget.subject, Budget.limit_micros))
    return {(scope, subject): limit for scope, subject, limit in rows}


async def save_limits(session: AsyncSession, limits: Mapping[tuple[Scope, str], int]) -> None:
    """Replace all limits."""
    await session.execute(delete(Budget))
    if limits:
        rows = [{"scope": scope, "subject": who, "limit_micros": micros} for (scope, who), micros in limits.items()]
        await session.execute(insert(Budget), rows)


async def settle(session: AsyncSession, reservations: Sequence[str], spent: Sequence[Spent]) -> None:
    """End reservations and add what was spent, in the transaction that writes the attempts."""
    if reservations or spent:
        await _move(session, await _take(session, reservations), spent)


async def _take(session: AsyncSession, ids: Sequence[str]) -> Sequence[Any]:
    """Remove reservations and return those that were still there: each is taken once."""
    if not ids:
        return ()
    removal = delete(Reservation).where(Reservation.id.in_(ids))
    return (await session.execute(removal.returning(*Reservation.__table__.columns))).all()


async def _move(session: AsyncSession, ended: Sequence[Any], spent: Sequence[Spent]) -> None:
    released: dict[Counter, int] = {}
    for row in ended:
        for counter in counters_of(row.instance_id, row.user_id, row.at):
            released[counter] = released.get(counter, 0) + row.micros
    added: dict[Counter, int] = {}
    for entry in spent:
        for counter in counters_of(entry.instance_id, entry.user_id, entry.at):
            added[counter] = added.get(counter, 0) + entry.micros
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


async def _hold(session: AsyncSession, counter: Counter, micros: int, limit: int | None) -> bool:
    """Reserve in one counter; False when its limit leaves no room."""
    change = update(Spend).where(*_is(counter))
    if limit is not None:
        change = change.where(Spend.spent_micros + Spend.reserved_micros + micros <= limit)
    change = change.values(reserved_micros=Spend.reserved_micros + micros)
    if await changed_rows(session, change):
        return True
    fresh = insert_into(session, Spend).values(reserved_micros=0, **_columns(counter, 0))
    await session.execute(fresh.on_conflict_do_nothing())
    return bool(await changed_rows(session, change))


def _sorted(counters: Iterable[Counter]) -> list[Counter]:
    return sorted(counters, key=lambda counter: ([*SCOPES].index(counter[0]), counter))  # type: ignore[arg-type]


async def _resumed(session: AsyncSession, jobs: Sequence[str]) -> set[tuple[str | None, str, str]]:
    """Return job, instance and operation of calls whose result an instance was asked for later, with success."""
    if not jobs:
        return set()
    query = select(Attempt.job_id, Attempt.instance_id).where(
        Attempt.job_id.in_(jobs), Attempt.operation == RESUME, Attempt.outcome == "ok"
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
        "cost_source": "unknown",
        "user_id": row.user_id,
        "estimated_micros": row.micros,
        "held_micros": row.micros if held else None,
        "created_at": clock.now(),
    }


def _limit_key(counter: Counter) -> tuple[str, str]:
    scope, subject, _ = counter
    return scope, subject if scope == "instance_month" else ""


def _is(counter: Counter) -> tuple[Any, ...]:
    scope, subject, period = counter
    return Spend.scope == scope, Spend.subject == subject, Spend.period == period


def _columns(counter: Counter, spent: int) -> dict[str, Any]:
    scope, subject, period = counter
    return {"scope": scope, "subject": subject, "period": period, "spent_micros": spent}
