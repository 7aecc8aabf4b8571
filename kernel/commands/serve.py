"""`coverwright serve`: the web server. Imports no application: Granian's workers do, and one import is enough."""

from granian import Granian
from granian.constants import Interfaces, Loops, RuntimeModes
from granian.log import LogLevels

from kernel.core import leash
from kernel.core.config import Config

STOP_TIMEOUT_S = 2
"""Granian's workers are killed after this time; the launcher allows a little more."""


def serve(config: Config) -> int:
    """Serve until told to stop; return the exit code."""
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
