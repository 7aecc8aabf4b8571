"""The paths to the database: writers are serialized and lose nothing, readers change nothing."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from kernel.core.data.database import Database
from kernel.site.models import Setting

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Database]:
    """Open a database with one table of names and counts."""
    database = Database(f"sqlite+aiosqlite:///{folder / 'test.db'}")
    try:
        async with database.write() as session:
            await session.execute(text("CREATE TABLE tally (name TEXT PRIMARY KEY, count INTEGER NOT NULL)"))
            await session.execute(text("INSERT INTO tally VALUES ('a', 0), ('b', 0)"))
        yield database
    finally:
        await database.aclose()


async def count(database: Database, name: str = "a") -> int:
    """Return a count."""
    async with database.read() as connection:
        return int(
            (await connection.execute(text("SELECT count FROM tally WHERE name = :n"), {"n": name})).scalar_one()
        )


async def add_one(database: Database, *, reached: asyncio.Event | None = None) -> None:
    """Read and write in one transaction; with an event, set it after the start and never continue."""
    async with database.write() as session:
        before = (await session.execute(text("SELECT count FROM tally WHERE name = 'a'"))).scalar_one()
        await session.execute(text("UPDATE tally SET count = :n WHERE name = 'a'"), {"n": before + 1})
        if reached:
            reached.set()
            await asyncio.Event().wait()


async def test_writers_at_the_same_time_lose_no_update(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await asyncio.gather(*(add_one(database) for _ in range(40)))
        assert await count(database) == 40


async def test_processes_that_write_at_the_same_time_lose_no_update(tmp_path: Path) -> None:
    async with opened(tmp_path) as one:
        other = Database(one.url)
        try:
            await asyncio.gather(*(add_one(database) for _ in range(20) for database in (one, other)))
        finally:
            await other.aclose()
        assert await count(one) == 40


async def test_a_transaction_locks_with_its_first_statement_and_is_open_no_longer_than_it_lasts(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        with closing(sqlite3.connect(tmp_path / "test.db", timeout=0, isolation_level=None)) as neighbor:
            async with database.write() as session:
                await session.execute(text("SELECT 1"))
                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    neighbor.execute("BEGIN IMMEDIATE")
            for doomed in ("INSERT INTO tally VALUES ('a', 1)", "INSERT INTO nowhere VALUES (1)"):
                with suppress(IntegrityError, OperationalError):
                    async with database.write() as session:
                        await session.execute(text("INSERT INTO tally VALUES ('c', 0)"))
                        await session.execute(text(doomed))
                neighbor.execute("BEGIN IMMEDIATE")
                assert neighbor.execute("SELECT count(*) FROM tally").fetchone() == (2,)
                neighbor.execute("ROLLBACK")


@pytest.mark.parametrize("steps", range(12))
async def test_a_writer_cancelled_anywhere_changes_nothing_and_blocks_no_one(tmp_path: Path, steps: int) -> None:
    async with opened(tmp_path) as database:
        await count(database)
        cancelled = asyncio.create_task(add_one(database, reached=asyncio.Event()))
        for _ in range(steps):
            await asyncio.sleep(0)
        cancelled.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await cancelled
            await add_one(database)
        assert await count(database) == 1


async def test_a_writer_cancelled_between_writing_and_commit_leaves_nothing_behind(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        written = asyncio.Event()
        cancelled = asyncio.create_task(add_one(database, reached=written))
        async with asyncio.timeout(5):
            await written.wait()
            cancelled.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cancelled
            await add_one(database)
        assert await count(database) == 1


@pytest.mark.parametrize("steps", range(14))
async def test_a_reader_cancelled_twice_leaves_nothing_running(tmp_path: Path, steps: int) -> None:
    async with opened(tmp_path) as database:
        before = asyncio.all_tasks()
        reading = asyncio.create_task(count(database))
        for _ in range(3 * steps):
            await asyncio.sleep(0.0002)
        while not reading.done():
            reading.cancel()
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            while asyncio.all_tasks() - before:
                await asyncio.sleep(0.001)


async def test_a_connection_in_use_is_closed_when_it_is_given_back_to_a_closed_database(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        async with database.scan() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await database.aclose()
            assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1
        driver._thread.join(10)
        assert not driver._thread.is_alive()


async def test_a_cancelled_writer_blocks_no_other_process(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(add_one(database))
        done, _ = await asyncio.wait({waiting}, timeout=0.2)
        assert not done
        waiting.cancel()
        other.execute("COMMIT")
        other.close()
        async with asyncio.timeout(8):
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await add_one(database)
        assert await count(database) == 1


async def test_a_reader_sees_what_is_committed_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as database, database.read() as connection:
        query = text("SELECT count FROM tally WHERE name = 'a'")
        assert (await connection.execute(query)).scalar_one() == 0
        async with database.write() as session:
            await session.execute(text("UPDATE tally SET count = 7 WHERE name = 'a'"))
            assert (await connection.execute(query)).scalar_one() == 0
        assert (await connection.execute(query)).scalar_one() == 7


async def test_a_snapshot_does_not_change(database: Database) -> None:
    query = text("SELECT count(*) FROM setting")
    async with database.snapshot() as connection:
        assert (await connection.execute(query)).scalar_one() == 0
        async with database.write() as session:
            session.add(Setting(setting_key="a", default_values={}))
        assert (await connection.execute(query)).scalar_one() == 0
    async with database.snapshot() as connection:
        assert (await connection.execute(query)).scalar_one() == 1


async def test_nothing_can_be_written_through_a_reader(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        async with database.read() as connection:
            with pytest.raises(OperationalError, match="readonly"):
                await connection.execute(text("UPDATE tally SET count = 1"))
        assert await count(database) == 0


async def test_statements_say_what_they_did(tmp_path: Path) -> None:
    async with opened(tmp_path) as database, database.write() as session:
        both = await session.execute(text("UPDATE tally SET count = 5"))
        assert both.rowcount == 2  # type: ignore[attr-defined]
        made = await session.execute(text("INSERT INTO tally VALUES ('c', 1) RETURNING name, count"))
        assert made.one() == ("c", 1)
        many = [{"name": name, "count": 2} for name in "de"]
        await session.execute(text("INSERT INTO tally VALUES (:name, :count)"), many)
        rows = await session.execute(text("SELECT name FROM tally WHERE count = 2 ORDER BY name"))
        assert rows.scalars().all() == ["d", "e"]


async def test_a_broken_rule_is_told_as_such(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        with pytest.raises(IntegrityError):
            async with database.write() as session:
                await session.execute(text("INSERT INTO tally VALUES ('a', 1)"))
        await add_one(database)
        assert await count(database) == 1
