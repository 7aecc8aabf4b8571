"""The Paddle provider itself."""

import re
from collections.abc import Sequence
from typing import Any, Final

from kernel.spi import (
    BrowserOrigins,
    CatalogProduct,
    CheckReport,
    ClientData,
    CustomerRequest,
    InvalidRequest,
    Invoice,
    NoClient,
    NotFound,
    PaymentCapabilities,
    ProviderContext,
    ProviderEvent,
    Secret,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    Unavailable,
    WebhookRequest,
    base_address,
    header_secret,
)
from plugins.paddle_payments import webhooks, wire
from plugins.paddle_payments.checking import Examination
from plugins.paddle_payments.client import Api, known_id
from plugins.paddle_payments.customers import CustomerBook, belongs_since
from plugins.paddle_payments.errors import LOCKED
from plugins.paddle_payments.sales import Sales, is_open, starts
from plugins.paddle_payments.settings import API_URLS, PaddleSettings
from plugins.paddle_payments.truths import catalogue, invoice_of, start_of, truth_of, unix

ORIGINS: Final = BrowserOrigins(
    scripts=("https://cdn.paddle.com",),
    frames=("https://buy.paddle.com", "https://sandbox-buy.paddle.com"),
    connections=("https://cdn.paddle.com", "https://sandbox-cdn.paddle.com"),
    styles=("https://cdn.paddle.com", "https://sandbox-cdn.paddle.com"),
    images=("https://cdn.paddle.com", "https://sandbox-cdn.paddle.com"),
)
"""Where Paddle.js and the frame of its checkout come from; all else loads within that frame."""

PAID: Final = ("active", "trialing")
STARTED_REF: Final = re.compile(r"txn_")
LIVING: Final = "active,trialing,past_due,paused"


def make(settings: PaddleSettings, context: ProviderContext) -> "PaddlePayments":
    """Return the provider; opens nothing. Raises SettingsInvalid for settings known to be wrong without a request."""
    header_secret(settings.api_key, field="api_key")
    header_secret(settings.webhook_secret, field="webhook_secret", noun="secret")
    base_address(settings.base_url or API_URLS[settings.environment], example=API_URLS["live"])
    return PaddlePayments(settings, context)


