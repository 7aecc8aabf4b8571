"""Settings of the outbox."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Settings


class OutboxSettings(Settings, frozen=True, kw_only=True):
    """How long messages stay."""

    keep_days: Annotated[
        int,
        Meta(
            title="Keep for",
            description="Days after which a message is removed. Messages may contain links that sign people in.",
            ge=1,
            le=3650,
        ),
    ] = 30
