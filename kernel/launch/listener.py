"""The socket that the web server listens on is the launcher's: web processes may come and go, and nobody is refused."""

import socket
import sys
from contextlib import suppress
from typing import Any, Final

from kernel.core.config import Config
from kernel.launch.preflight import require_free_port

BACKLOG: Final = 1024


class Listener:
    """To be made before anything is forked, which then has the socket; and opened when the port is free."""

    def __init__(self, config: Config) -> None:
        self._host, self._port = config.server.host, config.server.port
        self._address: Any = (self._host, self._port)
        family = socket.AF_INET
        with suppress(OSError, OverflowError):  # said when it is opened
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
            family, _, _, _, self._address = found[0]
        self._socket = socket.socket(family, socket.SOCK_STREAM)

    @property
    def number(self) -> int:
        """Return the number of the open socket."""
        return self._socket.fileno()

    def open(self) -> None:
        """Begin to listen: who comes before a web process is ready waits for it. Raises LaunchError."""
        require_free_port(self._host, self._port)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(self._address)
        self._socket.listen(BACKLOG)
        self._socket.setblocking(False)  # in all processes: they share what this sets

    def close(self) -> None:
        """Refuse whoever comes from now on, although other processes still have the socket."""
        if sys.platform.startswith("linux"):
            with suppress(OSError):  # it was never opened
                self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
