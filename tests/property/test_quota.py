"""The quota ledger under random sequences of operations, against the simplest possible model."""

import asyncio
import shutil
import tempfile
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

import kernel.app  # noqa: F401  # all tables
from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.config import load_config
from kernel.core.data.database import Base, Database
from kernel.core.data.ids import new_uuid
from kernel.core.errors import LimitReached
from kernel.plans.credits import CreditHistory, CreditIn, CreditService, credits_left
from kernel.plans.invariants import credits_equal_entries
from kernel.plans.models import Quota, QuotaEntry
from kernel.plans.schemas import PlanLimits, PlanLimitsIn
from kernel.plans.service import Plan, PlanService

USERS = (1, 2)
NOW = clock.now()
MONTHS = (NOW, datetime(2020, 1, 31, 23, 59, 59, tzinfo=UTC))


@cache
def _template() -> bytes:
    """Return the file of a database with tables and users, made once."""
    with tempfile.TemporaryDirectory(prefix="cw-quota-") as folder:
        asyncio.run(_prepare(Path(folder) / "db"))
        return (Path(folder) / "db").read_bytes()


async def _prepare(path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{path}")
    try:
        async with database.write() as session:
            await (await session.connection()).run_sync(Base.metadata.create_all)
            await session.execute(
                insert(User), [{"id": user, "email": f"{user}@example.com", "email_norm": f"{user}"} for user in USERS]
            )
    finally:
        await database.aclose()


class Ledger(RuleBasedStateMachine):
    """Reserve, settle, reset and change limits in any order; counters, entries and limits always agree."""

    reserved = Bundle("reserved")

    @initialize()
    def open(self) -> None:
        """Start with an empty ledger."""
        template = _template()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(prefix="cw-quota-"))
        (self.folder / "db").write_bytes(template)
        self.database = Database(f"sqlite+aiosqlite:///{self.folder / 'db'}", pool_size=1)
        self.plans = PlanService(load_config({}).plans, self.database)
        self.limits = PlanLimits(pro_unlimited=False, pro_monthly_limit=15, free_monthly_limit=1)
        self.counts: Counter[tuple[int, str]] = Counter()
        self.states: dict[UUID, tuple[int, str, str, bool]] = {}
        self.credits: Counter[int] = Counter()
        self.on_credit: set[UUID] = set()

    def teardown(self) -> None:
        """Close the database."""
        if hasattr(self, "runner"):
            self.runner.run(self.database.aclose())
            self.runner.close()
            shutil.rmtree(self.folder)

    @rule(
        target=reserved,
        user=st.sampled_from(USERS),
        moment=st.sampled_from(MONTHS),
        tier=st.sampled_from(["free", "pro", "operator"]),
    )
    def reserve(self, user: int, moment: datetime, tier: str) -> Any:
        """Reserve a unit; it is refused exactly when the plan's limit and all credits are used up."""
        plan = None if tier == "operator" else Plan(tier == "pro", self.limits)
        generation_id, key = new_uuid(), (user, clock.month_of(moment))

        async def run() -> None:
            async with self.database.write() as session:
                await self.plans.reserve(
                    session, user_id=user, plan=plan, generation_ids=[generation_id], moment=moment
                )

        by_plan = plan is None or plan.limit is None or self.counts[key] < plan.limit
        allowed = by_plan or self.credits[user] > 0
        try:
            self.runner.run(run())
        except LimitReached:
            assert not allowed
            return multiple()
        assert allowed
        if by_plan:
            self.counts[key] += 1
        else:
            self.credits[user] -= 1
            self.on_credit.add(generation_id)
        self.states[generation_id] = (user, key[1], "reserved", by_plan)
        return generation_id

    @rule(generation_id=consumes(reserved), used=st.booleans(), again=st.booleans())
    def settle(self, generation_id: UUID, used: bool, again: bool) -> None:
        """Commit or release a unit; a second settlement, of either kind, changes nothing."""

        async def run() -> None:
            async with self.database.write() as session:
                await self.plans.settle(session, generation_id, used=used)
                if again:
                    await self.plans.settle(session, generation_id, used=not used)

        self.runner.run(run())
        user, period, _, counted = self.states[generation_id]
        if counted and not used:
            self.counts[user, period] -= 1
        if generation_id in self.on_credit and not used:
            self.credits[user] += 1
        self.states[generation_id] = (user, period, "committed" if used else "released", counted)

    @rule(user=st.sampled_from(USERS), amount=st.integers(1, 3))
    def give(self, user: int, amount: int) -> None:
        """Give credits; they stay until they are used, whatever the month."""
        left = self.runner.run(
            CreditService(self.database).give(user, CreditIn(amount=amount, reason="Sorry"), Actor(id=1, ip=""))
        )
        self.credits[user] += amount
        assert left.credits == self.credits[user]

    @rule(user=st.sampled_from(USERS))
    def take_back(self, user: int) -> None:
        """Take all credits back, as an administrator undoes them: what is used stays used."""

        async def run() -> None:
            async with self.database.write() as session:
                await CreditHistory().put_back(session, f"user:{user}", {"credits_given": 0})

        self.runner.run(run())
        self.credits[user] = 0

    @rule()
    def reset(self) -> None:
        """Set every counter of the current month to zero."""

        async def run() -> None:
            async with self.database.write() as session:
                await self.plans.reset_month_in(session)

        self.runner.run(run())
        month = clock.month_of(NOW)
        for user in USERS:
            self.counts[user, month] = 0
        self.states = {
            key: (user, period, state, counted and period != month)
            for key, (user, period, state, counted) in self.states.items()
        }

    @rule(pro=st.integers(1, 4), free=st.integers(0, 3), unlimited=st.booleans())
    def change_limits(self, pro: int, free: int, unlimited: bool) -> None:
        """Save other limits, higher or lower than what has been used."""
        wanted = PlanLimitsIn(pro_unlimited=unlimited, pro_monthly_limit=pro, free_monthly_limit=free)

        async def run() -> PlanLimits:
            async with self.database.write() as session:
                return await self.plans.save_limits_in(session, wanted)

        self.limits = self.runner.run(run())
        assert (self.limits.pro_monthly_limit, self.limits.free_monthly_limit) == (pro, free)

    @rule(user=st.sampled_from(USERS))
    def break_off(self, user: int) -> None:
        """Reserve in a transaction that fails afterwards: nothing is stored."""

        async def run() -> None:
            async with self.database.write() as session:
                await self.plans.reserve(session, user_id=user, plan=None, generation_ids=[new_uuid()], moment=NOW)
                await session.execute(insert(User).values(id=user, email="x", email_norm="x"))

        try:
            self.runner.run(run())
        except IntegrityError:
            return
        raise AssertionError("the second user of the same id was stored")

    @invariant()
    def agrees_with_the_model(self) -> None:
        """Compare every counter and every entry with the model."""
        if not hasattr(self, "database"):
            return

        async def run() -> tuple[list[Any], list[Any]]:
            async with self.database.read() as connection:
                counters = (await connection.execute(select(Quota))).all()
                entries = (await connection.execute(select(QuotaEntry))).all()
                credits = [await credits_left(connection, user) for user in USERS]
                wrong = await credits_equal_entries(connection)
                shown = [await self.plans.used_this_month(connection, user) for user in USERS]
            assert credits == [self.credits[user] for user in USERS]
            assert wrong == []
            assert shown == [self.counts[user, clock.month_of(NOW)] for user in USERS]
            return list(counters), list(entries)

        counters, entries = self.runner.run(run())
        found = {entry.generation_id: (entry.user_id, entry.period, entry.state, entry.counted) for entry in entries}
        assert found == self.states
        totals = {(row.user_id, row.period): row.reserved + row.used for row in counters}
        assert {key: count for key, count in self.counts.items() if count} == {
            key: count for key, count in totals.items() if count
        }
        for row in counters:
            mine = [state for user, period, state, counted in found.values() if counted and (user, period) == row[:2]]
            assert (row.reserved, row.used) == (mine.count("reserved"), mine.count("committed"))


TestLedger = Ledger.TestCase
TestLedger.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
