"""Whether a process may be sent requests, as load balancers ask it."""

import asyncio
from pathlib import Path

import pytest

from kernel.core.config import Config, load_config
from kernel.core.data.database import open_database
from kernel.migrations.quick_check import known_revisions
from kernel.migrations.upgrade import migrate
from tests.product import ADMIN_EMAIL, PASSWORD
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import free_port
from tests.support.served import served

pytestmark = pytest.mark.anyio


@pytest.fixture(params=BACKENDS)
def config(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> Config:
    """A site whose database has no tables yet."""
    return load_config(
        {
            "COVERWRIGHT_DATA": str(tmp_path),
            "COVERWRIGHT_DATABASE_URL": databases.empty(request.param),
            "COVERWRIGHT_ENV": "test",
        }
    )


async def test_a_site_is_ready_once_its_database_is_migrated(config: Config) -> None:
    async with served(config) as client:
        early = await client.get("/readyz")
        assert early.status_code == 503 and int(early.headers["retry-after"]) > 0
        assert "coverwright migrate" in early.json()["error"]["message"]
        await migrate(config)
        ready = await client.get("/readyz")
        assert ready.status_code == 200 and "queue" in ready.json()["degraded"]  # there is no queue server here


@pytest.mark.parametrize(("revision", "status"), [(known_revisions()[-2], 503), ("9999", 200)])
async def test_an_old_schema_is_not_ready_and_one_of_a_newer_host_is(
    config: Config, revision: str, status: int
) -> None:
    await migrate(config)
    database = open_database(config)
    async with database.write() as session:
        await (await session.connection()).exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    await database.aclose()
    async with served(config) as client:
        assert (await client.get("/readyz")).status_code == status


async def test_who_is_named_in_the_environment_can_sign_in_as_soon_as_the_site_is_ready(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVERWRIGHT_ADMIN_EMAIL", ADMIN_EMAIL)
    monkeypatch.setenv("COVERWRIGHT_ADMIN_PASSWORD", PASSWORD)
    async with served(config) as client:
        assert (await client.get("/readyz")).status_code == 503
        await migrate(config)
        async with asyncio.timeout(20):
            while (await client.get("/readyz")).status_code != 200:
                await asyncio.sleep(0.1)
        account = {"email": ADMIN_EMAIL, "password": PASSWORD}
        assert (await client.post("/api/auth/sign-in", json=account)).status_code == 200


async def test_a_bad_password_for_the_administrator_is_no_ready_site(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVERWRIGHT_ADMIN_EMAIL", ADMIN_EMAIL)
    monkeypatch.setenv("COVERWRIGHT_ADMIN_PASSWORD", "short")
    await migrate(config)
    async with served(config) as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 503 and "administrator" in answer.json()["error"]["message"]


async def test_a_database_out_of_reach_makes_a_site_not_ready(tmp_path: Path) -> None:
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_DATABASE_URL": away})
    async with served(config) as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 503 and answer.json()["error"]["message"] == "The database cannot be reached."
        assert (await client.get("/healthz")).json() == {"status": "ok"}


@pytest.mark.parametrize("host", ["10.0.0.7:3000", "pod-7.internal", ""])
async def test_probes_are_answered_whatever_the_host(tmp_path: Path, host: str) -> None:
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_PUBLIC_URL": "https://covers.example"})
    await migrate(config)
    async with served(config) as client:
        for path in ("/healthz", "/readyz"):
            assert (await client.get(path, headers={"host": host})).status_code == 200
        assert (await client.get("/api/plan-limits", headers={"host": host})).status_code == 400
