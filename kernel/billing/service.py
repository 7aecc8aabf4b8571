"""What people do with their subscription: begin, sync, cancel, come back, pay what is open.

Whatever is done, the vendor is asked afterwards how things are, and that is what counts. A page view asks nobody.
"""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from sqlalchemy import select

from kernel.accounts.current import CurrentUser
from kernel.accounts.models import User
from kernel.billing.customers import Customer, Customers, payer
from kernel.billing.entitlement import LIVE_STATES, PAID_STATES, Entitlement
from kernel.billing.locks import UserLocks
from kernel.billing.models import Subscription
from kernel.billing.operations import Action, Operations, drop
from kernel.billing.prices import Prices
from kernel.billing.readings import ENDED, Reading, Readings
from kernel.billing.vendor import PaymentInstance, Vendor, told
from kernel.billing.views import CONFIRMABLE
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.faults import faultpoint
from kernel.providers import NoProviderAvailable
from kernel.spi import (
    ClientData,
    FormResult,
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentCard,
    ProviderError,
    SandboxClient,
    StartRequest,
    StartResult,
    Unsupported,
)

ALREADY: Final = "This account already has an active subscription."
NONE: Final = "There is no subscription."
NOTHING_OPEN: Final = "There is nothing to pay."
HAS_ENDED: Final = "This subscription has ended. Please subscribe again."
NO_WAY_BACK: Final = "This cancellation cannot be taken back."


class AlreadySubscribed(Conflict):
    """Nobody has two subscriptions."""

    code = "already_subscribed"


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as it is stored."""

    instance_id: str
    ref: str
    customer_id: int
    price: str
    state: str
    is_current: bool


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser needs to pay, and with whom."""

    instance: PaymentInstance
    client: ClientData


_COLUMNS: Final = tuple(getattr(Subscription, name) for name in Known.__struct_fields__)


