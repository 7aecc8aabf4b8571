"""A launcher with fake children, in a data folder of its own."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import free_port, is_alive, processes_of, wait_until

STAND_INS = Path(__file__).with_name("stand_ins.py")
CHILDREN = {"web": "web", "worker-1": "worker"}


class Launcher:
    """Starts launchers on one data folder and reports their processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.started: list[subprocess.Popen[str]] = []

    def start(self, children: dict[str, str] = CHILDREN, **env: str) -> subprocess.Popen[str]:
        """Start a launcher; its output goes to pipes."""
        process = subprocess.Popen(
            [sys.executable, str(STAND_INS), "launch"],
            env={
                **os.environ,
                "COVERWRIGHT_DRAIN_S": "0",
                "COVERWRIGHT_DATA": str(self.folder),
                "PORT": str(self.port),
                "STAND_INS": json.dumps(children),
                **env,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process

    def start_ready(self, children: dict[str, str] = CHILDREN, **env: str) -> subprocess.Popen[str]:
        """Start a launcher and return after its greeting."""
        process = self.start(children, **env)
        assert process.stdout
        for line in process.stdout:
            if "is ready" in line:
                return process
        raise AssertionError(f"the launcher has ended: {process.communicate()[1]}")

    def crash(self) -> None:
        """Kill the launcher that was started last with SIGKILL."""
        self.started[-1].kill()
        self.started[-1].wait()

    def pids(self) -> dict[str, int]:
        """Return name → process id of what runs now."""
        try:
            entries: dict[str, dict[str, Any]] = json.loads((self.folder / "pids.json").read_bytes())
        except FileNotFoundError:
            return {}
        return {name: entry["pid"] for name, entry in entries.items()}

    def restarted(self, name: str, before: int) -> int:
        """Wait until a child runs again under another number, and return that."""

        def look() -> int:
            now = self.pids().get(name, before)
            return now if now != before and is_alive(now) else 0

        return wait_until(look, f"restart of {name}")

    def left(self) -> list[int]:
        """Return every living process that was started on this data folder."""
        return processes_of(self.folder)

    def close(self) -> None:
        """End everything."""
        for process in self.started:
            process.kill()
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        for process in self.started:
            process.communicate()


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    """Launchers on a fresh data folder with a short path, because sockets need one."""
    folder = Path(tempfile.mkdtemp(prefix="cw-")).resolve()
    launcher = Launcher(folder)
    yield launcher
    launcher.close()
    shutil.rmtree(folder)
