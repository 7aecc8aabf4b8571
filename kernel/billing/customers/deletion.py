"""Customers of deleted accounts: deleted at the vendor, however long it takes, or they would go on paying.

The row is written in the transaction that deletes the account, and removed when the vendor has confirmed.
"""

import contextlib
from typing import Final

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.billing.models import BillingCustomer, PaymentRemoval
from kernel.billing.vendor.gateway import CALL_LIMIT_S, PaymentGateway
from kernel.core import clock
from kernel.core.data.database import Database, insert_into
from kernel.core.data.job_table import Backoff, JobTable
from kernel.core.queue.job_loop import JobLoop
from kernel.spi import NotFound

BACKOFF: Final = Backoff(base_s=5.0, max_s=3600.0)
LEASE_S: Final = 2 * CALL_LIMIT_S


class CustomerDeletion(msgspec.Struct, frozen=True, kw_only=True):
    """A customer that this worker deletes at an instance."""

    id: int
    attempts: int
    fence: int
    instance_id: str
    customer: str


async def delete_customers_later(session: AsyncSession, user_id: int) -> None:
    """Queue the deletion of a user's customers at every vendor, which ends all their subscriptions.

    To be called in the transaction that deletes the account, before its row goes: the customers' rows go with it.
    """
    # no customer is added meanwhile
    await session.execute(select(User.id).where(User.id == user_id).with_for_update())
    query = select(BillingCustomer.instance_id, BillingCustomer.customer).where(BillingCustomer.user_id == user_id)
    for row in (await session.execute(query)).all():
        await delete_customer_later(session, row.instance_id, row.customer)


async def delete_customer_later(session: AsyncSession, instance_id: str, customer: str) -> None:
    """Queue the deletion of one customer at the vendor."""
    row = insert_into(session, PaymentRemoval).values(
        instance_id=instance_id,
        customer=customer,
        attempts=0,
        fence=0,
        run_after=clock.now(),
        error="",
        created_at=clock.now(),
    )
    await session.execute(row.on_conflict_do_nothing(index_elements=["instance_id", "customer"]))


def customer_deletions(database: Database, gateway: PaymentGateway) -> JobLoop[CustomerDeletion]:
    """Return the loop that deletes them."""

    async def delete(job: CustomerDeletion) -> None:
        with contextlib.suppress(NotFound):  # the vendor has no such customer: nothing to delete
            await gateway.delete_customer(job.instance_id, job.customer)

    return JobLoop(
        "deletion of customer",
        database,
        JobTable(PaymentRemoval, CustomerDeletion, lease_s=LEASE_S),
        delete,
        backoff=BACKOFF,
        failure=lambda error: {"error": getattr(error, "code", "unavailable")},
    )
