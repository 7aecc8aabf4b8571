"""Whether a process may be sent requests, as load balancers ask it."""

import asyncio
from pathlib import Path

import pytest

from kernel.core.config import Config, ConfigError, load_config
from kernel.core.data.database import open_database
from kernel.migrations.gate import SchemaGate
from kernel.migrations.quick_check import known_revisions
from kernel.migrations.upgrade import migrate
from kernel.worker import work
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


async def set_revision(config: Config, revision: str) -> None:
    database = open_database(config)
    async with database.write() as session:
        await (await session.connection()).exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    await database.aclose()


OLDER, NEWEST = known_revisions()[-2:]


@pytest.mark.parametrize(
    ("revision", "fits", "next_step"),
    [
        (OLDER, False, "run `coverwright migrate`"),
        ("9999", False, "run that one, or restore a backup"),
        ("9999.9998", False, "run that one, or restore a backup"),
        (f"9999.{NEWEST}", True, ""),
        (f"9999.{OLDER}", True, ""),
    ],
)
async def test_nobody_serves_on_a_schema_that_this_release_does_not_know(
    config: Config, revision: str, fits: bool, next_step: str
) -> None:
    await migrate(config)
    await set_revision(config, revision)
    async with served(config) as client:
        for path in ("/readyz", "/api/plan-limits"):
            answer = await client.get(path)
            assert answer.status_code == (200 if fits else 503), path
            if not fits:
                message = answer.json()["error"]["message"]
                assert revision in message and NEWEST in message and next_step in message
                assert int(answer.headers["retry-after"]) > 0
        assert (await client.get("/healthz")).status_code == 200
        page = await client.get("/", headers={"accept": "text/html"})
        assert page.status_code == (200 if fits else 503)


async def test_a_site_serves_as_soon_as_its_schema_fits_and_no_longer_than_it_does(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.migrations.gate.SOON_S", 0.05)
    monkeypatch.setattr("kernel.migrations.gate.LOOK_S", 0.05)
    async with served(config) as client:

        async def turns(status: int) -> None:
            async with asyncio.timeout(20):
                while (await client.get("/api/plan-limits")).status_code != status:
                    await asyncio.sleep(0.05)

        await turns(503)
        await migrate(config)
        await turns(200)
        await set_revision(config, "9999")
        await turns(503)


async def test_a_worker_waits_for_a_migration_and_ends_on_a_schema_of_a_newer_release(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.migrations.gate.SOON_S", 0.05)
    database = open_database(config)
    try:
        waiting = asyncio.create_task(SchemaGate(database).wait())
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await migrate(config)
        async with asyncio.timeout(20):
            assert await waiting == ""
        await set_revision(config, "9999")
        with pytest.raises(ConfigError, match="run that one, or restore a backup"):
            await work(config)
        with pytest.raises(ConfigError, match="run that one, or restore a backup"):
            await migrate(config)
        await set_revision(config, f"9999.{NEWEST}")
        assert not await migrate(config), "a newer schema that fits stays as it is"
    finally:
        await database.aclose()


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
