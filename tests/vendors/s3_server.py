"""An S3 server in a separate process: in ours, its copies of stored data would count as the plugin's memory.

python -m tests.vendors.s3_server     prints its address; ends when its input does
"""

import subprocess
import sys
import threading
from uuid import uuid4

import httpx


class S3Server:
    """The server; close it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.vendors.s3_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().decode().strip()
        assert self.url.startswith("http://127.0.0.1:"), "the server did not start"

    def new_bucket(self) -> str:
        """Make an empty bucket and return its name."""
        name = f"test-{uuid4().hex[:12]}"
        httpx.put(f"{self.url}/{name}", trust_env=False).raise_for_status()
        return name

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=10)


def main() -> None:
    """Serve one request at a time (the stand-in is not safe for more) until the input ends."""
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
