"""Stand-ins for what the kernel gives a provider."""

import logging
from pathlib import Path

import httpx

PUBLIC_URL = "https://covers.example"


def nowhere(request: httpx.Request) -> httpx.Response:
    """Answer as a network without any host in it."""
    raise httpx.ConnectError(f"{request.url.host} cannot be reached", request=request)


class FakeContext:
    """A context whose HTTP client talks to a handler of the test."""

    def __init__(self, folder: Path, upstream: "httpx.MockTransport | None" = None) -> None:
        self.instance_id = "kit"
        self.public_url = PUBLIC_URL
        self.data_dir = str(folder / "instance")
        self.http = httpx.AsyncClient(transport=upstream or httpx.MockTransport(nowhere))
        self.log = logging.getLogger("coverwright.kit")


class FakeControl:
    """A job that writes down what the provider tells it."""

    def __init__(self) -> None:
        self.remote_ids: list[str] = []
        self.steps: list[tuple[str, float | None]] = []

    async def checkpoint(self, remote_id: str) -> None:
        """Keep the vendor's id."""
        self.remote_ids.append(remote_id)

    async def progress(self, phase: str, fraction: float | None = None) -> None:
        """Keep the step."""
        self.steps.append((phase, fraction))
