"""The migrations create exactly the tables that the models describe, on every database."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, column, insert, inspect, make_url, select, table, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import create_async_engine
from structlog.testing import capture_logs

from kernel.accounts.invariants import people_are_searched_as_they_are
from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.config import Config, load_config
from kernel.core.data.database import Base, Database, open_database
from kernel.core.data.search_index import index_faults, is_search_object, missing_index
from kernel.covers.invariants import SEARCHES
from kernel.migrations.gate import revision_of
from kernel.migrations.quick_check import at_newest, has_administrator, known_revisions
from kernel.migrations.upgrade import alembic_config, migrate
from tests.shelf import shelve
from tests.support.applications import described
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
    options = {"compare_type": True, "include_object": lambda _object, name, *_: not is_search_object(name)}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))


@pytest.mark.anyio
async def test_the_newest_revision_equals_the_models(config: Config) -> None:
    described()  # every table is known then
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

    names = ("email", "email_norm", "email_verified", "is_admin", "disabled", "created_at")
    of_then = table("user", *(column(name, User.__table__.c[name].type) for name in names))

    def add(connection: Connection) -> None:
        back_to(connection, "0015")
        for address, compared in MAIL_DOMAINS.items():
            values = {"email": address, "email_norm": compared[0], "email_verified": True}
            connection.execute(insert(of_then).values(**values, is_admin=False, disabled=False, created_at=clock.now()))

    def stored(connection: Connection) -> dict[str, tuple[str, bool]]:
        rows = connection.execute(select(User.email, User.email_norm, User.email_verified))
        return {row.email: (row.email_norm, row.email_verified) for row in rows}

    asyncio.run(on_connection(config, add))
    asyncio.run(migrate(config))
    assert asyncio.run(on_connection(config, stored)) == {
        address: (after, after == before) for address, (before, after) in MAIL_DOMAINS.items()
    }


def search_faults(config: Config) -> tuple[list[str], list[str]]:
    """Return what the index of searches has not as it is stored, and what has no such index."""

    async def ask() -> tuple[list[str], list[str]]:
        database = open_database(config)
        try:
            async with database.scan() as connection:
                keys = await people_are_searched_as_they_are(connection)
                covers = [fault for index in SEARCHES for fault in await index_faults(connection, index)]
                missing = [line for index in SEARCHES for line in await missing_index(connection, index)]
                return keys + covers, missing
        finally:
            await database.aclose()

    return asyncio.run(ask())


def test_searches_know_the_rows_that_were_there_before_their_index(config: Config) -> None:
    asyncio.run(migrate(config))

    def add(connection: Connection) -> None:
        names = {"email": "Anna@Example.org", "email_norm": "anna@example.org", "first_name": "ÉMILE"}
        connection.execute(insert(User).values(id=1, **names))

    def back(connection: Connection) -> None:
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "0026")

    asyncio.run(on_connection(config, add))
    shelve(config.database_url, 1, [f"Volume {number}" for number in range(1100)])
    asyncio.run(on_connection(config, back))
    asyncio.run(migrate(config))
    assert search_faults(config) == ([], [])


def test_searches_without_accents_find_the_rows_that_were_there_before(config: Config) -> None:
    asyncio.run(migrate(config))

    def add(connection: Connection) -> None:
        names = {"email": "Anna@Example.org", "email_norm": "anna@example.org", "first_name": "ÉMILE"}
        connection.execute(insert(User).values(id=1, **names))

    def as_before(connection: Connection) -> None:
        connection.execute(text("UPDATE \"user\" SET name_key = 'émile '"))
        connection.execute(text("UPDATE cover SET title_key = 'łódź' WHERE title = 'Łódź'"))
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "0035")

    def keys(connection: Connection) -> set[str]:
        people = connection.execute(text('SELECT name_key FROM "user"')).scalars()
        return {*people, *connection.execute(text("SELECT title_key FROM cover")).scalars()}

    asyncio.run(on_connection(config, add))
    shelve(config.database_url, 1, ["Łódź", "Plain"])
    asyncio.run(on_connection(config, as_before))
    asyncio.run(migrate(config))
    assert asyncio.run(on_connection(config, keys)) == {"emile ", "lodz", "plain"}
    assert search_faults(config) == ([], [])


@pytest.mark.skipif("postgresql" not in BACKENDS, reason="PostgreSQL is not installed on this machine")
def test_where_the_extension_is_refused_searches_go_without_an_index(tmp_path: Path, databases: Databases) -> None:
    address = databases.empty("postgresql")
    role = f"plain_{uuid4().hex[:8]}"
    own = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": address})
    plain = make_url(own.database_url).set(username=role, password=role).render_as_string(hide_password=False)
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": plain})

    def run(*statements: str) -> None:
        asyncio.run(on_connection(own, lambda connection: [connection.execute(text(one)) for one in statements]))

    run(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'", f"GRANT ALL ON SCHEMA public TO {role}")
    try:
        with capture_logs() as logged:
            asyncio.run(migrate(config))
        assert at_newest(config)
        (line,) = logged
        faults, missing = search_faults(config)
        assert faults == [] and len(missing) == 2
        by_hand = line["sql"].split("; ")
        run(*(one.replace(" CONCURRENTLY", "") for one in by_hand))
        assert search_faults(config) == ([], [])
    finally:
        run(f"DROP OWNED BY {role} CASCADE", f"DROP ROLE {role}")


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


@pytest.mark.anyio
async def test_a_database_that_fails_once_has_not_lost_its_schema(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, failed = database.read, []

    def fail_once() -> Any:
        if failed:
            return read()
        failed.append(1)
        raise OperationalError("SELECT version_num FROM alembic_version", {}, Exception("no answer in time"))

    monkeypatch.setattr(database, "read", fail_once)
    with pytest.raises(OperationalError):
        await revision_of(database)
    assert await revision_of(database) == known_revisions()[-1]
