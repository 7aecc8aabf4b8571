"""Covers that administrators give beyond the month's limit: used when that is used up, and kept until they are."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Final

from msgspec import Meta
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.admin.rights_history import NOBODY
from kernel.accounts.models import User
from kernel.accounts.owned_data import ExportFile, json_file
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.stored_rows import Values, name_behind_colon
from kernel.core.errors import Absent
from kernel.core.schemas import In, Line, Out
from kernel.plans.models import CoverCredit

MOST: Final = 10_000

CREDITS: Final = select(func.coalesce(func.sum(CoverCredit.amount - CoverCredit.used), 0)).where(
    CoverCredit.user_id == bindparam("user_id")
)
"""The credits that the user `user_id` has left."""


class CreditIn(In, frozen=True, kw_only=True):
    """How many covers to give beyond the limit, and why."""

    amount: Annotated[int, Meta(ge=1, le=MOST)]
    reason: Annotated[Line, Meta(min_length=1, max_length=200)]


class CreditsOut(Out, frozen=True, kw_only=True):
    """How many covers beyond the limit somebody has left."""

    credits: int


async def credits_left(reader: ReadConnection | AsyncSession, user_id: int) -> int:
    """Return how many credits a user has left."""
    return int((await reader.execute(CREDITS, {"user_id": user_id})).scalar_one())


async def take_credits(session: AsyncSession, user_id: int, count: int) -> list[int]:
    """Take credits, those given first before others; return the id of one for each unit, or fewer if there are not."""
    rows = select(CoverCredit).where(CoverCredit.user_id == user_id, CoverCredit.used < CoverCredit.amount)
    taken: list[int] = []
    for credit in (await session.execute(rows.order_by(CoverCredit.id).with_for_update())).scalars():
        units = min(count - len(taken), credit.amount - credit.used)
        credit.used += units
        taken += [credit.id] * units
        if len(taken) == count:
            break
    await session.flush()
    return taken


async def give_back(session: AsyncSession, credit_id: int) -> None:
    """Give one unit of a credit back."""
    await session.execute(update(CoverCredit).where(CoverCredit.id == credit_id).values(used=CoverCredit.used - 1))


class CreditHistory:
    """How many covers were given to somebody in all, used or not."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the number for `user:7`. Raises Absent."""
        user_id = int(name_behind_colon(about))
        there = select(User.id).where(User.id == user_id, ~is_being_deleted())
        if (await session.execute(there.with_for_update())).one_or_none() is None:
            raise Absent(NOBODY)
        given = select(func.coalesce(func.sum(CoverCredit.amount), 0)).where(CoverCredit.user_id == user_id)
        return {"credits_given": int((await session.execute(given)).scalar_one())}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Take back what was given last, as far as it is not used; or give as much again."""
        user_id = int(name_behind_colon(about))
        surplus = int((await self.read(session, about))["credits_given"]) - int(values["credits_given"])
        if surplus < 0:
            session.add(CoverCredit(user_id=user_id, amount=-surplus, used=0, reason="", created_at=clock.now()))
        rows = select(CoverCredit).where(CoverCredit.user_id == user_id).order_by(CoverCredit.id.desc())
        for credit in (await session.execute(rows.with_for_update())).scalars():
            back = max(0, min(surplus, credit.amount - credit.used))
            credit.amount -= back
            surplus -= back
        await session.flush()


class CreditService:
    """Gives covers beyond the limit."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, user_id: int, wanted: CreditIn, actor: Actor) -> CreditsOut:
        """Give a user covers; they can be used at once. Raises Absent."""
        async with self._database.write() as session:
            await self.give_in(session, user_id, wanted, actor)
            return CreditsOut(credits=await credits_left(session, user_id))

    async def give_in(
        self, session: AsyncSession, user_id: int, wanted: CreditIn, actor: Actor, run: str | None = None
    ) -> None:
        """Do the same in the caller's transaction: once for a user and a `run`, however often. Raises Absent."""
        about, history = f"user:{user_id}", CreditHistory()
        before = await history.read(session, about)  # locks the user's row: a run that is sent twice at once waits here
        if run is not None:
            given = select(CoverCredit.id).where(CoverCredit.user_id == user_id, CoverCredit.run == run)
            if (await session.execute(given.limit(1))).first() is not None:
                return
        session.add(
            CoverCredit(
                user_id=user_id,
                amount=wanted.amount,
                used=0,
                reason=wanted.reason,
                run=run,
                created_at=clock.now(),
            )
        )
        await session.flush()
        audit(
            session,
            "user.credit",
            actor_id=actor.id,
            ip=actor.ip,
            object=about,
            keys=("creditsGiven",),
            before=before,
            after=await history.read(session, about),
        )

    async def left_of(self, reader: ReadConnection, user_ids: Sequence[int]) -> dict[int, int]:
        """Return user id → credits left, for those who were given some."""
        left = func.sum(CoverCredit.amount - CoverCredit.used)
        query = select(CoverCredit.user_id, left).where(CoverCredit.user_id.in_(user_ids)).group_by(CoverCredit.user_id)
        return {user: int(count) for user, count in (await reader.execute(query)).tuples()}


class CreditData:
    """The credits of a user. They go with the user's row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield credits.json."""
        columns = (CoverCredit.amount, CoverCredit.used, CoverCredit.reason, CoverCredit.created_at)
        query = select(*columns).where(CoverCredit.user_id == user_id).order_by(CoverCredit.id)
        async with self._database.scan() as connection:
            rows = [row._asdict() for row in await connection.execute(query)]
        yield ExportFile(name="credits.json", chunks=json_file(rows))

    async def remove(self, user_id: int) -> None:
        """Do nothing: the rows are deleted with the user's."""

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return False."""
        return False
