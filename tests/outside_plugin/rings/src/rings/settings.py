"""Settings of the rings."""

from typing import Annotated

from coverwright_spi import Settings
from msgspec import Meta


class RingsSettings(Settings, frozen=True, kw_only=True):
    """What administrators set."""

    rings: Annotated[int, Meta(title="Rings", description="How many rings a cover has.", ge=1, le=40)] = 12
