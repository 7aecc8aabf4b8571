"""Changes of generations as server-sent events."""

import time
from collections.abc import AsyncIterator, Sequence
from typing import Final
from uuid import UUID

import msgspec
from litestar.response import ServerSentEventMessage

from kernel.core.database import Database
from kernel.core.pubsub import PubSub
from kernel.covers.control import generation_channel
from kernel.covers.schemas import GenerationStatus
from kernel.covers.views import generation_status

TERMINAL: Final = ("completed", "failed", "canceled")
LOOK_AGAIN_S: Final = 2.0
"""Messages may be lost, so the row is read this often all the same."""
HEARTBEAT_S: Final = 15.0
MOST: Final = 8
"""Browsers keep few connections open, so one stream tells of all that runs on a page; this many of them."""
LONGEST_S: Final = 1200.0


async def follow(
    database: Database, pubsub: PubSub, user_id: int, generation_ids: Sequence[UUID]
) -> AsyncIterator[ServerSentEventMessage]:
    """Yield the status of each at once and after every change, until all jobs have ended."""
    told: dict[UUID, tuple[object, ...]] = {}
    open_ids = list(generation_ids)
    started = spoken = time.monotonic()
    async with pubsub.follow(*(generation_channel(one) for one in open_ids)) as follower:
        while time.monotonic() - started < LONGEST_S:
            async with database.read() as connection:
                statuses = [await generation_status(connection, user_id, one) for one in open_ids]
            for status in statuses:
                if (now_told := _essence(status)) != told.get(status.id):
                    told[status.id], spoken = now_told, time.monotonic()
                    yield ServerSentEventMessage(data=msgspec.json.encode(status).decode(), event="status")
            if time.monotonic() - spoken > HEARTBEAT_S:
                spoken = time.monotonic()
                yield ServerSentEventMessage(data=None, comment="still here")
            open_ids = [status.id for status in statuses if status.status not in TERMINAL]
            if not open_ids:
                return
            await follower.next(timeout_s=LOOK_AGAIN_S)


def _essence(status: GenerationStatus) -> tuple[object, ...]:
    """Return what a change of makes an event: all but the running time."""
    return (status.status, status.phase, status.progress, status.queue_position, status.provider)
