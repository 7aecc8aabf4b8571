"""How long a cover usually takes: the median of measured times, or the provider's own estimate before there are any."""

import time
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Select, select, union_all

from kernel.core.data.database import ReadConnection
from kernel.covers.generation.provider_selection import ImageInstance
from kernel.covers.models import Generation

SAMPLE: Final = 50
REFRESH_S: Final = 60.0


class TimeEstimate:
    """Median time, in milliseconds, of an instance's latest covers; looked up once a minute."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, int]] = {}

    async def milliseconds(self, reader: ReadConnection, instances: Sequence[ImageInstance]) -> dict[str, int]:
        """Return the expected time of each instance by its id, with one query at most."""
        stale = [one for one in instances if self._known.get(one.id, (0.0, 0))[0] <= time.monotonic()]
        if stale:
            spans: dict[str, list[float]] = {one.id: [] for one in stale}
            for row in (await reader.execute(union_all(*(_latest(one.id) for one in stale)))).all():
                spans[row.instance_id].append((row.finished_at - row.started_at).total_seconds())
            for one in stale:
                measured = sorted(spans[one.id])
                seconds = measured[len(measured) // 2] if measured else one.capabilities.expected_seconds
                self._known[one.id] = (time.monotonic() + REFRESH_S, round(1000 * seconds))
        return {one.id: self._known[one.id][1] for one in instances}

    async def of_first(self, reader: ReadConnection, instances: Sequence[ImageInstance]) -> int:
        """Return the expected time of the instance that comes first."""
        return (await self.milliseconds(reader, instances[:1]))[instances[0].id]


def _latest(instance_id: str) -> Select[Any]:
    latest = (
        select(Generation.instance_id, Generation.started_at, Generation.finished_at)
        .where(
            Generation.state == "completed",
            Generation.instance_id == instance_id,
            Generation.started_at.is_not(None),
        )
        .order_by(Generation.id.desc())
        .limit(SAMPLE)
        .subquery()
    )
    return select(latest)  # SQLite allows no limit directly in a union
