"""Commands to the queue server end with their caller, at whatever moment that is canceled."""

import asyncio
from pathlib import Path

import pytest

from kernel.core.config import load_config
from kernel.core.queue.server import QueueServer
from kernel.core.queue.valkey import open_redis
from tests.support.valkey import valkey_server

pytestmark = pytest.mark.anyio

CANCELLATIONS = 600


async def test_a_cancellation_is_never_lost_in_a_command(tmp_path: Path) -> None:
    with valkey_server() as url:
        server = QueueServer(open_redis(load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_REDIS_URL": url})))

        async def work() -> None:
            while True:
                await server.ask(server.redis.ping)

        for turn in range(CANCELLATIONS):
            loop = asyncio.create_task(work())
            for _ in range(turn % 30):
                await asyncio.sleep(0)
            loop.cancel()
            ended, _ = await asyncio.wait({loop}, timeout=1.0)
            assert ended, f"still at work after a cancellation, try {turn}"
        await server.aclose()
