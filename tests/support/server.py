"""The whole product as real processes, for tests that need more than one of them or kill them.

    with product(database_url=url, PORT_NAMES="VALUES") as running:
        httpx.get(f"{running.base_url}/healthz")
        os.kill(running.pid("worker-1"), signal.SIGKILL)
        running.restarted("worker-1", before)

`coverwright run` in a temporary data folder on a free port, with COVERWRIGHT_ENV=test. At the end everything is stopped
as by Ctrl-C, and it is an error if a single process is left.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from kernel.core.leash import LAUNCHER
from tests.support.processes import free_port, is_alive, processes_of, wait_until

READY_S: Final = 60.0
STOP_S: Final = 10.0
SETUP_TOKEN: Final = "/setup#token="


class Product:
    """A running product: `base_url`, `data_dir`, `faults` (plant faultpoints here) and its processes by name."""

    def __init__(self, data_dir: Path, port: int, env: dict[str, str]) -> None:
        self.data_dir = data_dir
        self.faults = data_dir / "faults"
        self.faults.mkdir()
        self.port = port
        self.base_url = f"http://127.0.0.1:{port}"
        self.env = {
            **os.environ,
            "COVERWRIGHT_ENV": "test",
            "COVERWRIGHT_DATA": str(data_dir),
            "COVERWRIGHT_FAULTPOINTS": str(self.faults),
            "COVERWRIGHT_PUBLIC_URL": self.base_url,
            "COVERWRIGHT_LOG_LEVEL": "warning",
            "HOST": "127.0.0.1",
            "PORT": str(port),
            LAUNCHER: str(os.getpid()),  # the product ends when the tests are killed
            **env,
        }
        self._log = data_dir / "output.log"
        self._launcher: subprocess.Popen[bytes] | None = None

    @property
    def output(self) -> str:
        """All that the processes have printed."""
        return self._log.read_text(errors="replace")

    @property
    def setup_token(self) -> str:
        """The one-time token of the printed set-up link."""

        def look() -> str:
            return self.output.partition(SETUP_TOKEN)[2].partition("\n")[0]

        return wait_until(look, "set-up link")

    def start(self) -> None:
        """Start everything and return when /readyz answers 200. Raises RuntimeError with the output if it never does."""
        with self._log.open("ab") as log:
            self._launcher = subprocess.Popen(
                [sys.executable, "-m", "kernel.cli", "run"],
                env=self.env,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        give_up = time.monotonic() + READY_S
        while not self.is_ready():
            if self._launcher.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"the product does not start:\n{self.output}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Tell whether /readyz answers 200."""
        with suppress(URLError, OSError), urlopen(f"{self.base_url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def pids(self) -> dict[str, int]:
        """Return name → process id: `valkey`, `web`, `worker-1`, …; the launcher's is `launcher_pid`."""
        with suppress(FileNotFoundError):
            entries = json.loads((self.data_dir / "pids.json").read_bytes())
            return {name: entry["pid"] for name, entry in entries.items()}
        return {}

    def pid(self, name: str) -> int:
        """Return the process id of one of the processes. Raises KeyError."""
        return self.pids()[name]

    @property
    def launcher_pid(self) -> int:
        """The process id of `coverwright run`."""
        assert self._launcher, "not started"
        return self._launcher.pid

    def kill(self, name: str) -> int:
        """Kill a process the hard way (SIGKILL) and return its number; the launcher starts it again."""
        pid = self.pid(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def restarted(self, name: str, before: int) -> int:
        """Wait until a process runs again under another number than `before`, and return that."""

        def look() -> int:
            now = self.pids().get(name, before)
            return now if now != before and is_alive(now) else 0

        return wait_until(look, f"restart of {name}", within_s=30)

    def crash(self) -> None:
        """Kill the launcher the hard way and wait until what it had started, but the queue server, is gone too."""
        valkey = self.pids().get("valkey")
        self._end(signal.SIGKILL)
        wait_until(lambda: set(processes_of(self.data_dir)) <= {valkey}, "end of all processes", within_s=15)

    def stop(self) -> None:
        """Stop everything as Ctrl-C does. Raises AssertionError when a process is left, after ending it."""
        self._end(signal.SIGINT)
        left = processes_of(self.data_dir)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert not left, f"{len(left)} processes were left running:\n{self.output}"

    def _end(self, number: signal.Signals) -> None:
        if self._launcher is None:
            return
        self._launcher.send_signal(number)
        try:
            self._launcher.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._launcher.kill()
            self._launcher.wait()
        self._launcher = None


@contextmanager
def product(database_url: str = "", **env: str) -> Iterator[Product]:
    """Run the product for the length of the block; SQLite when no database is named."""
    folder = Path(tempfile.mkdtemp(prefix="cw-", dir="/tmp")).resolve()  # short: sockets need short paths
    if database_url:
        env["COVERWRIGHT_DATABASE_URL"] = database_url
    running = Product(folder, free_port(), env)
    try:
        running.start()
        yield running
    finally:
        try:
            running.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
