"""Reading SQLite on the event loop: most statements take less time than handing them to a thread and back.

In WAL mode a read waits for nobody, so the loop stands still only while the statement computes. What looks at many rows
belongs in a thread (`Database.scan`).
"""

import sqlite3
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Any, Final, Self, TypeVar, overload

import structlog
from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlalchemy.sql.selectable import TypedReturnsRows

log = structlog.get_logger("coverwright.database")

RowT = TypeVar("RowT", bound=tuple[Any, ...])

SLOW_S: Final = 0.1
"""A statement that holds the event loop for longer is reported."""


class _FetchedCursor(sqlite3.Cursor):
    """Fetches all rows as it executes: an open statement would show its connection an old state of the data."""

    def execute(self, operation: str, parameters: Any = (), /) -> Self:
        super().execute(operation, parameters)
        self._rows = deque(super().fetchall())
        return self

    def fetchone(self) -> Any:
        return self._rows.popleft() if self._rows else None

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        return [self._rows.popleft() for _ in range(min(size or 1, len(self._rows)))]

    def fetchall(self) -> list[Any]:
        rows = list(self._rows)
        self._rows.clear()
        return rows


class _FetchingConnection(sqlite3.Connection):
    def cursor(self, factory: Any = _FetchedCursor) -> Any:
        return super().cursor(factory)


class LoopConnection:
    """A connection for reading that executes at once, on the thread of the caller.

    Each thread has one that stays open: taking one from the pool and giving it back cost as much as a statement. Many
    tasks may use it in turn, because no statement and no transaction is open between two of its calls.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = threading.local()
        self._all: list[Connection] = []

    @property
    def dialect(self) -> Dialect:
        """The dialect that statements are compiled for."""
        return self._engine.dialect

    @overload
    async def execute(self, statement: TypedReturnsRows[RowT], parameters: Any = None) -> CursorResult[RowT]: ...

    @overload
    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]: ...

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Execute a statement; all its rows are in memory afterwards."""
        began = time.perf_counter()
        connection = self._connected()
        try:
            result = connection.execute(statement, parameters)
        except DBAPIError:  # the database may be another one when it is back
            self._drop(connection)
            raise
        if (seconds := time.perf_counter() - began) > SLOW_S:
            log.warning("a statement held the event loop", ms=round(seconds * 1000), statement=str(statement)[:300])
        return result

    async def scalar(self, statement: Executable, parameters: Any = None) -> Any:
        """Return the first column of the first row, None when there is none."""
        return (await self.execute(statement, parameters)).scalar()

    def version(self) -> object:
        """Return what is another thing after every commit, whoever made it; it costs a twentieth of a statement.

        Raises sqlite3.Error.
        """
        connection = self._connected()
        try:
            driver: Any = connection.connection.driver_connection
            return connection, driver.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error:
            self._drop(connection)
            raise

    def _connected(self) -> Connection:
        connection: Connection | None = getattr(self._thread, "connection", None)
        if connection is None:
            connection = self._thread.connection = self._engine.connect()
            self._all.append(connection)
        return connection

    def _drop(self, connection: Connection) -> None:
        self._close(connection)
        self._thread.connection = None

    def dispose(self) -> None:
        """Close the connections of all threads."""
        for connection in tuple(self._all):
            self._close(connection)
        self._engine.dispose()

    def _close(self, connection: Connection) -> None:
        self._all.remove(connection)
        with suppress(DBAPIError):
            connection.close()


class LoopRead:
    """`async with` around the connection, as around one of a pool."""

    __slots__ = ("_connection",)

    def __init__(self, connection: LoopConnection) -> None:
        self._connection = connection

    async def __aenter__(self) -> LoopConnection:
        return self._connection

    async def __aexit__(self, *failure: object) -> None:
        return None


def loop_reader(url: str, **options: Any) -> Engine:
    """Return the engine whose connections execute on the caller's thread."""
    return create_engine(
        url.replace("+aiosqlite", ""),
        connect_args={"factory": _FetchingConnection, "check_same_thread": False},
        poolclass=NullPool,
        **options,
    )
