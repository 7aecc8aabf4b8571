"""What other packages know about instances: what uses one, and who signs in with it. Assembly passes this in."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from kernel.core.data.database import ReadConnection
from kernel.providers.administration.schemas import InUseWhat
from kernel.providers.instances.instance import Instance
from kernel.spi import ImageCapabilities, Kind, Size

CountUsage = Callable[[ReadConnection, str], Awaitable[int]]
"""Counts the rows that name an instance."""


class UsageCounter(msgspec.Struct, frozen=True, kw_only=True):
    """What names the instances of a kind, and its counter."""

    what: InUseWhat
    count: CountUsage


IsAdminSignin = Callable[[ReadConnection, Instance[Any, Any]], Awaitable[bool]]
"""Returns whether an administrator can sign in with this instance."""


class ProviderUsage(msgspec.Struct, frozen=True, kw_only=True):
    """All counters of instances, and the size of the picture that one is usually asked for."""

    counted: Mapping[Kind, UsageCounter]
    is_admin_signin: IsAdminSignin
    usual_size: Callable[[ImageCapabilities], Size]

    def what(self, kind: Kind) -> InUseWhat:
        """Return what names instances of this kind, empty when nothing does."""
        use = self.counted.get(kind)
        return use.what if use else ""

    async def count(self, connection: ReadConnection, kind: Kind, instance_id: str) -> int:
        """Return how many rows name the instance."""
        use = self.counted.get(kind)
        return await use.count(connection, instance_id) if use else 0
