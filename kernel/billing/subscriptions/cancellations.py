"""Why people end their subscriptions."""

from datetime import timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, or_, select

from kernel.accounts.models import User
from kernel.billing.entitlement import LIVE_STATES
from kernel.billing.models import Cancellation, Subscription
from kernel.billing.schemas import CancellationOut, CancelReason, CancelReasonCount
from kernel.core import clock
from kernel.core.data.database import Database, insert_into
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor

COUNTED: Final = timedelta(days=365)

_IS_LIVE: Final = Subscription.state.in_(LIVE_STATES)
_IS_ENDING: Final = or_(Subscription.cancel_at.is_not(None), Subscription.canceled_at.is_not(None))
_RESULT: Final[ColumnElement[str]] = case((~_IS_LIVE, "ended"), (_IS_ENDING, "ending"), else_="stayed")


class Cancellations:
    """Remembers cancellations with their reasons, for administrators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, user_id: int, instance_id: str, ref: str, reason: CancelReason | None, comment: str) -> None:
        """Remember why a subscription is being ended; of one that was ended before, this time counts."""
        subscription = select(Subscription.id).where(Subscription.instance_id == instance_id, Subscription.ref == ref)
        said: dict[str, Any] = {"reason": reason, "comment": comment.strip(), "canceled_at": clock.now()}
        async with self._database.write() as session:
            subscription_id = (await session.execute(subscription)).scalar_one()
            row = insert_into(session, Cancellation).values(
                user_id=user_id, subscription_id=subscription_id, created_at=clock.now(), **said
            )
            await session.execute(row.on_conflict_do_update(index_elements=["subscription_id"], set_=said))

    async def page(self, *, cursor: str | None, limit: int) -> list[CancellationOut]:
        """Return cancellations, the one noted last first. Raises InvalidFields for a foreign cursor."""
        query = (
            select(
                Cancellation.id,
                Cancellation.user_id,
                User.email,
                Cancellation.canceled_at,
                Cancellation.reason,
                Cancellation.comment,
                _RESULT.label("result"),
            )
            .join(User, User.id == Cancellation.user_id)
            .join(Subscription, Subscription.id == Cancellation.subscription_id)
            .order_by(Cancellation.id.desc())
            .limit(limit)
        )
        if parts := decode_cursor(cursor, 1):
            query = query.where(Cancellation.id < cursor_id(parts[0]))
        async with self._database.scan() as connection:
            return [CancellationOut(**row._asdict()) for row in await connection.execute(query)]

    async def counts(self) -> list[CancelReasonCount]:
        """Return how often each reason was given within a year, the most frequent first."""
        number = func.count().label("count")
        query = (
            select(Cancellation.reason, number)
            .where(Cancellation.canceled_at >= clock.now() - COUNTED)
            .group_by(Cancellation.reason)
            .order_by(number.desc(), Cancellation.reason)
        )
        async with self._database.scan() as connection:
            return [CancelReasonCount(**row._asdict()) for row in await connection.execute(query)]


def page_cursor(row: CancellationOut) -> str:
    """Return the cursor behind a row."""
    return encode_cursor(row.id)
