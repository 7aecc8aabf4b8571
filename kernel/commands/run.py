"""`coverwright run`: everything. Heavy modules are imported when they are needed, so that a second start is quick."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from kernel.core.config import Config
from kernel.core.process.interpreter import quick_imports
from kernel.core.process.restart_files import RestartOrder
from kernel.launch import Programs, program
from kernel.launch import run as launch
from kernel.launch.fork_server import be_fork_server, title_of
from kernel.migrations.quick_check import at_newest, has_administrator


def run(config: Config, command: Callable[[Sequence[str]], NoReturn]) -> int:
    """Start everything and keep it running until stopped; return the exit code.

    `command` is the product's own command: what it does in this process for `coverwright serve` and its like.
    """
    return launch(
        config,
        children=program(config),
        prepare=lambda: _prepare(config),
        setup_link=lambda: None if has_administrator(config) else asyncio.run(_setup_link(config)),
        programs=Programs(preload, command, (sys.executable, "-m", "kernel.cli", "fork-server")),
        check=_check,
    )


def fork_server(config: Config, command: Callable[[Sequence[str]], NoReturn], listener: int) -> NoReturn:
    """Be the fork server of a launcher that starts everything anew."""
    be_fork_server(Programs(preload, command), title_of(config.data_dir), listener)


def _check(order: RestartOrder) -> str:
    from kernel.commands.installing.trial import new_faults

    return new_faults(order.broken)


def preload() -> None:
    """Import what the web server and the workers need, and build the application of the former."""
    with quick_imports():
        import kernel.commands.serve
        import kernel.worker  # noqa: F401
        from kernel.app import build_ahead

        build_ahead()


def _prepare(config: Config) -> None:
    """Bring the database up to date, and make the administrator that the environment names: then people may come."""
    if not at_newest(config):
        from kernel.migrations.upgrade import migrate_now

        migrate_now(config)
    if os.environ.get("COVERWRIGHT_ADMIN_EMAIL") and not has_administrator(config):
        asyncio.run(_setup_link(config))


async def _setup_link(config: Config) -> str | None:
    from kernel.accounts.admin.setup import prepare_setup
    from kernel.core.data.database import open_database
    from kernel.providers import Registry

    database = open_database(config)
    registry = Registry.from_config(config)
    try:
        return await prepare_setup(database, config, registry)
    finally:
        await registry.aclose()
        await database.aclose()
