"""Real processes for tests: started, waited for, and ended even when the tests themselves are killed."""

import os
import pwd
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

Result = TypeVar("Result")

LOOK_S: Final = 0.02
SELDOM_S: Final = 0.25
"""What takes long is looked at more and more seldom: looking takes the time of what is waited for."""

GUARD: Final = '"$@" <&- & child=$!; cat >/dev/null; kill -TERM $child 2>/dev/null; wait $child'
"""A shell that ends its child when its standard input closes, which happens even if the tests are killed."""


def wait_until(look: Callable[[], Result], what: str, within_s: float = 10.0) -> Result:
    """Return the first true answer of `look`. Raises TimeoutError naming what did not happen."""
    give_up, pause = time.monotonic() + within_s, LOOK_S
    while not (answer := look()):
        if time.monotonic() > give_up:
            raise TimeoutError(f"{what}: not within {within_s} s")
        time.sleep(pause)
        pause = min(1.3 * pause, SELDOM_S)
    return answer


def free_port() -> int:
    """Return a port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and waits to be buried does not."""
    if sys.platform.startswith("linux"):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False
    state = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def processes_of(folder: Path) -> list[int]:
    """Return the living processes that were started on a data folder: it stands in their environment or title."""
    mark = os.fsencode(folder)
    found = []
    if sys.platform.startswith("linux"):
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes() or mark in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
    else:
        lines = subprocess.run(["ps", "-A", "-E", "-o", "pid=,command="], capture_output=True).stdout.splitlines()
        found = [int(line.split()[0]) for line in lines if mark in line]
    return [pid for pid in found if pid != os.getpid() and is_alive(pid)]


def group_of(user: str | None) -> int | None:
    """Return the main group of a user."""
    return pwd.getpwnam(user).pw_gid if user else None


class GuardedProcess:
    """A server program for tests. `user` is somebody else to run it as, which needs root."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str] | None = None, user: str | None = None) -> None:
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD, "sh", *argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(env) if env is not None else None,
            cwd="/",
            user=user,
            group=group_of(user),
            extra_groups=[] if user else None,
            start_new_session=True,
        )

    def stop(self, within_s: float = 10.0) -> None:
        """End the program and wait for it; kill it when the time is up."""
        if self._guard.stdin:
            self._guard.stdin.close()
        try:
            self._guard.wait(within_s)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._guard.pid, signal.SIGKILL)
            self._guard.wait()
