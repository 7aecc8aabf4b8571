"""Prices of pictures that administrators have set, as they are stored: read, replaced, put back."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import ReadConnection
from kernel.core.data.stored_rows import Values, name_behind_colon
from kernel.core.errors import Absent
from kernel.providers.instances.registry import Registry
from kernel.providers.models import ModelPrice, ProviderRevision

PRICES: Final = "prices"
"""The name of all prices of an instance in the audit trail."""


class StoredPrice(msgspec.Struct, frozen=True, kw_only=True):
    """What a picture costs by an administrator, in micros of a USD."""

    micros: int
    set_at: datetime


Prices = Mapping[str, StoredPrice]
"""Model → its price."""


async def read_prices(reader: ReadConnection | AsyncSession) -> dict[str, Prices]:
    """Return instance → its prices."""
    found: defaultdict[str, dict[str, StoredPrice]] = defaultdict(dict)
    columns = (ModelPrice.instance_id, ModelPrice.model, ModelPrice.image_micros, ModelPrice.set_at)
    for row in await reader.execute(select(*columns).order_by(ModelPrice.instance_id, ModelPrice.model)):
        found[row.instance_id][row.model] = StoredPrice(micros=row.image_micros, set_at=row.set_at)
    return dict(found)


async def change_prices(session: AsyncSession, instance_id: str, wanted: Mapping[str, int | None]) -> None:
    """Store the prices of models, and remove those that are None."""
    if wanted:
        mine = delete(ModelPrice).where(ModelPrice.instance_id == instance_id, ModelPrice.model.in_(list(wanted)))
        await session.execute(mine)
    rows: list[dict[str, Any]] = [
        {"instance_id": instance_id, "model": model, "image_micros": micros}
        for model, micros in wanted.items()
        if micros is not None
    ]
    if rows:
        await session.execute(insert(ModelPrice), rows)


class ModelPriceHistory:
    """The prices of one instance by model: to be shown and put back."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the prices in micros of a USD. Raises Absent for an instance that was removed."""
        instance_id = name_behind_colon(about)
        if self._registry.instance(instance_id) is None:
            raise Absent
        await session.execute(select(ProviderRevision.id).with_for_update())
        columns = (ModelPrice.model, ModelPrice.image_micros)
        rows = await session.execute(select(*columns).where(ModelPrice.instance_id == instance_id))
        prices = dict(sorted(rows.tuples().all()))
        return {PRICES: prices} if prices else {}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Replace all prices by earlier ones, in every process."""
        now = (await self.read(session, about)).get(PRICES, {})
        await change_prices(session, name_behind_colon(about), dict.fromkeys(now) | values.get(PRICES, {}))
        await session.execute(update(ProviderRevision).values(revision=ProviderRevision.revision + 1))
