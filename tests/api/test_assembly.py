"""The application in one process: what depends on its configuration, and how many queries a list takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from litestar import get

from kernel.core.config import load_config
from kernel.core.web.access import require_access_metadata
from kernel.migrations.upgrade import migrate
from tests.product import PASSWORD
from tests.shelf import shelve
from tests.support.served import served
from tests.support.statements import statements

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opened(folder: Path, **env: str) -> AsyncIterator[httpx.AsyncClient]:
    """Open the application on a new database and yield a client for it."""
    config = load_config({"COVERWRIGHT_DATA": str(folder), "COVERWRIGHT_ENV": "test", **env})
    await migrate(config)
    async with served(config) as client:
        yield client


async def test_a_site_on_https_insists_on_it(tmp_path: Path) -> None:
    async with opened(tmp_path, COVERWRIGHT_PUBLIC_URL="https://covers.example") as client:
        for path in ("/api/plan-limits", "/api/nope", "/healthz"):
            answer = await client.get(path)
            assert answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
        assert (await client.get("/api/plan-limits", headers={"host": "other.example"})).status_code == 400
        account = {"email": "ada@example.com", "password": PASSWORD}
        cookies = (await client.post("/api/auth/register", json=account)).headers.get_list("set-cookie")
        session = next(cookie for cookie in cookies if cookie.startswith("__Host-coverwright="))
        parts = {part.strip().lower() for part in session.split(";")}
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= parts
        assert not any(part.startswith("domain") for part in parts)


async def test_lists_take_the_same_few_queries_however_long_they_are(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        account = {"email": "ada@example.com", "password": PASSWORD}
        user = (await client.post("/api/auth/register", json=account)).json()
        url = f"sqlite+aiosqlite:///{tmp_path / 'coverwright.db'}"
        counts: dict[str, list[int]] = {}
        for size in (2, 90):
            covers = await asyncio.to_thread(shelve, url, user["id"], [f"{number}" for number in range(size)])
            for number, cover in enumerate(covers):
                body = {"name": f"{number}", "stylePrompt": "plain"}
                theme = (await client.post("/api/themes", json=body)).json()["id"]
                await client.post(f"/api/covers/{cover}/theme", json={"themeId": theme})
            for path in (
                "/api/covers",
                "/api/covers?sort=title",
                "/api/covers?sort=starred",
                "/api/generations",
                "/api/themes",
            ):
                with statements() as made:
                    assert len((await client.get(path)).json()) >= size
                counts.setdefault(path, []).append(len(made))
        covers_of_themes = counts.pop("/api/themes")
        assert all(few == many == 2 for few, many in counts.values()), (
            f"one for the session, one for the list: {counts}"
        )
        assert covers_of_themes == [3, 3], "one for the session, one for the themes, one for the covers of all of them"


async def test_what_every_page_asks_for_takes_few_queries(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        await client.get("/api/carousel")  # the first request of a process asks which schema the database has
        for path, queries in (("/api/plan-limits", 1), ("/api/branding", 1), ("/api/auth/user", 0), ("/healthz", 0)):
            with statements() as made:
                await client.get(path)
            assert len(made) == queries, (path, made)
        await client.post("/api/auth/register", json={"email": "ada@example.com", "password": PASSWORD})
        for path, queries in (("/api/plan-limits", 0), ("/api/auth/user", 2), ("/api/subscription", 3)):
            with statements() as made:
                assert (await client.get(path)).status_code == 200
            assert len(made) == queries, (path, made)


async def test_the_operators_words_and_figures_are_shown_as_written(tmp_path: Path) -> None:
    settings = tmp_path / "site.toml"
    settings.write_text(
        '[site]\nname = "Jackets & Sons"\nauthors = "1,200"\n[plans]\npro_price_minor = 2500\n'
        'pro_price_currency = "eur"\nfree_monthly_limit = 3\n'
    )
    async with opened(tmp_path, COVERWRIGHT_CONFIG=str(settings)) as client:
        assert (await client.get("/api/branding")).json()["name"] == "Jackets & Sons"
        assert (await client.get("/api/site-stats")).json() == {"authors": "1,200", "covers": None, "rating": None}
        price = (await client.get("/api/admin/selected-price")).json()
        assert price == {"amount": 2500, "currency": "eur", "interval": "month"}
        assert (await client.get("/api/plan-limits")).json()["freeMonthlyLimit"] == 3
        assert "Jackets &amp; Sons" in (await client.get("/")).text


async def test_without_settings_the_specified_limits_hold(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        limits = (await client.get("/api/plan-limits")).json()
        assert limits == {"proUnlimited": False, "proMonthlyLimit": 15, "freeMonthlyLimit": 1}


async def test_a_queue_server_out_of_reach_leaves_the_site_ready_and_working(tmp_path: Path) -> None:
    async with opened(tmp_path, COVERWRIGHT_REDIS_URL="unix:///nonexistent/valkey.sock") as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 200 and answer.json() == {"status": "degraded", "degraded": ["queue"]}
        account = {"email": "ada@example.com", "password": PASSWORD}
        assert (await client.post("/api/auth/register", json=account)).status_code == 201
        assert (await client.get("/api/covers")).json() == []


def test_a_route_that_does_not_say_who_may_call_it_stops_the_start() -> None:
    from litestar import Litestar

    @get("/open")
    async def forgotten() -> None: ...

    with pytest.raises(RuntimeError, match="GET /open"):
        require_access_metadata(Litestar([forgotten], openapi_config=None))
