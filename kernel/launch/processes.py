"""Processes by number: whether one is still the one we started, and how to end it with all it started."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

LOOK_S: Final = 0.02
BURIAL_S: Final = 0.4
"""Killed processes are gone sooner; zombies that nobody buries are not worth more."""


class Running(Protocol):
    """A process that somebody waits for: our own child, or one we found."""

    @property
    def pid(self) -> int: ...

    async def wait(self) -> int: ...


class Found:
    """A process that an earlier launcher started. Its exit code is nobody's to read; `wait` answers 0."""

    def __init__(self, pid: int, birth: str) -> None:
        self.pid = pid
        self._birth = birth

    async def wait(self) -> int:
        """Return when the process is gone."""
        while birth_of(self.pid) == self._birth:
            await asyncio.sleep(LOOK_S)
        return 0


def birth_of(pid: int) -> str | None:
    """Return what tells this process from a later one with the same number; None when it is gone or a zombie."""
    if not sys.platform.startswith("linux"):
        line = subprocess.run(["ps", "-o", "state=,lstart=", "-p", str(pid)], capture_output=True, text=True).stdout
        state, _, birth = line.strip().partition(" ")
        return birth.strip() if state and not state.startswith("Z") else None
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the program's name, in parentheses, may hold spaces
    state, ticks = fields[0], fields[19]
    return None if state in "ZX" else f"{boot}/{ticks}"


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to one process, if it is there."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def kill_group(pid: int) -> bool:
    """Kill a process that leads its group, and the group; say whether there was anything to kill."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        return False
    return True


async def bury(pid: int) -> None:
    """Kill the group that a process has led, and wait for it: a server's orphaned workers would keep its port."""
    for _ in range(round(BURIAL_S / LOOK_S)):
        if not kill_group(pid):
            return
        await asyncio.sleep(LOOK_S)


async def end(processes: list[Running], within_s: float) -> None:
    """Ask processes to end; when they have, or the time is up, kill them and their groups."""
    for process in processes:
        send(process.pid, signal.SIGTERM)
    waits = [asyncio.ensure_future(process.wait()) for process in processes]
    if waits:
        await asyncio.wait(waits, timeout=within_s)
    await asyncio.gather(*(bury(process.pid) for process in processes))
    await asyncio.gather(*waits)
