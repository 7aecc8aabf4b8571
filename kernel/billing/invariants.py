"""The invariants of payments, for `coverwright doctor`: each check returns its violations."""

from datetime import timedelta
from typing import Final

from sqlalchemy import func, or_, select

from kernel.billing.entitlement import LIVE_STATES
from kernel.billing.models import BillingCustomer, PaymentOperation, PaymentRemoval, Subscription
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants

LONGEST_OPERATION: Final = timedelta(hours=1)


async def one_live_subscription(connection: ReadConnection) -> list[str]:
    """A user has at most one continuing subscription, and it is marked as the current one."""
    query = (
        select(Subscription.user_id, func.count())
        .where(Subscription.state.in_(LIVE_STATES))
        .group_by(Subscription.user_id)
        .having(func.count() > 1)
    )
    twice = [f"user {user} has {count}" for user, count in await connection.execute(query)]
    astray = select(Subscription.ref, Subscription.state, Subscription.is_current).where(
        Subscription.is_current != Subscription.state.in_(LIVE_STATES)
    )
    return twice + [
        f"subscription {row.ref} is {row.state} and {'' if row.is_current else 'not '}the current one"
        for row in await connection.execute(astray)
        if row.is_current or not twice
    ]


async def subscriptions_have_customers(connection: ReadConnection) -> list[str]:
    """Every continuing subscription belongs to a customer of the same instance."""
    same = (
        (BillingCustomer.id == Subscription.customer_id)
        & (BillingCustomer.user_id == Subscription.user_id)
        & (BillingCustomer.instance_id == Subscription.instance_id)
    )
    query = (
        select(Subscription.ref)
        .outerjoin(BillingCustomer, same)
        .where(Subscription.state.in_(LIVE_STATES), BillingCustomer.id.is_(None))
    )
    return [f"subscription {ref}" for ref in (await connection.execute(query)).scalars()]


async def operations_have_ended(connection: ReadConnection) -> list[str]:
    """No call to a vendor has been pending for longer than LONGEST_OPERATION."""
    query = select(PaymentOperation.key, PaymentOperation.action, PaymentOperation.instance_id).where(
        PaymentOperation.created_at < clock.now() - LONGEST_OPERATION
    )
    return [f"{row.action} {row.key} at {row.instance_id}" for row in await connection.execute(query)]


async def told_before_moved(connection: ReadConnection) -> list[str]:
    """Nobody has a new price, or waits for its renewal, who was not told of it."""
    untold = or_(MovedSubscriber.told_at.is_(None), MovedSubscriber.notice_ends.is_(None))
    query = select(MovedSubscriber.id, MovedSubscriber.state).where(
        MovedSubscriber.state.in_(("told", "moved")), untold
    )
    return [f"subscriber {row.id} of a price move is {row.state}" for row in await connection.execute(query)]


async def nobody_waits_in_ended_moves(connection: ReadConnection) -> list[str]:
    """Nobody is pending in a move that has finished; of a stopped one only whom the vendor was asked about."""
    query = (
        select(MovedSubscriber.id, PriceMove.state)
        .join(PriceMove, PriceMove.id == MovedSubscriber.move_id)
        .where(MovedSubscriber.state.in_(("waiting", "told")), PriceMove.state != "running")
        .where(or_(PriceMove.state == "finished", MovedSubscriber.asked_at.is_(None)))
    )
    return [f"subscriber {row.id} waits in a move that is {row.state}" for row in await connection.execute(query)]


async def removals_pending(connection: ReadConnection) -> list[str]:
    """Return which customers of deleted accounts are still to be deleted: not a violation, a vendor may be down."""
    columns = (PaymentRemoval.instance_id, func.count(), func.max(PaymentRemoval.error))
    query = select(*columns).group_by(PaymentRemoval.instance_id)
    return [
        f"{count} at {instance}{f' ({error})' if error else ''}"
        for instance, count, error in await connection.execute(query)
    ]


INVARIANTS: Final[Invariants] = {
    "no user has two live subscriptions": one_live_subscription,
    "every live subscription has its customer": subscriptions_have_customers,
    "nobody has a new price who was not told of it": told_before_moved,
    "nobody waits in a price move that has ended": nobody_waits_in_ended_moves,
    "no call to a payment provider has been under way for an hour": operations_have_ended,
}

STILL_TO_DO: Final[Invariants] = {
    "customers of deleted accounts are deleted at the payment provider, sooner or later": removals_pending,
}
"""For information: not broken, but not done yet."""
