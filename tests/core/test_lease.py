"""Holding a claimed row: work on a lost claim ends at once, and can clean up."""

import asyncio

import pytest

from kernel.core.queue.lease import hold_lease

pytestmark = pytest.mark.anyio

LEASE_S = 0.06


class Lost(Exception):
    pass


async def test_work_on_a_lost_claim_is_cancelled_once() -> None:
    """Whoever watches says so first, and the next renewal finds the same: the clean-up goes on to its end."""
    cleaned = False

    async def lost() -> bool:
        return False

    async def watch() -> None:
        return None

    with pytest.raises(Lost):
        async with hold_lease(lost, lease_s=LEASE_S, lost=Lost, name="a job", watch=watch):
            try:
                await asyncio.sleep(10)
            finally:
                await asyncio.sleep(2 * LEASE_S)
                cleaned = True
    assert cleaned


async def test_a_cancellation_from_outside_passes_through() -> None:
    async def kept() -> bool:
        return True

    async def work() -> None:
        async with hold_lease(kept, lease_s=LEASE_S, lost=Lost, name="a job"):
            await asyncio.sleep(10)

    task = asyncio.create_task(work())
    await asyncio.sleep(2 * LEASE_S)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_from_outside_stands_when_the_claim_is_lost_at_that_moment() -> None:
    """Else a loop that works on claims would go on after it was told to end."""

    async def kept() -> bool:
        return True

    ending = asyncio.Event()

    async def work() -> None:
        async with hold_lease(kept, lease_s=10, lost=Lost, name="a job", watch=ending.wait):
            await asyncio.sleep(10)

    task = asyncio.create_task(work())
    await asyncio.sleep(LEASE_S)
    ending.set()
    while not task.cancelling():
        await asyncio.sleep(0)
    assert not task.done() and task.cancelling() == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
