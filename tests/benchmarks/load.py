"""A load generator in a separate process: `python -m tests.benchmarks.load` with an Order as JSON on its input."""

import asyncio
import sys
import time

import msgspec
import uvloop

from tests.benchmarks.client import Client, connected


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """The requests: to which server, over how many connections at once, for how many seconds."""

    port: int
    cookie: str
    path: str
    gzip: bool
    connections: int
    seconds: float


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """How long each request took, in milliseconds, and how long all took together, in seconds."""

    milliseconds: list[float]
    seconds: float


async def _ask(client: Client, path: str, until: float, taken: list[float]) -> None:
    while (began := time.perf_counter()) < until:
        await client.get(path)
        taken.append((time.perf_counter() - began) * 1000)


async def _run(order: Order) -> Answered:
    taken: list[float] = []

    async def one(until: float) -> None:
        async with connected(order.port, order.cookie, gzip=order.gzip) as client:
            await _ask(client, order.path, until, taken)

    began = time.perf_counter()
    await asyncio.gather(*(one(began + order.seconds) for _ in range(order.connections)))
    return Answered(milliseconds=taken, seconds=time.perf_counter() - began)


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(_run(asked))))
