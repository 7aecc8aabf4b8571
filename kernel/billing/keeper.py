"""Somebody's subscriptions, as they are stored and as the vendor says they are."""

from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import select

from kernel.accounts.models import User
from kernel.billing.customers import Customer, Customers, payer
from kernel.billing.entitlement import LIVE_STATES
from kernel.billing.locks import UserLocks
from kernel.billing.models import Subscription
from kernel.billing.operations import Action, Operations
from kernel.billing.prices import Prices
from kernel.billing.readings import ENDED, Readings
from kernel.billing.vendor import Vendor
from kernel.core.database import Database
from kernel.core.errors import SignedOut
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError, Unsupported


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as it is stored."""

    instance_id: str
    ref: str
    customer_id: int
    price: str
    state: str
    is_current: bool


_COLUMNS: Final = tuple(getattr(Subscription, name) for name in Known.__struct_fields__)


class Keeper:
    """Keeps rows in line with the truth. Methods that ask a vendor raise ProviderError and NoProviderAvailable.

    Whoever calls `refresh` or `end` holds the user's lock; `follow` and `finish` take it, and raise NoProvider when
    others do not end in time.
    """

    def __init__(
        self,
        database: Database,
        vendor: Vendor,
        locks: UserLocks,
        operations: Operations,
        customers: Customers,
        readings: Readings,
        prices: Prices,
    ) -> None:
        self._database = database
        self._vendor = vendor
        self._locks = locks
        self._operations = operations
        self._customers = customers
        self._readings = readings
        self._prices = prices

    async def follow(self, customer: Customer) -> None:
        """Do the same about one customer, for a worker."""
        async with self._locks.hold(customer.user_id):
            await self.refresh(customer.user_id, only=customer.id)

    async def finish(self, user_id: int, instance_id: str, action: Action) -> None:
        """See what became of a call that was torn off."""
        query = select(User.id, User.email, User.first_name, User.last_name).where(User.id == user_id)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        async with self._locks.hold(user_id):
            if action == "customer" and row is not None:  # there is no other way to find it
                with suppress(SignedOut):  # of an account that is gone: put down to be deleted
                    await self._customers.ensure(payer(*row), instance_id)
            for customer in await self._customers.of(user_id):
                if customer.instance_id == instance_id:
                    await self.refresh(user_id, only=customer.id)

    async def refresh(self, user_id: int, *, only: int | None = None) -> None:
        """Read somebody's customers, or one of them, and end what a live subscription makes pointless.

        A customer of an instance that sells no more is left alone when nothing of theirs is open there. What can be
        read is read; afterwards the first failure is raised.
        """
        failures: list[ProviderError | NoProviderAvailable] = []
        open_at = {entry.customer_id for entry in await self.subscriptions(user_id)}
        for customer in await self._customers.of(user_id):
            sells = self._vendor.sells(customer.instance_id)
            if customer.id == only or (only is None and (sells or customer.id in open_at)):
                try:
                    await self._read(customer)
                except (ProviderError, NoProviderAvailable) as error:
                    failures.append(error)
        if failures:
            raise failures[0]

    async def _read(self, customer: Customer) -> None:
        """Read one customer; once more when an open first payment had to be ended, because somebody is subscribed."""
        await self._readings.refresh(customer)
        known = await self.subscriptions(customer.user_id)
        mine = [entry for entry in known if entry.customer_id == customer.id]
        pointless = [entry for entry in mine if entry.state == "incomplete"]
        if pointless and any(entry.state in LIVE_STATES for entry in known):
            for entry in pointless:
                await self.end(customer.user_id, entry)
            await self._readings.refresh(customer)
        for entry in mine:
            await self._prices.know(entry.instance_id, entry.price)

    async def subscriptions(self, user_id: int) -> list[Known]:
        """Return what has not ended, newest first."""
        query = select(*_COLUMNS).where(Subscription.user_id == user_id, Subscription.state != ENDED)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(Subscription.id.desc()))
            return [Known(**row._asdict()) for row in rows]

    async def end(self, user_id: int, entry: Known) -> None:
        """End a subscription that was never paid; one that has been, since it was read, is left alone."""
        try:
            truth = await self._vendor.subscription(entry.instance_id, entry.ref)
            if truth.state in LIVE_STATES:
                return
            async with self._operations.under_way(user_id, entry.instance_id, "end", entry.ref) as operation:
                await self._vendor.cancel(entry.instance_id, entry.ref, at_period_end=False, key=operation.key)
                await self._operations.forget(operation.key)
        except (NotFound, Unsupported):
            return
