"""The cost of processes, from Linux's /proc."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
USER: Final = 11
SYSTEM: Final = 12
PARENT: Final = 1
"""Positions in /proc/<pid>/stat, counted after the name."""


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            children.setdefault(int(_stat(int(entry.name))[PARENT]), []).append(int(entry.name))
    found = [pid]
    for member in found:  # grows during the loop
        found += children.get(member, [])
    return found


def cpu_s(*pids: int) -> float:
    """Return the CPU time, user and system, of processes, in steps of a hundredth of a second."""
    ticks = 0
    for pid in pids:
        fields = _stat(pid)
        ticks += int(fields[USER]) + int(fields[SYSTEM])
    return ticks / TICKS_PER_S


def peak_mb(pid: int) -> float:
    """Return the peak memory of a process, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise ProcessLookupError(pid)
