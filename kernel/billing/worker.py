"""What workers do for payments: follow events, delete customers, read again, finish interrupted calls."""

import asyncio
import logging
from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from kernel.billing.customers.backfill import Backfill
from kernel.billing.customers.deletion import customer_deletions
from kernel.billing.customers.service import CUSTOMER_COLUMNS, Customer, Customers
from kernel.billing.models import BillingCustomer, PaymentOperation, Subscription
from kernel.billing.pricing.prices import Prices
from kernel.billing.repricing.worker import PriceMoveWorker
from kernel.billing.subscriptions.subscription_sync import SubscriptionSync
from kernel.billing.subscriptions.vendor_events import CUSTOMER, ChangeKind, resync_loop
from kernel.billing.subscriptions.vendor_sync import ENDED
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.operations import VendorOperations
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.core.errors import AppError
from kernel.core.queue.job_loop import repeat
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

SELDOM_S: Final = 20.0
BATCH: Final = 50
PER_SECOND: Final = 5
"""Customers that are read again; each takes three calls at most vendors."""

ABANDONED: Final = timedelta(minutes=5)
"""An operation of this age was interrupted."""

IDLE: Final = timedelta(days=7)
"""How often a customer without a subscription is read again."""

AGAIN: Final = timedelta(hours=1)
"""When a customer that could not be read is tried again."""


class BillingWorker:
    """Loops of every worker. A due row is claimed, so that only one of several workers does it."""

    def __init__(
        self,
        database: Database,
        gateway: PaymentGateway,
        subscription_sync: SubscriptionSync,
        customers: Customers,
        operations: VendorOperations,
        prices: Prices,
        backfill: Backfill,
        price_moves: PriceMoveWorker,
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._subscription_sync = subscription_sync
        self._customers = customers
        self._operations = operations
        self._prices = prices
        self._backfill = backfill
        self.price_moves: Final = price_moves
        self.resyncs: Final = resync_loop(database, self.resync)
        self.deletions: Final = customer_deletions(database, gateway)

    async def run(self) -> None:
        """Work until cancelled; one failure ends no loop."""
        await asyncio.gather(
            self.resyncs.run(),
            self.deletions.run(),
            self._backfill.run(),
            self.price_moves.run(),
            repeat("interrupted payment calls", self.finish_operations, every_s=SELDOM_S),
            repeat("regular resync", self.read_again, every_s=SELDOM_S),
            repeat("prices", self._prices.refresh_copies, every_s=SELDOM_S),
        )

    async def resync(self, instance_id: str, kind: ChangeKind, ref: str) -> None:
        """Read what an event points at; ignore what belongs to no user here."""
        if self._gateway.known(instance_id) is None:
            return
        if kind == CUSTOMER:
            customer = await self._customers.find(instance_id, ref)
        else:
            customer = await self._owner(instance_id, ref)
        if customer is not None:
            await self._subscription_sync.sync_customer(customer)

    async def _owner(self, instance_id: str, ref: str) -> Customer | None:
        """Return the subscription's customer; of one that is not stored yet the vendor says whose it is."""
        query = (
            select(*CUSTOMER_COLUMNS)
            .join(Subscription, Subscription.customer_id == BillingCustomer.id)
            .where(Subscription.instance_id == instance_id, Subscription.ref == ref)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is not None:
            return Customer(**row._asdict())
        try:
            truth = await self._gateway.subscription(instance_id, ref)
        except NotFound:
            return None
        return await self._customers.find(instance_id, truth.customer)

    async def finish_operations(self) -> None:
        """Find out how interrupted calls ended, and drop their keys."""
        old = PaymentOperation.created_at < clock.now() - ABANDONED
        columns = (
            PaymentOperation.key,
            PaymentOperation.user_id,
            PaymentOperation.instance_id,
            PaymentOperation.action,
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(select(*columns).where(old).limit(BATCH))).all()
        for row in rows:
            try:
                await self._subscription_sync.finish_operation(row.user_id, row.instance_id, row.action)
                await self._operations.forget(row.key)
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("operation %s of %s not finished: %s", row.key, row.instance_id, type(error).__name__)

    async def read_again(self) -> None:
        """Read customers without an event for long: an event may have been lost."""
        due = BillingCustomer.check_after <= clock.now()
        query = select(*CUSTOMER_COLUMNS).where(due).order_by(BillingCustomer.check_after).limit(BATCH)
        async with self._database.read() as connection:
            rows = [Customer(**row._asdict()) for row in await connection.execute(query)]
        for customer in rows:
            claim = update(BillingCustomer).where(BillingCustomer.id == customer.id, due)
            async with self._database.write() as session:
                ours = await changed_rows(session, claim.values(check_after=clock.now() + AGAIN))
            if not ours or self._gateway.known(customer.instance_id) is None:
                continue
            try:
                await self._subscription_sync.sync_customer(customer)
                await self._rest(customer)
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("customer %d not read again: %s", customer.id, type(error).__name__)
            await asyncio.sleep(1 / PER_SECOND)

    async def _rest(self, customer: Customer) -> None:
        """Put off the next read of a customer without an open subscription."""
        open_ones = select(Subscription.id).where(Subscription.customer_id == customer.id, Subscription.state != ENDED)
        idle = update(BillingCustomer).where(BillingCustomer.id == customer.id, ~open_ones.exists())
        async with self._database.write() as session:
            await session.execute(idle.values(check_after=clock.now() + IDLE))
