"""What users do with their subscription: begin, sync, cancel, reactivate, pay what is open.

After every change the subscription is read from the vendor, and that result counts. Page views call no vendor.
"""

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from kernel.accounts.current_user import CurrentUser
from kernel.billing.customers.service import Customer, Customers, payer
from kernel.billing.entitlement import LIVE_STATES, PAID_STATES, Entitlement
from kernel.billing.pricing.prices import Prices
from kernel.billing.schemas import CancelReason
from kernel.billing.subscriptions.cancellations import Cancellations
from kernel.billing.subscriptions.card_forms import CardForms
from kernel.billing.subscriptions.promotions import Promotions, check_taken, given_code
from kernel.billing.subscriptions.subscription_sync import StoredSubscription, SubscriptionSync
from kernel.billing.subscriptions.summary import CONFIRMABLE
from kernel.billing.subscriptions.vendor_sync import VendorRead, VendorSync
from kernel.billing.vendor.gateway import OpenCheckout, PaymentGateway, PaymentInstance, user_facing_errors
from kernel.billing.vendor.operations import Action, VendorOperations, drop
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.fault_points import faultpoint
from kernel.core.field_errors import FieldError
from kernel.spi import (
    ClientData,
    FormResult,
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentCard,
    PaymentForm,
    SandboxClient,
    ScriptClient,
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
    """A user has at most one subscription."""

    code = "already_subscribed"


class BillingService:
    """Rules of subscriptions. Every method that calls a vendor raises NoProvider or Declined when that fails."""

    def __init__(
        self,
        config: Config,
        database: Database,
        gateway: PaymentGateway,
        locks: UserLocks,
        operations: VendorOperations,
        customers: Customers,
        vendor_sync: VendorSync,
        prices: Prices,
        subscription_sync: SubscriptionSync,
        entitlement: Entitlement,
        cancellations: Cancellations,
        card_forms: CardForms,
        promotions: Promotions,
    ) -> None:
        self._return_url = f"{config.public_url}/gallery"
        self._public_url = config.public_url
        self._database = database
        self._gateway = gateway
        self._locks = locks
        self._operations = operations
        self._customers = customers
        self._vendor_sync = vendor_sync
        self._subscription_sync = subscription_sync
        self._prices = prices
        self._entitlement = entitlement
        self._cancellations = cancellations
        self._card_forms = card_forms
        self._promotions = promotions

    @asynccontextmanager
    async def _locked(self, user_id: int) -> AsyncIterator[None]:
        """Work under the user's lock; a failure of the vendor becomes a sentence for the user."""
        with user_facing_errors():
            async with self._locks.hold(user_id):
                yield

    # begin

    async def start(self, user: CurrentUser, wanted: str | None = None, typed: str | None = None) -> OpenCheckout:
        """Begin a subscription at the wanted price, with a promotion code if one was typed, or continue one.

        Also raises AlreadySubscribed, and InvalidFields for a price that is not offered and a code that gives nothing.
        """
        instance, code = self._gateway.active(), given_code(typed)
        if code is not None:
            check_taken(instance, code)
        async with self._locked(user.id):
            await self._subscription_sync.refresh(user.id)
            begun = await self._begun_subscriptions(user.id)
            price = await self._prices.on_sale(instance, wanted)
            opened = await self._reuse(user.id, instance, (price.price, code), begun)
            if opened is None:
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self._customers.ensure(person, instance.id)
                opened = await self._begin(user.id, instance, customer, price.price, code)
            return opened

    async def _begun_subscriptions(self, user_id: int) -> list[StoredSubscription]:
        """Return the subscriptions that were begun. Raises AlreadySubscribed for a user who has one that continues."""
        begun = await self._subscription_sync.subscriptions(user_id)
        if any(entry.state in LIVE_STATES for entry in begun):
            raise AlreadySubscribed(ALREADY)
        return begun

    async def _reuse(
        self,
        user_id: int,
        instance: PaymentInstance,
        wish: tuple[str, str | None],
        begun: Sequence[StoredSubscription],
    ) -> OpenCheckout | None:
        """Return to an open first payment of the same price and code; end others, so that they cannot be paid."""
        found: OpenCheckout | None = None
        ended = False
        for entry in begun:
            if entry.state != "incomplete":
                continue
            if found is None and entry.instance_id == instance.id and (entry.price, entry.promotion_code) == wish:
                client = await self._open_client(entry)
                if client is not None and not isinstance(client, NoClient):
                    found = OpenCheckout(instance=instance, client=client)
                    await self._operations.forget_all(user_id, instance.id, "start")
                    continue
            await self._subscription_sync.end(user_id, entry)
            ended = True
        if ended:
            await self._subscription_sync.refresh(user_id)
            await self._begun_subscriptions(user_id)  # one of them may have been paid just before it was to be ended
        return found

    async def _open_client(self, entry: StoredSubscription) -> ClientData | None:
        try:
            return await self._gateway.confirmation(entry.instance_id, entry.ref)
        except NotFound:
            return None

    async def _begin(
        self, user_id: int, instance: PaymentInstance, customer: Customer, price: str, code: str | None
    ) -> OpenCheckout:
        request = {"customer": customer.customer, "price": price, "return_url": self._return_url}
        about = f"{customer.customer}\n{price}"
        if code is not None:
            request, about = request | {"promotion_code": code}, f"{about}\n{code}"
        subject = hashlib.sha256(about.encode()).hexdigest()
        number = await self._vendor_sync.begin(customer.id)
        async with self._operations.open_operation(user_id, instance.id, "start", subject, request) as operation:
            faultpoint("payment_key_kept")
            wish = StartRequest(user_ref=str(user_id), idempotency_key=operation.key, **operation.request)
            try:
                started = await self._gateway.start(instance.id, wish)
            except InvalidRequest as error:
                if code is None or error.field != "promotion_code":
                    raise
                await self._operations.forget(operation.key)
                raise await self._promotions.why_refused(instance, customer.customer, price, code) from error
            faultpoint("payment_started")
            await self._keep(customer, number, started, operation.key)
        return OpenCheckout(instance=instance, client=started.client)

    async def _keep(self, customer: Customer, number: int | None, started: StartResult, key: str) -> None:
        if number is not None:
            reading = VendorRead(truths=(started.subscription,), vanished=(), invoices=(), gone=False)
            await self._vendor_sync.write_down(customer, number, reading)
        async with self._database.write() as session:
            await drop(session, key)

    # read

    async def sync(self, user_id: int, override: bool | None) -> bool:
        """Read the subscription from the vendor and return whether the user is Pro."""
        async with self._locked(user_id):
            await self._subscription_sync.refresh(user_id)
        return await self._entitlement.is_pro(user_id, override)

    async def _current(self, user_id: int) -> StoredSubscription:
        """Return the subscription that continues. Raises Absent."""
        for entry in await self._subscription_sync.subscriptions(user_id):
            if entry.is_current:
                return entry
        raise Absent(NONE)

    # change

    async def cancel(self, user_id: int, reason: CancelReason | None = None, comment: str = "") -> None:
        """End the subscription at the end of the paid period; at once when nothing is paid. Raises Absent."""
        async with self._locked(user_id):
            entry = await self._current(user_id)
            await self._cancellations.note(user_id, entry.instance_id, entry.ref, reason, comment)
            await self._change(user_id, entry, "cancel")

    async def reactivate(self, user_id: int) -> None:
        """Take back a cancellation. Raises Absent, and Conflict when it is too late."""
        async with self._locked(user_id):
            await self._change(user_id, await self._current(user_id), "reactivate")

    async def _change(self, user_id: int, entry: StoredSubscription, action: Action) -> None:
        instance_id, ref = entry.instance_id, entry.ref
        try:
            waits = action == "cancel" and await self._has_period(entry)
            async with self._operations.open_operation(user_id, instance_id, action, ref) as operation:
                if action == "cancel":
                    await self._gateway.cancel(instance_id, ref, at_period_end=waits, key=operation.key)
                else:
                    await self._gateway.reactivate(instance_id, ref, key=operation.key)
                faultpoint("payment_changed")
                await self._operations.forget(operation.key)
        except NotFound:
            await self._subscription_sync.refresh(user_id)
            raise Absent(NONE) from None
        except InvalidRequest as error:
            await self._subscription_sync.refresh(user_id)
            raise Conflict(HAS_ENDED) from error
        except Unsupported as error:
            raise Conflict(NO_WAY_BACK, code="unsupported") from error
        await self._subscription_sync.refresh(user_id)

    async def _has_period(self, entry: StoredSubscription) -> bool:
        """Return whether it ends with its period, as the vendor sees it now.

        One whose renewal failed has no paid period: it ends at once, or the bill would be tried again.
        """
        instance = self._gateway.known(entry.instance_id)
        if instance is not None and not instance.capabilities.cancel_now:
            return True
        truth = await self._gateway.subscription(entry.instance_id, entry.ref)
        return truth.state in PAID_STATES

    # pay

    async def open_payment(self, user_id: int) -> OpenCheckout:
        """Return what the browser needs to pay what is open. Raises Absent when nothing is."""
        with user_facing_errors():
            for entry in await self._subscription_sync.subscriptions(user_id):
                instance = self._gateway.known(entry.instance_id)
                if entry.state not in CONFIRMABLE or instance is None:
                    continue
                client = await self._open_client(entry)
                if client is not None and not isinstance(client, NoClient):
                    return OpenCheckout(instance=instance, client=client)
        raise Absent(NOTHING_OPEN)

    async def pay(self, user_id: int, secret: str, card: PaymentCard, *, confirmed: bool) -> FormResult:
        """Pay, or give another card, in the kernel's own form, or in an element that makes the same call.

        Raises Absent for a secret that belongs to nothing of the user's.
        """
        async with self._locked(user_id):
            for entry in await self._subscription_sync.subscriptions(user_id):
                instance = self._gateway.known(entry.instance_id)
                if instance is None or not isinstance(instance.provider, PaymentForm):
                    continue
                client = await self._form_of(entry)
                if not isinstance(client, SandboxClient | ScriptClient) or client.client_secret != secret:
                    continue
                try:
                    result = await self._gateway.pay(instance.id, secret, card, confirmed=confirmed)
                except NotFound:
                    raise Absent(NOTHING_OPEN) from None
                except InvalidRequest as error:
                    raise InvalidFields({"card": FieldError("bad_card", "This card cannot be used.")}) from error
                await self._subscription_sync.refresh(user_id)
                return result
        raise Absent(NOTHING_OPEN)

    async def _form_of(self, entry: StoredSubscription) -> ClientData | None:
        """Return the form that is open for a subscription: for what is due, else for another card."""
        if entry.state in CONFIRMABLE:
            return await self._open_client(entry)
        opened = await self._card_forms.of(entry)
        return opened.client if opened else None

    async def has_portal(self, user_id: int) -> bool:
        """Return whether the vendor has a portal page for the user."""
        return any(self._with_portal(customer) for customer in await self._customers.buyers(user_id))

    def _with_portal(self, customer: Customer) -> bool:
        instance = self._gateway.known(customer.instance_id)
        return instance is not None and instance.capabilities.portal

    async def portal(self, user_id: int) -> str:
        """Return the address of the vendor's portal for cards and invoices. Raises Absent where there is none."""
        back = f"{self._public_url}/account"
        for customer in await self._customers.buyers(user_id):
            if self._with_portal(customer):
                with user_facing_errors():
                    try:
                        return await self._gateway.portal(customer.instance_id, customer.customer, back)
                    except NotFound:
                        continue
        raise Absent
