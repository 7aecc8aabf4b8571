"""Wire of webhooks."""

from datetime import datetime
from typing import Literal

from kernel.core.schemas import Out
from kernel.spi import Kind

EventState = Literal["pending", "applied", "failed", "ignored"]


class WebhookOut(Out, frozen=True, kw_only=True):
    """One event that a vendor told of. `ignored`: nobody here needs it."""

    id: int
    instance_id: str
    kind: Kind
    event_id: str
    topic: str
    ref: str
    state: EventState
    attempts: int
    error: str
    received_at: datetime
    applied_at: datetime | None


class LastWebhook(Out, frozen=True, kw_only=True):
    """When an instance's webhook was last heard, and how many calls to it were not authentic today."""

    instance_id: str
    last_at: datetime | None
    rejected_today: int
