"""What everybody is told alike is made once: nobody sees an old answer after a change, here or in another process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from kernel.accounts.admin.admins import promote
from kernel.core.config import Config, load_config
from kernel.core.data.database import open_database
from kernel.migrations.upgrade import migrate
from kernel.plans.service import PlanService
from kernel.site import shared_answers
from tests.product import PASSWORD
from tests.support.served import served
from tests.support.statements import statements
from tests.support.valkey import valkey_server

pytestmark = pytest.mark.anyio

LIMITS = "/api/plan-limits"
FREE_2: dict[str, Any] = {"proUnlimited": False, "proMonthlyLimit": 9, "freeMonthlyLimit": 2}
EMAIL = "root@example.com"


@pytest.fixture
async def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Two applications on one database and one queue server, whose answers do not grow old, for one administrator."""
    monkeypatch.setattr(shared_answers, "RECENT_S", 600.0)
    async with AsyncExitStack() as stack:
        queue = stack.enter_context(valkey_server())
        config = load_config(
            {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ENV": "test", "COVERWRIGHT_REDIS_URL": queue}
        )
        await migrate(config)
        clients = [await stack.enter_async_context(served(config)) for _ in range(2)]
        await clients[0].post("/api/auth/register", json={"email": EMAIL, "password": PASSWORD})
        await make_administrator(config)
        for client in clients:
            await client.post("/api/auth/sign-in", json={"email": EMAIL, "password": PASSWORD})
        yield clients


async def make_administrator(config: Config) -> None:
    database = open_database(config)
    await promote(database, EMAIL)
    await database.aclose()


async def save(client: httpx.AsyncClient, limits: dict[str, Any]) -> None:
    assert (await client.post("/api/admin/plan-limits", json=limits)).status_code == 200


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await true():
            await asyncio.sleep(0.01)


async def test_an_answer_is_made_once_and_never_old_after_a_change(processes: list[httpx.AsyncClient]) -> None:
    here, other = processes
    paths = (
        LIMITS,
        "/api/branding",
        "/api/site-stats",
        "/api/carousel",
        "/api/public-links",
        "/api/admin/selected-price",
    )
    first = [await client.get(path) for client in processes for path in paths]
    with statements() as made:
        again = [await client.get(path) for client in processes for path in paths]
    assert made == []
    assert [one.content for one in again] == [one.content for one in first]
    assert all(one.headers["cache-control"] == "no-cache" for one in again)

    await save(here, FREE_2)
    assert (await here.get(LIMITS)).json() == FREE_2

    async def has_heard() -> bool:
        return bool((await other.get(LIMITS)).json() == FREE_2)

    await until(has_heard)


async def test_a_browser_that_has_the_answer_is_told_so(processes: list[httpx.AsyncClient]) -> None:
    client = processes[0]
    etag = (await client.get(LIMITS)).headers["etag"]
    same = await client.get(LIMITS, headers={"If-None-Match": etag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    assert "content-length" not in same.headers
    await save(client, FREE_2)
    changed = await client.get(LIMITS, headers={"If-None-Match": etag})
    assert (changed.status_code, changed.json()) == (200, FREE_2)


async def test_what_was_read_before_a_change_is_not_kept_after_it(
    processes: list[httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = processes[0]
    read, began, go_on = PlanService.limits, asyncio.Event(), asyncio.Event()

    async def slow(service: PlanService) -> Any:
        found = await read(service)
        began.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(PlanService, "limits", slow)
    reading = asyncio.create_task(client.get(LIMITS))
    await began.wait()
    await save(client, FREE_2)
    go_on.set()
    assert (await reading).json() != FREE_2
    assert (await client.get(LIMITS)).json() == FREE_2


async def test_a_question_with_parameters_or_a_failure_is_not_remembered(
    processes: list[httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = processes[0]
    with statements() as made:
        await client.get(f"{LIMITS}?a=1")
        await client.get(f"{LIMITS}?a=1")
    assert len(made) == 2

    async def broken(service: PlanService) -> Any:
        raise OSError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(PlanService, "limits", broken)
        assert (await client.get(LIMITS)).status_code >= 500
    assert (await client.get(LIMITS)).status_code == 200
