"""Upgrades a database to the newest schema: one set of revisions for SQLite and PostgreSQL."""

import asyncio
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from kernel.core.config import Config, ConfigError
from kernel.core.data.sqlite import make_private
from kernel.migrations.gate import fault_of
from kernel.migrations.quick_check import known_revisions

FOLDER: Final = Path(__file__).parent
LOCK_ID: Final = 7_204_113
"""PostgreSQL advisory lock: if several hosts start at the same time, one migrates and the others wait."""
LOCK_RETRY_S: Final = 0.2


def alembic_config() -> AlembicConfig:
    """Return Alembic's configuration, which needs no file."""
    settings = AlembicConfig()
    settings.set_main_option("script_location", str(FOLDER))
    return settings


def newest() -> str:
    """Return the id of the newest revision."""
    return ScriptDirectory(str(FOLDER)).get_current_head() or ""


async def migrate(config: Config, to: str = "") -> bool:
    """Upgrade to the newest revision, or to that of a backup; return whether anything had to be done.

    Raises ConfigError for a database that a newer release has changed; where that says that we still fit, it stays.
    """
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    make_private(config.database_url, create=True)
    engine = create_async_engine(config.database_url)

    def upgrade(connection: Connection) -> bool:
        current = MigrationContext.configure(connection).get_current_revision()
        connection.rollback()  # each revision begins a transaction of its own
        if current is not None and current not in known_revisions():
            if fault := fault_of(current):
                raise ConfigError(fault)
            return False
        if current == (to or newest()):
            return False
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, to or "head")
        return True

    try:
        async with engine.connect() as connection:
            await _wait_for_others(connection)
            return await connection.run_sync(upgrade)
    finally:
        await engine.dispose()


async def _wait_for_others(connection: AsyncConnection) -> None:
    """Hold the lock until the connection is closed.

    Who waited inside a statement would be waited for by the index that the other one is building.
    """
    attempt = text(f"SELECT pg_try_advisory_lock({LOCK_ID})")
    while connection.dialect.name == "postgresql" and not (await connection.execute(attempt)).scalar_one():
        await connection.rollback()
        await asyncio.sleep(LOCK_RETRY_S)
    await connection.rollback()


def migrate_now(config: Config) -> bool:
    """Upgrade from code without an event loop."""
    return asyncio.run(migrate(config))
