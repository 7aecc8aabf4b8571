"""The Redis-compatible server for those who must not wait for it: quick answers, or the word that it is away."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from redis.exceptions import RedisError

log = logging.getLogger(__name__)

ANSWER_S: Final = 0.8
"""What has not answered by then counts as away."""
AGAIN_S: Final = 2.0
"""How long nobody asks a server that is away; then one caller tries, and the others still do not wait."""

T = TypeVar("T")


class QueueServerAway(Exception):
    """The server did not answer in time, now or a moment ago."""


class QueueServer:
    """Asks the server for all of a process: when one question is not answered, the next ones fail at once."""

    def __init__(self, redis: Any) -> None:
        self.redis = redis
        self._away = False
        self._ask_again_at = 0.0

    async def ask(self, command: Callable[[], Awaitable[T]]) -> T:
        """Return the answer to one command. Raises QueueServerAway after ANSWER_S at the latest."""
        if self._away:
            if time.monotonic() < self._ask_again_at:
                raise QueueServerAway
            self._ask_again_at = time.monotonic() + AGAIN_S
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await command()
        except (RedisError, OSError, TimeoutError) as error:
            self._ask_again_at = time.monotonic() + AGAIN_S
            if not self._away:
                self._away = True
                log.warning("queue server out of reach: %s; working without it", type(error).__name__)
            raise QueueServerAway from error
        if self._away:
            self._away = False
            log.info("queue server back in reach")
        return answer

    async def claim(self, name: str, *, keep_s: float) -> bool | None:
        """Return whether the caller may do, alone among all processes, what is named; None while the server is away.

        Nobody else may for `keep_s` seconds.
        """
        try:
            return bool(await self.ask(lambda: self.redis.set(f"coverwright:{name}", 1, nx=True, ex=int(keep_s))))
        except QueueServerAway:
            return None

    async def aclose(self) -> None:
        """Close the connections."""
        await self.redis.aclose()