class BillingService:
    """The rules. Every method that asks a vendor raises NoProvider or Declined when that fails."""

    def __init__(
        self,
        config: Config,
        database: Database,
        vendor: Vendor,
        locks: UserLocks,
        operations: Operations,
        customers: Customers,
        readings: Readings,
        prices: Prices,
        entitlement: Entitlement,
    ) -> None:
        self._return_url = f"{config.public_url}/gallery"
        self._public_url = config.public_url
        self._database = database
        self._vendor = vendor
        self.locks: Final = locks
        self._operations = operations
        self.customers: Final = customers
        self.readings: Final = readings
        self._prices = prices
        self._entitlement = entitlement

    @asynccontextmanager
    async def _alone(self, user_id: int) -> AsyncIterator[None]:
        """Work under the user's lock, with failures of the vendor told in a sentence."""
        with told():
            async with self.locks.hold(user_id):
                yield

    # begin

    async def start(self, user: CurrentUser) -> Opened:
        """Begin a subscription, or find the one that was begun. Raises AlreadySubscribed too."""
        instance = self._vendor.active()
        async with self._alone(user.id):
            await self._refresh(user.id)
            known = await self._subscriptions(user.id)
            if any(entry.state in LIVE_STATES for entry in known):
                raise AlreadySubscribed(ALREADY)
            price = await self._prices.on_sale(instance)
            opened = await self._reuse(user.id, instance, price.price, known)
            if opened is None:
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self.customers.ensure(person, instance.id)
                opened = await self._begin(user.id, instance, customer, price.price)
            return opened

    async def _reuse(
        self, user_id: int, instance: PaymentInstance, price: str, known: Sequence[Known]
    ) -> Opened | None:
        """Return to an open first payment of the same price; end those of others, which nobody is to pay any more."""
        found: Opened | None = None
        ended = False
        for entry in known:
            if entry.state != "incomplete":
                continue
            if found is None and (entry.instance_id, entry.price) == (instance.id, price):
                client = await self._open_client(entry)
                if client is not None and not isinstance(client, NoClient):
                    found = Opened(instance=instance, client=client)
                    await self._operations.forget_all(user_id, instance.id, "start")
                    continue
            await self._end(user_id, entry)
            ended = True
        if ended:
            await self._refresh(user_id)
        return found

    async def _open_client(self, entry: Known) -> ClientData | None:
        try:
            return await self._vendor.confirmation(entry.instance_id, entry.ref)
        except NotFound:
            return None

    async def _end(self, user_id: int, entry: Known) -> None:
        """End a subscription that was never paid."""
        try:
            async with self._operations.under_way(user_id, entry.instance_id, "end", entry.ref) as operation:
                await self._vendor.cancel(entry.instance_id, entry.ref, at_period_end=False, key=operation.key)
                await self._operations.forget(operation.key)
        except (NotFound, Unsupported):
            return

    async def _begin(self, user_id: int, instance: PaymentInstance, customer: Customer, price: str) -> Opened:
        request = {"customer": customer.customer, "price": price, "return_url": self._return_url}
        subject = hashlib.sha256(f"{customer.customer}\n{price}".encode()).hexdigest()
        number = await self.readings.begin(customer.id)
        async with self._operations.under_way(user_id, instance.id, "start", subject, request) as operation:
            faultpoint("payment_key_kept")
            started = await self._vendor.start(
                instance.id,
                StartRequest(user_ref=str(user_id), idempotency_key=operation.key, **operation.request),
            )
            faultpoint("payment_started")
            await self._keep(customer, number, started, operation.key)
        return Opened(instance=instance, client=started.client)

    async def _keep(self, customer: Customer, number: int | None, started: StartResult, key: str) -> None:
        if number is not None:
            reading = Reading(truths=(started.subscription,), vanished=(), invoices=(), gone=False)
            await self.readings.write_down(customer, number, reading)
        async with self._database.write() as session:
            await drop(session, key)

    # read

    async def sync(self, user_id: int, override: bool | None) -> bool:
        """Ask how things are and say whether the user is Pro."""
        async with self._alone(user_id):
            await self._refresh(user_id)
        return await self._entitlement.is_pro(user_id, override)

    async def follow(self, customer: Customer) -> None:
        """Do the same about one customer, for a worker. Raises ProviderError, NoProviderAvailable and NoProvider."""
        async with self.locks.hold(customer.user_id):
            await self._refresh(customer.user_id, only=customer.id)

    async def finish(self, user_id: int, instance_id: str, action: Action) -> None:
        """See what became of a call that was torn off. Raises ProviderError, NoProviderAvailable and NoProvider."""
        query = select(User.id, User.email, User.first_name, User.last_name).where(User.id == user_id)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        async with self.locks.hold(user_id):
            if action == "customer" and row is not None:  # there is no other way to find it
                await self.customers.ensure(payer(*row), instance_id)
            for customer in await self.customers.of(user_id):
                if customer.instance_id == instance_id:
                    await self._refresh(user_id, only=customer.id)

    async def _refresh(self, user_id: int, *, only: int | None = None) -> None:
        """Read somebody's customers, or one of them, and end what a live subscription makes pointless.

        A customer of an instance that sells no more is left alone when nothing of theirs is open there. What can be
        read is read; afterwards the first failure is raised.
        """
        failures: list[ProviderError | NoProviderAvailable] = []
        open_at = {entry.customer_id for entry in await self._subscriptions(user_id)}
        for customer in await self.customers.of(user_id):
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
        await self.readings.refresh(customer)
        known = await self._subscriptions(customer.user_id)
        mine = [entry for entry in known if entry.customer_id == customer.id]
        pointless = [entry for entry in mine if entry.state == "incomplete"]
        if pointless and any(entry.state in LIVE_STATES for entry in known):
            for entry in pointless:
                await self._end(customer.user_id, entry)
            await self.readings.refresh(customer)
        for entry in mine:
            await self._prices.know(entry.instance_id, entry.price)

    async def _subscriptions(self, user_id: int) -> list[Known]:
        """Return what has not ended, newest first."""
        query = select(*_COLUMNS).where(Subscription.user_id == user_id, Subscription.state != ENDED)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(Subscription.id.desc()))
            return [Known(**row._asdict()) for row in rows]

    async def _current(self, user_id: int) -> Known:
        """Return the subscription that goes on. Raises Absent."""
        for entry in await self._subscriptions(user_id):
            if entry.is_current:
                return entry
        raise Absent(NONE)

    # change

    async def cancel(self, user_id: int) -> None:
        """End the subscription when what is paid has been used; at once when nothing is. Raises Absent."""
        await self._change(user_id, "cancel")

    async def reactivate(self, user_id: int) -> None:
        """Take a cancellation back. Raises Absent, and Conflict when it is too late."""
        await self._change(user_id, "reactivate")

    async def _change(self, user_id: int, action: Action) -> None:
        async with self._alone(user_id):
            entry = await self._current(user_id)
            instance_id, ref = entry.instance_id, entry.ref
            try:
                async with self._operations.under_way(user_id, instance_id, action, ref) as operation:
                    if action == "cancel":
                        await self._vendor.cancel(
                            instance_id, ref, at_period_end=self._has_period(entry), key=operation.key
                        )
                    else:
                        await self._vendor.reactivate(instance_id, ref, key=operation.key)
                    faultpoint("payment_changed")
                    await self._operations.forget(operation.key)
            except NotFound:
                await self._refresh(user_id)
                raise Absent(NONE) from None
            except InvalidRequest as error:
                await self._refresh(user_id)
                raise Conflict(HAS_ENDED) from error
            except Unsupported as error:
                raise Conflict(NO_WAY_BACK, code="unsupported") from error
            await self._refresh(user_id)

    def _has_period(self, entry: Known) -> bool:
        """Say whether it ends with its period: of one that is not paid any more there is none to wait for."""
        instance = self._vendor.known(entry.instance_id)
        return entry.state in (*PAID_STATES, "past_due") or not (instance and instance.capabilities.cancel_now)

    # pay

    async def open_payment(self, user_id: int) -> Opened:
        """Return what the browser needs to pay what is open. Raises Absent when nothing is."""
        with told():
            for entry in await self._subscriptions(user_id):
                instance = self._vendor.known(entry.instance_id)
                if entry.state not in CONFIRMABLE or instance is None:
                    continue
                client = await self._open_client(entry)
                if client is not None and not isinstance(client, NoClient):
                    return Opened(instance=instance, client=client)
        raise Absent(NOTHING_OPEN)

    async def pay(self, user_id: int, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        """Pay in the kernel's own form. Raises Absent for a secret that opens nothing of the user's."""
        async with self._alone(user_id):
            for entry in await self._subscriptions(user_id):
                instance = self._vendor.known(entry.instance_id)
                if instance is None or instance.capabilities.client != "sandbox" or entry.state not in CONFIRMABLE:
                    continue
                client = await self._open_client(entry)
                if not isinstance(client, SandboxClient) or client.client_secret != secret:
                    continue
                try:
                    result = await self._vendor.pay(instance.id, secret, card, confirmed=confirmed)
                except NotFound:
                    raise Absent(NOTHING_OPEN) from None
                except InvalidRequest as error:
                    raise InvalidFields({"card": "This card cannot be used."}) from error
                await self._refresh(user_id)
                return result
        raise Absent(NOTHING_OPEN)

    async def portal(self, user_id: int) -> str:
        """Return the address of the vendor's own page for cards and invoices. Raises Absent where there is none."""
        for customer in await self.customers.of(user_id):
            instance = self._vendor.known(customer.instance_id)
            if customer.gone or instance is None or not instance.capabilities.portal:
                continue
            with told():
                try:
                    return await self._vendor.portal(instance.id, customer.customer, f"{self._public_url}/account")
                except NotFound:
                    continue
        raise Absent
