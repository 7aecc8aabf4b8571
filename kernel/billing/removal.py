"""Customers of accounts that are gone: deleted at the vendor's, however long it takes, or they would go on paying.

The row is written in the transaction that deletes the account, and dropped when the vendor has said yes.
"""

import logging
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.billing.models import BillingCustomer, PaymentRemoval
from kernel.billing.vendor import CALL_LIMIT_S, Vendor
from kernel.core import clock
from kernel.core.database import Database, insert_into
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

RETRY_BASE_S: Final = 5.0
RETRY_MAX_S: Final = 3600.0
CLAIM_S: Final = 2 * CALL_LIMIT_S
BATCH: Final = 20


async def leave(session: AsyncSession, user_id: int) -> None:
    """Have somebody's customers deleted at every vendor, which ends all their subscriptions.

    To be called in the transaction that deletes the account, before its row goes: their own rows go with it.
    """
    await session.execute(
        select(User.id).where(User.id == user_id).with_for_update()
    )  # nobody adds a customer meanwhile
    query = select(BillingCustomer.instance_id, BillingCustomer.customer).where(BillingCustomer.user_id == user_id)
    for row in (await session.execute(query)).all():
        await remove_later(session, row.instance_id, row.customer)


async def remove_later(session: AsyncSession, instance_id: str, customer: str) -> None:
    """Put down that a customer is to be deleted at the vendor's."""
    row = insert_into(session, PaymentRemoval).values(
        instance_id=instance_id,
        customer=customer,
        attempts=0,
        run_after=clock.now(),
        error="",
        created_at=clock.now(),
    )
    await session.execute(row.on_conflict_do_nothing(index_elements=["instance_id", "customer"]))


class Removals:
    """The worker's side of it."""

    def __init__(self, database: Database, vendor: Vendor) -> None:
        self._database = database
        self._vendor = vendor

    async def step(self) -> bool:
        """Delete customers that are due; say whether there may be more."""
        query = select(PaymentRemoval.id).where(PaymentRemoval.run_after <= clock.now())
        async with self._database.read() as connection:
            ids = list((await connection.execute(query.order_by(PaymentRemoval.run_after).limit(BATCH))).scalars())
        for removal_id in ids:
            await self._one(removal_id)
        return len(ids) == BATCH

    async def _one(self, removal_id: int) -> None:
        moment = clock.now()
        claim = update(PaymentRemoval).where(PaymentRemoval.id == removal_id, PaymentRemoval.run_after <= moment)
        columns = (PaymentRemoval.instance_id, PaymentRemoval.customer, PaymentRemoval.attempts)
        async with self._database.write() as session:
            taken = claim.values(run_after=moment + timedelta(seconds=CLAIM_S)).returning(*columns)
            row = (await session.execute(taken)).one_or_none()
        if row is None:
            return
        this = PaymentRemoval.id == removal_id
        try:
            await self._vendor.delete_customer(row.instance_id, row.customer)
        except NotFound:
            pass  # the vendor knows no such customer: that is what was wanted
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("customer of a deleted account not removed at %s: %s", row.instance_id, type(error).__name__)
            wait = min(RETRY_MAX_S, RETRY_BASE_S * 2 ** min(row.attempts, 20))
            later = {
                "attempts": row.attempts + 1,
                "run_after": clock.now() + timedelta(seconds=wait),
                "error": getattr(error, "code", "unavailable"),
            }
            async with self._database.write() as session:
                await session.execute(update(PaymentRemoval).where(this).values(**later))
            return
        async with self._database.write() as session:
            await session.execute(delete(PaymentRemoval).where(this))
