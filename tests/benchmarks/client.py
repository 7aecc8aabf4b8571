"""A client with minimal cost: one persistent connection, and as much HTTP/1.1 as our own server needs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class Client:
    """One connection of one person. One request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: str) -> None:
        self._reader = reader
        self._writer = writer
        self._headers = headers

    async def get(self, path: str) -> bytes:
        """Return the body of a 200. Raises AssertionError for any other answer."""
        status, body = await self._ask("GET", path, b"")
        assert status == 200, (status, path, body[:300])
        return body

    async def post(self, path: str, data: dict[str, Any]) -> Any:
        """Send JSON and return the JSON of a 2xx. Raises AssertionError for any other answer."""
        status, body = await self._ask("POST", path, json.dumps(data).encode())
        assert 200 <= status < 300, (status, path, body[:300])
        return json.loads(body)

    async def events(self, path: str) -> AsyncIterator[Any]:
        """Yield the data of server-sent events until the stream ends."""
        self._send("GET", path, b"")
        status, headers = await self._head()
        assert status == 200 and "chunked" in headers.get("transfer-encoding", ""), (status, path)
        while size := int(await self._reader.readline(), 16):
            chunk = await self._reader.readexactly(size + 2)
            for line in chunk.decode().splitlines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])
        await self._reader.readline()

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        self._send(method, path, body)
        status, headers = await self._head()
        return status, await self._reader.readexactly(int(headers["content-length"]))

    def _send(self, method: str, path: str, body: bytes) -> None:
        kind = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if body else ""
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{self._headers}{kind}\r\n".encode() + body)

    async def _head(self) -> tuple[int, dict[str, str]]:
        first, *rest = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = (line.partition(":") for line in rest if line)
        return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in fields}


@asynccontextmanager
async def connected(port: int, cookie: str, *, gzip: bool = False) -> AsyncIterator[Client]:
    """Connect with a cookie for the length of the block."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    accepted = "accept-encoding: gzip\r\n" if gzip else ""
    try:
        yield Client(reader, writer, f"host: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n{accepted}")
    finally:
        writer.close()
