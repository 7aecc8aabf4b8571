"""Processes by number: whether one is still the one we started, and how to end it with its children."""

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
"""Killed processes end sooner than this; zombies without a parent that waits are not worth more time."""


class Running(Protocol):
    """A process to wait for: our own child, or an adopted one."""

    @property
    def pid(self) -> int: ...

    async def wait(self) -> int: ...


class AdoptedProcess:
    """A process that an earlier launcher started. Its exit code cannot be read; `wait` returns 0."""

    def __init__(self, pid: int, birth: str) -> None:
        self.pid = pid
        self._birth = birth

    async def wait(self) -> int:
        """Return when the process has ended."""
        while birth_of(self.pid) == self._birth:
            await asyncio.sleep(LOOK_S)
        return 0


def birth_of(pid: int) -> str | None:
    """Return the start time, which distinguishes the process from a later one with its number; None if it ended."""
    if not sys.platform.startswith("linux"):
        line = subprocess.run(["ps", "-o", "state=,lstart=", "-p", str(pid)], capture_output=True, text=True).stdout
        state, _, birth = line.strip().partition(" ")
        return birth.strip() if state and not state.startswith("Z") else None
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the program's name, in parentheses, may contain spaces
    state, ticks = fields[0], fields[19]
    return None if state in "ZX" else f"{boot}/{ticks}"


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to one process, if it exists."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def kill_group(pid: int) -> bool:
    """Kill a process that leads its group, and the group; return whether there was anything to kill."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        return False
    return True


async def reap(pid: int) -> None:
    """Kill the group that a process has led, and wait for it: a server's orphaned workers would keep its port."""
    for _ in range(round(BURIAL_S / LOOK_S)):
        if not kill_group(pid):
            return
        await asyncio.sleep(LOOK_S)


async def end(processes: list[Running], within_s: float) -> None:
    """Ask processes to end; kill them and their groups when they have, or when the time is up."""
    for process in processes:
        send(process.pid, signal.SIGTERM)
    waits = [asyncio.ensure_future(process.wait()) for process in processes]
    if waits:
        await asyncio.wait(waits, timeout=within_s)
    await asyncio.gather(*(reap(process.pid) for process in processes))
    await asyncio.gather(*waits)
