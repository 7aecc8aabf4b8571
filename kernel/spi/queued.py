"""Image vendors that queue: an order is placed once, asked about until it ends, and given up when it takes too long."""

import abc
import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from .errors import (
    ContentRefused,
    DeadlineExceeded,
    Effect,
    NotFound,
    ProviderError,
    RateLimited,
    Unavailable,
)
from .image import ImageCapabilities, ImageRequest, ImageResult, JobControl
from .image_requests import refuse_unclaimed

_CANCEL_LIMIT_S: Final = 4.0
"""A call that took too long does not take longer than this for its order's cancellation."""

_LOST_ANSWERS: Final = 5
"""Maximum number of unanswered questions in a row; the order goes on meanwhile."""


class Phase(NamedTuple):
    """What an order is doing, in one word; a true fraction if there is one; its place in the queue while it waits."""

    word: str
    fraction: float | None = None
    position: int | None = None


class Order(Protocol):
    """What a vendor says of an order, as the plugin reads it. `id` is empty where the vendor gave none."""

    @property
    def id(self) -> str:
        """Return the vendor's id."""
        ...


S = TypeVar("S", bound=Order)


class QueuedImages(abc.ABC, Generic[S]):
    """Base of providers whose vendor queues; `Resumable` and `Cancellable`.

    The plugin says how an order is placed, asked about, stopped and read. What is the same for all is here: that an
    order is placed once and its id reported at once, that a few lost answers do not lose it, that progress never goes
    back, and which end means what.
    """

    order_id: ClassVar[re.Pattern[str]]
    """What the vendor's ids look like. Anything else never reaches an address."""

    def __init__(self, *, limit_s: float, pause_s: float) -> None:
        self._limit_s = limit_s
        self._pause_s = pause_s

    # What plugins fill in

    @abc.abstractmethod
    def capabilities(self) -> ImageCapabilities:
        """Return what this instance can do; no I/O."""

    @abc.abstractmethod
    async def place(self, request: ImageRequest) -> S:
        """Place an order, in one request: a lost answer may have placed it."""

    @abc.abstractmethod
    async def ask(self, order_id: str) -> S:
        """Ask about an order. Raises NotFound when the vendor does not know it (any more)."""

    @abc.abstractmethod
    async def stop(self, order_id: str) -> None:
        """Ask for the end of an order; succeed where the vendor does not know it (any more)."""

    @abc.abstractmethod
    def phase_of(self, order: S) -> Phase | None:
        """Return what is going on; None when the order has ended."""

    @abc.abstractmethod
    def failure_of(self, order: S) -> ProviderError | None:
        """Return the error of an order that has ended without a picture; None for a success."""

    @abc.abstractmethod
    async def fetch(self, order: S, request: ImageRequest | None) -> ImageResult:
        """Return the result; without its request where another process placed the order.

        Raises NotFound when there is none that can be used.
        """

    # The contract

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Place an order, report its id, wait for its end and fetch the picture."""
        refuse_unclaimed(request, self.capabilities())
        placed: list[str] = []
        async with self._in_time(placed):
            try:
                order = await self.place(request)
                if order.id:
                    placed.append(order.id)
                    await control.checkpoint(order.id)
                order = await self._wait(order, control)
                if (failure := self.failure_of(order)) is not None:
                    raise failure
                return await self.fetch(order, request)
            except NotFound as error:
                detail = error.detail or "the order has vanished"
                raise Unavailable(detail, effect=Effect.UNKNOWN) from error

    async def resume(self, remote_id: str, control: JobControl) -> ImageResult:
        """Wait for an order that was placed earlier. Raises NotFound when it can no longer bring a picture."""
        if not self.order_id.fullmatch(remote_id):
            raise NotFound("not the id of an order")
        async with self._in_time([remote_id]):
            order = await self._wait(await self.ask(remote_id), control)
            if (failure := self.failure_of(order)) is not None:
                raise failure if isinstance(failure, ContentRefused) else NotFound(failure.detail)
            return await self.fetch(order, None)

    async def cancel(self, remote_id: str) -> None:
        """Stop an order. One that has ended stays as it is."""
        if self.order_id.fullmatch(remote_id):
            await self.stop(remote_id)

    @asynccontextmanager
    async def _in_time(self, placed: list[str]) -> AsyncIterator[None]:
        """End the block after the time limit, and then what was placed."""
        try:
            async with asyncio.timeout(self._limit_s):
                yield
        except TimeoutError as error:
            for order_id in placed:
                with suppress(TimeoutError, ProviderError):
                    async with asyncio.timeout(_CANCEL_LIMIT_S):
                        await self.stop(order_id)
            raise DeadlineExceeded(f"no picture within {self._limit_s:g} s", effect=Effect.UNKNOWN) from error

    async def _wait(self, order: S, control: JobControl) -> S:
        """Ask about the order until it has ended; report changes."""
        order_id = order.id
        reported = Phase("")
        lost = 0
        while (phase := self.phase_of(order)) is not None:
            now = phase._replace(fraction=max(phase.fraction or 0.0, reported.fraction or 0.0) or None)
            if now != reported:
                reported = now
                await control.progress(now.word, now.fraction, position=now.position)
            await asyncio.sleep(self._pause_s)
            try:
                order = await self.ask(order_id)
                lost = 0
            except (Unavailable, DeadlineExceeded, RateLimited) as error:
                lost += 1
                if lost == _LOST_ANSWERS:
                    error.effect = Effect.UNKNOWN
                    raise
                await asyncio.sleep(min(error.retry_after or 0.0, self._limit_s))
        return order
