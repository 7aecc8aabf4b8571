"""A way to a server on which connections can be made to fall silent, or be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class LossyProxy:
    """Passes bytes to and fro between a port of its own and a server's."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._pumps: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.port = 0

    async def listen(self) -> None:
        """Take connections, on the same port as before if there was one."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def silence(self) -> None:
        """Pass nothing on any more of the connections that there are; they stay open. New ones work."""
        for pump in self._pumps:
            pump.cancel()
        self._pumps.clear()

    async def cut(self) -> None:
        """End all connections and take no new ones."""
        self.silence()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        if self._server:
            self._server.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onwards, back = await asyncio.open_connection(*self._target)
        self._writers += [writer, back]
        for source, target in ((reader, back), (onwards, writer)):
            pump = asyncio.create_task(_pump(source, target))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
        target.close()


@asynccontextmanager
async def lossy_proxy(host: str, port: int) -> AsyncIterator[LossyProxy]:
    """Stand before a server for the length of the block."""
    proxy = LossyProxy(host, port)
    await proxy.listen()
    try:
        yield proxy
    finally:
        await proxy.cut()
