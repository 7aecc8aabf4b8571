"""This process as the others see it: its name, and whether it begins jobs."""

import os
import re
import secrets
import socket
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Final

HOST_CHARS: Final = 40
NAME_CHARS: Final = 64


class _Process:
    """What a process knows of itself. Tests run several products in one process, each with a worker of its own."""

    def __init__(self) -> None:
        self.suffix = secrets.token_hex(3)
        self.drained = False


_ONLY: Final = _Process()
_current: ContextVar[_Process] = ContextVar("this_process", default=_ONLY)


@lru_cache(maxsize=1)
def host() -> str:
    """Return this machine's name, in characters that an address may hold."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", socket.gethostname())[:HOST_CHARS] or "host"


def enter() -> None:
    """Let what the caller starts from now on count as a process of its own."""
    _current.set(_Process())


def name() -> str:
    """Return the name of this process, which no other has: that of a container may have the same host and number."""
    return f"{host()}-{os.getpid()}-{_current.get().suffix}"


def title(program: str, data_dir: Path) -> str:
    """Return what lists of processes show for a program that runs on a data folder."""
    return f"coverwright: {program} ({data_dir})"


def drain(on: bool) -> None:
    """Begin no jobs from now on, or do so again. Those that are begun go on."""
    _current.get().drained = on


def is_drained() -> bool:
    """Say whether this process begins no jobs."""
    return _current.get().drained
