"""Delivers events to the site's own webhook address, at least once each, with growing intervals after failures."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

import httpx
import msgspec

from kernel.spi import ProviderError
from plugins.sandbox_payments.bank import Bank
from plugins.sandbox_payments.rows import Event
from plugins.sandbox_payments.webhooks import SIGNATURE_HEADER, signature

TIMEOUT_S: Final = 10.0
FIRST_WAIT_S: Final = 15.0
"""Longer than an attempt takes: until then no other process tries."""

MOST_TRIES: Final = 12
"""With the doubled intervals between them about eight hours."""

LOOK_S: Final = 300.0
"""How often a watching process checks whether something has become due by itself."""


class Blocking(Protocol):
    """Runs one call of the bank in its thread."""

    def __call__(self, work: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        """Return what the call returns."""
        ...


class Postman:
    """Delivers while there are events, in at most one task."""

    def __init__(self, bank: Bank, blocking: Blocking, address: str, log: logging.Logger) -> None:
        self._bank = bank
        self._blocking = blocking
        self._address = address
        self._log = log
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._client: httpx.AsyncClient | None = None
        self._stays = self._closed = self._complained = False

    def wake(self) -> None:
        """Wake the delivery: there may be a new event."""
        if self._closed:
            return
        self._news.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(), name="sandbox webhooks")

    def watch(self) -> None:
        """From now on also check every few minutes whether something has become due."""
        self._stays = True
        self.wake()

    async def aclose(self) -> None:
        """Stop; undelivered events stay in the database."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._client is not None:
            await self._client.aclose()

    async def _run(self) -> None:
        while not self._closed:
            self._news.clear()
            try:
                if self._stays:
                    await self._blocking(self._bank.now)
                while (wait := await self._blocking(self._bank.next_event_s)) == 0:
                    if claimed := await self._blocking(self._bank.claim_event, FIRST_WAIT_S, MOST_TRIES):
                        await self._deliver(claimed)
            except ProviderError as error:
                self._log.warning("webhooks wait: %s", error.detail)
                wait = LOOK_S
            if wait is None and not self._stays:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S if wait is None else min(LOOK_S, wait)):
                    await self._news.wait()

    async def _deliver(self, event: Event) -> None:
        body = msgspec.json.encode(event)
        secret = await self._blocking(self._bank.secret)
        headers = {"content-type": "application/json", SIGNATURE_HEADER: signature(secret, body, int(time.time()))}
        self._client = self._client or _own_client()
        try:
            answer = await self._client.post(self._address, content=body, headers=headers)
        except httpx.RequestError as error:
            trouble = type(error).__name__
        else:
            if answer.is_success:
                await self._blocking(self._bank.event_delivered, event.id)
                self._complained = False
                return
            trouble = f"status {answer.status_code}"
        if not self._complained:
            self._log.warning("the site does not accept webhooks at %s (%s); trying again", self._address, trouble)
            self._complained = True


def _own_client() -> httpx.AsyncClient:
    """Return a client for the site's own address.

    The guarded one refuses the addresses of this machine, where the site often is. This one is used only for the site's
    public address, which the operator configured; no setting of a provider changes it. It keeps no connection
    open: the site may be this very process, which waits for its connections to end when it stops.
    """
    closing = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_S, follow_redirects=False, limits=closing)
