"""What vendors' events point at: queued in the inbox's transaction, read from the vendor by a worker a moment later.

An event is only a hint. However often it comes, late, out of order or for an unknown customer, the worker reads the
present state from the vendor and stores that.
"""

from collections.abc import Awaitable, Callable
from typing import Final, Literal

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import PaymentChange
from kernel.core import clock
from kernel.core.data.database import Database, insert_into
from kernel.core.data.job_table import Backoff, JobTable
from kernel.core.queue.job_loop import JobLoop
from kernel.core.text.storable import storable
from kernel.providers.notices.service import open_notice
from kernel.providers.webhooks.inbox import EventHandler, InboxEvent

ChangeKind = Literal["customer", "subscription"]
CUSTOMER: Final[ChangeKind] = "customer"
SUBSCRIPTION: Final[ChangeKind] = "subscription"

DISPUTED: Final = "payment_disputed"
OF_CUSTOMERS: Final = frozenset({"invoice_changed", DISPUTED, "customer_deleted"})
OF_SUBSCRIPTIONS: Final = frozenset({"subscription_changed", "action_required"})

LEASE_S: Final = 60.0
PARALLEL: Final = 12
"""Reads at a time of one worker, of three calls each; a user's lock keeps those of one customer apart."""
BACKOFF: Final = Backoff(base_s=2.0, max_s=3600.0)

Resync = Callable[[str, ChangeKind, str], Awaitable[None]]
"""Reads from the vendor what (instance, kind, ref) names; does nothing for what belongs to no user."""


class QueuedResync(msgspec.Struct, frozen=True, kw_only=True):
    """Something that this worker reads again. `seq` counts the events about it."""

    id: int
    attempts: int
    fence: int
    instance_id: str
    kind: ChangeKind
    ref: str
    seq: int


async def queue_resync(session: AsyncSession, instance_id: str, kind: ChangeKind, ref: str) -> None:
    """Queue a read of something that changed at the vendor."""
    fresh = {"run_after": clock.now(), "attempts": 0}
    row = insert_into(session, PaymentChange).values(
        instance_id=instance_id, kind=kind, ref=storable(ref, 320), seq=1, fence=0, created_at=clock.now(), **fresh
    )
    again = row.on_conflict_do_update(
        index_elements=["instance_id", "kind", "ref"], set_=fresh | {"seq": PaymentChange.seq + 1}
    )
    await session.execute(again)


def payment_events(label_of: Callable[[str], str]) -> EventHandler:
    """Return the handler of vendors' events, which calls no vendor; `label_of` names an instance for people.

    The same event may come again. Administrators get a notice of a dispute: only they can answer it.
    """

    async def apply(session: AsyncSession, event: InboxEvent) -> None:
        if event.topic in OF_SUBSCRIPTIONS:
            await queue_resync(session, event.instance_id, SUBSCRIPTION, event.ref)
        elif event.topic in OF_CUSTOMERS:
            await queue_resync(session, event.instance_id, CUSTOMER, event.ref)
        if event.topic == DISPUTED:
            about = {"label": label_of(event.instance_id), "ref": event.ref}
            await open_notice(session, DISPUTED, event.instance_id, event.ref, **about)

    return apply


def resync_loop(database: Database, resync: Resync) -> JobLoop[QueuedResync]:
    """Return the loop that reads what was queued again, each row until it was read once after its latest event.

    Many customers are read at a time, so that one does not wait for all others; one customer's reads do not overlap.
    """

    async def read(job: QueuedResync) -> None:
        await resync(job.instance_id, job.kind, job.ref)

    return JobLoop(
        "resync",
        database,
        JobTable(PaymentChange, QueuedResync, lease_s=LEASE_S),
        read,
        backoff=BACKOFF,
        parallel=PARALLEL,
        unchanged=lambda job: PaymentChange.seq == job.seq,
    )
