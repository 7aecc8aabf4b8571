"""Which processes live, on which hosts: each tells of itself at the queue server, and reads there whether to drain."""

import asyncio
import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, NoReturn

import msgspec

from kernel import __version__
from kernel.core import clock
from kernel.core.process import restart_files, this_process
from kernel.core.process.plugin_changes import InstalledPlugins, PluginChange
from kernel.core.process.restart_files import RestartOrder, RestartState
from kernel.core.queue.job_loop import repeat
from kernel.core.queue.server import AGAIN_S, QueueServer, QueueServerAway

BEAT_S: Final = 5.0
"""How often a process tells of itself. So long it may take until a worker that is to be drained knows."""
LOST_AFTER_S: Final = 15.0
"""A process that was not heard for so long counts as lost."""
FORGOTTEN_AFTER_S: Final = 600.0
PROCESSES: Final = "coverwright:processes"
DRAINED: Final = "coverwright:drained"
DONE: Final = "coverwright:done"
RESTART: Final = "coverwright:restart"
RESTART_KEPT_S: Final = 600
"""For so long processes that could not be reached may still hear of an order to start anew."""
SWEPT: Final = "swept"
CLEANED: Final = "cleaned"

Role = Literal["web", "worker"]


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """What a process tells of itself. `load` is its host's of the last minute, `clock_ahead_s` how far the host's own
    clock is ahead of the database's. `launched`: it has a launcher, whose last `restart` it tells. `changes` are the
    plugins that it has not loaded as they are installed.
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
    launched: bool = False
    restart: RestartState | None = None
    changes: list[PluginChange] = []

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

    def __init__(self, server: QueueServer, data_dir: Path, installed: InstalledPlugins) -> None:
        self._server = server
        self._data_dir = data_dir
        self._installed = installed
        self._started = clock.now()

    async def run(self, role: Role) -> NoReturn:
        """Tell of this process until canceled; also follow whether it is to be drained."""

        async def beat() -> bool:
            try:
                await self.beat(role)
            except QueueServerAway:
                await asyncio.sleep(AGAIN_S)
                return True
            return False

        try:
            await repeat("heartbeat", beat, every_s=BEAT_S, drained_too=True)
        finally:
            with contextlib.suppress(QueueServerAway):
                await self._forget(f"{role}:{this_process.name()}")

    async def beat(self, role: Role) -> None:
        """Tell of this process once, and again when it is to be drained or no longer. Raises QueueServerAway."""
        name = this_process.name()
        to_drain = await self._tell(role, name)
        if role == "worker" and to_drain != this_process.is_drained():
            this_process.drain(to_drain)
            await self._tell(role, name)

    async def own(self, role: Role) -> Beat:
        """Return what this process tells of itself."""
        launched = restart_files.has_launcher()
        return Beat(
            name=this_process.name(),
            role=role,
            host=this_process.host(),
            version=__version__,
            started_at=self._started,
            seen_at=clock.now(),
            load=round(os.getloadavg()[0], 2),
            cpus=os.cpu_count() or 1,
            clock_ahead_s=round(clock.own_ahead_s(), 3),
            drained=this_process.is_drained(),
            launched=launched,
            restart=await asyncio.to_thread(restart_files.read_state, self._data_dir) if launched else None,
            changes=await asyncio.to_thread(self._installed.changes),
        )

    async def _tell(self, role: Role, name: str) -> bool:
        """Tell of this process, and return whether it is to be drained, in one round trip."""
        beat = await self.own(role)
        pipe = self._server.redis.pipeline(transaction=False)
        pipe.sismember(DRAINED, name)
        pipe.hset(PROCESSES, f"{role}:{name}", msgspec.json.encode(beat))
        pipe.get(RESTART)
        to_drain, _, order = await self._server.ask(pipe.execute)
        if order and beat.launched:
            await self._hand_over(order)
        return bool(to_drain)

    async def _hand_over(self, text: bytes) -> None:
        with contextlib.suppress(msgspec.MsgspecError, OSError):  # of another version; a full disk
            order = msgspec.json.decode(text, type=RestartOrder)
            await asyncio.to_thread(restart_files.hand_over, self._data_dir, order)

    async def restart(self, order: RestartOrder) -> None:
        """Ask the launchers of all hosts to start everything anew. Raises OSError on a full disk."""
        if restart_files.has_launcher():
            await asyncio.to_thread(restart_files.hand_over, self._data_dir, order)
        with contextlib.suppress(QueueServerAway):  # then this host's launcher knows, and the page shows who does not
            redis = self._server.redis
            await self._server.ask(lambda: redis.set(RESTART, msgspec.json.encode(order), ex=RESTART_KEPT_S))

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
