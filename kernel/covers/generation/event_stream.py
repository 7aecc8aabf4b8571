"""Changes of generations as server-sent events."""

import time
from collections.abc import AsyncIterator, Sequence
from typing import Final
from uuid import UUID

import msgspec
from litestar.response import ServerSentEventMessage

from kernel.core.data.database import Database
from kernel.core.process.metrics import EVENT_STREAMS
from kernel.core.queue.pubsub import PubSub
from kernel.covers.cover_read import generation_status
from kernel.covers.generation.job_control import generation_channel
from kernel.covers.previews.service import GenerationPreviews
from kernel.covers.schemas import GenerationStatus

TERMINAL: Final = ("completed", "failed", "canceled")
LOOK_AGAIN_S: Final = 2.0
"""Messages may be lost, so the row is also read this often."""
HEARTBEAT_S: Final = 15.0
MOST: Final = 8
"""Browsers keep few connections open, so one stream covers all jobs on a page; this many of them."""
LONGEST_S: Final = 1200.0


class EventStream:
    """Follows the generations of one user; another user's generation does not exist."""

    def __init__(self, database: Database, pubsub: PubSub, previews: GenerationPreviews) -> None:
        self._database = database
        self._pubsub = pubsub
        self._previews = previews

    async def begin(self, user_id: int, generation_ids: Sequence[UUID]) -> AsyncIterator[ServerSentEventMessage]:
        """Return the changes of these generations. Raises Absent before the first one."""
        async with self._database.read() as connection:
            for one in generation_ids:
                await generation_status(connection, user_id, one)
        return _changes(self._database, self._pubsub, self._previews, user_id, generation_ids)


async def _changes(
    database: Database, pubsub: PubSub, previews: GenerationPreviews, user_id: int, generation_ids: Sequence[UUID]
) -> AsyncIterator[ServerSentEventMessage]:
    """Yield the status of each at once and after every change, until all jobs have ended."""
    sent: dict[UUID, tuple[object, ...]] = {}
    open_ids = list(generation_ids)
    started = last_sent = time.monotonic()
    channels = [generation_channel(one) for one in open_ids]
    with EVENT_STREAMS.track_inprogress():
        async with pubsub.follow(*channels) as follower:
            while time.monotonic() - started < LONGEST_S:
                async with database.read() as connection:
                    statuses = [await generation_status(connection, user_id, one) for one in open_ids]
                statuses = await previews.in_all(statuses)
                for status in statuses:
                    if (comparable := _comparable(status)) != sent.get(status.id):
                        sent[status.id], last_sent = comparable, time.monotonic()
                        yield ServerSentEventMessage(data=msgspec.json.encode(status).decode(), event="status")
                if time.monotonic() - last_sent > HEARTBEAT_S:
                    last_sent = time.monotonic()
                    yield ServerSentEventMessage(data=None, comment="still here")
                open_ids = [status.id for status in statuses if status.status not in TERMINAL]
                if not open_ids:
                    return
                await follower.next(timeout_s=LOOK_AGAIN_S)


def _comparable(status: GenerationStatus) -> tuple[object, ...]:
    """Return the part of a status whose change is an event: everything but the running time."""
    return (status.status, status.phase, status.progress, status.queue_position, status.provider, status.preview)
