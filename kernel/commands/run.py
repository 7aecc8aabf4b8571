"""`coverwright run` and `serve`: processes."""

import asyncio
import os

from kernel.accounts.setup import prepare_setup
from kernel.core import leash
from kernel.core.config import Config
from kernel.core.database import open_database
from kernel.launch import program
from kernel.launch import run as launch
from kernel.migrations import migrate_now
from kernel.providers import Registry, load_plugins

STOP_TIMEOUT_S = 2
"""Granian's workers are killed after this time; the launcher allows a little more."""


def run(config: Config) -> int:
    """Start everything and keep it alive until told to stop; return the exit code."""

    def migrate() -> None:
        migrate_now(config)

    return launch(
        config,
        children=program(config),
        migrate=migrate,
        setup_link=lambda: asyncio.run(_setup_link(config)),
    )


def serve(config: Config) -> int:
    """Serve until told to stop; return the exit code."""
    from granian import Granian
    from granian.constants import Interfaces, Loops, RuntimeModes
    from granian.log import LogLevels

    leash.hold()
    Granian(
        "kernel.app:create_asgi",
        address=config.server.host,
        port=config.server.port,
        interface=Interfaces.ASGI,
        workers=config.server.web_processes,
        loop=Loops.uvloop,
        runtime_mode=RuntimeModes.st,
        websockets=False,
        log_access=False,
        log_level=LogLevels.warning,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_TIMEOUT_S,
        factory=True,
    ).serve()
    return 0


async def _setup_link(config: Config) -> str | None:
    database = open_database(config)
    registry = Registry.from_config(config, plugins=load_plugins(os.environ))
    try:
        return await prepare_setup(database, config, registry)
    finally:
        await registry.aclose()
        await database.aclose()
