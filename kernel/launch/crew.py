"""The programs of a launch: kept running, and on order started anew, one after the other, while they do their work."""

import asyncio
import logging
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from kernel.core.config import Config
from kernel.core.process import handed_over
from kernel.core.process.restart_files import STATE, RestartOrder, RestartState, read_order, write_state
from kernel.launch.children import Child
from kernel.launch.errors import LaunchError
from kernel.launch.fork_server import ForkServer, Programs, can_fork
from kernel.launch.listener import Listener
from kernel.launch.processes import Running
from kernel.launch.supervisor import STOP_S, Supervisor, spawn

log = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the launcher looks for an order."""
READY_LOOK_S: Final = 0.05
READY_S: Final = 120.0
"""Longest wait for a program that is started anew to do its work."""

Check = Callable[[RestartOrder], str]
"""Returns what speaks against starting the programs anew, or nothing."""


class Crew:
    """The children of a launcher, the socket they listen on, and the fork servers that they come from."""

    def __init__(
        self,
        config: Config,
        children: Sequence[Child],
        listener: Listener,
        fork_server: ForkServer | None,
        programs: Programs | None,
        check: Check | None,
    ) -> None:
        self._config = config
        self._children = children
        self._listener = listener
        self._servers = [fork_server] if fork_server else []
        self._programs = programs
        self._check = check
        self._began = time.time()
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._supervisor: Supervisor

    async def open(self, supervisor: Supervisor) -> None:
        """Begin to listen to the fork server. What an earlier launch has told of a restart is of no interest now."""
        self._supervisor = supervisor
        with suppress(OSError):
            (self._config.data_dir / STATE).unlink()
        for server in self._servers:
            await server.open()

    def begin(self, group: asyncio.TaskGroup) -> None:
        """Start every program, and keep it running in tasks of the group. Raises LaunchError when a port is taken."""
        if any(child.listens for child in self._children):
            self._listener.open()
        server = self._servers[-1] if self._servers else None
        for child in self._children:
            start = partial(spawn, child, server, self._listener.number)
            self._watches[child.name] = group.create_task(self._supervisor.keep_running(child.name, start))

    async def refuse(self) -> None:
        """Refuse connections once nobody is left to accept them: the server takes an error of its socket badly."""
        serving = [child.name for child in self._children if child.listens]
        await self._supervisor.ended(serving)
        self._listener.close()

    async def aclose(self) -> None:
        """End the fork servers, when what they have started has ended."""
        for server in self._servers:
            await server.aclose()

    async def follow_orders(self, group: asyncio.TaskGroup) -> None:
        """Start all programs anew whenever that is ordered, once for each order that came after this launch."""
        done = ""
        while True:
            order = await asyncio.to_thread(read_order, self._config.data_dir)
            if order is not None and order.id != done and order.asked_at > self._began:
                done = order.id
                await self._carry_out(order, group)
            await asyncio.sleep(LOOK_S)

    async def _carry_out(self, order: RestartOrder, group: asyncio.TaskGroup) -> None:
        tell = partial(self._tell, order)
        replaced, server = 0, None
        tell("running", replaced)
        try:
            if self._check and (fault := await asyncio.to_thread(self._check, order)):
                raise LaunchError(fault)
            if self._programs and self._programs.server and can_fork():
                server = await ForkServer.anew(self._programs, self._config.data_dir, self._listener.number)
                self._servers.append(server)
            for child in sorted(self._children, key=lambda child: child.listens):  # who asked is told by the last one
                await self._replace(child, server, group)
                replaced += 1
                tell("running", replaced)
        except Exception as error:  # whatever it is, what runs goes on
            known = isinstance(error, LaunchError | OSError)
            log.error(
                "the restart has failed, with %d of %d done: %s",
                replaced,
                len(self._children),
                error,
                exc_info=None if known else error,
            )
            tell("failed", replaced, str(error) or type(error).__name__)
            if not replaced and server is not None:
                await self._servers.pop().aclose()
        else:
            log.warning("everything was started anew")
            tell("done", replaced)
            while server is not None and len(self._servers) > 1:
                await self._servers.pop(0).aclose()

    async def _replace(self, child: Child, server: ForkServer | None, group: asyncio.TaskGroup) -> None:
        """Start a program beside itself, and end the old one once the new one is ready. Raises LaunchError."""
        new, old = f"{child.name}, new", f"{child.name}, ending"
        with tempfile.NamedTemporaryFile(dir=self._config.data_dir, prefix=".ready-") as file:
            trial = msgspec.structs.replace(child, env={**child.env, handed_over.READY: file.name})
            process = await self._supervisor.begin(new, partial(spawn, trial, server, self._listener.number))
            try:
                await _wait_until_ready(child, process, Path(file.name))
            except LaunchError:
                await self._supervisor.let_go(new, STOP_S)
                raise
        watch = self._watches[child.name]
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        self._supervisor.take_over(child.name, new, old)
        start = partial(spawn, child, server, self._listener.number)
        self._watches[child.name] = group.create_task(self._supervisor.restart(child.name, start, process))
        await self._supervisor.let_go(old, STOP_S + self._config.generation.drain_s)

    def _tell(self, order: RestartOrder, state: str, done: int, error: str = "") -> None:
        told = {"id": order.id, "state": state, "done": done, "of": len(self._children), "error": error}
        try:
            write_state(self._config.data_dir, msgspec.convert(told, RestartState))
        except OSError as failure:  # a full disk does not keep anything from being started anew
            log.error("the state of the restart cannot be written: %s", failure.strerror)


async def _wait_until_ready(child: Child, process: Running, file: Path) -> None:
    """Return once all processes of a program are ready. Raises LaunchError when it ends before, or takes too long."""
    ended = asyncio.ensure_future(process.wait())
    give_up = time.monotonic() + READY_S
    try:
        while True:
            ready, fault = handed_over.read(file)
            if fault or ended.done():
                raise LaunchError(f"{child.name} does not start: {fault or 'its log says why'}")
            if ready >= child.processes:
                return
            if time.monotonic() > give_up:
                raise LaunchError(f"{child.name} was not ready after {READY_S:g} s")
            await asyncio.sleep(READY_LOOK_S)
    finally:
        ended.cancel()
