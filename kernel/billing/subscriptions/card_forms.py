"""Another card for a subscription that is paid: who may give one, and the form for it."""

from typing import Final

from kernel.billing.entitlement import PAID_STATES
from kernel.billing.subscriptions.subscription_sync import StoredSubscription, SubscriptionSync
from kernel.billing.vendor.gateway import OpenCheckout, PaymentGateway, user_facing_errors
from kernel.core.errors import Absent
from kernel.spi import InvalidRequest, NotFound

NO_CARD: Final = "There is no card to be changed here."


class CardForms:
    """Forms of the instance that a subscription was begun with."""

    def __init__(self, gateway: PaymentGateway, subscription_sync: SubscriptionSync) -> None:
        self._gateway = gateway
        self._subscription_sync = subscription_sync

    async def open(self, user_id: int) -> OpenCheckout:
        """Return what the browser needs to give another card. Raises Absent, NoProvider and Declined."""
        with user_facing_errors():
            for entry in await self._subscription_sync.subscriptions(user_id):
                if opened := await self.of(entry):
                    return opened
        raise Absent(NO_CARD)

    async def of(self, entry: StoredSubscription) -> OpenCheckout | None:
        """Return the same of one subscription; None where another card cannot be given."""
        instance = self._gateway.known(entry.instance_id)
        if instance is None or not instance.capabilities.change_card:
            return None
        if not entry.is_current or entry.state not in PAID_STATES:
            return None
        try:
            return OpenCheckout(instance=instance, client=await self._gateway.card_form(instance.id, entry.ref))
        except (NotFound, InvalidRequest):  # it has ended meanwhile
            return None
