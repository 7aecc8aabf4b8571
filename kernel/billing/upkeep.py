"""What workers do for payments, without being asked: follow events, delete, read again, finish what was torn off."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from kernel.billing.backfill import Backfill
from kernel.billing.changes import CUSTOMER, ChangeKind, Changes
from kernel.billing.customers import CUSTOMER_COLUMNS, Customer, Customers
from kernel.billing.keeper import Keeper
from kernel.billing.models import BillingCustomer, PaymentOperation, Subscription
from kernel.billing.operations import Operations
from kernel.billing.prices import Prices
from kernel.billing.readings import ENDED
from kernel.billing.removal import Removals
from kernel.billing.vendor import Vendor
from kernel.core import clock
from kernel.core.database import Database, changed_rows
from kernel.core.errors import AppError
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
SELDOM_S: Final = 20.0
BATCH: Final = 50
PER_SECOND: Final = 5
"""Customers that are read again; each is asked for three times at most vendors."""

ABANDONED: Final = timedelta(minutes=5)
"""An operation of this age is under way no more."""

IDLE: Final = timedelta(days=7)
"""How often a customer is read again who has no subscription."""

AGAIN: Final = timedelta(hours=1)
"""When one is tried again that could not be read."""


class Upkeep:
    """Loops of every worker. What is due is claimed by a row, so that of several workers one does it."""

    def __init__(
        self,
        database: Database,
        vendor: Vendor,
        keeper: Keeper,
        customers: Customers,
        operations: Operations,
        prices: Prices,
        backfill: Backfill,
    ) -> None:
        self._database = database
        self._vendor = vendor
        self._keeper = keeper
        self._customers = customers
        self._operations = operations
        self._prices = prices
        self._backfill = backfill
        self.changes: Final = Changes(database, self.follow)
        self.removals: Final = Removals(database, vendor)

    async def run(self) -> None:
        """Work until cancelled; one failure ends no loop."""
        await asyncio.gather(
            _forever(self.changes.step, LOOK_S),
            _forever(self.removals.step, LOOK_S),
            _forever(self._backfill.step, LOOK_S),
            _forever(self.finish_operations, SELDOM_S),
            _forever(self.read_again, SELDOM_S),
            _forever(self._prices.keep_copies, SELDOM_S),
        )

    async def follow(self, instance_id: str, kind: ChangeKind, ref: str) -> None:
        """Read what an event points at, and what belongs to nobody here not at all."""
        if self._vendor.known(instance_id) is None:
            return
        if kind == CUSTOMER:
            customer = await self._customers.find(instance_id, ref)
        else:
            customer = await self._owner(instance_id, ref)
        if customer is not None:
            await self._keeper.follow(customer)

    async def _owner(self, instance_id: str, ref: str) -> Customer | None:
        """Return whose subscription it is; the vendor is asked about one that we never saw."""
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
            truth = await self._vendor.subscription(instance_id, ref)
        except NotFound:
            return None
        return await self._customers.find(instance_id, truth.customer)

    async def finish_operations(self) -> None:
        """Find out what became of calls that were torn off, and drop their keys."""
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
                await self._keeper.finish(row.user_id, row.instance_id, row.action)
                await self._operations.forget(row.key)
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("operation %s of %s not finished: %s", row.key, row.instance_id, type(error).__name__)

    async def read_again(self) -> None:
        """Read customers that nothing was heard of for long: a lost event is no lost truth."""
        due = BillingCustomer.check_after <= clock.now()
        query = select(*CUSTOMER_COLUMNS).where(due).order_by(BillingCustomer.check_after).limit(BATCH)
        async with self._database.read() as connection:
            rows = [Customer(**row._asdict()) for row in await connection.execute(query)]
        for customer in rows:
            claim = update(BillingCustomer).where(BillingCustomer.id == customer.id, due)
            async with self._database.write() as session:
                ours = await changed_rows(session, claim.values(check_after=clock.now() + AGAIN))
            if not ours or self._vendor.known(customer.instance_id) is None:
                continue
            try:
                await self._keeper.follow(customer)
                await self._rest(customer)
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("customer %d not read again: %s", customer.id, type(error).__name__)
            await asyncio.sleep(1 / PER_SECOND)

    async def _rest(self, customer: Customer) -> None:
        """Look seldom at a customer who has nothing open."""
        open_ones = select(Subscription.id).where(Subscription.customer_id == customer.id, Subscription.state != ENDED)
        idle = update(BillingCustomer).where(BillingCustomer.id == customer.id, ~open_ones.exists())
        async with self._database.write() as session:
            await session.execute(idle.values(check_after=clock.now() + IDLE))


async def _forever(step: Callable[[], Awaitable[bool | None]], every_s: float) -> None:
    """Take steps; at once again where there may be more to do."""
    while True:
        try:
            while await step():
                continue
        except Exception as error:
            log.warning("payments: %s", type(error).__name__, exc_info=error)
        await asyncio.sleep(every_s)
