"""The Stripe provider itself."""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from kernel.spi import (
    BillingDetails,
    BillingRefusal,
    BrowserOrigins,
    CardOnFile,
    CatalogProduct,
    ChangePreview,
    CheckReport,
    ClientData,
    CustomerRequest,
    InvalidRequest,
    Invoice,
    NoBillingDetails,
    NotFound,
    PaymentCapabilities,
    PromotionPreview,
    PromotionRefusal,
    ProviderContext,
    ProviderEvent,
    Secret,
    SettingsInvalid,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    TaxPreview,
    Unavailable,
    Unsupported,
    WebhookRequest,
    web_address,
)
from plugins.stripe_payments import pauses, webhooks, wire
from plugins.stripe_payments.changing import agreed, changed, check_renewal, preview_of
from plugins.stripe_payments.checking import Examination
from plugins.stripe_payments.client import Api, Options
from plugins.stripe_payments.confirming import Confirmations
from plugins.stripe_payments.customers import OPERATION, USER, CustomerBook
from plugins.stripe_payments.errors import NO_ADDRESS
from plugins.stripe_payments.invoices import latest_invoices
from plugins.stripe_payments.promotions import Promotions, discounted_charge, refused_promotion
from plugins.stripe_payments.settings import StripeSettings
from plugins.stripe_payments.taxes import BillingBook
from plugins.stripe_payments.truths import PROMOTION, card_of, catalogue, truth_of

TEST_KEYS: Final = ("sk_test_", "rk_test_")
METHOD: Final = "default_payment_method"
TO_CONFIRM: Final = ["latest_invoice.confirmation_secret", "pending_setup_intent", METHOD]
"""Expanded fields of answers."""

FORM: Final = ("https://js.stripe.com", "https://*.js.stripe.com")
ORIGINS: Final = BrowserOrigins(
    scripts=FORM, frames=(*FORM, "https://hooks.stripe.com"), connections=("https://api.stripe.com",)
)
"""docs.stripe.com/security/guide, read 2026-11."""

RENEWED: Final = ("active", "trialing", "past_due")


def make(settings: StripeSettings, context: ProviderContext) -> "StripePayments":
    """Return the provider; opens nothing. Raises SettingsInvalid for settings known to be wrong without a request."""
    for field in ("secret_key", "webhook_secret"):
        secret: Secret | None = getattr(settings, field)
        if secret is not None and not (secret.reveal().isascii() and secret.reveal().isprintable()):
            raise SettingsInvalid("A key has no line ends or special characters.", field=field)
    if settings.secret_key.reveal().startswith("pk_"):
        raise SettingsInvalid("This is the publishable key; the secret one is needed.", field="secret_key")
    if web_address(settings.api_url) is None:
        raise SettingsInvalid("This is not an address.", field="api_url")
    return StripePayments(settings, context)


