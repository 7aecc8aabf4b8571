"""Which launcher owns a data folder, and which processes it has started there."""

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from kernel.launch.errors import LaunchError
from kernel.launch.processes import AdoptedProcess, birth_of

log = logging.getLogger(__name__)

LOCK: Final = "launcher.lock"
PIDS: Final = "pids.json"


class PidEntry(msgspec.Struct, frozen=True):
    """A started process, and what distinguishes it from a later one with the same number."""

    pid: int
    birth: str


@contextmanager
def only_launcher(folder: Path) -> Iterator[IO[str]]:
    """Own the data folder, by a lock on a file.

    Raises LaunchError when another launcher does, or when it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / LOCK).open("a+")
    except OSError as error:
        raise LaunchError(f"cannot write to the data folder {folder}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            raise LaunchError(
                f"already running on {folder} (process {lock.read().strip() or 'unknown'}); "
                "stop it first, or name another folder in COVERWRIGHT_DATA"
            ) from error
        lock.truncate(0)
        with suppress(OSError):  # the number is for people; a full disk must not prevent a start
            os.write(lock.fileno(), f"{os.getpid()}\n".encode())
        yield lock


class PidFile:
    """`pids.json` in the data folder: name of each running process → its number and start time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PIDS
        self._entries: dict[str, PidEntry] = {}

    @property
    def crashed(self) -> bool:
        """Return whether an earlier launcher was unable to clear the file. To be called before the first `add`."""
        return self._path.exists()

    def leftovers(self) -> dict[str, AdoptedProcess]:
        """Return the processes that an earlier launcher has left running."""
        try:
            entries = msgspec.json.decode(self._path.read_bytes(), type=dict[str, PidEntry])
        except (OSError, msgspec.DecodeError):
            return {}
        return {
            name: AdoptedProcess(entry.pid, entry.birth)
            for name, entry in entries.items()
            if birth_of(entry.pid) == entry.birth
        }

    def add(self, name: str, pid: int) -> None:
        """Record a process that has just been started.

        One that cannot be recorded, on a full disk, runs all the same: without the launcher it ends by itself.
        """
        self._entries[name] = PidEntry(pid, birth_of(pid) or "")
        self._write()

    def forget(self, name: str) -> None:
        """Forget a process that has ended, or that has another name now."""
        if self._entries.pop(name, None) is not None:
            self._write()

    def _write(self) -> None:
        fresh = self._path.with_suffix(".tmp")
        try:
            fresh.write_bytes(msgspec.json.encode(self._entries))
            fresh.replace(self._path)
        except OSError as error:
            log.error("%s cannot be written: %s; everything goes on", self._path, error.strerror)

    def close(self) -> None:
        """Clear the file: all processes have ended."""
        self._path.unlink(missing_ok=True)
