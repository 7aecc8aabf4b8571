"""What a launcher hands to a process that it starts: the socket to listen on, and a file to say in that it is ready."""

import os
from pathlib import Path
from typing import Final

LISTENER: Final = "COVERWRIGHT_LISTENER"
"""Environment variable with the number of the open socket."""
READY: Final = "COVERWRIGHT_READY"
"""Environment variable with the file that every process of a program adds to when it is ready."""

DOT: Final = b"."
FAULT: Final = b"!"


def listener() -> int | None:
    """Return the number of the socket that the launcher listens on, or None."""
    number = os.environ.get(LISTENER)
    return int(number) if number else None


def tell_ready() -> None:
    """Tell the launcher, if it waits for it, that this process does its work."""
    _tell(DOT)


def tell_fault(error: BaseException) -> None:
    """Tell the launcher, if it waits for it, why this process does not start."""
    _tell(FAULT + f"{type(error).__name__}: {error}".encode().splitlines()[0] + b"\n")


def _tell(words: bytes) -> None:
    if path := os.environ.get(READY):
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as file:  # of a launcher that still waits
                file.write(words)
        except OSError:
            pass


def read(file: Path) -> tuple[int, str]:
    """Return how many processes are ready, and why one does not start."""
    words = file.read_bytes()
    ready, _, fault = words.partition(FAULT)
    return ready.count(DOT), fault.decode(errors="replace").partition("\n")[0]
