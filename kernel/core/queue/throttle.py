"""Counts attempts, atomically and across all processes."""

import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from kernel.core.errors import TooMany
from kernel.core.queue.server import QueueServer, QueueServerAway

_COUNT: Final = """
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}
"""

_TAKE_BACK: Final = """
local n = tonumber(redis.call('GET', KEYS[1]) or '0')
if n > 0 then redis.call('DECR', KEYS[1]) end
return n
"""


FEW: Final = 10_000
"""So many counters of this process are kept without a look whether their windows have ended."""


class Throttle:
    """Counters with a window: at the server for all processes, and in each process for what it has seen itself.

    The count of the process decides while the server is away, so that no limit is lifted by its failure.
    """

    def __init__(self, server: QueueServer) -> None:
        self._server = server
        self._script = server.redis.register_script(_COUNT)
        self._refund = server.redis.register_script(_TAKE_BACK)
        self._local: dict[str, tuple[int, float]] = {}
        self._many = FEW

    async def hit(self, name: str, *, limit: int, window_s: float) -> None:
        """Count one attempt. Raises TooMany, with the seconds until the window ends, when it is beyond the limit."""
        count, left_s = self._count_here(name, window_s)
        with contextlib.suppress(QueueServerAway):  # then the count of this process holds
            count, left_ms = await self._server.ask(
                lambda: self._script(keys=[self._key(name)], args=[int(window_s * 1000)])
            )
            left_s = max(1.0, int(left_ms) / 1000)
        if count > limit:
            raise TooMany("Too many tries. Please wait a moment.", retry_after=left_s)

    async def take_back(self, name: str) -> None:
        """Undo one count: the attempt is not one that is to be limited."""
        count, until = self._local.get(name, (0, 0.0))
        if count:
            self._local[name] = (count - 1, until)
        await self._tell(lambda: self._refund(keys=[self._key(name)]))

    async def forget(self, name: str) -> None:
        """Reset a counter to zero."""
        self._local.pop(name, None)
        await self._tell(lambda: self._server.redis.delete(self._key(name)))

    async def _tell(self, command: Callable[[], Awaitable[Any]]) -> None:
        with contextlib.suppress(QueueServerAway):
            await self._server.ask(command)

    def _key(self, name: str) -> str:
        return f"coverwright:throttle:{name}"

    def _count_here(self, name: str, window_s: float) -> tuple[int, float]:
        """Count one attempt in this process; return the count and the seconds until its window ends."""
        now = time.monotonic()
        if len(self._local) > self._many:
            self._local = {key: entry for key, entry in self._local.items() if entry[1] > now}
            self._many = max(FEW, 2 * len(self._local))
        count, until = self._local.get(name, (0, 0.0))
        if until <= now:
            count, until = 0, now + window_s
        self._local[name] = (count + 1, until)
        return count + 1, max(1.0, until - now)
