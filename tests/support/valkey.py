"""A queue server for tests, without the launcher: up in a tenth of a second, keeps nothing."""

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kernel.launch.embedded import binary
from tests.support.processes import GuardedProcess, wait_until


@contextmanager
def valkey_server() -> Iterator[str]:
    """Give the address (`unix:///…`) of an empty server of its own, for the length of the block."""
    folder = Path(tempfile.mkdtemp(prefix="cw-valkey-", dir="/tmp"))
    path = folder / "valkey.sock"
    process = GuardedProcess(
        [binary(), "--port", "0", "--unixsocket", str(path), "--dir", str(folder), "--save", "", "--appendonly", "no"]
    )
    try:
        wait_until(lambda: _answers(path), "queue server")
        yield f"unix://{path}"
    finally:
        process.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(path: Path) -> bool:
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")
    return False
