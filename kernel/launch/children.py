"""The programs that a launcher keeps running."""

import sys
from collections.abc import Mapping

import msgspec

from kernel.core.config import Config


class Child(msgspec.Struct, frozen=True, kw_only=True):
    """A program to keep running: `env` is added to the launcher's environment.

    `arguments` are those of the product's own command, for a program that can be forked. One that `listens` is given
    the launcher's socket. `processes` tell that they are ready when it is started anew.
    """

    name: str
    argv: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    listens: bool = False
    processes: int = 1


def program(config: Config) -> tuple[Child, ...]:
    """Return the product's own programs: the web server and the configured number of workers."""
    workers = (_own(f"worker-{number}", "worker") for number in range(1, config.server.workers + 1))
    web = msgspec.structs.replace(_own("web", "serve"), listens=True, processes=config.server.web_processes)
    return (web, *workers)


def _own(name: str, *arguments: str) -> Child:
    """Return a command of the product as a program to keep running."""
    return Child(name=name, argv=(sys.executable, "-m", "kernel.cli", *arguments), arguments=arguments)
