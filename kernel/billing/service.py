"""What people do with their subscription: begin, sync, cancel, come back, pay what is open.

Whatever is done, the vendor is asked afterwards how things are, and that is what counts. A page view asks nobody.
"""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from kernel.accounts.current import CurrentUser
from kernel.billing.customers import Customer, Customers, payer
from kernel.billing.entitlement import LIVE_STATES, PAID_STATES, Entitlement
from kernel.billing.keeper import Keeper, Known
from kernel.billing.locks import UserLocks
from kernel.billing.operations import Action, Operations, drop
from kernel.billing.prices import Prices
from kernel.billing.readings import Reading, Readings
from kernel.billing.vendor import PaymentInstance, Vendor, told
from kernel.billing.views import CONFIRMABLE
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.faults import faultpoint
from kernel.core.objections import Objection
from kernel.spi import (
    ClientData,
    FormResult,
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentCard,
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


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser needs to pay, and with whom."""

    instance: PaymentInstance
    client: ClientData


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
        keeper: Keeper,
        entitlement: Entitlement,
    ) -> None:
        self._return_url = f"{config.public_url}/gallery"
        self._public_url = config.public_url
        self._database = database
        self._vendor = vendor
        self._locks = locks
        self._operations = operations
        self._customers = customers
        self._readings = readings
        self._keeper = keeper
        self._prices = prices
        self._entitlement = entitlement

    @asynccontextmanager
    async def _alone(self, user_id: int) -> AsyncIterator[None]:
        """Work under the user's lock, with failures of the vendor told in a sentence."""
        with told():
            async with self._locks.hold(user_id):
                yield

    # begin

    async def start(self, user: CurrentUser) -> Opened:
        """Begin a subscription, or find the one that was begun. Raises AlreadySubscribed too."""
        instance = self._vendor.active()
        async with self._alone(user.id):
            await self._keeper.refresh(user.id)
            known = await self._not_subscribed(user.id)
            price = await self._prices.on_sale(instance)
            opened = await self._reuse(user.id, instance, price.price, known)
            if opened is None:
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self._customers.ensure(person, instance.id)
                opened = await self._begin(user.id, instance, customer, price.price)
            return opened

    async def _not_subscribed(self, user_id: int) -> list[Known]:
        """Return what somebody has begun. Raises AlreadySubscribed for who has a subscription that goes on."""
        known = await self._keeper.subscriptions(user_id)
        if any(entry.state in LIVE_STATES for entry in known):
            raise AlreadySubscribed(ALREADY)
        return known

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
            await self._keeper.end(user_id, entry)
            ended = True
        if ended:
            await self._keeper.refresh(user_id)
            await self._not_subscribed(user_id)  # one of them may have been paid a moment before it was to be ended
        return found

    async def _open_client(self, entry: Known) -> ClientData | None:
        try:
            return await self._vendor.confirmation(entry.instance_id, entry.ref)
        except NotFound:
            return None

    async def _begin(self, user_id: int, instance: PaymentInstance, customer: Customer, price: str) -> Opened:
        request = {"customer": customer.customer, "price": price, "return_url": self._return_url}
        subject = hashlib.sha256(f"{customer.customer}\n{price}".encode()).hexdigest()
        number = await self._readings.begin(customer.id)
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
            await self._readings.write_down(customer, number, reading)
        async with self._database.write() as session:
            await drop(session, key)

    # read

    async def sync(self, user_id: int, override: bool | None) -> bool:
        """Ask how things are and say whether the user is Pro."""
        async with self._alone(user_id):
            await self._keeper.refresh(user_id)
        return await self._entitlement.is_pro(user_id, override)

    async def _current(self, user_id: int) -> Known:
        """Return the subscription that goes on. Raises Absent."""
        for entry in await self._keeper.subscriptions(user_id):
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
                waits = action == "cancel" and await self._has_period(entry)
                async with self._operations.under_way(user_id, instance_id, action, ref) as operation:
                    if action == "cancel":
                        await self._vendor.cancel(instance_id, ref, at_period_end=waits, key=operation.key)
                    else:
                        await self._vendor.reactivate(instance_id, ref, key=operation.key)
                    faultpoint("payment_changed")
                    await self._operations.forget(operation.key)
            except NotFound:
                await self._keeper.refresh(user_id)
                raise Absent(NONE) from None
            except InvalidRequest as error:
                await self._keeper.refresh(user_id)
                raise Conflict(HAS_ENDED) from error
            except Unsupported as error:
                raise Conflict(NO_WAY_BACK, code="unsupported") from error
            await self._keeper.refresh(user_id)

    async def _has_period(self, entry: Known) -> bool:
        """Say whether it ends with its period, as the vendor sees it now.

        One whose renewal failed has none that is paid: it ends at once, or the bill would be tried again after all.
        """
        instance = self._vendor.known(entry.instance_id)
        if instance is not None and not instance.capabilities.cancel_now:
            return True
        truth = await self._vendor.subscription(entry.instance_id, entry.ref)
        return truth.state in PAID_STATES

    # pay

    async def open_payment(self, user_id: int) -> Opened:
        """Return what the browser needs to pay what is open. Raises Absent when nothing is."""
        with told():
            for entry in await self._keeper.subscriptions(user_id):
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
            for entry in await self._keeper.subscriptions(user_id):
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
                    raise InvalidFields({"card": Objection("bad_card", "This card cannot be used.")}) from error
                await self._keeper.refresh(user_id)
                return result
        raise Absent(NOTHING_OPEN)

    async def has_portal(self, user_id: int) -> bool:
        """Say whether somebody has a page of the vendor's own to go to."""
        return any(self._with_portal(customer) for customer in await self._customers.buyers(user_id))

    def _with_portal(self, customer: Customer) -> bool:
        instance = self._vendor.known(customer.instance_id)
        return instance is not None and instance.capabilities.portal

    async def portal(self, user_id: int) -> str:
        """Return the address of the vendor's own page for cards and invoices. Raises Absent where there is none."""
        back = f"{self._public_url}/account"
        for customer in await self._customers.buyers(user_id):
            if self._with_portal(customer):
                with told():
                    try:
                        return await self._vendor.portal(customer.instance_id, customer.customer, back)
                    except NotFound:
                        continue
        raise Absent
