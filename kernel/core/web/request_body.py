"""The body of a request while it arrives: with limits on time, number and size in all, so that nobody is held up."""

import asyncio
import time
from collections import Counter
from typing import Any, Final

from litestar.types import Receive, Scope

from kernel.core.errors import Malformed, TooMany, TooSlow

SLOW_S: Final = 1.0
"""A body for which one had to wait this long in all is slow; most come with their headers."""
PAUSE_S: Final = 15.0
"""Time until the next piece of a body: who sends nothing for so long does not mean to."""
TOTAL_S: Final = 150.0
"""Time for the whole: the web client gives up after it as well. 15 MB take 120 s at 1 Mbit/s."""
PER_ADDRESS: Final = 32
"""Slow bodies from one address that may be on their way to one process; a browser sends six at a time."""
ALTOGETHER: Final = 512
RETRY_S: Final = 5.0
LARGE_BYTES: Final = 1024 * 1024
"""A body up to this size does not count as large."""
LARGE_PER_ADDRESS: Final = 64 * LARGE_BYTES
"""Bytes of large bodies from one address that a process holds at once: one of the largest."""
LARGE_ALTOGETHER: Final = 128 * LARGE_BYTES
"""The same of all addresses. Reading pictures takes several times the memory of their body."""


class SlowBodies:
    """Counts the slow bodies that are on their way to this process."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()

    def add(self, address: str) -> None:
        """Count one in. Raises TooMany."""
        if self._by_address[address] >= PER_ADDRESS or self._by_address.total() >= ALTOGETHER:
            raise TooMany("Too many requests at once. Please wait a moment.", retry_after=RETRY_S)
        self._by_address[address] += 1

    def remove(self, address: str) -> None:
        """Count one out."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class LargeBodies:
    """Counts the bytes of large bodies of requests that this process has not yet answered."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()

    def add(self, address: str, size: int) -> None:
        """Count bytes in. Raises TooMany."""
        mine, all_of_them = self._by_address[address] + size, self._by_address.total() + size
        if mine > LARGE_PER_ADDRESS or all_of_them > LARGE_ALTOGETHER:
            raise TooMany("Too many requests at once. Please wait a moment.", retry_after=RETRY_S)
        self._by_address[address] = mine

    def remove(self, address: str, size: int) -> None:
        """Count bytes out."""
        self._by_address[address] -= size
        if not self._by_address[address]:
            del self._by_address[address]


class RequestBody:
    """A body while it is received. End it when the request has ended."""

    def __init__(self, scope: Scope, receive: Receive, slow: SlowBodies, large: LargeBodies) -> None:
        client = scope.get("client")
        self._address = client[0] if client else ""
        self._receive = receive
        self._slow = slow
        self._large = large
        self._held = 0
        self._draining = False
        self._counted = False
        self._ends_at = time.monotonic() + TOTAL_S
        self._waited = 0.0
        self._size = 0
        self._awaited = announces_body(scope)
        self._announced = announced_bytes(scope)

    async def receive(self) -> Any:
        """Receive the next message.

        Raises Malformed for a body that breaks off or is badly framed, TooSlow, and TooMany for one slow or large body
        too many.
        """
        if not self._awaited:
            return await self._receive()
        self._hold(self._announced)
        try:
            message = await self._next()
        except BaseException:
            self._awaited = False
            raise
        self._size += len(message.get("body", b""))
        self._hold(self._size)
        self._awaited = message.get("more_body", False)
        if not self._awaited:
            self.close()
        return message

    async def drain(self, most: int) -> None:
        """Read and discard the rest, up to so many bytes in all."""
        self._draining = True
        try:
            while self._awaited and self._size < most:
                await self.receive()
        except (Malformed, TooSlow, TooMany):
            return

    def close(self) -> None:
        """Count the body no longer."""
        if self._counted:
            self._counted = False
            self._slow.remove(self._address)

    def end(self) -> None:
        """Count nothing of the request any longer."""
        self.close()
        if self._held:
            self._large.remove(self._address, self._held)
            self._held = 0

    def _hold(self, size: int) -> None:
        """Count the body as large once it is. Raises TooMany, and reads no more of it then."""
        if size > max(LARGE_BYTES, self._held) and not self._draining:
            self._large.add(self._address, size - self._held)
            self._held = size

    async def _next(self) -> Any:
        began = time.monotonic()
        coming = asyncio.ensure_future(self._receive())
        try:
            if not self._counted and not await self._comes(coming, SLOW_S - self._waited):
                self._slow.add(self._address)
                self._counted = True
            if not await self._comes(coming, min(began + PAUSE_S, self._ends_at) - time.monotonic()):
                raise TooSlow("The request took too long to arrive.")
        finally:
            coming.cancel()  # does nothing to what has come
            self._waited += time.monotonic() - began
        try:
            message: Any = coming.result()
        except Exception as error:  # the server's own, for a body that is not framed as HTTP says
            raise Malformed("The request could not be read.") from error
        if message["type"] == "http.disconnect":
            raise Malformed("The request ended before it was complete.")
        return message

    async def _comes(self, coming: "asyncio.Future[Any]", within_s: float) -> bool:
        await asyncio.wait({coming}, timeout=max(0.0, within_s))
        return coming.done()


def announces_body(scope: Scope) -> bool:
    """Return whether a body comes with the request, as far as its headers tell."""
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def announced_bytes(scope: Scope) -> int:
    """Return how long the body is to be, as far as the headers tell."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0
