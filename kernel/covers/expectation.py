"""How long a cover usually takes: the median of what we measured, before that the provider's own honest guess."""

import time
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.covers.models import Generation
from kernel.providers import IMAGE, Registry

SAMPLE: Final = 50
REFRESH_S: Final = 60.0


class Expectation:
    """Median time, in milliseconds, of the first instance's latest covers; looked up once a minute."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[str, tuple[float, int | None]] = {}

    async def milliseconds(self, reader: AsyncConnection) -> int | None:
        """Return the expected time of the instance that will be asked first, or None without one."""
        first = next((instance for instance in self._registry.route(IMAGE) if instance.state == "ready"), None)
        if first is None:
            return None
        until, known = self._known.get(first.id, (0.0, None))
        if until > time.monotonic():
            return known
        query = (
            select(Generation.started_at, Generation.finished_at)
            .where(Generation.state == "completed", Generation.instance_id == first.id)
            .order_by(Generation.id.desc())
            .limit(SAMPLE)
        )
        rows = (await reader.execute(query)).all()
        spans = sorted((row.finished_at - row.started_at).total_seconds() for row in rows if row.started_at)
        guess = first.capabilities.expected_seconds
        known = round(1000 * (spans[len(spans) // 2] if spans else guess))
        self._known[first.id] = (time.monotonic() + REFRESH_S, known)
        return known
