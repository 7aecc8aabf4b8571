"""Holding a claimed row while one works on it: the lease is renewed, and work on a lost claim ends at once."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

log = logging.getLogger(__name__)

RENEWALS: Final = 3
"""The lease is renewed three times before it would end."""

Watch = Callable[[], Awaitable[None]]


@asynccontextmanager
async def hold_lease(
    keep: Callable[[], Awaitable[bool]],
    *,
    lease_s: float,
    lost: type[BaseException],
    name: str,
    watch: Watch | None = None,
) -> AsyncIterator[None]:
    """Renew a lease of `lease_s` seconds while the block runs; cancel the block, as `lost`, when it is lost.

    `keep` renews it and says whether the claim is still ours. `watch` returns as soon as it is not, before the next
    renewal would tell. `name` says in the log what is claimed.
    """
    worker = asyncio.current_task()
    assert worker is not None
    before, gone = worker.cancelling(), False

    def lose() -> None:
        nonlocal gone
        if not gone:  # cancelled a second time, the block could not clean up
            gone = True
            worker.cancel()

    async def renew() -> None:
        while True:
            await asyncio.sleep(lease_s / RENEWALS)
            try:
                kept = await keep()
            except Exception as error:  # the lease outlasts a failed renewal or two; the fence guards the rest
                log.warning("lease of %s not renewed: %s", name, type(error).__name__)
                continue
            if not kept:
                lose()
                return

    async def react(told: Watch) -> None:
        await told()
        lose()

    tasks = [asyncio.create_task(renew())] + ([asyncio.create_task(react(watch))] if watch else [])
    try:
        yield
    except asyncio.CancelledError:
        # one of ours and one from outside, such as the end of the process, may have come as one
        if gone and worker.uncancel() <= before:
            raise lost from None
        raise
    finally:
        for task in tasks:
            task.cancel()
