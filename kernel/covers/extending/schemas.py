"""Wire of extending."""

from datetime import datetime
from uuid import UUID

from kernel.core.schemas import Out
from kernel.covers.extensions import Side
from kernel.covers.schemas import Status


class ExtensionOut(Out, frozen=True, kw_only=True):
    """How an artwork goes on beyond a side. `isCurrent` is whether it is that of the picture which is shown now."""

    side: Side
    is_current: bool
    created_at: datetime


class OpenExtension(Out, frozen=True, kw_only=True):
    """An extension that is waiting or being painted."""

    id: UUID
    side: Side
    status: Status


class ExtendingOffer(Out, frozen=True, kw_only=True):
    """Who would paint it, and how long that usually takes; null when no image service can."""

    service: str | None
    expected_ms: int | None


class CoverExtensions(Out, frozen=True, kw_only=True):
    """How the artwork of a cover, whose `version` is shown, goes on beyond its sides; each side once at most."""

    version: int
    extensions: list[ExtensionOut]
    running: list[OpenExtension]
    offer: ExtendingOffer
