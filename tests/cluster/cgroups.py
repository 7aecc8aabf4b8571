"""The share of the processor that a host has, and what it has used: a control group for each, of either version."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")
PERIOD_US: Final = 20_000
"""Short, so that a host with a small share is slow rather than away for a tenth of a second at a time."""
WEIGHT: Final = 16 * 1024
"""Of all hosts together, against 1024 of each other process: figures must not be those of its work."""
END_S: Final = 20.0


def _first_version() -> bool:
    return (ROOT / "cpuacct").is_dir() and (ROOT / "cpu").is_dir()


def trouble() -> str:
    """Return why groups cannot be made here, or ''."""
    if _first_version():
        return "" if os.access(ROOT / "cpu", os.W_OK) else "control groups cannot be written"
    try:
        return "" if "cpu" in (ROOT / "cgroup.controllers").read_text().split() else "no control groups for processors"
    except OSError:
        return "no control groups"


def remove_all(prefix: str) -> None:
    """End what a killed run has left in groups whose top has this name, and remove them."""
    for root in {ROOT / "cpu", ROOT / "cpuacct", ROOT}:
        top = root / prefix
        if top.is_dir():
            for folder in [*filter(Path.is_dir, top.iterdir()), top]:
                _end_all(folder)
                with suppress(OSError):
                    folder.rmdir()


def _pids(folder: Path) -> list[int]:
    try:
        return [int(line) for line in (folder / "cgroup.procs").read_text().split()]
    except OSError:
        return []


def _end_all(folder: Path) -> None:
    """Kill all processes of a group, and those that they make meanwhile."""
    give_up = time.monotonic() + END_S
    while found := _pids(folder):
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > give_up:
            raise TimeoutError(f"{folder}: {found} do not end")
        time.sleep(0.01)


class ControlGroup:
    """All processes of one host."""

    def __init__(self, top: str, name: str) -> None:
        self._first = _first_version()
        self.folders: list[Path] = []
        """Where a process writes its id to belong to the group."""
        for root in (ROOT / "cpu", ROOT / "cpuacct") if self._first else (ROOT,):
            folder = root / top / name
            folder.mkdir(parents=True, exist_ok=True)
            if folder.resolve() not in self.folders:
                self.folders.append(folder.resolve())
            if self._first and root.name == "cpu":
                (root / top / "cpu.shares").write_text(str(WEIGHT))
            if not self._first:
                (root / top / "cpu.weight").write_text(str(WEIGHT * 100 // 1024))
                (root / top / "cgroup.subtree_control").write_text("+cpu")

    def limit(self, cores: float | None) -> None:
        """Allow this share of the processor, in cores; None is all of it."""
        quota = None if cores is None else max(1000, round(cores * PERIOD_US))
        cpu = self.folders[0]
        if self._first:
            (cpu / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (cpu / "cpu.cfs_quota_us").write_text(str(-1 if quota is None else quota))
        else:
            (cpu / "cpu.max").write_text(f"{'max' if quota is None else quota} {PERIOD_US}")

    def used_s(self) -> float:
        """Return how many seconds of a core were used so far, also by processes that have ended."""
        if self._first:
            return int((self.folders[-1] / "cpuacct.usage").read_text()) / 1e9
        return int((self.folders[0] / "cpu.stat").read_text().split()[1]) / 1e6

    def pids(self) -> Iterator[int]:
        """Return the processes that live."""
        yield from _pids(self.folders[0])

    def kill(self) -> None:
        """Kill all of them."""
        _end_all(self.folders[0])

    def remove(self) -> None:
        """Kill all, and remove the group."""
        for folder in self.folders:
            _end_all(folder)
            with suppress(OSError):
                folder.rmdir()
                folder.parent.rmdir()
