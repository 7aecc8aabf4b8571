"""Billing without a browser or a product: the services themselves, on every database, with a fake vendor."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy import insert, select, text

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.accounts.user_summary import SubscriptionOut
from kernel.billing.invariants import one_live_subscription, subscriptions_have_customers
from kernel.billing.subscriptions.vendor_events import payment_events
from kernel.billing.wiring import Billing, open_billing
from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.data.database import Database
from kernel.core.outbox import OutboxEmail
from kernel.providers import Caller, Plugins, Registry, load_plugins
from kernel.providers.models import Notice
from kernel.providers.webhooks.inbox import InboxEvent
from kernel.spi import KernelEvent
from tests.stub_payment.bank import Bank

BOSS = Actor(id=1, ip="")

ENV = {
    "COVERWRIGHT_ENV": "test",
    "COVERWRIGHT_PLUGINS": "stub_payment",
    "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_payment",
}


@dataclass
class BillingHarness:
    """One process: its services, and the fake vendor `bank` of all processes. `second` is another vendor's file."""

    billing: Billing
    database: Database
    bank: Bank
    second: Bank
    seen: list[KernelEvent]

    async def person(self) -> CurrentUser:
        """Return a new user."""
        email = f"{uuid4().hex}@example.com"
        async with self.database.write() as session:
            new = insert(User).values(
                email=email,
                email_norm=email,
                email_verified=False,
                first_name="Ada",
                is_admin=False,
                disabled=False,
                created_at=clock.now(),
            )
            user_id = (await session.execute(new.returning(User.id))).scalar_one()
        moment = datetime.now(UTC)
        return CurrentUser(
            id=user_id,
            email=email,
            email_verified=False,
            first_name="Ada",
            last_name=None,
            is_admin=False,
            is_pro_override=None,
            language=None,
            email_marketing=None,
            payment_customer=None,
            created_at=moment,
            has_password=True,
            session_id=1,
            auth_at=moment,
            method="password",
        )

    async def subscriber(self) -> tuple[CurrentUser, str]:
        """Return a new user with an active subscription, and its id at the vendor."""
        person = await self.person()
        await self.billing.subscriptions.start(person)
        (entry,) = self.bank.subscriptions(person.id)
        self.bank.pay(entry["ref"])
        assert await self.billing.subscriptions.sync(person.id, None)
        return person, entry["ref"]

    async def shown(self, person: CurrentUser) -> SubscriptionOut | None:
        """Return what the user sees."""
        async with self.database.read() as connection:
            return (await self.billing.subscription_summaries.facts_in(connection, person.id)).subscription

    async def is_pro(self, person: CurrentUser) -> bool:
        """Return whether the user is Pro."""
        return await self.billing.entitlement.is_pro(person.id, None)

    async def letters(self, person: CurrentUser) -> list[tuple[str, dict[str, str]]]:
        """Return the emails that are queued for a user, oldest first, and their details."""
        query = select(OutboxEmail.kind, OutboxEmail.details).where(OutboxEmail.user_id == person.id)
        async with self.database.read() as connection:
            return [tuple(row) for row in await connection.execute(query.order_by(OutboxEmail.id))]

    async def sent(self, person: CurrentUser) -> list[str]:
        """Send what is queued, as far as this table knows: return the kinds, and leave nothing."""
        kinds = [kind for kind, _ in await self.letters(person)]
        await self.run("DELETE FROM letter WHERE user_id = :id", id=person.id)
        return kinds

    async def hear(self, topic: str, ref: str, *, times: int = 1) -> None:
        """Process an event as the inbox would."""
        for _ in range(times):
            async with self.database.write() as session:
                event = InboxEvent(instance_id="bank", event_id=uuid4().hex, topic=topic, ref=ref)
                await payment_events(str.title)(session, event)

    async def follow_up(self) -> None:
        """Do what a worker does with what was heard."""
        await self.billing.worker.resyncs.step()

    async def notices(self) -> list[tuple[object, ...]]:
        """Return the administrators' notices: kind, instance, code, values, how often."""
        async with self.database.read() as connection:
            columns = (Notice.kind, Notice.instance_id, Notice.code, Notice.params, Notice.count)
            return [tuple(row) for row in await connection.execute(select(*columns))]

    async def count(self, table: str, person: CurrentUser | None = None) -> int:
        """Return how many rows there are, or those of one user."""
        where = " WHERE user_id = :id" if person else ""
        async with self.database.read() as connection:
            query = text(f"SELECT count(*) FROM {table}{where}")
            return int((await connection.execute(query, {"id": person.id} if person else {})).scalar_one())

    async def column(self, name: str, table: str, person: CurrentUser) -> list[object]:
        """Return a column of a user's rows."""
        async with self.database.read() as connection:
            query = text(f"SELECT {name} FROM {table} WHERE user_id = :id ORDER BY 1")
            return list((await connection.execute(query, {"id": person.id})).scalars())

    async def run(self, statement: str, **values: object) -> None:
        """Change the database directly."""
        async with self.database.write() as session:
            await session.execute(text(statement), values)

    async def age(self, table: str, column: str, **back: int) -> None:
        """Move a time of all rows of a table into the past."""
        moment = clock.now() - timedelta(**back)
        stored = moment.strftime("%Y-%m-%d %H:%M:%S.%f") if self.database.sqlite else moment
        await self.run(f"UPDATE {table} SET {column} = :moment", moment=stored)

    async def promises_hold(self) -> None:
        """Check the invariants as `coverwright doctor` would."""
        async with self.database.read() as connection:
            assert await one_live_subscription(connection) == []
            assert await subscriptions_have_customers(connection) == []


NewHarness = Callable[..., BillingHarness]


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(ENV)


@pytest.fixture
async def new_harness(database: Database, plugins: Plugins, tmp_path: Path) -> AsyncIterator[NewHarness]:
    """Return a factory of processes on the same database: `new_harness(route=("second", "bank"))`."""
    async with _harnesses(database, plugins, tmp_path) as make:
        yield make


@asynccontextmanager
async def _harnesses(database: Database, plugins: Plugins, folder: Path) -> AsyncIterator[NewHarness]:
    async with AsyncExitStack() as closing:

        def make(*, route: tuple[str, ...] = ("bank",), **settings: object) -> BillingHarness:
            config = _config(folder, route, settings)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, None)
            seen: list[KernelEvent] = []
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return BillingHarness(
                billing=open_billing(config, database, caller, seen.append),
                database=database,
                bank=Bank(folder / "bank"),
                second=Bank(folder / "second"),
                seen=seen,
            )

        yield make


@pytest.fixture
def harness(new_harness: NewHarness) -> BillingHarness:
    """One process."""
    return new_harness()


@pytest.fixture
async def small_harness(plugins: Plugins, small_database: Database, tmp_path: Path) -> AsyncIterator[BillingHarness]:
    """One process on SQLite only, for faults that do not depend on the database."""
    async with _harnesses(small_database, plugins, tmp_path) as make:
        yield make()


def _config(folder: Path, route: tuple[str, ...], settings: dict[str, object]) -> Config:
    base = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(folder)})
    declared = tuple(
        InstanceConfig(
            id=name,
            kind="payment",
            provider="stub-pay",
            label=name,
            settings={"control": str(folder / name), **settings},
        )
        for name in ("bank", "second")
    )
    routes = RoutesConfig(image=(), storage=(), signin=(), payment=route, email=())
    return msgspec.structs.replace(base, instances=declared, routes=routes)
