"""Who pays which price, which of them can be moved to another one, and to which."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, and_, case, func, null, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.billing.entitlement import PAID_STATES
from kernel.billing.models import PaymentPrice, Subscription
from kernel.billing.pricing.prices import Prices
from kernel.billing.vendor.gateway import PaymentInstance
from kernel.core.data.database import ReadConnection


class PriceTerms(msgspec.Struct, frozen=True, kw_only=True):
    """A stored copy of a price, as far as it matters for a move."""

    price: str
    product: str
    amount: int
    currency: str
    interval: str | None
    interval_count: int
    listed: bool


_TERMS: Final = tuple(getattr(PaymentPrice, name) for name in PriceTerms.__struct_fields__)

REASON: Final[ColumnElement[Any]] = case(
    (Subscription.cancel_at.is_not(None), "ending"),
    (or_(Subscription.state.not_in(PAID_STATES), Subscription.paused_until.is_not(None)), "unpaid"),
    else_=null(),
)
"""Why a current subscription is left out from the beginning; null for one that is not."""


def on_price(instance_id: str, price: str | None = None) -> ColumnElement[bool]:
    """Match the current subscriptions of an instance, or of one of its prices, whose owners are not leaving."""
    where = [Subscription.instance_id == instance_id, Subscription.is_current, User.leaving_at.is_(None)]
    return and_(*where, Subscription.price == price) if price is not None else and_(*where)


async def subscribers_by_price(connection: ReadConnection, instance_id: str) -> list[tuple[str, int]]:
    """Return each price with the number of its subscribers, the most first."""
    number = func.count()
    query = (
        select(Subscription.price, number)
        .join(User, User.id == Subscription.user_id)
        .where(on_price(instance_id))
        .group_by(Subscription.price)
        .order_by(number.desc(), Subscription.price)
    )
    return [(price, count) for price, count in await connection.execute(query)]


async def count_reasons(connection: ReadConnection, instance_id: str, price: str) -> dict[str | None, int]:
    """Return how many subscribers of a price would be left out of a move, by reason; None are those who would not."""
    query = (
        select(REASON.label("reason"), func.count().label("many"))
        .select_from(Subscription)
        .join(User, User.id == Subscription.user_id)
        .where(on_price(instance_id, price))
        .group_by(REASON)
    )
    return {row.reason: row.many for row in await connection.execute(query)}


async def known_terms(reader: ReadConnection | AsyncSession, instance_id: str) -> dict[str, PriceTerms]:
    """Return the copies of all prices of an instance."""
    rows = await reader.execute(select(*_TERMS).where(PaymentPrice.instance_id == instance_id))
    return {row.price: PriceTerms(**row._asdict()) for row in rows}


async def offered_names(connection: ReadConnection, prices: Prices, instance: PaymentInstance) -> list[str]:
    """Return the prices that are on sale, the one that is shown first."""
    return [offer.price for offer in await prices.offered_in(connection, instance)]


def targets(old: PriceTerms, known: dict[str, PriceTerms], offered: Sequence[str]) -> list[PriceTerms]:
    """Return the prices that subscribers of an old price can be moved to: none while it is still on sale itself.

    They are of the product that is sold, and renew alike. A price of nothing is left out: to leave one, or to go to it,
    begins a new period at once.
    """
    if old.price in offered or not offered or not old.amount:
        return []
    product, renewal = known[offered[0]].product, (old.interval, old.interval_count, old.currency)
    fitting = [
        one
        for one in known.values()
        if one.listed
        and one.product == product
        and one.amount
        and one.price != old.price
        and (one.interval, one.interval_count, one.currency) == renewal
    ]
    return sorted(fitting, key=lambda one: (one.price not in offered, one.amount, one.price))