class PaddlePayments:
    """Subscriptions that a user pays in Paddle's checkout.

    Until then there is a transaction and no subscription: a start's ref is the transaction's, and every method goes on
    taking it afterwards.
    """

    def __init__(self, settings: PaddleSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._webhook_url = f"{context.public_url}/api/webhooks/payment/{context.instance_id}"
        self._api = Api(settings, context)
        self._customers = CustomerBook(self._api)
        self._sales = Sales(self._api, settings)

    def capabilities(self) -> PaymentCapabilities:
        """Return the capabilities; webhooks need a secret. Receipts and emails about refunds are Paddle's: it sells.

        A change of price is charged to the minute, so nobody can be shown beforehand exactly what it will charge.
        """
        return PaymentCapabilities(
            client="script",
            live=self._settings.environment == "live",
            change_price=True,
            change_at_renewal=True,
            change_card=True,
            refunds=True,
            documents=True,
            portal=True,
            webhooks=self._settings.webhook_secret is not None,
            sends_receipts=True,
            sends_refund_notices=True,
            origins=ORIGINS,
        )

    async def check(self) -> CheckReport:
        """Read prices and the webhook's destination."""
        return await Examination(self._settings, self._api, webhook_url=self._webhook_url).run()

    async def products(self) -> Sequence[CatalogProduct]:
        """List active products with their active prices."""
        return catalogue(await self._api.pages(wire.Product, "/products", {"status": "active", "include": "prices"}))

    async def ensure_customer(self, request: CustomerRequest) -> str:
        """Return the known customer, with the current address, or make one."""
        return await self._customers.ensure(request)

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Make a transaction that the user then pays."""
        sale = await self._sales.begin(request)
        if is_open(sale):
            return StartResult(subscription=start_of(sale), client=self._sales.payment(sale))
        return StartResult(subscription=await self.subscription(sale.id), client=await self.confirmation(sale.id))

    async def confirmation(self, ref: str) -> ClientData:
        """Return the checkout of what is open: a transaction that was begun, or the renewal that failed."""
        if STARTED_REF.match(ref):
            sale = await self._sales.read(ref)
            if sale.subscription_id is None:
                return self._sales.payment(sale)
            ref = sale.subscription_id
        if (await self._read(ref)).status != "past_due":
            return NoClient()
        return self._sales.checkout(await self._sales.due(ref))

    async def card_form(self, ref: str) -> ClientData:
        """Return the checkout in which another card is given."""
        truth = await self.subscription(ref)
        if truth.state not in PAID:
            raise InvalidRequest("this subscription is not paid")
        return self._sales.card(await self._sales.card_sale(truth.ref), truth.period_end)

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Return the current state of a subscription, or of the transaction that becomes one."""
        if STARTED_REF.match(ref):
            sale = await self._sales.read(ref)
            if sale.subscription_id is None:
                return start_of(sale, ended=sale.status in ("draft", "ready") and not is_open(sale))
            ref = sale.subscription_id
        return await self._truth(await self._read(ref))

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Return a customer's subscriptions, and what was begun and is not paid."""
        await self._known(customer)
        sales = await self._sales.of_customer(customer)
        query = {"customer_id": customer, "status": LIVING}
        found: list[wire.Subscription] = await self._api.pages(wire.Subscription, "/subscriptions", query)
        return [*starts(sales), *(truth_of(entry, sales) for entry in found)]

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """End a subscription; what was never paid has no period to wait for and ends at once."""
        truth = await self.subscription(ref)
        if truth.state == "canceled":
            return truth
        if truth.state == "incomplete":
            await self._sales.end(await self._sales.read(truth.ref))
            return await self.subscription(ref)
        waits = at_period_end and truth.state in PAID
        if waits and truth.cancel_at is not None:
            return truth
        path = f"/subscriptions/{truth.ref}/cancel"
        wish = {"effective_from": "next_billing_period" if waits else "immediately"}
        ended = await self._api.change(wire.Subscription, "POST", path, wish, tolerated=(LOCKED,))
        if ended is None:
            await self._update(truth.ref, {"scheduled_change": None})
            ended = await self._api.change(wire.Subscription, "POST", path, wish)
        return await self._truth(ended) if ended else truth

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Take the scheduled end back."""
        truth = await self.subscription(ref)
        if truth.state == "canceled":
            raise InvalidRequest("the subscription has ended")
        if truth.cancel_at is None:
            return truth
        return await self._truth(await self._update(truth.ref, {"scheduled_change": None}))

    async def change_price(
        self,
        ref: str,
        *,
        price: str,
        idempotency_key: str,
        as_of: int | None = None,
        at_renewal: bool = False,
    ) -> SubscriptionTruth:
        """Replace the price and charge the difference now, or nothing before the renewal; a declined charge changes
        nothing.
        """
        truth = await self.subscription(ref)
        if truth.state not in PAID:
            raise InvalidRequest(f"the subscription is {truth.state}")
        if truth.price == price:
            return truth
        if at_renewal:
            old, new = [await self._price(one) for one in (truth.price, price)]
            if (old.billing_cycle, old.unit_price.currency_code) != (new.billing_cycle, new.unit_price.currency_code):
                raise InvalidRequest("this price is for another interval or in another currency", field="price")
        change = {
            "items": [{"price_id": known_id(price, "pri"), "quantity": 1}],
            # a trial has no paid time to credit, and Paddle takes nothing else for one
            "proration_billing_mode": "do_not_bill"
            if at_renewal or truth.state == "trialing"
            else "prorated_immediately",
            "on_payment_failure": "prevent_change",
        }
        return await self._truth(await self._update(truth.ref, change))

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        """List the latest invoices, with what was refunded of them."""
        since = belongs_since(await self._known(customer))
        sales = await self._sales.of_customer(customer, include="adjustments")
        own = (sale for sale in sales if unix(sale.created_at) >= since)
        return [invoice for sale in own if (invoice := invoice_of(sale)) is not None][:limit]

    async def invoice_pdf(self, invoice: str) -> bytes:
        """Fetch the document of a transaction from where Paddle keeps it."""
        return await self._api.document(f"/transactions/{known_id(invoice, 'txn')}/invoice")

    async def portal(self, customer: str, *, return_url: str) -> str:
        """Open a session of Paddle's customer portal. It has no way back to a page of ours.

        Raises InvalidRequest where it would show what an earlier owner of the address has bought.
        """
        if belongs_since(await self._known(customer)):
            raise InvalidRequest("the portal would show the purchases of an account that was deleted")
        path = f"/customers/{known_id(customer, 'ctm')}/portal-sessions"
        session = await self._api.change(wire.PortalSession, "POST", path, {})
        if session is None:
            raise NotFound("no session was made")
        return session.urls.general.overview

    async def delete_customer(self, customer: str) -> None:
        """End everything of the customer's at once, then archive it: Paddle deletes nobody."""
        try:
            known_id(customer, "ctm")
            for truth in await self.subscriptions(customer):
                await self.cancel(truth.ref, at_period_end=False, idempotency_key="")
            if await self.subscriptions(customer):
                raise Unavailable("a payment is being processed; what it begins has to be ended, too")
            await self._customers.archive(customer)
        except NotFound:
            return

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate."""
        return webhooks.read_webhook(request, self._settings.webhook_secret)

    async def create_webhook(self, url: str) -> Secret:
        """Make a destination, then remove those it replaces."""
        path = "/notification-settings"
        older = [one for one in await self._api.pages(wire.Destination, path) if one.destination == url]
        wish = {
            "description": "Coverwright",
            "type": "url",
            "destination": url,
            "api_version": 1,
            "include_sensitive_fields": False,
            "subscribed_events": sorted(webhooks.TOPICS),
        }
        made = await self._api.change(wire.Destination, "POST", path, wish)
        if made is None or not made.endpoint_secret_key:
            raise Unavailable("Paddle did not tell the destination's secret")
        for one in older:
            await self._api.remove(f"{path}/{known_id(one.id, 'ntfset')}")
        return Secret(made.endpoint_secret_key)

    async def aclose(self) -> None:
        """Close the client."""
        await self._api.aclose()

    async def _known(self, customer: str) -> wire.Customer:
        """Return a customer. Raises NotFound for one that does not exist: Paddle's lists of it are empty."""
        return await self._api.read(wire.Customer, f"/customers/{known_id(customer, 'ctm')}")

    async def _read(self, ref: str) -> wire.Subscription:
        return await self._api.read(wire.Subscription, f"/subscriptions/{known_id(ref, 'sub')}")

    async def _price(self, ref: str) -> wire.Price:
        return await self._api.read(wire.Price, f"/prices/{known_id(ref, 'pri')}")

    async def _truth(self, found: wire.Subscription) -> SubscriptionTruth:
        return truth_of(found, await self._sales.of_subscription(found.id))

    async def _update(self, ref: str, change: dict[str, Any]) -> wire.Subscription:
        changed = await self._api.change(wire.Subscription, "PATCH", f"/subscriptions/{ref}", change)
        if changed is None:
            raise Unavailable("the subscription was not changed")
        return changed
