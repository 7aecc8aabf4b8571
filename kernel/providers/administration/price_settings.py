"""What a picture costs at an instance: what its plugin says, what administrators have set, and which of them counts."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.audit import Actor, audit
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.providers.administration.model_prices import ModelPriceHistory, Prices, change_prices
from kernel.providers.administration.schemas import ModelPriceIn, ModelPriceOut, OwnPrice
from kernel.providers.calls.pricing import estimate
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.spi import ImageCapabilities, Size

MOST_USD: Final = 1000
"""More than any picture costs: what is higher was meant to be something else."""

MOST_IMAGE_MICROS: Final = MOST_USD * 1_000_000
OUT_OF_RANGE: Final = FieldError(
    "dollars_between", f"Must be between 0 and {MOST_USD:,} US dollars.", {"least": 0, "most": MOST_USD}
)
NO_SUCH_MODEL: Final = FieldError("no_such_model", "This model does not exist.")
NAMED_TWICE: Final = "This model is named twice."


class PluginPrice(msgspec.Struct, frozen=True, kw_only=True):
    """What a plugin says that a usual picture costs, and on which day it knew that."""

    kind: OwnPrice
    micros: int | None = None
    asof: date | None = None


def price_of_plugin(instance: Instance[Any, Any], can: ImageCapabilities, size: Size, model: str) -> PluginPrice:
    """Return what the plugin says of a picture of this size."""
    rows = [price for price in can.prices if price.model in ("", model)]
    asof = min((day for price in rows if (day := _day(price.asof)) is not None), default=None)
    micros = estimate(can, size, model=model)
    if micros is not None:
        return PluginPrice(kind="known" if micros else "free", micros=micros, asof=asof)
    if rows:
        return PluginPrice(kind="afterwards", asof=asof)
    compared = instance.spec.comparison if instance.spec else None
    if compared is not None and compared.cost == "free":
        return PluginPrice(kind="free", micros=0)
    return PluginPrice(kind="unknown")


def shown_prices(
    instance: Instance[Any, Any], prices: Prices, usual_size: Callable[[ImageCapabilities], Size]
) -> list[ModelPriceOut]:
    """Return the price of each model that the instance offers, then of those that only have a price."""
    can = instance.capabilities if instance.usable else None
    offered = can.models if isinstance(can, ImageCapabilities) else ()
    shown = []
    for model in (*offered, *(known for known in prices if known not in offered)):
        own, mine = PluginPrice(kind="unknown"), prices.get(model)
        if isinstance(can, ImageCapabilities) and model in offered:
            own = price_of_plugin(instance, can, usual_size(can), model)
        shown.append(
            ModelPriceOut(
                model=model,
                is_offered=model in offered,
                own=own.kind,
                own_micros=own.micros,
                own_asof=own.asof,
                set_micros=mine.micros if mine else None,
                set_at=mine.set_at if mine else None,
                micros=mine.micros if mine else own.micros,
            )
        )
    return shown


async def set_prices(
    session: AsyncSession,
    registry: Registry,
    instance_id: str,
    before: Prices,
    wanted: Sequence[ModelPriceIn],
    actor: Actor,
) -> None:
    """Store the prices that differ from those before. Raises InvalidFields with everything that is wrong."""
    if faults := _faults(registry.instance(instance_id), before, wanted):
        raise InvalidFields(faults)
    new = {entry.model: entry.image_micros for entry in wanted}
    new = {model: micros for model, micros in new.items() if micros != _micros(before, model)}
    if not new:
        return
    history, about = ModelPriceHistory(registry), f"instance:{instance_id}"
    old = await history.read(session, about)
    await change_prices(session, instance_id, new)
    audit(
        session,
        "instance.prices",
        actor_id=actor.id,
        ip=actor.ip,
        object=about,
        keys=list(new),
        before=old,
        after=await history.read(session, about),
    )


def _faults(
    instance: Instance[Any, Any] | None, before: Prices, wanted: Sequence[ModelPriceIn]
) -> Mapping[str, FieldFault]:
    """Return what is wrong with each price. Only models of the instance have one, or had one before."""
    can = instance.capabilities if instance is not None and instance.usable else None
    known = {*(can.models if isinstance(can, ImageCapabilities) else ()), *before}
    faults: dict[str, FieldFault] = {}
    names = [entry.model for entry in wanted]
    for index, entry in enumerate(wanted):
        if entry.model not in known:
            faults[f"prices.{index}.model"] = NO_SUCH_MODEL
        elif entry.model in names[:index]:
            faults[f"prices.{index}.model"] = NAMED_TWICE
        if entry.image_micros is not None and not 0 <= entry.image_micros <= MOST_IMAGE_MICROS:
            faults[f"prices.{index}.imageMicros"] = OUT_OF_RANGE
    return faults


def _micros(prices: Prices, model: str) -> int | None:
    return prices[model].micros if model in prices else None


def _day(text: str) -> date | None:
    """Return the day that a plugin names, if it is one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
