"""Changes of a subscriber's price: what is offered, what a change charges, and the change itself.

Who agrees to a preview is charged exactly that. A change whose answer was lost keeps its key and its request, so that
its retry charges nothing twice.
"""

import hashlib
from typing import Final

from kernel.billing.entitlement import PAID_STATES
from kernel.billing.pricing.choice import GONE
from kernel.billing.pricing.prices import Prices
from kernel.billing.schemas import OfferedPriceOut, OfferedPricesOut
from kernel.billing.subscriptions.subscription_sync import StoredSubscription, SubscriptionSync
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance, user_facing_errors
from kernel.billing.vendor.operations import VendorOperations
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.data.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields, NoProvider
from kernel.core.fault_points import faultpoint
from kernel.core.field_errors import FieldError
from kernel.spi import ChangePreview, InvalidRequest, NotFound

NONE: Final = "There is no subscription."
UNCHANGEABLE: Final = "The price of this subscription cannot be changed here."
ENDING: Final = "This subscription ends soon. Take the cancellation back before you change the price."
UNPAID: Final = "Pay the open amount before you change the price."
PAUSED: Final = "This subscription is paused. Resume it before you change the price."
SAME: Final = "The subscription has this price already."
EXPIRED: Final = "The amounts have changed since they were shown. Please look at them again."
REFUSED: Final = "The payment provider does not allow this change."


class PriceChanges:
    """Every method that calls a vendor raises NoProvider or Declined when that fails."""

    def __init__(
        self,
        database: Database,
        gateway: PaymentGateway,
        locks: UserLocks,
        operations: VendorOperations,
        prices: Prices,
        subscription_sync: SubscriptionSync,
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._locks = locks
        self._operations = operations
        self._prices = prices
        self._subscription_sync = subscription_sync

    async def offered(self, user_id: int) -> OfferedPricesOut:
        """Return what Pro can be paid at, from what is stored."""
        try:
            instance = self._gateway.active()
        except NoProvider:
            return OfferedPricesOut(prices=[], changeable=False)
        mine = await self._mine(user_id)
        current = mine.price if mine and mine.instance_id == instance.id else None
        async with self._database.read() as connection:
            offered = await self._prices.offered_in(connection, instance)
        prices = [
            OfferedPriceOut(
                price_id=price.price,
                amount=price.amount,
                currency=price.currency,
                interval=price.interval or "",
                current=price.price == current,
            )
            for price in offered
        ]
        others = any(not price.current for price in prices)
        return OfferedPricesOut(prices=prices, changeable=others and _obstacle(mine, instance) is None)

    async def preview(self, user_id: int, price: str) -> ChangePreview:
        """Return what a change to an offered price would charge. Raises Absent, Conflict and InvalidFields."""
        with user_facing_errors():
            entry = await self._to_change(user_id, price)
            if entry.price == price:
                raise Conflict(SAME, code="same_price")
            try:
                return await self._gateway.preview_change(entry.instance_id, entry.ref, price)
            except NotFound as error:
                raise Absent(NONE) from error
            except InvalidRequest as error:
                raise Conflict(REFUSED, code="change_refused") from error

    async def change(self, user_id: int, price: str, as_of: int) -> None:
        """Change to an offered price, as it was previewed; nothing happens to who has it already.

        Raises Absent, InvalidFields, and Conflict (`preview_expired`) when something else would be charged.
        """
        with user_facing_errors():
            async with self._locks.hold(user_id):
                entry = await self._to_change(user_id, price)
                if entry.price == price:
                    return
                try:
                    await self._carry_out(user_id, entry, price, as_of)
                except NotFound:
                    await self._subscription_sync.refresh(user_id)
                    raise Absent(NONE) from None
                except InvalidRequest as error:
                    await self._subscription_sync.refresh(user_id)
                    if error.field == "as_of":
                        raise Conflict(EXPIRED, code="preview_expired") from error
                    raise Conflict(REFUSED, code="change_refused") from error
                await self._subscription_sync.refresh(user_id)

    async def _carry_out(self, user_id: int, entry: StoredSubscription, price: str, as_of: int) -> None:
        request = {"price": price, "as_of": str(as_of)}
        subject = hashlib.sha256(f"{entry.ref}\n{price}".encode()).hexdigest()
        await self._operations.forget_others(user_id, entry.instance_id, "price", subject)
        async with self._operations.open_operation(user_id, entry.instance_id, "price", subject, request) as operation:
            wish = operation.request  # that of the first try: a vendor refuses its key for another one
            await self._gateway.change_price(
                entry.instance_id, entry.ref, price=wish["price"], as_of=int(wish["as_of"]), key=operation.key
            )
            faultpoint("payment_changed")
            await self._operations.forget(operation.key)

    async def _mine(self, user_id: int) -> StoredSubscription | None:
        found = await self._subscription_sync.subscriptions(user_id)
        return next((entry for entry in found if entry.is_current), None)

    async def _to_change(self, user_id: int, price: str) -> StoredSubscription:
        """Return the subscription, if it may have this price. Raises Absent, Conflict and InvalidFields."""
        instance, mine = self._gateway.active(), await self._mine(user_id)
        if mine is None:
            raise Absent(NONE)
        if obstacle := _obstacle(mine, instance):
            raise obstacle
        async with self._database.read() as connection:
            offered = await self._prices.offered_in(connection, instance)
        if price not in [entry.price for entry in offered]:
            raise InvalidFields({"priceId": FieldError("not_on_sale", GONE)})
        return mine


def _obstacle(mine: StoredSubscription | None, instance: PaymentInstance) -> Conflict | None:
    """Return why a subscription cannot change its price, whatever the price."""
    if mine is None or mine.instance_id != instance.id or not instance.capabilities.preview_change:
        return Conflict(UNCHANGEABLE, code="change_unsupported")
    if mine.state not in PAID_STATES:
        return Conflict(UNPAID, code="change_unpaid")
    if mine.paused_until is not None:
        return Conflict(PAUSED, code="change_paused")
    return Conflict(ENDING, code="change_ending") if mine.cancel_at is not None else None
