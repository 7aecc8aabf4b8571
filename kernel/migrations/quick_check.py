"""A quick look into the database without loading SQLAlchemy and Alembic: enough for most starts."""

import asyncio
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from kernel.core.config import Config

VERSIONS: Final = Path(__file__).parent / "versions"
SQLITE: Final = "sqlite+aiosqlite:///"
POSTGRESQL: Final = "postgresql+asyncpg://"
POSTGRESQL_S: Final = 5.0
"""Who waits longer for a server is not quicker than the full check."""


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the ids of all revisions, the newest last; they begin the names of their files."""
    return tuple(sorted(file.name.partition("_")[0] for file in VERSIONS.glob("[0-9]*.py")))


def at_newest(config: Config) -> bool:
    """Return True when the schema is certainly the newest."""
    return _first(config, "SELECT version_num FROM alembic_version") == known_revisions()[-1]


def has_administrator(config: Config) -> bool:
    """Return True when there certainly is an administrator."""
    return _first(config, 'SELECT 1 FROM "user" WHERE is_admin LIMIT 1') == 1


def _first(config: Config, query: str) -> object:
    """Return the first value of a query, or None for a database that cannot be reached or lacks the table."""
    if config.database_url.startswith(POSTGRESQL):
        return asyncio.run(_first_of_server("postgresql://" + config.database_url.removeprefix(POSTGRESQL), query))
    path = Path(config.database_url.removeprefix(SQLITE))
    if not config.database_url.startswith(SQLITE) or not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            row: tuple[object, ...] | None = connection.execute(query).fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row else None


async def _first_of_server(url: str, query: str) -> object:
    import asyncpg  # type: ignore[import-untyped]

    try:
        connection = await asyncpg.connect(url, timeout=POSTGRESQL_S)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close(timeout=POSTGRESQL_S)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError):
        return None
