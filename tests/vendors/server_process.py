"""A vendor's server in a separate process: in ours, its copies of data would count as the plugin's memory."""

import subprocess
import sys
import threading
from typing import Any


class ServerProcess:
    """A module that ends in `serve`, run as a program; close it."""

    def __init__(self, module: str, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().decode().strip()
        assert self.url.startswith("http://127.0.0.1:"), "the server did not start"

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=10)


def serve(application: Any, *, path: str = "", threaded: bool = False) -> None:
    """Serve a WSGI application on a free port, print its address, and end when the input does."""
    from werkzeug.serving import make_server

    server = make_server("127.0.0.1", 0, application, threaded=threaded)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}{path}", flush=True)
    sys.stdin.read()
    server.shutdown()
