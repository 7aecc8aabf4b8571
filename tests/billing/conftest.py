"""Payments without a browser or a product: the parts themselves, on every database, with a vendor of the test's."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy import insert, select, text

from kernel.accounts.current import CurrentUser
from kernel.accounts.facts import SubscriptionOut
from kernel.accounts.models import User
from kernel.app import create_app
from kernel.billing.changes import payment_events
from kernel.billing.desk import Billing, open_billing
from kernel.billing.promises import one_live_subscription, subscriptions_have_customers
from kernel.core import clock
from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.database import Base, Database
from kernel.providers import Caller, Plugins, Registry, load_plugins
from kernel.providers.operation.inbox import InboxEvent
from kernel.providers.operation.models import Notice
from kernel.spi import KernelEvent
from tests.conftest import BACKENDS
from tests.stub_payment.bank import Bank

ENV = {
    "COVERWRIGHT_ENV": "test",
    "COVERWRIGHT_PLUGINS": "stub_payment",
    "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_payment",
}


@dataclass
class House:
    """One process: its parts, and the vendor `bank` that everybody uses. `second` is another vendor's file."""

    billing: Billing
    database: Database
    bank: Bank
    second: Bank
    seen: list[KernelEvent]

    async def person(self) -> CurrentUser:
        """Return somebody new."""
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
        """Return somebody new with an active subscription, and its id at the vendor's."""
        person = await self.person()
        await self.billing.service.start(person)
        (entry,) = self.bank.subscriptions(person.id)
        self.bank.pay(entry["ref"])
        assert await self.billing.service.sync(person.id, None)
        return person, entry["ref"]

    async def shown(self, person: CurrentUser) -> SubscriptionOut | None:
        """Return what the person sees."""
        async with self.database.read() as connection:
            return await self.billing.views.subscription(connection, person.id)

    async def is_pro(self, person: CurrentUser) -> bool:
        """Say whether the person is Pro."""
        return await self.billing.entitlement.is_pro(person.id, None)

    async def hear(self, topic: str, ref: str, *, times: int = 1) -> None:
        """Hear of an event, as the inbox would."""
        for _ in range(times):
            async with self.database.write() as session:
                event = InboxEvent(instance_id="bank", event_id=uuid4().hex, topic=topic, ref=ref)
                await payment_events(str.title)(session, event)

    async def follow_up(self) -> None:
        """Do what a worker does with what was heard."""
        await self.billing.upkeep.changes.step()

    async def notices(self) -> list[tuple[object, ...]]:
        """Return what administrators are told: kind, instance, code, values, how often."""
        async with self.database.read() as connection:
            columns = (Notice.kind, Notice.instance_id, Notice.code, Notice.params, Notice.count)
            return [tuple(row) for row in await connection.execute(select(*columns))]

    async def count(self, table: str, person: CurrentUser | None = None) -> int:
        """Return how many rows there are, those of one person if named."""
        where = " WHERE user_id = :id" if person else ""
        async with self.database.read() as connection:
            query = text(f"SELECT count(*) FROM {table}{where}")
            return int((await connection.execute(query, {"id": person.id} if person else {})).scalar_one())

    async def column(self, name: str, table: str, person: CurrentUser) -> list[object]:
        """Return a column of somebody's rows."""
        async with self.database.read() as connection:
            query = text(f"SELECT {name} FROM {table} WHERE user_id = :id ORDER BY 1")
            return list((await connection.execute(query, {"id": person.id})).scalars())

    async def run(self, statement: str, **values: object) -> None:
        """Change something in the database directly."""
        async with self.database.write() as session:
            await session.execute(text(statement), values)

    async def age(self, table: str, column: str, **back: int) -> None:
        """Put a moment of all rows of a table back by so long."""
        moment = clock.now() - timedelta(**back)
        stored = moment.strftime("%Y-%m-%d %H:%M:%S.%f") if self.database.sqlite else moment
        await self.run(f"UPDATE {table} SET {column} = :moment", moment=stored)

    async def promises_hold(self) -> None:
        """Check what `coverwright doctor` would."""
        async with self.database.read() as connection:
            assert await one_live_subscription(connection) == []
            assert await subscriptions_have_customers(connection) == []


NewHouse = Callable[..., House]


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(ENV)


@pytest.fixture(scope="session")
def tables(new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return the maker of databases with every table, one of each kind for all tests: name of the backend → address."""
    create_app(load_config({"COVERWRIGHT_DATA": "/nonexistent/unused"}))  # every model is imported by then
    made: dict[str, str] = {}

    def make(backend: str) -> str:
        if backend not in made:
            url = new_database(backend).replace("postgresql://", "postgresql+asyncpg://")
            made[backend] = url or f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('tables') / 'empty.db'}"
            asyncio.run(_make_tables(made[backend]))
        return made[backend]

    return make


async def _make_tables(url: str) -> None:
    database = Database(url)
    async with database.write() as session:
        await (await session.connection()).run_sync(Base.metadata.create_all)
    await database.aclose()


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest, tables: Callable[[str], str]) -> str:
    """The address of a database of every kind."""
    return tables(request.param)


@pytest.fixture
async def database(database_url: str, tmp_path: Path) -> AsyncIterator[Database]:
    """A database with every table and no row."""
    async with _emptied(database_url, tmp_path) as database:
        yield database


@asynccontextmanager
async def _emptied(url: str, folder: Path) -> AsyncIterator[Database]:
    """Open a copy of a file; of a server's database, which takes a second to make anew, remove every row."""
    kind, _, path = url.partition(":///")
    if path:
        shutil.copy(path, folder / "test.db")
        url = f"{kind}:///{folder / 'test.db'}"
    database = Database(url)
    if not database.sqlite:
        async with database.write() as session:
            for table in reversed(Base.metadata.sorted_tables):
                await session.execute(table.delete())
    yield database
    await database.aclose()


@pytest.fixture
async def new_house(database: Database, plugins: Plugins, tmp_path: Path) -> AsyncIterator[NewHouse]:
    """Return a maker of processes on the same database: `new_house(route=("second", "bank"))`."""
    async with _houses(database, plugins, tmp_path) as make:
        yield make


@asynccontextmanager
async def _houses(database: Database, plugins: Plugins, folder: Path) -> AsyncIterator[NewHouse]:
    async with AsyncExitStack() as closing:

        def make(*, route: tuple[str, ...] = ("bank",), **settings: object) -> House:
            config = _config(folder, route, settings)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, None)
            seen: list[KernelEvent] = []
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return House(
                billing=open_billing(config, database, caller, seen.append),
                database=database,
                bank=Bank(folder / "bank"),
                second=Bank(folder / "second"),
                seen=seen,
            )

        yield make


@pytest.fixture
def house(new_house: NewHouse) -> House:
    """One process."""
    return new_house()


@pytest.fixture
def small_url(tables: Callable[[str], str]) -> str:
    """The address of an SQLite database."""
    return tables("sqlite")


@pytest.fixture
async def small_house(plugins: Plugins, small_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """One process on SQLite only, for faults in which the database plays no part."""
    async with _emptied(small_url, tmp_path) as database, _houses(database, plugins, tmp_path) as make:
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