class StripePayments:
    """Subscriptions that a user confirms with Stripe's Payment Element."""

    def __init__(self, settings: StripeSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._live = not settings.secret_key.reveal().startswith(TEST_KEYS)
        self._webhook_url = f"{context.public_url}/api/webhooks/payment/{context.instance_id}"
        self._api = Api(settings, context)
        self._customers = CustomerBook(self._api)
        self._promotions = Promotions(self._api, automatic_tax=settings.automatic_tax)
        self._billing = BillingBook(self._api)
        self._confirmations = Confirmations(self._api, settings.publishable)

    def capabilities(self) -> PaymentCapabilities:
        """Return the capabilities: everything in the contract; webhooks need a signing secret."""
        return PaymentCapabilities(
            client="elements",
            live=self._live,
            change_price=True,
            change_at_renewal=True,
            preview_change=True,
            promotion_codes=True,
            pause=True,
            refunds=True,
            taxes=self._settings.automatic_tax,
            portal=self._settings.portal,
            webhooks=self._settings.webhook_secret is not None,
            sends_receipts=self._settings.own_receipts,
            sends_trial_notices=self._settings.own_trial_notices,
            sends_card_notices=self._settings.own_card_notices,
            sends_refund_notices=self._settings.own_refund_notices,
            origins=ORIGINS,
        )

    async def check(self) -> CheckReport:
        """Read the account, its prices, the webhook endpoint and the features switched on."""
        examination = Examination(self._settings, self._api, live=self._live, webhook_url=self._webhook_url)
        return await examination.run()

    async def products(self) -> Sequence[CatalogProduct]:
        """List active products with their active prices."""
        v1 = self._api.v1
        products = await self._api.pages(wire.Product, v1.products.list_async, active=True)
        prices = await self._api.pages(wire.Price, v1.prices.list_async, active=True)
        return catalogue(products, prices)

    async def ensure_customer(self, request: CustomerRequest) -> str:
        """Return the known customer, with the current address, or create one."""
        return await self._customers.ensure(request)

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Make a subscription whose first payment waits for the user."""
        params: dict[str, Any] = {
            "customer": request.customer,
            "items": [{"price": request.price}],
            "payment_behavior": "default_incomplete",
            "payment_settings": {"save_default_payment_method": "on_subscription"},
            "billing_mode": {"type": "flexible"},
            "metadata": {USER: request.user_ref, OPERATION: request.idempotency_key},
            "expand": TO_CONFIRM,
        }
        if self._settings.automatic_tax:
            params["automatic_tax"] = {"enabled": True}
        create = partial(self._api.v1.subscriptions.create_async, params)
        lost = partial(self._started, request)
        try:
            if request.promotion_code is not None:
                params |= await self._promotions.discount(request.customer, request.price, request.promotion_code)
                params["metadata"] = params["metadata"] | {PROMOTION: request.promotion_code}
            started, repeated = await self._api.change(
                wire.Subscription, create, key=request.idempotency_key, lost=lost
            )
        except InvalidRequest as error:
            if request.promotion_code is None or error.field == NO_ADDRESS:
                raise
            if (found := await lost()) is None:  # an earlier attempt may have used the code up
                raise refused_promotion(error) from error
            started, repeated = found, True
        if repeated:  # the answer is that of the first call; since then it may have been paid
            started = await self._found(started.id)
            return StartResult(subscription=truth_of(started), client=await self._confirmations.now(started))
        return StartResult(subscription=truth_of(started), client=self._confirmations.fresh(started))

    async def confirmation(self, ref: str) -> ClientData:
        """Return the secret of what is open, unless it can no longer be used."""
        return await self._confirmations.now(await self._found(ref))

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Return the current state of one subscription."""
        return await self._truth(await self._found(ref))

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Return a customer's subscriptions; Stripe leaves out canceled ones by default."""
        call = self._api.v1.subscriptions.list_async
        found = await self._api.pages(wire.Subscription, call, customer=customer, expand=[f"data.{METHOD}"])
        return [await self._truth(entry) for entry in found if truth_of(entry).state != "canceled"]

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """End a subscription; what was never paid has no period to wait for and ends at once."""
        found = await self._found(ref)
        truth = truth_of(found)
        if truth.state == "canceled":
            return truth
        if at_period_end and truth.state != "incomplete":
            if truth.cancel_at is not None and truth.period_end is not None and truth.cancel_at <= truth.period_end:
                return truth
            change = pauses.without_pause(found, {"cancel_at_period_end": True})
            return await self._updated(ref, change, idempotency_key)
        end = partial(self._api.v1.subscriptions.cancel_async, ref, {})
        try:
            ended, repeated = await self._api.change(wire.Subscription, end, key=idempotency_key)
        except NotFound:  # ended meanwhile by another party
            return await self.subscription(ref)
        return await self.subscription(ref) if repeated else truth_of(ended)

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Clear whichever of the two marks of a scheduled end is set: Stripe refuses both in one request."""
        found = await self._found(ref)
        truth = truth_of(found)
        if truth.state == "canceled":
            raise InvalidRequest("the subscription has ended")
        if truth.cancel_at is None:
            return truth
        change: dict[str, Any] = {"cancel_at_period_end": False} if found.cancel_at_period_end else {"cancel_at": ""}
        return await self._updated(ref, change, idempotency_key)

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        """Let the invoices of some months be void."""
        found = await self._found(ref)
        price = await self._api.read(wire.Price, self._api.v1.prices.retrieve_async(found.items.data[0].price.id))
        change = pauses.begun(found, price, months)
        return truth_of(found) if change is None else await self._updated(ref, change, idempotency_key)

    async def resume(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Let invoices be paid again, with a new one at once when what was paid is used up."""
        found = await self._found(ref)
        change = pauses.ended(found)
        return truth_of(found) if change is None else await self._updated(ref, change, idempotency_key)

    async def preview_promotion(self, customer: str, *, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Ask Stripe for the first invoice with the code and without."""
        return await self._promotions.preview(customer, price, code)

    async def billing_details(self, customer: str) -> BillingDetails | NoBillingDetails:
        """Read a customer's address and tax id."""
        return await self._billing.details(customer) or NoBillingDetails()

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store an address and a tax id; a second call changes nothing."""
        return await self._billing.save(customer, details)

    async def preview_taxes(self, customer: str, *, price: str, promotion_code: str | None = None) -> TaxPreview:
        """Ask Stripe for the first invoice with its taxes."""
        discounts = await self._promotions.discount(customer, price, promotion_code) if promotion_code else {}
        return await self._billing.preview(customer, price, discounts)

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        """Ask Stripe for the invoice that the change would make."""
        return await preview_of(self._api, await self._found(ref), price)

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
        found = await self._found(ref)
        change = changed(found, price, as_of)
        if change is None:
            return truth_of(found)
        if at_renewal:
            await check_renewal(self._api, found, price)
            return await self._updated(ref, change | {"proration_behavior": "none"}, idempotency_key)
        agreed(as_of)
        return await self._updated(ref, change | {"payment_behavior": "error_if_incomplete"}, idempotency_key)

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        """List the latest invoices, with what was refunded of them."""
        return await latest_invoices(self._api, customer, limit)

    async def portal(self, customer: str, *, return_url: str) -> str:
        """Open a session of Stripe's customer portal."""
        if not self._settings.portal:
            raise Unsupported("the customer portal is switched off")
        sessions = self._api.v1.billing_portal.sessions
        visit = partial(sessions.create_async, {"customer": customer, "return_url": return_url})
        try:
            session, _ = await self._api.change(wire.PortalSession, visit, key=uuid.uuid4().hex)
        except InvalidRequest as error:
            if "configuration" not in error.detail:
                raise
            raise SettingsInvalid(error.detail, field="portal", upstream_status=error.upstream_status) from error
        return session.url

    async def delete_customer(self, customer: str) -> None:
        """Delete the customer, which ends all its subscriptions at once."""
        try:
            await self._api.read(wire.Customer, self._api.v1.customers.delete_async(customer))
        except NotFound:
            return

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate."""
        return webhooks.read_webhook(request, self._settings.webhook_secret, live=self._live)

    async def create_webhook(self, url: str) -> Secret:
        """Make an endpoint with the library's API version, then remove those it replaces."""
        endpoints = self._api.v1.webhook_endpoints
        older = [one for one in await self._api.pages(wire.Endpoint, endpoints.list_async) if one.url == url]
        params = {"url": url, "enabled_events": sorted(webhooks.TOPICS), "api_version": webhooks.API_VERSION}
        made, _ = await self._api.change(wire.Endpoint, partial(endpoints.create_async, params), key=uuid.uuid4().hex)
        if not made.secret:
            raise Unavailable("Stripe did not tell the endpoint's secret")
        for one in older:
            await self._api.read(wire.Reference, endpoints.delete_async(one.id))
        return Secret(made.secret)

    async def aclose(self) -> None:
        """Close the client."""
        await self._api.aclose()

    async def _found(self, ref: str) -> wire.Subscription:
        call = self._api.v1.subscriptions.retrieve_async(ref, {"expand": TO_CONFIRM})
        return await self._api.read(wire.Subscription, call)

    async def _truth(self, found: wire.Subscription) -> SubscriptionTruth:
        """Return the state of a subscription, also whether the bank waits for the payer of a renewal."""
        truth = truth_of(found)
        if found.default_payment_method is None and truth.state in RENEWED:
            truth = msgspec.structs.replace(truth, card=await self._card_of(truth.customer))
        goes_on = truth.state in RENEWED and truth.cancel_at is None and truth.paused_until is None
        if found.discounts and goes_on:
            truth = msgspec.structs.replace(truth, next_charge=await discounted_charge(self._api, found.id))
        if truth.state != "past_due":
            return truth
        waits = await self._confirmations.waits(found)
        return msgspec.structs.replace(truth, needs_confirmation=waits)

    async def _card_of(self, customer: str) -> CardOnFile | None:
        """Return the card that is charged for subscriptions of a customer that name none."""
        call = self._api.v1.customers.retrieve_async(customer, {"expand": [f"invoice_settings.{METHOD}"]})
        chosen = (await self._api.read(wire.Customer, call)).invoice_settings
        return card_of(chosen.default_payment_method) if chosen else None

    async def _started(self, request: StartRequest) -> wire.Subscription | None:
        """Return the subscription that an earlier call has made although Stripe reported a failure."""
        call = self._api.v1.subscriptions.list_async
        found = await self._api.pages(wire.Subscription, call, customer=request.customer, status="all")
        return next((entry for entry in found if entry.metadata.get(OPERATION) == request.idempotency_key), None)

    async def _updated(self, ref: str, change: dict[str, Any], key: str) -> SubscriptionTruth:
        def update(options: Options) -> Any:
            return self._api.v1.subscriptions.update_async(ref, change | {"expand": [METHOD]}, options)

        changed, repeated = await self._api.change(wire.Subscription, update, key=key)
        return await self.subscription(ref) if repeated else truth_of(changed)
