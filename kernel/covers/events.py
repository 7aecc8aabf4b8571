"""A generation's changes as server-sent events."""

import time
from collections.abc import AsyncIterator
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
LONGEST_S: Final = 1200.0


async def follow(
    database: Database, pubsub: PubSub, user_id: int, generation_id: UUID
) -> AsyncIterator[ServerSentEventMessage]:
    """Yield the status at once and after every change, until the job has ended."""
    told: tuple[object, ...] | None = None
    started = spoken = time.monotonic()
    async with pubsub.follow(generation_channel(generation_id)) as follower:
        while time.monotonic() - started < LONGEST_S:
            async with database.read() as connection:
                status = await generation_status(connection, user_id, generation_id)
            if (now_told := _essence(status)) != told:
                told, spoken = now_told, time.monotonic()
                yield ServerSentEventMessage(data=msgspec.json.encode(status).decode(), event="status")
            elif time.monotonic() - spoken > HEARTBEAT_S:
                spoken = time.monotonic()
                yield ServerSentEventMessage(data=None, comment="still here")
            if status.status in TERMINAL:
                return
            await follower.next(timeout_s=LOOK_AGAIN_S)


def _essence(status: GenerationStatus) -> tuple[object, ...]:
    """Return what a change of makes an event: all but the running time."""
    return (status.status, status.phase, status.progress, status.queue_position, status.provider)
