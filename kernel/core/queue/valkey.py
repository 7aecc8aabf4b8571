"""The Redis-compatible server: its address, and a client for it."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kernel.core.config import Config

if TYPE_CHECKING:
    from redis.asyncio import Redis

SOCKET_PATH_LIMIT: Final = 100
"""Unix socket paths end at 104 bytes on macOS and 108 on Linux."""


def embedded_socket(config: Config) -> Path:
    """Return the socket of the embedded server: in the data folder or, where that path is too long, in a short one."""
    inside = config.data_dir / "valkey.sock"
    if len(os.fsencode(inside)) < SOCKET_PATH_LIMIT:
        return inside
    digest = hashlib.sha256(os.fsencode(config.data_dir)).hexdigest()[:12]
    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return folder / f"coverwright-{os.getuid()}-{digest}.sock"


def redis_url(config: Config) -> str:
    """Return the configured address, or that of the embedded server."""
    return config.data.redis_url or f"unix://{embedded_socket(config)}"


def open_redis(config: Config) -> "Redis":
    """Return a client, whose commands wait for ever: callers set the limit (`QueueServer.ask`).

    The client's own `socket_timeout` would send with `asyncio.wait_for`, which in Python 3.11 swallows a cancellation
    that comes with the result: a loop of a worker that was to end went on, and the worker never ended.
    """
    from redis.asyncio import Redis  # imported here, because the launcher needs only the address and has to be quick
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    client: Redis = Redis.from_url(
        redis_url(config),
        socket_connect_timeout=2.0,
        retry=Retry(NoBackoff(), 1),
        health_check_interval=30,
    )
    return client
