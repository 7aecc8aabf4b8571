"""A server that breaks HTTP in ways that no handler can: it sends raw bytes."""

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import ProviderSpec

Conduct = Callable[[asyncio.StreamWriter], Awaitable[None]]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
BLOCK = b"x" * 65_536


class Wire:
    """Where the server listens, and how many requests it has read so far."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests = 0

    @property
    def url(self) -> str:
        """The address, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def host_and_port(self) -> str:
        """What an operator lists to allow it."""
        return f"127.0.0.1:{self.port}"


@asynccontextmanager
async def wire(conduct: Conduct) -> AsyncIterator[Wire]:
    """Listen on a free port, read each request to its end, and then behave as configured."""
    known: list[Wire] = []
    talks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behaving = asyncio.create_task(behave(reader, writer))
        talks.add(behaving)
        await asyncio.wait({behaving})
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):  # the client disconnected
            head = await reader.readuntil(b"\r\n\r\n")
            lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            if lengths:
                await reader.readexactly(int(lengths[0].partition(b":")[2]))
            known[0].requests += 1
            await conduct(writer)

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    known.append(Wire(server.sockets[0].getsockname()[1]))
    try:
        yield known[0]
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        await server.wait_closed()


@asynccontextmanager
async def on_the_wire(
    spec: ProviderSpec[Any, Any],
    settings: Any,
    folder: Path,
    conduct: Conduct,
    *,
    allowed: bool = True,
    path: str = "",
    field: str = "base_url",
) -> AsyncIterator[tuple[Any, Wire]]:
    """A provider with the kernel's own context, and a server that misbehaves.

    `path` follows its address, `field` is the setting for it.
    """
    async with wire(conduct) as server:
        env = {"COVERWRIGHT_DATA": str(folder)}
        if allowed:
            env["COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES"] = server.host_and_port
        context = ProviderBuildContext(load_config(env), spec.id)
        provider = spec.build(msgspec.structs.replace(settings, **{field: server.url + path}), context)
        yield provider, server
        await provider.aclose()
        await context.aclose()


async def drip(writer: asyncio.StreamWriter) -> None:
    """Announce a long answer and send a byte now and then: each read is in time, the whole never completes."""
    writer.write(HEAD + b"Content-Length: 1000000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def cut(writer: asyncio.StreamWriter) -> None:
    """Close the connection in the middle of the answer."""
    writer.write(HEAD + b'Content-Length: 1000\r\n\r\n{"data": [')
    await writer.drain()


async def silent(writer: asyncio.StreamWriter) -> None:
    """Read the request and never answer."""
    await asyncio.Event().wait()


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Read the request and close the connection."""


async def endless(writer: asyncio.StreamWriter) -> None:
    """Send an answer without end."""
    writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"%x\r\n%b\r\n" % (len(BLOCK), BLOCK))
        await writer.drain()


async def bomb(writer: asyncio.StreamWriter) -> None:
    """Send a small body that decompresses to a very large one."""
    packed = gzip.compress(bytes(200_000_000), 1)
    writer.write(HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b" % (len(packed), packed))
    await writer.drain()


def says(status: str, *headers: str, body: bytes = b"") -> Conduct:
    """Return how to answer with a status line, headers and a body."""

    async def conduct(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()

    return conduct
