"""The migrations create exactly the tables that the models describe, on every database."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, insert, inspect, select
from sqlalchemy.ext.asyncio import create_async_engine

from kernel.accounts.models import User
from kernel.app import create_app
from kernel.core.config import Config, load_config
from kernel.core.data.database import Base, open_database
from kernel.migrations.quick_check import at_newest, has_administrator
from kernel.migrations.upgrade import alembic_config, migrate
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import free_port

MAIL_DOMAINS = {
    "Anna@Straße.example": ("anna@strasse.example", "anna@xn--strae-oqa.example"),
    "Ben@bücher.example": ("ben@xn--bcher-kva.example", "ben@xn--bcher-kva.example"),
    "Eve@Example.org": ("eve@example.org", "eve@example.org"),
    "x@☃.example": ("x@xn--n3h.example", "x@xn--n3h.example"),
}
"""Address → how it was compared, and how it is."""


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


def test_an_account_at_a_domain_that_was_taken_for_another_is_confirmed_again(config: Config) -> None:
    asyncio.run(migrate(config))

    def back_to(connection: Connection, revision: str) -> None:
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, revision)

    def add(connection: Connection) -> None:
        back_to(connection, "0015")
        for address, compared in MAIL_DOMAINS.items():
            values = {"email": address, "email_norm": compared[0], "email_verified": True}
            connection.execute(insert(User).values(**values))

    def stored(connection: Connection) -> dict[str, tuple[str, bool]]:
        rows = connection.execute(select(User.email, User.email_norm, User.email_verified))
        return {row.email: (row.email_norm, row.email_verified) for row in rows}

    asyncio.run(on_connection(config, add))
    asyncio.run(migrate(config))
    assert asyncio.run(on_connection(config, stored)) == {
        address: (after, after == before) for address, (before, after) in MAIL_DOMAINS.items()
    }


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


@pytest.mark.anyio
async def test_only_the_owner_may_read_the_files_of_the_database(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path)})
    await migrate(config)

    def modes() -> set[int]:
        return {path.stat().st_mode & 0o777 for path in tmp_path.glob("coverwright.db*")}

    assert modes() == {0o600}
    for path in tmp_path.glob("coverwright.db*"):
        path.chmod(0o644)
    database = open_database(config)
    try:
        async with database.write() as session:
            await session.execute(insert(User).values(email="a@example.org", email_norm="a@example.org"))
        assert len(list(tmp_path.glob("coverwright.db*"))) == 3
        assert modes() == {0o600}
    finally:
        await database.aclose()
