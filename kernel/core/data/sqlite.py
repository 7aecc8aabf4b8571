"""SQLite from an event loop, with one thread switch per statement instead of four, and none to begin a transaction.

The stock adapter asks the connection's thread to make a cursor, to execute, to fetch and to close, one after the other.
A task that is canceled between two of these leaves an open cursor that holds the database's one lock: the next writer
waited ten seconds and failed. Here no cursor stays open, whenever a task is canceled.
"""

import os
import sqlite3
from collections import deque
from contextlib import suppress
from typing import Any, Final

import aiosqlite
from sqlalchemy import make_url
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)

PRIVATE: Final = 0o600


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    """Executes and fetches in one step."""

    __slots__ = ()

    def execute(self, operation: Any, parameters: Any = None) -> Any:
        """Run one statement and fetch all its rows."""
        self._run(sqlite3.Connection.execute, operation, parameters or ())

    def executemany(self, operation: Any, seq_of_parameters: Any) -> Any:
        """Run one statement with many sets of parameters."""
        self._run(sqlite3.Connection.executemany, operation, seq_of_parameters)

    def _run(self, method: Any, operation: str, parameters: Any) -> None:
        connection: Any = self._connection
        adapted: Any = self._adapt_connection
        begin = adapted.begin_now()

        def work() -> None:
            if begin:
                connection._conn.execute(begin).close()
            cursor = method(connection._conn, operation, parameters)
            try:
                self.description = cursor.description
                self.lastrowid, self.rowcount = cursor.lastrowid, cursor.rowcount
                if cursor.description:
                    self._rows = deque(cursor.fetchall())
                    self.lastrowid = self.rowcount = -1
            finally:
                cursor.close()

        try:
            self.await_(connection._execute(work))
        except Exception as error:
            self._adapt_connection._handle_exception(error)


class _Connection(AsyncAdapt_aiosqlite_connection):
    """Makes our cursors; server-side cursors are not supported."""

    __slots__ = ("_begin", "_closing", "_used")

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self._begin = ""
        self._used = False

    def begin(self, statement: str) -> None:
        """Begin a transaction with this statement, on the way to the thread with the first one of the transaction."""
        self._begin = statement

    def begin_now(self) -> str:
        """Return what the thread is to begin with; empty within a transaction, or without one."""
        statement, self._begin, self._used = self._begin, "", True
        return statement

    def commit(self) -> None:
        """Commit, if anything was done since the last time."""
        self._begin = ""
        if self._used:
            super().commit()
            self._used = False

    def rollback(self) -> None:
        """Roll back, if anything was done, or handed to the thread, since the last commit."""
        self._begin = ""
        if self._used:
            super().rollback()
            self._used = False

    async def _terminate_graceful_close(self) -> None:
        self._closing = True
        await super()._terminate_graceful_close()

    def _terminate_force_close(self) -> None:
        """Close at once, unless that has begun: who is canceled twice need not wait, and the close goes on by itself.

        The stock adapter stops the connection's thread beside it, and the close waits for that thread for ever.
        """
        if not getattr(self, "_closing", False):
            super()._terminate_force_close()

    def cursor(self, server_side: bool = False) -> AsyncAdapt_aiosqlite_cursor:
        return super().cursor(server_side) if server_side else _Cursor(self)


class _Driver(AsyncAdapt_aiosqlite_dbapi):
    """The driver's module as SQLAlchemy sees it."""

    def connect(self, *args: Any, **kwargs: Any) -> AsyncAdapt_aiosqlite_connection:
        stock: Any = super().connect(*args, **kwargs)
        return _Connection(self, stock._connection)


DRIVER: Final = _Driver(aiosqlite, sqlite3)
"""For `create_async_engine(module=…)`."""


def make_private(url: str, *, create: bool = False) -> None:
    """Let nobody but the owner read a database's file and those beside it; `create` makes it if there is none.

    SQLite gives the files that it adds the mode of the first. A folder that existed before may be open to others, so
    the mode of the data folder does not protect them.
    """
    parts = make_url(url)
    path = parts.database
    if parts.get_backend_name() != "sqlite" or not path or path.startswith((":memory:", "file:")):
        return
    if create:
        with suppress(OSError):  # SQLite says why, in its words
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
    for file in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):  # it is not there, or somebody else's
            os.chmod(file, PRIVATE)
