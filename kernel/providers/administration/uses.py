"""What the floors above know of instances: who uses one, and who may come in by it. Assembly hands these in."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.providers.administration.schemas import InUseWhat
from kernel.providers.instances import Instance
from kernel.spi import Kind

UseCounter = Callable[[AsyncConnection, str], Awaitable[int]]
"""Counts the rows that name an instance."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """What names the instances of a kind, and its counter."""

    what: InUseWhat
    count: UseCounter


AdministratorsEnter = Callable[[AsyncConnection, Instance[Any, Any]], Awaitable[bool]]
"""Says whether an administrator can sign in by this instance."""


class Uses(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is handed in."""

    counted: Mapping[Kind, Use]
    administrators_enter: AdministratorsEnter

    def what(self, kind: Kind) -> InUseWhat:
        """Return what names instances of this kind, empty when nothing does."""
        use = self.counted.get(kind)
        return use.what if use else ""

    async def count(self, connection: AsyncConnection, kind: Kind, instance_id: str) -> int:
        """Return how many rows name the instance."""
        use = self.counted.get(kind)
        return await use.count(connection, instance_id) if use else 0
