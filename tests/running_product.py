"""The product as users run it: launcher, queue server, web and workers, each a process."""

import asyncio
import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import httpx

from kernel.accounts.admin.setup import prepare_setup
from kernel.core.config import load_config
from kernel.core.data.database import open_database
from kernel.migrations.upgrade import migrate_now
from kernel.providers import Registry
from tests.product import Product
from tests.support.databases import copy_sqlite_template
from tests.support.environment import environment
from tests.support.forked_commands import RunningCommand, commands, started
from tests.support.processes import free_port, is_alive, processes_of, wait_until
from tests.support.standstill import freeze

START_S: Final = 60.0


class RunningProduct(Product):
    """One data folder and the processes on it. Faults can be planted in them."""

    def __init__(self, *, fresh: bool = False, **options: Any) -> None:
        """`fresh` leaves tables and administrator to the first start; otherwise they are there before it."""
        self.port = free_port()
        super().__init__(**options)
        self.env = {"COVERWRIGHT_WEB_PROCESSES": "1"} | self.env
        self._prepared = fresh
        self._launcher: RunningCommand | None = None
        self._paused: int | None = None

    def clock_file(self) -> Path:
        """Return a file of the product's own."""
        file = self.folder / "clock"
        file.write_text("0")
        return file

    def transport(self) -> httpx.BaseTransport:
        """Return connections to the port."""
        return httpx.HTTPTransport(verify=False)

    def start(self) -> Self:
        """Start the launcher and return when it has greeted."""
        if not self._prepared:
            self._prepared = True
            self._prepare()
        before = self.log.stat().st_size if self.log.exists() else 0
        start = started if "PYTHONPATH" in self.env else commands().start
        launcher = self._launcher = start("run", env=self.env, log=self.log)

        def ready() -> bool:
            if launcher.poll() is not None:
                raise AssertionError(f"the product has ended: {self.log.read_text(errors='replace')[-3000:]}")
            return b"Press Ctrl-C to stop" in self.log.read_bytes()[before:]

        wait_until(ready, "start of the product", START_S)
        return self

    def _prepare(self) -> None:
        """Do what the launcher does before it starts anything; here everything is imported already."""
        config = load_config(self.env)
        if not self.database_url:
            copy_sqlite_template(self.data)
        migrate_now(config)

        async def make_administrator() -> None:
            database, registry = open_database(config), Registry.from_config(config)
            try:
                await prepare_setup(database, config, registry, self.env)
            finally:
                await registry.aclose()
                await database.aclose()

        with environment(self.env):
            asyncio.run(make_administrator())

    @property
    def pid(self) -> int:
        """Process id of the launcher."""
        assert self._launcher is not None
        return self._launcher.pid

    def terminate(self, *, times: int = 1) -> float:
        """Send SIGTERM to the launcher, wait for its end and return how long that took, in seconds."""
        assert self._launcher is not None
        began = time.monotonic()
        for _ in range(times):
            self._launcher.send_signal(signal.SIGTERM)
        self._launcher.wait(30)
        return time.monotonic() - began

    def kill_everything(self) -> None:
        """Kill every process at once, the hard way."""
        for pid in self.left():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._launcher:
            self._launcher.wait(30)
        wait_until(lambda: not self.left(), "end of everything")

    def left(self) -> list[int]:
        """Return every living process on this data folder."""
        return processes_of(self.data)

    def pids(self) -> dict[str, int]:
        """Return name → process id of the launcher's children."""
        try:
            entries: dict[str, dict[str, Any]] = json.loads((self.data / "pids.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return {name: entry["pid"] for name, entry in entries.items()}

    def signal(self, name: str, number: signal.Signals) -> int:
        """Send a signal to one child and return its process id."""
        pid = self.pids()[name]
        os.kill(pid, number)
        return pid

    def restarted(self, name: str, before: int) -> int:
        """Wait until a child runs under another process id, and return that."""

        def look() -> int:
            now = self.pids().get(name, before)
            return now if now != before and is_alive(now) else 0

        return wait_until(look, f"restart of {name}", 60)

    def answers(self, path: str) -> int:
        """Wait for an answer of any kind and return its status."""
        visitor = self.visitor()

        def ask() -> int:
            with suppress(httpx.TransportError):
                return visitor.get(path).status_code
            return 0

        return wait_until(ask, f"an answer to {path}", 30)

    def pause_worker(self) -> None:
        """Stop the first worker where it stands."""
        self._paused = freeze(self, "worker-1")

    def resume_worker(self) -> None:
        """Let it go on."""
        if self._paused is not None:
            assert self.pids()["worker-1"] == self._paused
            self.signal("worker-1", signal.SIGCONT)
            self._paused = None

    def end(self) -> None:
        """End everything, the hard way if need be."""
        if self._launcher and self._launcher.poll() is None:
            self._launcher.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._launcher.wait(15)
        self.kill_everything()
