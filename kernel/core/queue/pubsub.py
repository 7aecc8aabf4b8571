"""Short messages between processes, without a guarantee: a process that missed one reads the database."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.exceptions import RedisError

from kernel.core.queue.server import ANSWER_S, QueueServer, QueueServerAway

log = logging.getLogger(__name__)


class PubSub:
    """Publishes to and follows channels on the Redis-compatible server."""

    def __init__(self, redis: Any, server: QueueServer) -> None:
        """`redis` is a client whose commands may wait for ever, for listeners."""
        self._redis = redis
        self._server = server

    async def publish(self, channel: str, message: bytes) -> None:
        """Send a message; it is lost when the server is unreachable."""
        try:
            await self._server.ask(lambda: self._server.redis.publish(f"coverwright:{channel}", message))
        except QueueServerAway:
            log.debug("not published: %s", channel)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    @asynccontextmanager
    async def follow(self, *channels: str) -> AsyncIterator["Follower"]:
        """Subscribe to channels for the length of the block."""
        listener = self._redis.pubsub(ignore_subscribe_messages=True)
        follower = Follower(listener)
        try:
            try:
                await self._server.ask(lambda: listener.subscribe(*(f"coverwright:{channel}" for channel in channels)))
            except QueueServerAway:
                follower.deaf = True
            yield follower
        finally:
            try:
                await listener.aclose()
            except (RedisError, OSError):
                log.debug("listener closed with an error")


class Follower:
    """One subscription. `deaf` is true while the server is unreachable: then only the time-out wakes the caller."""

    def __init__(self, listener: Any) -> None:
        self._listener = listener
        self.deaf = False

    async def next(self, timeout_s: float) -> bytes | None:
        """Return the next message, or None after the time-out."""
        if self.deaf:
            await asyncio.sleep(timeout_s)
            return None
        try:
            async with asyncio.timeout(timeout_s + ANSWER_S):  # a lost connection is made anew, which may hang
                message = await self._listener.get_message(timeout=timeout_s)
        except (RedisError, OSError, TimeoutError):
            self.deaf = True
            return None
        return bytes(message["data"]) if message else None
