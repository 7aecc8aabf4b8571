"""The programs that a launcher keeps running."""

import sys
from collections.abc import Mapping

import msgspec

from kernel.core.config import Config


class Child(msgspec.Struct, frozen=True, kw_only=True):
    """A program to keep running: `env` is added to the launcher's environment."""

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = {}


def program(config: Config) -> tuple[Child, ...]:
    """Return the product's own programs: the web server and the configured number of workers."""
    command = (sys.executable, "-m", "kernel.cli")
    workers = (
        Child(name=f"worker-{number}", argv=(*command, "worker")) for number in range(1, config.server.workers + 1)
    )
    return (Child(name="web", argv=(*command, "serve")), *workers)
