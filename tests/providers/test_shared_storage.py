"""What several sites and several processes do with one storage, and what a cancellation leaves in it."""

import asyncio
import hashlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest
from redis.asyncio import Redis

from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.core.queue.server import QueueServer
from kernel.covers.housekeeping import Sweeper
from kernel.pictures.encoding import Form
from kernel.pictures.ingest import Ingested
from kernel.pictures.invariants import objects_have_rows
from kernel.pictures.store import PictureStore
from kernel.providers import Caller
from kernel.providers.kinds import STORAGE
from kernel.spi import ObjectInfo, Size
from tests.providers.conftest import StubInstances
from tests.support.databases import Databases, sqlalchemy_url
from tests.support.valkey import valkey_server

pytestmark = pytest.mark.anyio

FORM = Form(
    name="original", media_type="image/png", data=b"png", sha256=hashlib.sha256(b"png").hexdigest(), width=1, height=1
)


async def test_two_sites_with_one_storage_leave_each_others_objects_alone(
    stubs: StubInstances, databases: Databases, database: Database, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Database(sqlalchemy_url(databases.migrated("sqlite", tmp_path / "other"), tmp_path / "other"))
    try:
        here, there = (PictureStore(Caller(stubs.registry({}), None), site) for site in (database, other))
        [mine] = await here.put_references(new_uuid(), [FORM])
        [theirs] = await there.put_references(new_uuid(), [FORM])
        for path in tmp_path.rglob("reference-*"):
            os.utime(path, (0, 0))
        assert mine.object_key.split("/")[1] != theirs.object_key.split("/")[1]
        assert len((await objects_have_rows(other, stubs.registry({}))).broken) == 1, "its own, which has no row"
        assert await there.collect() == 1
        assert [path.name for path in tmp_path.rglob("reference-*")] == [Path(mine.object_key).name]
        assert await here.collect() == 1
    finally:
        await other.aclose()


class Nothing:
    """Services that have nothing to clean."""

    def __getattr__(self, name: str) -> Any:
        async def nothing(*_: Any, **__: Any) -> Any:
            return set() if name == "open_among" else 0

        return nothing


class EmptySpool(Nothing):
    """A spool that keeps nothing."""

    def jobs(self) -> set[UUID]:
        return set()


async def test_of_all_workers_one_looks_for_strays() -> None:
    looked: list[int] = []

    async def collect() -> int:
        looked.append(1)
        return 0

    def sweeper(server: QueueServer) -> Sweeper:
        pictures, idle = cast(Any, SimpleNamespace(collect=collect)), cast(Any, Nothing())
        config, spool = load_config({}).generation, cast(Any, EmptySpool())
        return Sweeper(config, idle, idle, idle, server, idle, pictures, idle, idle, idle, spool)

    with valkey_server() as url:
        servers = [QueueServer(Redis.from_url(url)) for _ in range(3)]
        for server in servers:
            await sweeper(server).clean()
        assert len(looked) == 1
        for server in servers:
            await server.aclose()
    await sweeper(servers[0]).clean()
    assert len(looked) == 2, "without a queue server nobody can lead, and the work is done all the same"


async def test_a_picture_whose_worker_is_cancelled_when_all_is_stored_is_not_left_behind(
    stubs: StubInstances, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = stubs.registry({})
    disk, size = registry.first(STORAGE).provider, Size(1, 1)
    info, loop = disk.info, asyncio.get_running_loop()
    worker: asyncio.Task[Any]

    async def told_last(key: str) -> ObjectInfo:
        found = await info(key)
        loop.call_soon(worker.cancel)  # it runs after the storing has ended, and before the worker hears of that
        return found

    monkeypatch.setattr(disk, "info", told_last)
    ingested = Ingested(forms=(FORM,), size=size, native=size, tint="#000000", placeholder="")
    worker = asyncio.create_task(PictureStore(Caller(registry, None), database).put(new_uuid(), 1, ingested))
    with pytest.raises(asyncio.CancelledError):
        await worker
    assert list(tmp_path.rglob("*-original-*")) == []
