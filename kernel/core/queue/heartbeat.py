"""Which processes live, on which hosts: each tells of itself at the queue server, and reads there whether to drain."""

import asyncio
import contextlib
import os
from datetime import UTC, datetime
from typing import Final, Literal, NoReturn

import msgspec

from kernel import __version__
from kernel.core import clock
from kernel.core.process import this_process
from kernel.core.queue.server import QueueServer, QueueServerAway

BEAT_S: Final = 2.0
LOST_AFTER_S: Final = 15.0
"""A process that was not heard for so long counts as lost."""
FORGOTTEN_AFTER_S: Final = 600.0
PROCESSES: Final = "coverwright:processes"
DRAINED: Final = "coverwright:drained"
DONE: Final = "coverwright:done"
SWEPT: Final = "swept"
CLEANED: Final = "cleaned"

Role = Literal["web", "worker"]


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """What a process tells of itself. `load` is its host's of the last minute, `clock_ahead_s` how far the host's own
    clock is ahead of the database's.
    """

    name: str
    role: Role
    host: str
    version: str
    started_at: datetime
    seen_at: datetime
    load: float
    cpus: int
    clock_ahead_s: float
    drained: bool

    @property
    def is_lost(self) -> bool:
        """Say whether the process was not heard for long."""
        return (clock.now() - self.seen_at).total_seconds() > LOST_AFTER_S


async def tell_done(server: QueueServer, what: str) -> None:
    """Tell that something was done that is done regularly, if the queue server can be reached."""
    with contextlib.suppress(QueueServerAway):
        await server.ask(lambda: server.redis.hset(DONE, what, clock.now_unix()))


class Heartbeats:
    """Tells of this process, and knows of the others."""

    def __init__(self, server: QueueServer) -> None:
        self._server = server
        self._started = clock.now()

    async def run(self, role: Role) -> NoReturn:
        """Tell of this process until canceled; also follow whether it is to be drained."""
        try:
            while True:
                with contextlib.suppress(QueueServerAway):
                    await self.beat(role)
                await asyncio.sleep(BEAT_S)
        finally:
            with contextlib.suppress(QueueServerAway):
                await self._forget(f"{role}:{this_process.name()}")

    async def beat(self, role: Role) -> None:
        """Tell of this process once. Raises QueueServerAway."""
        redis, name = self._server.redis, this_process.name()
        if role == "worker":
            this_process.drain(bool(await self._server.ask(lambda: redis.sismember(DRAINED, name))))
        beat = Beat(
            name=name,
            role=role,
            host=this_process.host(),
            version=__version__,
            started_at=self._started,
            seen_at=clock.now(),
            load=round(os.getloadavg()[0], 2),
            cpus=os.cpu_count() or 1,
            clock_ahead_s=round(clock.own_ahead_s(), 3),
            drained=this_process.is_drained(),
        )
        await self._server.ask(lambda: redis.hset(PROCESSES, f"{role}:{name}", msgspec.json.encode(beat)))

    async def all(self) -> list[Beat]:
        """Return the processes of all hosts, also those that were lost a while ago. Raises QueueServerAway."""
        told: dict[bytes, bytes] = await self._server.ask(lambda: self._server.redis.hgetall(PROCESSES))
        found = []
        for entry, text in told.items():
            try:
                beat = msgspec.json.decode(text, type=Beat)
            except msgspec.MsgspecError:  # of another version
                continue
            if (clock.now() - beat.seen_at).total_seconds() > FORGOTTEN_AFTER_S:
                await self._forget(entry.decode())
            else:
                found.append(beat)
        return sorted(found, key=lambda beat: (beat.role, beat.host, beat.started_at, beat.name))

    async def done(self) -> dict[str, datetime]:
        """Return when some worker last did what is done regularly. Raises QueueServerAway."""
        told: dict[bytes, bytes] = await self._server.ask(lambda: self._server.redis.hgetall(DONE))
        return {name.decode(): datetime.fromtimestamp(float(at), UTC) for name, at in told.items()}

    async def drain(self, name: str, on: bool) -> bool:
        """Let a worker begin no more jobs, or begin them again; say whether that is new. Raises QueueServerAway."""
        redis = self._server.redis
        change = redis.sadd if on else redis.srem
        return bool(await self._server.ask(lambda: change(DRAINED, name)))

    async def _forget(self, entry: str) -> None:
        """Remove a process that is gone; it was entered by its role and name."""
        role, _, name = entry.partition(":")
        await self._server.ask(lambda: self._server.redis.hdel(PROCESSES, entry))
        if role == "worker":
            await self._server.ask(lambda: self._server.redis.srem(DRAINED, name))
