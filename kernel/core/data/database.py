"""The database: one address, two paths. Writes take the lock at once; reads never wait for them."""

import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Any, Final, cast

from advanced_alchemy.base import AdvancedDeclarativeBase, CommonTableAttributes, create_registry
from sqlalchemy import CursorResult, Engine, Executable, Identity, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Mapped, ORMExecuteState, Session, declared_attr, mapped_column
from sqlalchemy.types import BigInteger, Integer

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data import postgresql as postgresql_driver
from kernel.core.data.moments import Moment
from kernel.core.data.sqlite import DRIVER, make_private
from kernel.core.data.sqlite_reads import LoopConnection, LoopRead, loop_reader

BigInt: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit integer; SQLite makes a rowid key of INTEGER only."""

BUSY_TIMEOUT_MS: Final = 10_000
LOOP_BUSY_TIMEOUT_MS: Final = 500
"""On the event loop, where nothing else happens meanwhile. Readers wait only while a crash is being recovered from."""

CONNECTIONS: Final = 24
"""Maximum per process; PostgreSQL allows a hundred in all by default."""

POOL_TIMEOUT_S: Final = 20.0

ReadConnection = AsyncConnection | LoopConnection
"""What statements are read with; which of the two it is, nobody has to ask."""

WITHOUT_TRANSACTIONS: Final[dict[str, Any]] = {
    "isolation_level": "AUTOCOMMIT",
    "pool_reset_on_return": None,
    "skip_autocommit_rollback": True,
}

_registry = create_registry()


class Base(CommonTableAttributes, AdvancedDeclarativeBase):
    """Base of all tables."""

    __abstract__ = True
    registry = _registry


class Row(Base):
    """A table with an integer key and its time of creation. Keys of deleted rows are not reused."""

    __abstract__ = True

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(BigInt, Identity(), primary_key=True, sort_order=-100)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now, sort_order=900)


def _set_pragmas(engine: Engine, *more: str) -> None:
    """Prepare each new connection to SQLite. The driver begins no transactions by itself."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            f"busy_timeout={BUSY_TIMEOUT_MS}",
            "foreign_keys=ON",
            "synchronous=NORMAL",
            "temp_store=MEMORY",
            *more,
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()


def _begin_immediately(engine: AsyncEngine) -> None:
    """Begin write transactions explicitly: the driver's deferred begin loses updates under contention."""

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Any) -> None:
        connection.connection.dbapi_connection.begin("BEGIN IMMEDIATE")


class _RowSession(Session):
    """A session whose UPDATE and DELETE do not look for loaded objects to change as well: statements read rows."""


@event.listens_for(_RowSession, "do_orm_execute")
def _change_rows_only(state: ORMExecuteState) -> None:
    if state.is_update or state.is_delete:
        state.update_execution_options(synchronize_session=False)


class Database:
    """Opens write transactions and read connections. Close it with `aclose`.

    Connections stay open: opening one costs more than most statements. On SQLite the writers of a process wait in a
    queue instead of polling for the single lock, and read-only statements begin no transaction, which would also cost
    more than most of them.
    """

    def __init__(self, url: str, *, pool_size: int = CONNECTIONS) -> None:
        self.url = url
        self.sqlite = make_url(url).get_backend_name() == "sqlite"
        common: dict[str, Any] = {"max_overflow": 0, "pool_use_lifo": True, "pool_timeout": POOL_TIMEOUT_S}
        if self.sqlite:
            make_private(url)
            common["module"] = DRIVER
            self._writer = create_async_engine(url, pool_size=1, **common)
            _set_pragmas(self._writer.sync_engine)
            _begin_immediately(self._writer)
            self._scanner = create_async_engine(url, pool_size=pool_size, **common, **WITHOUT_TRANSACTIONS)
            _set_pragmas(self._scanner.sync_engine, "query_only=ON")
            reader = loop_reader(url, **WITHOUT_TRANSACTIONS)
            _set_pragmas(reader, "query_only=ON", f"busy_timeout={LOOP_BUSY_TIMEOUT_MS}")
            self._loop_connection = LoopConnection(reader)
        else:
            common |= {"module": postgresql_driver.DRIVER, "connect_args": postgresql_driver.CONNECT_ARGUMENTS}
            self._writer = create_async_engine(url, pool_size=pool_size, pool_pre_ping=True, **common)
            self._scanner = self._writer.execution_options(isolation_level="AUTOCOMMIT")
            self._snapshots = self._writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        self._sessions = async_sessionmaker(self._writer, expire_on_commit=False, sync_session_class=_RowSession)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that commits at the end, or rolls back when an exception is raised."""
        async with self._sessions() as session, session.begin():
            yield session

    def read(self) -> AbstractAsyncContextManager[ReadConnection]:
        """Open a connection for reading. Each statement sees what was committed when it ran.

        On SQLite the statements run on the event loop, so they must be short: `scan` is for the others.
        """
        return LoopRead(self._loop_connection) if self.sqlite else self.scan()

    def scan(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open the same for statements that may look at many rows: on SQLite they run in a thread."""
        return self._scanner.connect()

    def version(self) -> object | None:
        """Return what is another thing after every commit of any process; None where only statements can tell.

        Raises sqlite3.Error.
        """
        return self._loop_connection.version() if self.sqlite else None

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection for reading. All its statements see what was committed when the first of them ran."""
        if self.sqlite:
            async with self.scan() as connection:
                await connection.exec_driver_sql("BEGIN")
                try:
                    yield connection
                finally:
                    await connection.exec_driver_sql("ROLLBACK")
        else:
            async with self._snapshots.begin() as connection:
                yield connection

    async def follow_clock(self) -> None:
        """Set this process's clock by the database server's. SQLite has no clock but the machine's."""
        if self.sqlite:
            return
        async with self.read() as connection:
            began = time.monotonic()
            server_unix = (await connection.execute(text("SELECT extract(epoch FROM clock_timestamp())"))).scalar_one()
            clock.follow(float(server_unix) + (time.monotonic() - began) / 2)

    async def ping(self) -> None:
        """Raise if the database cannot be reached."""
        async with self.read() as connection:
            await connection.execute(text("SELECT 1"))

    async def aclose(self) -> None:
        """Close all connections: those that are in use as soon as they are given back."""
        for engine in {self._writer, self._scanner}:
            event.listen(engine.sync_engine.pool, "checkin", _close_returned)
            await engine.dispose()
        if self.sqlite:
            self._loop_connection.dispose()


def _close_returned(connection: Any, record: Any) -> None:
    """Close a connection that comes back to a pool which nobody uses any more."""
    if connection is not None:
        record.invalidate()


async def changed_rows(session: AsyncSession, statement: Executable) -> int:
    """Execute an UPDATE or DELETE and return how many rows it touched."""
    return cast(CursorResult[Any], await session.execute(statement)).rowcount


def insert_into(session: AsyncSession, table: type[Base]) -> Insert:
    """Return an INSERT that supports ON CONFLICT, in the session's dialect. Both dialects take the same arguments."""
    lite = session.get_bind().dialect.name == "sqlite"
    return cast(Insert, (sqlite.insert if lite else postgresql.insert)(table))


def open_database(config: Config) -> Database:
    """Return the configured database; its folder is created if needed."""
    if config.database_url.startswith("sqlite"):
        config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Database(config.database_url)
