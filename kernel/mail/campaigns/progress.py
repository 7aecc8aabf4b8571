"""How far campaigns have come, how fast they are, and how long the rest will take."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.mail.models import EmailRecipient
from kernel.mail.schemas import CampaignOut, Segment

ENDS: Final = ("sent", "failed", "skipped", "unknown", "bounced", "complained")
WINDOW: Final = timedelta(minutes=1)
"""The speed is that of this time: long enough for batches, short enough to follow a service that becomes slow."""
LEAST_S: Final = 1.0
"""The first batch is stored at one moment; its speed is not without end."""


class CampaignProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The ledgers of some campaigns, counted by state, and how many messages per second those handle that are sent."""

    counts: Mapping[tuple[UUID, str], int]
    per_second: Mapping[UUID, float]

    def out(self, row: Any) -> CampaignOut:
        """Return a campaign with its progress."""
        values = row._asdict()
        starts_at, segment = values.pop("run_after"), values.pop("segment")
        ended: dict[str, Any] = {state: self.counts.get((row.id, state), 0) for state in ENDS}
        pending = sum(self.counts.get((row.id, state), 0) for state in ("pending", "sending"))
        speed = self.per_second.get(row.id)
        return CampaignOut(
            **values,
            **ended,
            pending=pending,
            segment=msgspec.convert(segment, Segment),
            starts_at=starts_at if row.state == "scheduled" else None,
            per_second=None if speed is None else round(speed, 1),
            seconds_left=None if speed is None else math.ceil(pending / speed),
        )


async def read_progress(
    reader: ReadConnection | AsyncSession, rows: Sequence[Any], *, most_per_s: float
) -> CampaignProgress:
    """Count the ledgers of these campaigns; none is faster than `most_per_s`, the site's limit."""
    mine = EmailRecipient.campaign_id.in_([row.id for row in rows])
    of = (EmailRecipient.campaign_id, EmailRecipient.state, EmailRecipient.reported)
    counting = select(*of, func.count()).where(mine).group_by(*of)
    counts = Counter[tuple[UUID, str]]()
    for campaign_id, state, reported, count in await reader.execute(counting):
        counts[campaign_id, state] += count
        if reported is not None:
            counts[campaign_id, reported] += count
    sending = [row.id for row in rows if row.state == "sending"]
    return CampaignProgress(counts=counts, per_second=await _speeds(reader, sending, most_per_s) if sending else {})


async def _speeds(
    reader: ReadConnection | AsyncSession, campaign_ids: Sequence[UUID], most_per_s: float
) -> dict[UUID, float]:
    now = clock.now()
    handled = (
        select(
            EmailRecipient.campaign_id, func.count().label("count"), func.min(EmailRecipient.updated_at).label("since")
        )
        .where(
            EmailRecipient.campaign_id.in_(campaign_ids),
            EmailRecipient.state.in_(("sent", "failed", "unknown")),
            EmailRecipient.updated_at > now - WINDOW,
        )
        .group_by(EmailRecipient.campaign_id)
    )
    return {
        row.campaign_id: min(most_per_s, row.count / max((now - row.since).total_seconds(), LEAST_S))
        for row in await reader.execute(handled)
    }
