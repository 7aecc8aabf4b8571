"""Probes: what is opened, how long the event loop is blocked, what is left behind."""

import asyncio
import gc
import logging
import multiprocessing
import os
import re
import sys
import threading
import time
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

NETWORK_EVENTS: Final = frozenset(
    {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"}
)
PROCESS_EVENTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.posix_spawn", "os.system"})
LAG_STEP_S: Final = 0.005
SETTLE_S = 5.0
"""How long tasks, threads and processes may take to end after `aclose`."""

LOOPBACK: Final = re.compile(r"127\.|::1$|localhost$|$")
"""The empty host is this machine too."""

_watchers: list[tuple[frozenset[str], list[str]]] = []
_inventories: "weakref.WeakSet[Inventory]" = weakref.WeakSet()
_confined = 0
_hooked = False


class LeftTheMachine(OSError):
    """A test tried to connect to another machine."""


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if _confined and event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        host = _host(event, args)
        if host is not None and not LOOPBACK.match(host):
            raise LeftTheMachine(f"a conformance test reached for {host}; run with --live to let it")
    for events, seen in _watchers:
        if event in events and not (event == "socket.connect" and isinstance(args[1], str | bytes)):
            seen.append(f"{event} {args!r:.120}")  # a connection to a file (unix socket) stays on this machine


def _host(event: str, args: tuple[Any, ...]) -> str | None:
    """Return the host that a socket call names; None for a file (unix socket)."""
    place = args[0] if event == "socket.getaddrinfo" else args[-1]
    host = place[0] if isinstance(place, tuple) and place else place
    if event != "socket.getaddrinfo" and not isinstance(place, tuple):
        return None
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")


def _hook() -> None:
    global _hooked
    if not _hooked:
        sys.addaudithook(_audit)  # cannot be removed; it does nothing while no test uses it
        _hooked = True


@contextmanager
def only_loopback() -> Iterator[None]:
    """Prevent connections from this process to other machines. Sockets outside of Python are not seen."""
    global _confined
    _hook()
    _confined += 1
    try:
        yield
    finally:
        _confined -= 1


@contextmanager
def watch(events: frozenset[str]) -> Iterator[list[str]]:
    """Record what this process opens: sockets to other machines, names looked up, processes."""
    _hook()
    seen: list[str] = []
    entry = (events, seen)
    _watchers.append(entry)
    try:
        yield seen
    finally:
        _watchers[:] = [known for known in _watchers if known is not entry]


@asynccontextmanager
async def loop_lag() -> AsyncIterator[list[float]]:
    """Measure how long the event loop is blocked; the longest time in seconds is the list's only entry."""
    worst = [0.0]

    async def measure() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(LAG_STEP_S)
            worst[0] = max(worst[0], time.perf_counter() - before - LAG_STEP_S)

    meter = asyncio.create_task(measure())
    await asyncio.sleep(0)
    try:
        yield worst
    finally:
        await asyncio.sleep(LAG_STEP_S)  # a block at the very end is measured too
        meter.cancel()


class Inventory:
    """What runs now, to be compared with what runs later.

    Of threads, those count that this one starts, and those that they start: others of this process may start some, too.
    """

    def __init__(self) -> None:
        threading.Thread.start = _start_counted  # type: ignore[method-assign, assignment]
        self._tasks = asyncio.all_tasks()
        self._root = threading.current_thread()
        self._started: list[threading.Thread] = []
        self._processes = _children()
        _inventories.add(self)

    def add_thread(self, thread: threading.Thread) -> None:
        """Count a thread that is being started in, if it belongs here."""
        if threading.current_thread() in (self._root, *self._started):
            self._started.append(thread)

    async def leftovers(self) -> list[str]:
        """Wait until everything new has ended, at most SETTLE_S, and return what has not."""
        until = time.monotonic() + SETTLE_S
        while (left := self._new()) and time.monotonic() < until:
            await asyncio.sleep(0.02)
        return left

    def _new(self) -> list[str]:
        gc.collect()
        tasks = asyncio.all_tasks() - self._tasks - {asyncio.current_task()}
        pool = "asyncio_"  # the event loop's own threads, which name lookups use
        threads = [thread for thread in self._started if thread.is_alive() and not thread.name.startswith(pool)]
        processes = _children() - self._processes
        return [repr(entry) for entry in (*tasks, *threads, *processes)]


_start = threading.Thread.start


def _start_counted(thread: threading.Thread) -> None:
    """Start a thread, known to the inventories of who starts it."""
    for inventory in tuple(_inventories):
        inventory.add_thread(thread)
    _start(thread)


def _children() -> set[str]:
    """Return the child processes: all where the system lists them, else those of multiprocessing."""
    if not Path("/proc/self/stat").exists():
        return {repr(child) for child in multiprocessing.active_children()}
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = status.read_text().rpartition(")")
        except OSError:  # it has just ended
            continue
        if int(tail.split()[1]) == os.getpid():
            found.add(f"process {head})")
    return found


@contextmanager
def all_logs() -> Iterator[list[str]]:
    """Record every log line at DEBUG, of all loggers, rendered with its trace."""
    lines: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))
            lines.append(repr(record.__dict__))

    keeper = Keeper(level=logging.DEBUG)
    keeper.setFormatter(logging.Formatter("%(name)s %(message)s"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.removeHandler(keeper)
        root.setLevel(level)
