"""Upgrades a database to the newest schema: one set of revisions for SQLite and PostgreSQL."""

import asyncio
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from kernel.core.config import Config
from kernel.core.data.sqlite import make_private

FOLDER: Final = Path(__file__).parent
LOCK_ID: Final = 7_204_113
"""PostgreSQL advisory lock: if several hosts start at the same time, one migrates and the others wait."""


def alembic_config() -> AlembicConfig:
    """Return Alembic's configuration, which needs no file."""
    settings = AlembicConfig()
    settings.set_main_option("script_location", str(FOLDER))
    return settings


def newest() -> str:
    """Return the id of the newest revision."""
    return ScriptDirectory(str(FOLDER)).get_current_head() or ""


async def migrate(config: Config) -> bool:
    """Upgrade to the newest revision; return whether anything had to be done."""
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    make_private(config.database_url, create=True)
    engine = create_async_engine(config.database_url)

    def upgrade(connection: Connection) -> bool:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK_ID})"))
        if MigrationContext.configure(connection).get_current_revision() == newest():
            return False
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
        return True

    try:
        async with engine.begin() as connection:
            return await connection.run_sync(upgrade)
    finally:
        await engine.dispose()


def migrate_now(config: Config) -> bool:
    """Upgrade from code without an event loop."""
    return asyncio.run(migrate(config))
