"""Small programs in place of the web server and the workers, and a launcher for them.

`stand_ins.py launch` reads its table of children from $STAND_INS as JSON.
"""

import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import NoReturn

from kernel.core.process import parent_watch


class Health(BaseHTTPRequestHandler):
    """Answers 200 to everything."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve(server: HTTPServer) -> None:
    """Answer until stopped."""
    parent_watch.exit_with_parent()
    server.serve_forever()


def web() -> None:
    """Serve as granian does: the master listens, a forked process serves and outlives its master for a moment."""
    server = HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Health)
    multiprocessing.get_context("fork").Process(target=serve, args=(server,)).start()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    parent_watch.exit_with_parent()
    signal.pause()


def worker() -> None:
    """Do nothing until stopped."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    parent_watch.exit_with_parent()
    signal.pause()


def stubborn() -> None:
    """Ignore requests to stop."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


def broken() -> None:
    """End at once."""
    sys.exit(3)


def launch() -> None:
    """Run the launcher with the children and the settings in the environment."""
    from kernel.core.config import load_config
    from kernel.launch import Child, Programs, run

    def migrate() -> None:
        if words := os.environ.get("STAND_IN_MIGRATION"):
            raise RuntimeError(words)

    def preload() -> None:
        if words := os.environ.get("STAND_IN_PRELOAD"):
            raise RuntimeError(words)

    table = json.loads(os.environ["STAND_INS"])
    children = [
        Child(name=name, argv=(sys.executable, __file__, role), arguments=(role,)) for name, role in table.items()
    ]
    code = run(
        load_config(),
        children=children,
        prepare=migrate,
        setup_link=lambda: os.environ.get("STAND_IN_LINK"),
        programs=Programs(preload, be),
    )
    sys.exit(code)


def be(arguments: Sequence[str]) -> NoReturn:
    """Be one of these programs."""
    roles = {"web": web, "worker": worker, "stubborn": stubborn, "broken": broken, "launch": launch}
    try:
        roles[arguments[0]]()
    except SystemExit as ending:
        os._exit(int(ending.code or 0))
    os._exit(0)


if __name__ == "__main__":
    be(sys.argv[1:])
