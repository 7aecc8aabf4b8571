"""Keeps processes running: restarts those that end, with back-off, and ends all of them in order."""

import asyncio
import logging
import os
import signal
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

import msgspec

from kernel.core.process.handed_over import LISTENER
from kernel.core.process.parent_watch import LAUNCHER
from kernel.launch.children import Child
from kernel.launch.errors import LaunchError
from kernel.launch.fork_server import ForkServer
from kernel.launch.pid_file import PidFile
from kernel.launch.processes import Running, end, kill_group, reap

log = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 5.0
STEADY_S: Final = 10.0
"""A process that ran this long has recovered: its next pause is the first one again."""

FIRST_TRIES: Final = 5
"""A program that ends this often before the product has ever answered is broken."""

STOP_S: Final = 5.5
"""Time for processes without work to end. They take about one second; on a starved machine a server took over two."""


async def spawn(child: Child, fork_server: ForkServer | None, listener: int) -> Running:
    """Start a program in a session of its own: the launcher alone receives the terminal's Ctrl-C.

    It is forked if it can be; else, and when the fork server has been killed, it is started as a command.
    """
    if child.listens:
        child = msgspec.structs.replace(child, env={**child.env, LISTENER: str(listener)})
    if child.arguments and fork_server and fork_server.is_running:
        with suppress(ConnectionError):
            return await fork_server.start(child)
    environment = {**os.environ, LAUNCHER: str(os.getpid()), **child.env}
    try:
        return await asyncio.create_subprocess_exec(
            *child.argv,
            env=environment,
            stdin=DEVNULL,
            start_new_session=True,
            pass_fds=(listener,) if child.listens else (),
        )
    except OSError as error:
        raise LaunchError(f"{child.name}: cannot start {child.argv[0]}: {error.strerror}") from error


class Supervisor:
    """Starts processes and restarts them until stopped."""

    def __init__(self, pid_file: PidFile) -> None:
        self._pid_file = pid_file
        self._running: dict[str, Running] = {}
        self.settled = False
        """True once the product has answered; from then on every process is restarted."""

    async def keep_running(self, name: str, start: Callable[[], Awaitable[Running]]) -> None:
        """Start a process and start it again whenever it ends, forever.

        Raises LaunchError when it never comes up.
        """
        await self.restart(name, start, await self.begin(name, start))

    async def begin(self, name: str, start: Callable[[], Awaitable[Running]]) -> Running:
        """Start a process and record it. Raises LaunchError."""
        process = await start()
        self._running[name] = process
        self._pid_file.add(name, process.pid)
        return process

    async def restart(self, name: str, start: Callable[[], Awaitable[Running]], process: Running) -> None:
        """Watch a started process; start it again whenever it ends."""
        failures = 0
        while True:
            began = time.monotonic()
            code = await process.wait()
            await reap(process.pid)
            self._running.pop(name, None)
            failures = 1 if time.monotonic() - began > STEADY_S else failures + 1
            if failures >= FIRST_TRIES and not self.settled:
                raise LaunchError(f"{name} does not start; what it says stands above")
            pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (failures - 1))
            log.warning("%s has ended (%s); starting it again in %.1f s", name, code, pause)
            await asyncio.sleep(pause)
            try:
                process = await self.begin(name, start)
            except (LaunchError, OSError) as error:  # a full disk, or too many files, passes
                log.error("%s: %s", name, error)

    def take_over(self, name: str, new: str, old: str) -> Running | None:
        """Let the process called `new` be the one called `name` from now on; return what was, which is called `old`."""
        before = self._running.pop(name, None)
        if before is not None:
            self._running[old] = before
            self._pid_file.add(old, before.pid)
        self._running[name] = self._running.pop(new)
        self._pid_file.add(name, self._running[name].pid)
        self._pid_file.forget(new)
        return before

    async def ended(self, names: Collection[str]) -> None:
        """Return when the programs with these names have ended."""
        running = [process for name, process in self._running.items() if name.partition(",")[0] in names]
        await asyncio.gather(*(process.wait() for process in running))

    async def let_go(self, name: str, within_s: float) -> None:
        """End one process, and forget it."""
        if (process := self._running.get(name)) is not None:
            await end([process], within_s)
            self._running.pop(name, None)
        self._pid_file.forget(name)

    async def end(self, last: str, last_within_s: float, *, drain_s: float) -> None:
        """End all processes: `last` after the others, which may still need it, and finish their work in `drain_s`."""
        await end([process for name, process in self._running.items() if name != last], STOP_S + drain_s)
        await end([process for name, process in self._running.items() if name == last], last_within_s)
        self._running.clear()
        self._pid_file.close()

    def kill(self) -> None:
        """Kill everything at once."""
        for process in self._running.values():
            kill_group(process.pid)
        self._pid_file.close()


async def end_leftovers(pid_file: PidFile, spare: str | None) -> None:
    """End what a killed launcher has left on this data folder, except the process called `spare`."""
    found = {name: process for name, process in pid_file.leftovers().items() if name != spare}
    if found:
        log.warning("ending what an earlier launch has left: %s", ", ".join(sorted(found)))
        await end(list(found.values()), STOP_S)


def stop_on_signals(stop: asyncio.Event, kill: Callable[[], None]) -> None:
    """Set `stop` at the first Ctrl-C, SIGTERM or closed terminal; at the second, kill and exit."""

    def received(number: signal.Signals) -> None:
        if stop.is_set():
            kill()
            os._exit(128 + number)
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
            continue  # started with nohup
        loop.add_signal_handler(number, received, number)
