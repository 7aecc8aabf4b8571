"""The migrations create exactly the tables that the models describe, on every database."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, insert, inspect
from sqlalchemy.ext.asyncio import create_async_engine

from kernel.accounts.models import User
from kernel.app import create_app
from kernel.core.config import Config, load_config
from kernel.core.data.database import Base
from kernel.migrations.quick_check import at_newest, has_administrator
from kernel.migrations.upgrade import alembic_config, migrate
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import free_port


@pytest.fixture(params=BACKENDS)
def config(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> Config:
    address = databases.empty(request.param)
    return load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": address})


async def on_connection(config: Config, do: Callable[[Connection], Any]) -> Any:
    engine = create_async_engine(config.database_url)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(do)
    finally:
        await engine.dispose()


def differences(connection: Connection) -> list[Any]:
    return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), Base.metadata))


@pytest.mark.anyio
async def test_the_newest_revision_equals_the_models(config: Config) -> None:
    create_app(config)
    assert await migrate(config)
    assert await on_connection(config, differences) == []


@pytest.mark.anyio
async def test_a_second_upgrade_has_nothing_to_do(config: Config) -> None:
    await migrate(config)
    assert not await migrate(config)


@pytest.mark.anyio
async def test_several_that_start_at_once_all_succeed(config: Config) -> None:
    if not config.database_url.startswith("postgresql"):
        await migrate(config)
    assert any(await asyncio.gather(*(migrate(config) for _ in range(3)))) == config.database_url.startswith("postgres")


@pytest.mark.anyio
async def test_the_way_back_leaves_no_table(config: Config) -> None:
    await migrate(config)

    def downgrade(connection: Connection) -> list[str]:
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "base")
        return [name for name in inspect(connection).get_table_names() if name != "alembic_version"]

    assert await on_connection(config, downgrade) == []


def test_the_quick_check_knows_what_the_upgrade_left(config: Config) -> None:
    assert not at_newest(config)
    asyncio.run(migrate(config))
    assert at_newest(config)


def test_the_quick_check_knows_whether_there_is_an_administrator(config: Config) -> None:
    asyncio.run(migrate(config))
    assert not has_administrator(config)

    def add(connection: Connection) -> None:
        connection.execute(insert(User).values(email="a@example.org", email_norm="a@example.org", is_admin=True))

    asyncio.run(on_connection(config, add))
    assert has_administrator(config)


def test_the_quick_check_leaves_a_database_out_of_reach_to_the_full_one(tmp_path: Path) -> None:
    address = f"postgresql://someone@127.0.0.1:{free_port()}/covers"
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": address})
    assert not at_newest(config) and not has_administrator(config)
