"""Counts attempts, atomically and across all processes."""

import logging
import time
from typing import Any, Final

from redis.exceptions import RedisError

from kernel.core.errors import TooMany

log = logging.getLogger(__name__)

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


class Throttle:
    """Counters with a window. When the server is unreachable each process counts for itself: it never fails open."""

    def __init__(self, redis: Any) -> None:
        self._redis = redis
        self._script = redis.register_script(_COUNT)
        self._refund = redis.register_script(_TAKE_BACK)
        self._local: dict[str, tuple[int, float]] = {}

    async def hit(self, name: str, *, limit: int, window_s: float) -> None:
        """Count one attempt. Raises TooMany, with the seconds until the window ends, when it is beyond the limit."""
        count, left_s = await self._count(name, window_s)
        if count > limit:
            raise TooMany("Too many tries. Please wait a moment.", retry_after=left_s)

    async def take_back(self, name: str) -> None:
        """Undo one count: the attempt is not one that is to be limited."""
        count, until = self._local.get(name, (0, 0.0))
        if count:
            self._local[name] = (count - 1, until)
        try:
            await self._refund(keys=[self._key(name)])
        except (RedisError, OSError):
            log.warning("throttle server out of reach")

    async def forget(self, name: str) -> None:
        """Reset a counter to zero."""
        self._local.pop(name, None)
        try:
            await self._redis.delete(self._key(name))
        except (RedisError, OSError):
            log.warning("throttle server out of reach")

    def _key(self, name: str) -> str:
        return f"coverwright:throttle:{name}"

    async def _count(self, name: str, window_s: float) -> tuple[int, float]:
        try:
            count, left_ms = await self._script(keys=[self._key(name)], args=[int(window_s * 1000)])
            return int(count), max(1.0, int(left_ms) / 1000)
        except (RedisError, OSError):
            log.warning("throttle server out of reach")
        now = time.monotonic()
        if len(self._local) > 10_000:
            self._local = {key: entry for key, entry in self._local.items() if entry[1] > now}
        count, until = self._local.get(name, (0, 0.0))
        if until <= now:
            count, until = 0, now + window_s
        self._local[name] = (count + 1, until)
        return count + 1, until - now
