"""What vendors' events point at: put down in the inbox's transaction, read again by a worker a moment later.

An event is only a hint. However often it comes, late, in reverse or for somebody unknown, the worker asks the vendor
how things are, and writes that down.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, Literal

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import PaymentChange
from kernel.core import clock
from kernel.core.database import Database, insert_into
from kernel.core.texts import storable
from kernel.providers.operation.inbox import EventHandler, InboxEvent
from kernel.providers.operation.notices import open_notice

log = logging.getLogger(__name__)

ChangeKind = Literal["customer", "subscription"]
CUSTOMER: Final[ChangeKind] = "customer"
SUBSCRIPTION: Final[ChangeKind] = "subscription"

DISPUTED: Final = "payment_disputed"
OF_CUSTOMERS: Final = frozenset({"invoice_changed", DISPUTED, "customer_deleted"})
OF_SUBSCRIPTIONS: Final = frozenset({"subscription_changed", "action_required"})

CLAIM_S: Final = 60.0
RETRY_BASE_S: Final = 2.0
RETRY_MAX_S: Final = 3600.0
BATCH: Final = 20

Follow = Callable[[str, ChangeKind, str], Awaitable[None]]
"""Reads again what (instance, kind, ref) names; does nothing for what is nobody's."""


async def note_change(session: AsyncSession, instance_id: str, kind: ChangeKind, ref: str) -> None:
    """Put down that something is to be read again, soon."""
    fresh = {"run_after": clock.now(), "attempts": 0}
    row = insert_into(session, PaymentChange).values(
        instance_id=instance_id, kind=kind, ref=storable(ref, 320), seq=1, created_at=clock.now(), **fresh
    )
    again = row.on_conflict_do_update(
        index_elements=["instance_id", "kind", "ref"], set_=fresh | {"seq": PaymentChange.seq + 1}
    )
    await session.execute(again)


def payment_events(label_of: Callable[[str], str]) -> EventHandler:
    """Return who takes vendors' events into account, without asking anybody; `label_of` names an instance for people.

    The same event may come again. A dispute is told to administrators: only they can answer it.
    """

    async def apply(session: AsyncSession, event: InboxEvent) -> None:
        if event.topic in OF_SUBSCRIPTIONS:
            await note_change(session, event.instance_id, SUBSCRIPTION, event.ref)
        elif event.topic in OF_CUSTOMERS:
            await note_change(session, event.instance_id, CUSTOMER, event.ref)
        if event.topic == DISPUTED:
            about = {"label": label_of(event.instance_id), "ref": event.ref}
            await open_notice(session, DISPUTED, event.instance_id, event.ref, **about)

    return apply


class Changes:
    """The worker's side: follows what was put down, each until it has been read once after the latest event."""

    def __init__(self, database: Database, follow: Follow) -> None:
        self._database = database
        self._follow = follow

    async def step(self) -> bool:
        """Follow what is due; say whether there may be more."""
        due = (PaymentChange.run_after <= clock.now(),)
        query = select(PaymentChange.id).where(*due).order_by(PaymentChange.run_after).limit(BATCH)
        async with self._database.read() as connection:
            ids = list((await connection.execute(query)).scalars())
        for change_id in ids:
            await self._one(change_id)
        return len(ids) == BATCH

    async def _one(self, change_id: int) -> None:
        """Follow one, if no other worker has taken it."""
        moment = clock.now()
        columns = (
            PaymentChange.instance_id,
            PaymentChange.kind,
            PaymentChange.ref,
            PaymentChange.seq,
            PaymentChange.attempts,
        )
        free = (PaymentChange.id == change_id, PaymentChange.run_after <= moment)
        claim = update(PaymentChange).where(*free).values(run_after=moment + timedelta(seconds=CLAIM_S))
        async with self._database.write() as session:
            row = (await session.execute(claim.returning(*columns))).one_or_none()
        if row is None:
            return
        same = (PaymentChange.id == change_id, PaymentChange.seq == row.seq)
        try:
            await self._follow(row.instance_id, row.kind, row.ref)
        except Exception as error:
            log.warning("%s %s of %s not read: %s", row.kind, row.ref, row.instance_id, error)
            wait = min(RETRY_MAX_S, RETRY_BASE_S * 2 ** min(row.attempts, 20))
            later = {"run_after": clock.now() + timedelta(seconds=wait), "attempts": row.attempts + 1}
            async with self._database.write() as session:
                await session.execute(update(PaymentChange).where(*same).values(**later))
            return
        async with self._database.write() as session:  # one that changed meanwhile stays, and is due already
            await session.execute(delete(PaymentChange).where(*same))
