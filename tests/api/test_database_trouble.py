"""A database that is locked, away or silent: an answer that says when to come back, and all is well afterwards."""

import asyncio
import errno
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from kernel.core.config import load_config
from kernel.core.data import database, postgresql
from kernel.core.data.trouble import is_disk_full
from tests.product import PASSWORD
from tests.support.databases import BACKENDS, Databases
from tests.support.lossy_proxy import LossyProxy, lossy_proxy
from tests.support.served import served

pytestmark = pytest.mark.anyio
needs_postgresql = pytest.mark.skipif("postgresql" not in BACKENDS, reason="needs PostgreSQL")

PARALLEL = 7
ENOUGH = 200


def account(n: int = 0) -> dict[str, str]:
    return {"email": f"ada{n}@example.com", "password": PASSWORD}


def is_told_to_come_back(answer: httpx.Response) -> bool:
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "unavailable"
    return int(answer.headers["retry-after"]) > 0


@pytest.fixture
def sqlite_folder(tmp_path: Path, databases: Databases) -> Path:
    databases.migrated("sqlite", tmp_path)
    return tmp_path


@pytest.fixture
def postgresql_url(tmp_path: Path, databases: Databases) -> str:
    return databases.migrated("postgresql", tmp_path)


async def test_while_sqlite_is_locked_writers_are_told_to_come_back_and_readers_are_answered(
    sqlite_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    config = load_config({"COVERWRIGHT_DATA": str(sqlite_folder), "COVERWRIGHT_ENV": "test"})
    async with served(config) as client:
        with closing(sqlite3.connect(sqlite_folder / "coverwright.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert is_told_to_come_back(await client.post("/api/auth/register", json=account()))
            assert (await client.get("/api/plan-limits")).status_code == 200
        assert (await client.post("/api/auth/register", json=account())).status_code == 201


async def test_while_the_disk_is_full_the_reason_is_told_and_readers_are_answered(sqlite_folder: Path) -> None:
    settings = sqlite_folder / "settings.toml"
    settings.write_text(f"[accounts]\nregistrations_per_address = {ENOUGH}\n")
    config = load_config(
        {"COVERWRIGHT_DATA": str(sqlite_folder), "COVERWRIGHT_CONFIG": str(settings), "COVERWRIGHT_ENV": "test"}
    )

    def fill(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # no page more than there are

    event.listen(Pool, "connect", fill)
    try:
        async with served(config) as client:
            for number in range(ENOUGH):
                answer = await client.post("/api/auth/register", json=account(number))
                if answer.status_code != 201:
                    break
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "storage_full")
            assert "no room" in answer.json()["error"]["message"] and int(answer.headers["retry-after"]) > 0
            assert (await client.get("/api/plan-limits")).status_code == 200
    finally:
        event.remove(Pool, "connect", fill)


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(errno.ENOSPC, "no space left on device"), True),
        (OSError(errno.EDQUOT, "disk quota exceeded"), True),
        (OSError(errno.EACCES, "permission denied"), False),
        (ValueError("no space left on device"), False),
    ],
)
def test_files_that_find_no_room_are_a_full_disk(error: Exception, full: bool) -> None:
    assert is_disk_full(error) is full


@asynccontextmanager
async def through_proxy(url: str) -> AsyncIterator[tuple[LossyProxy, str]]:
    """Stand before a server; yield the proxy and the database's address through it."""
    direct = urlsplit(url)
    assert direct.hostname and direct.port
    async with lossy_proxy(direct.hostname, direct.port) as proxy:
        yield proxy, direct._replace(netloc=direct.netloc.replace(f":{direct.port}", f":{proxy.port}")).geturl()


@pytest.fixture
async def proxied(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[LossyProxy, httpx.AsyncClient]]:
    """A site, and the way to its PostgreSQL; it waits a second for a connection."""
    monkeypatch.setitem(postgresql.CONNECT_ARGUMENTS, "timeout", 1.0)
    async with through_proxy(postgresql_url) as (proxy, url):
        config = load_config(
            {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": url, "COVERWRIGHT_ENV": "test"}
        )
        async with served(config) as client:
            yield proxy, client


async def read(client: httpx.AsyncClient) -> list[int]:
    """Ask in parallel for something that is in the database."""
    await client.post("/api/auth/register", json=account())
    answers = await asyncio.gather(*(client.get("/api/covers") for _ in range(PARALLEL)))
    return [answer.status_code for answer in answers]


@needs_postgresql
async def test_connections_that_fell_silent_are_replaced_at_once(
    proxied: tuple[LossyProxy, httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "PING_S", 0.5)
    proxy, client = proxied
    assert await read(client) == [200] * PARALLEL
    proxy.silence()
    began = time.monotonic()
    assert await read(client) == [200] * PARALLEL
    assert time.monotonic() - began < PARALLEL * 0.5  # not one connection after the other


@needs_postgresql
async def test_a_site_ends_although_its_database_is_silent(tmp_path: Path, postgresql_url: str) -> None:
    async with through_proxy(postgresql_url) as (proxy, url):
        config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": url})
        async with asyncio.timeout(20):
            async with served(config) as client:
                await read(client)
                proxy.silence()


@needs_postgresql
async def test_a_server_that_restarts_is_away_and_then_there_again(
    proxied: tuple[LossyProxy, httpx.AsyncClient],
) -> None:
    proxy, client = proxied
    assert await read(client) == [200] * PARALLEL
    await proxy.cut()
    for answer in await asyncio.gather(*(client.get("/api/covers") for _ in range(PARALLEL))):
        assert is_told_to_come_back(answer)
    assert is_told_to_come_back(await client.post("/api/auth/register", json=account(1)))
    await proxy.listen()
    assert await read(client) == [200] * PARALLEL
    assert (await client.post("/api/auth/register", json=account(1))).status_code == 201


@needs_postgresql
async def test_a_server_that_takes_connections_and_says_nothing_is_away(
    proxied: tuple[LossyProxy, httpx.AsyncClient],
) -> None:
    proxy, client = proxied
    assert await read(client) == [200] * PARALLEL
    await proxy.cut()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(hold, "127.0.0.1", proxy.port):
        began = time.monotonic()
        assert is_told_to_come_back(await client.get("/api/covers"))
        assert time.monotonic() - began < postgresql.CONNECT_S
