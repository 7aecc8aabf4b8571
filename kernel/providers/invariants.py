"""The invariants of spending, prices and webhooks, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import func, or_, select

from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.providers.models import Attempt, ModelPrice, ProviderInstance, Reservation, Spend, WebhookEvent
from kernel.providers.spending.counters import Counter, counters_of


async def spending_adds_up(connection: ReadConnection) -> list[str]:
    """Every counter is the sum of its attempts and of the reservations that are open."""
    spent: dict[Counter, int] = {}
    charged = select(
        Attempt.instance_id, Attempt.user_id, Attempt.started_at, Attempt.cost_micros, Attempt.held_micros
    ).where(or_(Attempt.cost_micros > 0, Attempt.held_micros > 0))
    for row in await connection.execute(charged):
        for counter in counters_of(row.instance_id, row.user_id, row.started_at):
            spent[counter] = spent.get(counter, 0) + (row.held_micros if row.cost_micros is None else row.cost_micros)
    reserved: dict[Counter, int] = {}
    open_ones = select(Reservation.instance_id, Reservation.user_id, Reservation.at, Reservation.micros)
    for held in await connection.execute(open_ones):
        for counter in counters_of(held.instance_id, held.user_id, held.at):
            reserved[counter] = reserved.get(counter, 0) + held.micros
    counters = select(Spend.scope, Spend.subject, Spend.period, Spend.spent_micros, Spend.reserved_micros)
    known = {
        (row.scope, row.subject, row.period): (row.spent_micros, row.reserved_micros)
        for row in await connection.execute(counters)
    }
    return [
        f"{' '.join(counter)}: counter {known.get(counter, (0, 0))}, entries {wanted}"
        for counter in sorted(known.keys() | spent.keys() | reserved.keys())
        if known.get(counter, (0, 0)) != (wanted := (spent.get(counter, 0), reserved.get(counter, 0)))
    ]


async def spending_is_not_negative(connection: ReadConnection) -> list[str]:
    """No counter is below zero."""
    query = select(Spend.scope, Spend.subject, Spend.period).where(
        (Spend.spent_micros < 0) | (Spend.reserved_micros < 0)
    )
    return [f"{row.scope} {row.subject} {row.period}" for row in await connection.execute(query)]


async def events_have_one_row(connection: ReadConnection) -> list[str]:
    """Every event of a vendor has one row, and is applied exactly when its state says so."""
    twice = (
        select(WebhookEvent.instance_id, WebhookEvent.event_id)
        .group_by(WebhookEvent.instance_id, WebhookEvent.event_id)
        .having(func.count() > 1)
    )
    odd = select(WebhookEvent.id, WebhookEvent.state).where(
        (WebhookEvent.state == "applied") != WebhookEvent.applied_at.is_not(None)
    )
    found = [f"event {row.event_id} of {row.instance_id} has several rows" for row in await connection.execute(twice)]
    return found + [f"event row {row.id} is {row.state}" for row in await connection.execute(odd)]


async def prices_are_of_pictures(connection: ReadConnection) -> list[str]:
    """Only image services have prices that administrators have set."""
    query = (
        select(ModelPrice.instance_id, ModelPrice.model)
        .join(ProviderInstance, ProviderInstance.id == ModelPrice.instance_id)
        .where(ProviderInstance.kind != "image")
    )
    return [f"{row.model} of {row.instance_id}" for row in await connection.execute(query)]


INVARIANTS: Final[Invariants] = {
    "what was spent is the sum of its attempts, and what is reserved that of its calls": spending_adds_up,
    "no counter of spending is below zero": spending_is_not_negative,
    "only image services have prices that administrators have set": prices_are_of_pictures,
    "every webhook event has one row": events_have_one_row,
}
