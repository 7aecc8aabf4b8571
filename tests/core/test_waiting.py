"""A loop without work looks as soon as something is written, or time may have made something due, and else does not."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import column, select, table, text

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.queue import job_loop
from kernel.core.queue.job_loop import LONGEST_S, Waiting

pytestmark = pytest.mark.anyio
JOBS = select(column("id")).select_from(table("job"))


@pytest.fixture
async def lite(tmp_path: Path) -> AsyncIterator[Database]:
    """Return a database of SQLite with an empty table of jobs."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    await write(database, "CREATE TABLE job (id INTEGER PRIMARY KEY)")
    yield database
    await database.aclose()


async def write(database: Database, statement: str) -> None:
    """Execute a statement."""
    async with database.write() as session:
        await session.execute(text(statement))


async def test_the_first_look_is_worth_it_and_those_after_it_only_while_rows_wait(lite: Database) -> None:
    waiting = Waiting(lite, JOBS)
    assert await waiting.worth_a_look()
    assert not await waiting.worth_a_look()
    other = Database(lite.url)
    try:
        await write(other, "INSERT INTO job VALUES (1)")
    finally:
        await other.aclose()
    assert [await waiting.worth_a_look() for _ in range(3)] == [True] * 3, "time alone may make it due"
    await write(lite, "DELETE FROM job")
    assert not await waiting.worth_a_look()


async def test_nothing_is_read_while_nobody_writes(lite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(lite, JOBS)
    assert await waiting.worth_a_look()
    assert not await waiting.worth_a_look()
    monkeypatch.setattr(lite, "read", lambda: pytest.fail("the table was read"))
    assert [await waiting.worth_a_look() for _ in range(3)] == [False] * 3


async def test_all_loops_of_a_process_ask_in_one_statement(lite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    loops = [Waiting(lite, JOBS), Waiting(lite, JOBS.where(text("id > 1"))), Waiting(lite, JOBS.where(text("id > 2")))]
    await asyncio.gather(*(waiting.worth_a_look() for waiting in loops))
    await write(lite, "INSERT INTO job VALUES (2)")
    read, asked = lite.read, []
    monkeypatch.setattr(lite, "read", lambda: (asked.append(1), read())[1])
    assert await asyncio.gather(*(waiting.worth_a_look() for waiting in loops)) == [True, True, False]
    assert len(asked) == 1


async def test_a_jump_of_the_clock_and_a_long_time_are_worth_a_look(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, now = Waiting(lite, JOBS), clock.now_unix
    assert await waiting.worth_a_look()
    for jump in (3600.0, -3600.0):
        monkeypatch.setattr(clock, "now_unix", lambda jump=jump: now() + jump)
        assert await waiting.worth_a_look()
        assert not await waiting.worth_a_look()
    began = job_loop.time.monotonic()
    monkeypatch.setattr(clock, "now_unix", lambda: job_loop.time.monotonic() - 3600)
    assert await waiting.worth_a_look()
    assert not await waiting.worth_a_look()
    monkeypatch.setattr(job_loop.time, "monotonic", lambda: began + LONGEST_S + 1)
    assert await waiting.worth_a_look()
