"""What a browser needs to confirm a payment: only secrets that Stripe's form still accepts."""

from typing import Final, Literal

from kernel.spi import ClientData, ElementsClient, NoClient, NotFound
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api

Opened = tuple[Literal["payment", "setup"], str]
"""What is to be confirmed, and its secret."""

DEAD: Final = frozenset({"succeeded", "processing", "requires_capture", "canceled"})
"""States of an intent whose secret the form refuses since API version 2025-09-30."""

CONFIRM: Final = "requires_action"
"""State of an intent that waits for its payer, as at a 3-D Secure check."""

RENEWAL_FAILED: Final = ("past_due", "unpaid")


class Confirmations:
    """Finds what is open of a subscription."""

    def __init__(self, api: Api, publishable: str) -> None:
        self._api = api
        self._publishable = publishable

    def fresh(self, found: wire.Subscription) -> ClientData:
        """Return what is open for a subscription that was just made."""
        return self._client(found, _open(found))

    async def now(self, found: wire.Subscription) -> ClientData:
        """Return what is open for any subscription. Raises ProviderError."""
        opened = await self._failed_renewal(found) if found.status in RENEWAL_FAILED else None
        opened = opened or _open(found)
        if opened is None or opened[0] == "setup":
            return self._client(found, opened)
        return self._client(found, None if (await self._intent(opened)).status in DEAD else opened)

    async def waits(self, found: wire.Subscription) -> bool:
        """Return whether the bank asks the payer to confirm a renewal that failed. Raises ProviderError."""
        opened = await self._failed_renewal(found)
        if opened is None:
            return False
        try:
            return (await self._intent(opened)).status == CONFIRM
        except NotFound:  # the subscription is there: a caller must not take this for its end
            return False

    async def _intent(self, opened: Opened) -> wire.Intent:
        intent_id = opened[1].partition("_secret_")[0]
        return await self._api.read(wire.Intent, self._api.v1.payment_intents.retrieve_async(intent_id))

    async def _failed_renewal(self, found: wire.Subscription) -> Opened | None:
        """Return the secret of the oldest open invoice: the latest invoice may be a draft that is never charged."""
        expand = ["data.confirmation_secret"]
        call = self._api.v1.invoices.list_async
        bills = await self._api.pages(wire.Bill, call, subscription=found.id, status="open", expand=expand)
        secrets = [bill.confirmation_secret.client_secret for bill in bills if bill.confirmation_secret]
        return ("payment", secrets[-1]) if secrets else None

    def _client(self, found: wire.Subscription, opened: Opened | None) -> ClientData:
        if opened is None:
            return NoClient()
        intent, secret = opened
        return ElementsClient(
            publishable_key=self._publishable,
            client_secret=secret,
            intent=intent,
            first_payment=found.trial_end if intent == "setup" else None,
        )


def _open(found: wire.Subscription) -> Opened | None:
    """Return the set-up of a card where the first invoice is zero, or the latest invoice if it is open."""
    setup, bill = found.pending_setup_intent, found.latest_invoice
    if isinstance(setup, wire.Intent) and setup.status not in DEAD and setup.client_secret:
        return "setup", setup.client_secret
    if isinstance(bill, wire.Bill) and bill.status == "open" and bill.confirmation_secret:
        return "payment", bill.confirmation_secret.client_secret
    return None
