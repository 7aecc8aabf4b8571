"""Rules of plans: how many covers a user may make per month, and exactly one settlement for each."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Executable, bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import PlansConfig
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.errors import LimitReached
from kernel.plans.credits import credits_left, give_back, take_credits
from kernel.plans.models import PlanLimitsRow, Quota, QuotaEntry
from kernel.plans.schemas import FreeFiles, FreeFilesIn, PlanLimits, PlanLimitsIn

# Built once, because every page runs it: compiling the statement costs more than running it.
_LIMITS: Final = select(*(getattr(PlanLimitsRow, name) for name in PlanLimits.__struct_fields__)).where(
    PlanLimitsRow.id == 1
)
USED: Final = select(Quota.reserved + Quota.used).where(
    Quota.user_id == bindparam("user_id"), Quota.period == bindparam("period")
)
"""The units of the user `user_id` in the month `period`: no row is none."""


class Plan:
    """What one user may do this month. `limit` None means without limit."""

    def __init__(self, is_pro: bool, limits: PlanLimits) -> None:
        self.is_pro = is_pro
        self.limits = limits

    @property
    def limit(self) -> int | None:
        """Return the covers per month."""
        if not self.is_pro:
            return self.limits.free_monthly_limit
        return None if self.limits.pro_unlimited else self.limits.pro_monthly_limit

    def refusal(self) -> LimitReached:
        """Return the error for a user who has reached the limit, with the specified text."""
        if self.is_pro:
            return LimitReached(f"You've reached your monthly limit of {self.limits.pro_monthly_limit} generations.")
        pro = "unlimited" if self.limits.pro_unlimited else str(self.limits.pro_monthly_limit)
        return LimitReached(f"Upgrade to Pro for {pro} generations.")


class TooFewLeft(LimitReached):
    """Some generations are left this month, but not as many as requested."""

    code = "too_few_left"

    def __init__(self, left: int, wanted: int) -> None:
        what = "1 generation is" if left == 1 else f"{left} generations are"
        super().__init__(f"Only {what} left this month, and you asked for {wanted}.")


class PlanService:
    """Limits and ledger. What is done within another transaction takes its connection or session."""

    def __init__(self, config: PlansConfig, database: Database) -> None:
        self._config = config
        self._database = database

    async def limits(self) -> PlanLimits:
        """Return the saved limits, or the configured ones."""
        async with self._database.read() as connection:
            return await self.limits_in(connection)

    async def save_limits(self, wanted: PlanLimitsIn, actor: Actor) -> PlanLimits:
        """Store new limits; they hold from the next generation on."""
        async with self._database.write() as session:
            before = msgspec.structs.asdict(await self.limits_in(session))
            saved = await self.save_limits_in(session, wanted)
            audit(
                session,
                "limits.save",
                actor_id=actor.id,
                ip=actor.ip,
                object="limits",
                keys=("proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"),
                before=before,
                after=msgspec.structs.asdict(saved),
            )
            return saved

    async def reset_month(self, actor: Actor) -> int:
        """Set every counter of the current month to zero; return how many users had one. Credits stay as they are."""
        async with self._database.write() as session:
            audit(session, "limits.reset", actor_id=actor.id, ip=actor.ip, object="limits")
            return await self.reset_month_in(session)

    async def limits_in(self, reader: ReadConnection | AsyncSession) -> PlanLimits:
        """Return the saved limits, or the configured ones."""
        row = (await reader.execute(_LIMITS)).one_or_none()
        if row is None:
            return PlanLimits(
                pro_unlimited=self._config.pro_unlimited,
                pro_monthly_limit=self._config.pro_monthly_limit,
                free_monthly_limit=self._config.free_monthly_limit,
            )
        return PlanLimits(**row._asdict())

    async def save_limits_in(self, session: AsyncSession, wanted: PlanLimitsIn) -> PlanLimits:
        """Store new limits; they hold from the next generation on."""
        values = msgspec.structs.asdict(wanted)
        first = {"free_print_files": self._config.free_print_files}
        row = insert_into(session, PlanLimitsRow).values(id=1, **values, **first)
        await session.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))
        return await self.limits_in(session)

    async def free_files(self) -> FreeFiles:
        """Return whether the free plan gets the files that printers take."""
        async with self._database.read() as connection:
            return FreeFiles(free_print_files=await self.has_free_print_files_in(connection))

    async def save_free_files(self, wanted: FreeFilesIn, actor: Actor) -> FreeFiles:
        """Store whether it does; it holds from the next files on."""
        async with self._database.write() as session:
            before = {"free_print_files": await self.has_free_print_files_in(session)}
            await self.save_free_files_in(session, wanted)
            audit(
                session,
                "files.save",
                actor_id=actor.id,
                ip=actor.ip,
                object="limits",
                keys=("freePrintFiles",),
                before=before,
                after=msgspec.structs.asdict(wanted),
            )
        return FreeFiles(free_print_files=wanted.free_print_files)

    async def save_free_files_in(self, session: AsyncSession, wanted: FreeFilesIn) -> None:
        """Store whether it does."""
        values = msgspec.structs.asdict(wanted)
        first = msgspec.structs.asdict(await self.limits_in(session))
        row = insert_into(session, PlanLimitsRow).values(id=1, **first, **values)
        await session.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))

    async def has_free_print_files_in(self, reader: ReadConnection | AsyncSession) -> bool:
        """Return the same on an open connection: as saved, or as configured."""
        query = select(PlanLimitsRow.free_print_files).where(PlanLimitsRow.id == 1)
        saved = (await reader.execute(query)).scalar_one_or_none()
        return self._config.free_print_files if saved is None else bool(saved)

    async def used_this_month(self, reader: ReadConnection | AsyncSession, user_id: int) -> int:
        """Return reserved and committed generations of the current UTC month."""
        period = clock.month_of(clock.now())
        return (await reader.execute(USED, {"user_id": user_id, "period": period})).scalar_one_or_none() or 0

    async def has_unit(self, reader: ReadConnection | AsyncSession, user_id: int, plan: Plan) -> bool:
        """Return whether a user may make another cover: by the month's limit, or by a credit."""
        if plan.limit is None or await self.used_this_month(reader, user_id) < plan.limit:
            return True
        return await credits_left(reader, user_id) > 0

    async def used_by(self, reader: ReadConnection, user_ids: Sequence[int]) -> dict[int, int]:
        """Return user id → the same count, for those who have one."""
        mine = Quota.user_id.in_(user_ids) & (Quota.period == clock.month_of(clock.now()))
        rows = await reader.execute(select(Quota.user_id, Quota.reserved + Quota.used).where(mine))
        return dict(rows.tuples().all())

    async def reserve(
        self,
        session: AsyncSession,
        *,
        user_id: int,
        plan: Plan | None,
        generation_ids: Sequence[UUID],
        moment: datetime,
    ) -> None:
        """Reserve units in the month of `moment`: one conditional UPDATE, so two requests cannot share the last.

        What the month does not leave comes from credits. All or none. Without a plan nothing limits the user. Raises
        LimitReached, TooFewLeft.
        """
        period, limit, wanted = clock.month_of(moment), plan.limit if plan else None, len(generation_ids)
        await session.execute(_insert_if_absent(session, user_id, period))
        change = update(Quota).where(Quota.user_id == user_id, Quota.period == period)
        if limit is not None:
            change = change.where(Quota.reserved + Quota.used + wanted <= limit)
        values = {"reserved": Quota.reserved + wanted, "limit_seen": limit}
        credited: list[int] = []
        if await changed_rows(session, change.values(**values)) == 0 and plan and limit is not None:
            credited = await self._reserve_beyond(session, user_id, period, plan, limit, wanted)
        entry = {"user_id": user_id, "period": period, "state": "reserved", "created_at": moment}
        paid = [*credited, *[None] * (wanted - len(credited))]
        rows = [
            entry | {"generation_id": one, "credit_id": credit, "counted": credit is None}
            for one, credit in zip(generation_ids, paid, strict=True)
        ]
        await session.execute(insert(QuotaEntry), rows)

    async def _reserve_beyond(
        self, session: AsyncSession, user_id: int, period: str, plan: Plan, limit: int, wanted: int
    ) -> list[int]:
        """Reserve what the month leaves and take the rest from credits; return one credit's id for each such unit.

        Raises LimitReached, TooFewLeft.
        """
        mine = (Quota.user_id == user_id, Quota.period == period)
        locked = select(Quota.reserved + Quota.used).where(*mine).with_for_update()
        taken = (await session.execute(locked)).scalar_one()
        left = min(wanted, max(0, limit - taken))
        credited = await take_credits(session, user_id, wanted - left)
        if left + len(credited) < wanted:
            raise TooFewLeft(left + len(credited), wanted) if left + len(credited) else plan.refusal()
        if left:
            values = {"reserved": Quota.reserved + left, "limit_seen": limit}
            await session.execute(update(Quota).where(*mine).values(**values))
        return credited

    async def settle(self, session: AsyncSession, generation_id: UUID, *, used: bool) -> None:
        """Commit (`used`) or release the unit of a generation. A second settlement changes nothing."""
        entry = (
            await session.execute(
                update(QuotaEntry)
                .where(QuotaEntry.generation_id == generation_id, QuotaEntry.state == "reserved")
                .values(state="committed" if used else "released", settled_at=clock.now())
                .returning(QuotaEntry.user_id, QuotaEntry.period, QuotaEntry.counted, QuotaEntry.credit_id)
            )
        ).one_or_none()
        if entry is not None and entry.credit_id is not None and not used:
            await give_back(session, entry.credit_id)
        if entry is None or not entry.counted:
            return
        values = {"reserved": Quota.reserved - 1} | ({"used": Quota.used + 1} if used else {})
        await session.execute(
            update(Quota).where(Quota.user_id == entry.user_id, Quota.period == entry.period).values(**values)
        )

    async def reset_month_in(self, session: AsyncSession) -> int:
        """Set every counter of the current month to zero; return how many users had one."""
        period = clock.month_of(clock.now())
        entries = update(QuotaEntry).where(QuotaEntry.period == period).values(counted=False)
        await session.execute(entries)
        users = await changed_rows(session, delete(Quota).where(Quota.period == period))
        # A reservation that ended while the counter was locked was not visible before.
        counter = exists().where(Quota.user_id == QuotaEntry.user_id, Quota.period == QuotaEntry.period)
        await session.execute(entries.where(QuotaEntry.counted, ~counter))
        return users


def _insert_if_absent(session: AsyncSession, user_id: int, period: str) -> Executable:
    row = insert_into(session, Quota).values(user_id=user_id, period=period, reserved=0, used=0)
    return row.on_conflict_do_nothing()
