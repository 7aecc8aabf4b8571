"""PostgreSQL over connections that are given up when the server falls silent, so that nobody waits for it for ever.

The stock adapter lets a time limit through as it is: the connection stays in the pool, and the next request waits as
long. Here silence closes the connection, and the pool replaces all that were opened before.
"""

import asyncio
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection, AsyncAdapt_asyncpg_dbapi

CONNECT_S: Final = 5.0
PING_S: Final = 2.0
"""Before a connection is used: a server that needs longer for an empty statement is as good as away."""
CLOSE_S: Final = 0.5
STATEMENT_S: Final = 30.0
"""The server ends a statement after this time; one that is still silent a little later is away."""
IDLE_S: Final = 60.0
"""The server ends a transaction in which nothing happens: its process may be gone, its locks must not stay."""
AWAY: Final = "08006"
"""SQLSTATE of a failed connection."""

CONNECT_ARGUMENTS: Final[dict[str, Any]] = {
    "timeout": CONNECT_S,
    "command_timeout": STATEMENT_S + PING_S,
    "server_settings": {
        "statement_timeout": str(round(STATEMENT_S * 1000)),
        "idle_in_transaction_session_timeout": str(round(IDLE_S * 1000)),
    },
}


class _PostgresConnection(AsyncAdapt_asyncpg_connection):
    """Closes itself when the server does not answer in time."""

    __slots__ = ()

    def _handle_exception(self, error: Exception) -> Any:
        if isinstance(error, TimeoutError):
            self._connection.terminate()
            raise self.dbapi.away("connection is closed: the server did not answer in time") from error
        return super()._handle_exception(error)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Close the connection, by force when the server does not answer: the end of a process must not wait for it."""
        self.terminate()

    async def _terminate_graceful_close(self) -> None:
        await self._connection.close(timeout=CLOSE_S)
        self._started = False

    async def _ping_in_time(self) -> None:
        async with asyncio.timeout(PING_S):  # not `wait_for`, which swallows a cancellation in Python 3.11
            await self._connection.execute(
                "SELECT 1"
            )  # one message; the stock ping begins a transaction for it, and ends it

    def ping(self) -> None:
        """Raise a driver's error unless the server answers soon."""
        try:
            self.await_(self._ping_in_time())
        except Exception as error:
            self._handle_exception(error)


class _PostgresDriver(AsyncAdapt_asyncpg_dbapi):
    """The driver's module as SQLAlchemy sees it."""

    def connect(self, *args: Any, **kwargs: Any) -> AsyncAdapt_asyncpg_connection:
        try:
            stock: Any = super().connect(*args, **kwargs)  # type: ignore[no-untyped-call]
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise self.away(f"no connection: {type(error).__name__}: {error}") from error
        return _PostgresConnection(self, stock._connection)  # type: ignore[no-untyped-call]

    def away(self, words: str) -> Exception:
        """Return the error of a connection that cannot be used."""
        error = self.OperationalError(words)
        error.sqlstate = error.pgcode = AWAY  # type: ignore[attr-defined]
        return error


DRIVER: Final = _PostgresDriver(asyncpg)  # type: ignore[no-untyped-call]
"""For `create_async_engine(module=…)`."""
