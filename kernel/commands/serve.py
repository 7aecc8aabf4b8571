"""`coverwright serve`: the web server."""

import multiprocessing
import socket
from typing import Any

import granian.net
from granian import Granian
from granian.constants import Interfaces, Loops, RuntimeModes
from granian.log import LogLevels

from kernel.core.config import Config
from kernel.core.process import handed_over, parent_watch, this_process
from kernel.core.process.interpreter import quick_imports
from kernel.core.process.metrics_folder import share


def serve(config: Config) -> int:
    """Serve until stopped; return the exit code."""
    parent_watch.exit_with_parent()
    share(config.data_dir / "metrics-of-web")
    if multiprocessing.get_start_method() == "fork":  # then Granian's workers have it at once, also a restarted one
        with quick_imports():
            from kernel.app import build_ahead

            build_ahead()
    server: Any = Granian if handed_over.listener() is None else _OnGivenSocket
    server(
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
        factory=True,
        process_name=this_process.title("web", config.data_dir),
    ).serve()
    return 0


class _OnGivenSocket(Granian):  # type: ignore[misc,valid-type]  # a class that is chosen by the platform
    """The server on the launcher's socket: another one may take over from it, with the connections that wait."""

    def _init_shared_socket(self) -> None:
        number = handed_over.listener()
        assert number is not None
        holder: Any = vars(granian.net)["SocketHolder"]  # what the server itself makes of a socket on other systems
        self._ssp, self._sfd, self._shd = None, number, holder(number, False, self.backlog)
        self._sso = socket.socket(fileno=number)
        self._sso.set_inheritable(True)
