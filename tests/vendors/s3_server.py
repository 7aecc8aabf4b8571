"""An S3 server.

python -m tests.vendors.s3_server     prints its address; ends when its input does
"""

from uuid import uuid4

import httpx

from tests.vendors.server_process import ServerProcess, serve


class S3Server(ServerProcess):
    """The server; close it."""

    def __init__(self) -> None:
        super().__init__("tests.vendors.s3_server")

    def new_bucket(self) -> str:
        """Make an empty bucket and return its name."""
        name = f"test-{uuid4().hex[:12]}"
        httpx.put(f"{self.url}/{name}", trust_env=False).raise_for_status()
        return name


def main() -> None:
    """Serve one request at a time: the stand-in is not safe for more."""
    from moto.server import DomainDispatcherApplication, create_backend_app

    serve(DomainDispatcherApplication(create_backend_app))


if __name__ == "__main__":
    main()
