"""Fakes for what the kernel gives a provider."""

import asyncio
import logging
from pathlib import Path

import httpx

from .loopback import Loopback

PUBLIC_URL = "https://covers.example"
HTTP_TIMEOUT_S = 10.0


def nowhere(request: httpx.Request) -> httpx.Response:
    """Answer like a network without any host."""
    raise httpx.ConnectError(f"{request.url.host} cannot be reached", request=request)


class FakeContext:
    """A context whose HTTP client talks to a handler of the test, or to a server on this machine."""

    def __init__(self, folder: Path, upstream: httpx.MockTransport | Loopback | None = None) -> None:
        self.instance_id = "kit"
        self.public_url = PUBLIC_URL
        self.data_dir = str(folder / "instance")
        transport = None if isinstance(upstream, Loopback) else upstream or httpx.MockTransport(nowhere)
        self.http = httpx.AsyncClient(transport=transport, trust_env=False, timeout=HTTP_TIMEOUT_S)
        self.log = logging.getLogger("coverwright.kit")

    async def find_addresses(self, host: str, port: int, *, field: str | None = None) -> tuple[str, ...]:
        """Allow every address, unresolved."""
        return (host,)


class FakeControl:
    """A job that records what the provider reports."""

    def __init__(self) -> None:
        self.remote_ids: list[str] = []
        self.steps: list[tuple[str, float | None]] = []
        self.positions: list[int | None] = []
        self.previews: list[bytes] = []

    async def checkpoint(self, remote_id: str) -> None:
        """Record the vendor's id."""
        self.remote_ids.append(remote_id)

    async def progress(self, phase: str, fraction: float | None = None, *, position: int | None = None) -> None:
        """Record the step."""
        self.steps.append((phase, fraction))
        self.positions.append(position)

    async def preview(self, picture: bytes) -> None:
        """Record the picture as it is so far."""
        self.previews.append(picture)


class StoppingControl(FakeControl):
    """A job whose worker stops as soon as the vendor has accepted it."""

    async def checkpoint(self, remote_id: str) -> None:
        """Record the vendor's id, and end the call as a stop does."""
        await super().checkpoint(remote_id)
        raise asyncio.CancelledError
