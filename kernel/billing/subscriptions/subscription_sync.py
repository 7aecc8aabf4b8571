"""A user's subscriptions, as stored and as the vendor reports them."""

from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import select

from kernel.accounts.models import User
from kernel.billing.customers.service import Customer, Customers, payer
from kernel.billing.entitlement import LIVE_STATES
from kernel.billing.models import Subscription
from kernel.billing.pricing.prices import Prices
from kernel.billing.subscriptions.vendor_sync import ENDED, VendorSync
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.operations import Action, VendorOperations
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.data.database import Database
from kernel.core.errors import SignedOut
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError, Unsupported


class StoredSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as it is stored."""

    instance_id: str
    ref: str
    customer_id: int
    price: str
    state: str
    is_current: bool
    cancel_at: int | None
    promotion_code: str | None
    paused_until: int | None


_COLUMNS: Final = tuple(getattr(Subscription, name) for name in StoredSubscription.__struct_fields__)


class SubscriptionSync:
    """Brings rows in line with the vendor. Methods that call a vendor raise ProviderError and NoProviderAvailable.

    The caller of `refresh` or `end` holds the user's lock; `sync_customer` and `finish_operation` take it, and raise
    NoProvider when it is not released in time.
    """

    def __init__(
        self,
        database: Database,
        gateway: PaymentGateway,
        locks: UserLocks,
        operations: VendorOperations,
        customers: Customers,
        vendor_sync: VendorSync,
        prices: Prices,
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._locks = locks
        self._operations = operations
        self._customers = customers
        self._vendor_sync = vendor_sync
        self._prices = prices

    async def sync_customer(self, customer: Customer) -> None:
        """Do the same for one customer, for a worker."""
        async with self._locks.hold(customer.user_id):
            await self.refresh(customer.user_id, only=customer.id)

    async def finish_operation(self, user_id: int, instance_id: str, action: Action) -> None:
        """Complete an interrupted call."""
        query = select(User.id, User.email, User.first_name, User.last_name).where(User.id == user_id)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        async with self._locks.hold(user_id):
            if action == "customer" and row is not None:  # the customer can only be found by repeating the call
                with suppress(SignedOut):  # the account was deleted: the customer's deletion is queued
                    await self._customers.ensure(payer(*row), instance_id)
            for customer in await self._customers.of(user_id):
                if customer.instance_id == instance_id:
                    await self.refresh(user_id, only=customer.id)

    async def refresh(self, user_id: int, *, only: int | None = None) -> None:
        """Read a user's customers, or one of them, and end what a live subscription makes unnecessary.

        A customer of an instance that sells no more is left alone when nothing of theirs is open there. What can be
        read is read; afterwards the first failure is raised.
        """
        failures: list[ProviderError | NoProviderAvailable] = []
        open_at = {entry.customer_id for entry in await self.subscriptions(user_id)}
        for customer in await self._customers.of(user_id):
            sells = self._gateway.sells(customer.instance_id)
            if customer.id == only or (only is None and (sells or customer.id in open_at)):
                try:
                    await self._read(customer)
                except (ProviderError, NoProviderAvailable) as error:
                    failures.append(error)
        if failures:
            raise failures[0]

    async def _read(self, customer: Customer) -> None:
        """Read one customer; twice when an open first payment had to be ended because the user is subscribed."""
        await self._vendor_sync.refresh(customer)
        known = await self.subscriptions(customer.user_id)
        mine = [entry for entry in known if entry.customer_id == customer.id]
        pointless = [entry for entry in mine if entry.state == "incomplete"]
        if pointless and any(entry.state in LIVE_STATES for entry in known):
            for entry in pointless:
                await self.end(customer.user_id, entry)
            await self._vendor_sync.refresh(customer)
        for entry in mine:
            await self._prices.ensure_copied(entry.instance_id, entry.price)

    async def subscriptions(self, user_id: int) -> list[StoredSubscription]:
        """Return what has not ended, newest first."""
        query = select(*_COLUMNS).where(Subscription.user_id == user_id, Subscription.state != ENDED)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(Subscription.id.desc()))
            return [StoredSubscription(**row._asdict()) for row in rows]

    async def end(self, user_id: int, entry: StoredSubscription) -> None:
        """End a subscription that was never paid; one that has been paid since it was read is left alone."""
        try:
            truth = await self._gateway.subscription(entry.instance_id, entry.ref)
            if truth.state in LIVE_STATES:
                return
            async with self._operations.open_operation(user_id, entry.instance_id, "end", entry.ref) as operation:
                await self._gateway.cancel(entry.instance_id, entry.ref, at_period_end=False, key=operation.key)
                await self._operations.forget(operation.key)
        except (NotFound, Unsupported):
            return
