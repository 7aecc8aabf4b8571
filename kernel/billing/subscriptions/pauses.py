"""Pauses instead of cancellations: no payments for some months, and Pro only as long as it is paid."""

from typing import Final

from kernel.billing.subscriptions.subscription_sync import StoredSubscription, SubscriptionSync
from kernel.billing.vendor.gateway import PaymentGateway, user_facing_errors
from kernel.billing.vendor.operations import VendorOperations
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.errors import Absent, Conflict
from kernel.core.fault_points import faultpoint
from kernel.spi import InvalidRequest, NotFound

NONE: Final = "There is no subscription."
CANNOT: Final = "This subscription cannot be paused."
HAS_ENDED: Final = "This subscription has ended. Please subscribe again."


class SubscriptionPauses:
    """Both methods raise Absent without a subscription, and NoProvider or Declined when the vendor fails or refuses."""

    def __init__(
        self,
        gateway: PaymentGateway,
        locks: UserLocks,
        operations: VendorOperations,
        subscription_sync: SubscriptionSync,
    ) -> None:
        self._gateway = gateway
        self._locks = locks
        self._operations = operations
        self._subscription_sync = subscription_sync

    async def pause(self, user_id: int, months: int) -> None:
        """Pause for these months after the paid period; nothing happens to who is paused already. Raises Conflict."""
        with user_facing_errors():
            async with self._locks.hold(user_id):
                entry = await self._current(user_id)
                if entry.paused_until is not None:
                    return
                instance = self._gateway.known(entry.instance_id)
                if instance is None or not instance.capabilities.pause:
                    raise Conflict(CANNOT, code="pause_unsupported")
                operation = self._operations.open_operation(
                    user_id, entry.instance_id, "pause", entry.ref, {"months": str(months)}
                )
                try:
                    async with operation as call:
                        wished = int(call.request["months"])  # that of the first try
                        await self._gateway.pause(entry.instance_id, entry.ref, months=wished, key=call.key)
                        faultpoint("payment_changed")
                        await self._operations.forget(call.key)
                except (NotFound, InvalidRequest) as error:
                    await self._subscription_sync.refresh(user_id)
                    raise Conflict(CANNOT, code="pause_unsupported") from error
                await self._subscription_sync.refresh(user_id)

    async def resume(self, user_id: int) -> None:
        """End a pause; what is not paid any more is charged at once. Raises Conflict."""
        with user_facing_errors():
            async with self._locks.hold(user_id):
                entry = await self._current(user_id)
                try:
                    async with self._operations.open_operation(user_id, entry.instance_id, "resume", entry.ref) as call:
                        await self._gateway.resume(entry.instance_id, entry.ref, key=call.key)
                        faultpoint("payment_changed")
                        await self._operations.forget(call.key)
                except (NotFound, InvalidRequest) as error:
                    await self._subscription_sync.refresh(user_id)
                    raise Conflict(HAS_ENDED) from error
                await self._subscription_sync.refresh(user_id)

    async def _current(self, user_id: int) -> StoredSubscription:
        for entry in await self._subscription_sync.subscriptions(user_id):
            if entry.is_current:
                return entry
        raise Absent(NONE)
