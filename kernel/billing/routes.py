"""Calls about one's own subscription, and the price everyone may see."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Final

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from kernel.accounts.current_user import CurrentUser
from kernel.billing.pricing.prices import Prices
from kernel.billing.responses import preview_out, promotion_out, start_out
from kernel.billing.schemas import (
    BillingOut,
    CancelIn,
    ChangePreviewOut,
    ChangePriceIn,
    OfferedPricesOut,
    PauseIn,
    PayIn,
    PayOut,
    PortalOut,
    PromotionIn,
    PromotionOut,
    SelectedPrice,
    StartIn,
    StartOut,
    SyncOut,
)
from kernel.billing.subscriptions.card_forms import CardForms
from kernel.billing.subscriptions.pauses import SubscriptionPauses
from kernel.billing.subscriptions.price_changes import PriceChanges
from kernel.billing.subscriptions.promotions import Promotions, given_code
from kernel.billing.subscriptions.service import BillingService
from kernel.billing.subscriptions.summary import SubscriptionSummaries
from kernel.core.errors import InvalidFields
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC, SHARED, USER
from kernel.core.web.optional_body import OptionalBody
from kernel.spi import PaymentCard

CHANGES_PER_MINUTE: Final = 30
"""Of one user: each asks the vendor several times."""


WRONG_CODES: Final = 10
WRONG_CODES_S: Final = 15 * 60.0
"""Promotion codes that one user may guess: as many as passwords."""


class PriceController(Controller):
    """The price everyone may see, in spite of its path."""

    path = "/api/admin"
    tags = ("Plans",)

    @get("/selected-price", operation_id="getSelectedPrice", opt=PUBLIC | SHARED)
    async def selected_price(self, prices: NamedDependency[Prices]) -> SelectedPrice:
        """Return what Pro costs: the price an administrator chose, or the configured one."""
        price = await prices.shown()
        return SelectedPrice(amount=price.amount, currency=price.currency, interval=price.interval or "")


class SubscriptionController(Controller):
    """The signed-in user's subscription."""

    path = "/api"
    tags = ("Billing",)
    opt = USER

    @post("/create-subscription", operation_id="createSubscription", status_code=200, operation_class=OptionalBody)
    async def create(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        throttle: NamedDependency[Throttle],
        data: JSONBody[StartIn | None] = None,
    ) -> StartOut:
        """Begin a subscription, or return to the one that was begun; nothing is paid yet."""
        await _count(throttle, user)
        wish = data or StartIn()
        if wish.promotion_code is None:
            return start_out(await subscriptions.start(user, wish.price_id))
        async with _guess(throttle, user):
            return start_out(await subscriptions.start(user, wish.price_id, wish.promotion_code))

    @post("/subscription/promotion", operation_id="previewPromotion", status_code=200)
    async def promotion(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[PromotionIn],
        promotions: NamedDependency[Promotions],
        throttle: NamedDependency[Throttle],
    ) -> PromotionOut:
        """Return what a start with a promotion code would charge; nothing is started."""
        await _count(throttle, user)
        async with _guess(throttle, user):
            price, told = await promotions.preview(user, data.price_id, data.promotion_code)
        return promotion_out(given_code(data.promotion_code) or "", price, told)

    @post("/sync-subscription", operation_id="syncSubscription", status_code=200)
    async def sync(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        throttle: NamedDependency[Throttle],
    ) -> SyncOut:
        """Ask the provider how things are. What the browser brought back is no evidence."""
        await _count(throttle, user)
        return SyncOut(is_pro=await subscriptions.sync(user.id, user.is_pro_override))

    @get("/subscription", operation_id="getSubscription")
    async def subscription(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
    ) -> BillingOut:
        """Return the subscription and the latest invoices, as they were last read."""
        return await _shown(subscriptions, subscription_summaries, user)

    @post("/subscription/cancel", operation_id="cancelSubscription", status_code=200, operation_class=OptionalBody)
    async def cancel(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
        data: JSONBody[CancelIn | None] = None,
    ) -> BillingOut:
        """End the subscription when the period that is paid does."""
        await _count(throttle, user)
        said = data or CancelIn()
        await subscriptions.cancel(user.id, said.reason, said.comment)
        return await _shown(subscriptions, subscription_summaries, user)

    @post("/subscription/reactivate", operation_id="reactivateSubscription", status_code=200)
    async def reactivate(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """Take a cancellation back."""
        await _count(throttle, user)
        await subscriptions.reactivate(user.id)
        return await _shown(subscriptions, subscription_summaries, user)

    @post("/subscription/pause", operation_id="pauseSubscription", status_code=200)
    async def pause(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[PauseIn],
        subscriptions: NamedDependency[BillingService],
        pauses: NamedDependency[SubscriptionPauses],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """Pay nothing for some months after the period that is paid; it then goes on by itself."""
        await _count(throttle, user)
        await pauses.pause(user.id, data.months)
        return await _shown(subscriptions, subscription_summaries, user)

    @post("/subscription/resume", operation_id="resumeSubscription", status_code=200)
    async def resume(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        pauses: NamedDependency[SubscriptionPauses],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """End a pause; once what was paid is used up, the next period is charged at once."""
        await _count(throttle, user)
        await pauses.resume(user.id)
        return await _shown(subscriptions, subscription_summaries, user)

    @get("/subscription/prices", operation_id="listOfferedPrices")
    async def prices(
        self, user: NamedDependency[CurrentUser], price_changes: NamedDependency[PriceChanges]
    ) -> OfferedPricesOut:
        """Return what Pro can be paid at: each month, each year."""
        return await price_changes.offered(user.id)

    @get("/subscription/price-preview", operation_id="previewPriceChange")
    async def preview(
        self,
        user: NamedDependency[CurrentUser],
        price_id: Annotated[str, QueryParameter(name="priceId", max_length=255)],
        price_changes: NamedDependency[PriceChanges],
        throttle: NamedDependency[Throttle],
    ) -> ChangePreviewOut:
        """Return what a change to an offered price would charge; nothing changes."""
        await _count(throttle, user)
        return preview_out(price_id, await price_changes.preview(user.id, price_id))

    @post("/subscription/price", operation_id="changePrice", status_code=200)
    async def change_price(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[ChangePriceIn],
        subscriptions: NamedDependency[BillingService],
        price_changes: NamedDependency[PriceChanges],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """Change to an offered price: what the preview said is charged, once."""
        await _count(throttle, user)
        await price_changes.change(user.id, data.price_id, data.as_of)
        return await _shown(subscriptions, subscription_summaries, user)

    @post("/subscription/portal", operation_id="openPaymentPortal", status_code=200)
    async def portal(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        throttle: NamedDependency[Throttle],
    ) -> PortalOut:
        """Return where the provider's own page for cards and invoices is; 404 where it has none."""
        await _count(throttle, user)
        return PortalOut(url=await subscriptions.portal(user.id))

    @get("/subscription/confirmation", operation_id="getOpenPayment")
    async def confirmation(
        self,
        user: NamedDependency[CurrentUser],
        subscriptions: NamedDependency[BillingService],
        throttle: NamedDependency[Throttle],
    ) -> StartOut:
        """Return what the browser needs to pay what is open: a first payment, or a renewal that failed."""
        await _count(throttle, user)
        return start_out(await subscriptions.open_payment(user.id))

    @post("/subscription/card", operation_id="openCardForm", status_code=200)
    async def card(
        self,
        user: NamedDependency[CurrentUser],
        card_forms: NamedDependency[CardForms],
        throttle: NamedDependency[Throttle],
    ) -> StartOut:
        """Return what the browser needs to give another card for what is paid; 404 where that is not done here."""
        await _count(throttle, user)
        return start_out(await card_forms.open(user.id))

    @post("/subscription/pay", operation_id="paySubscription", status_code=200)
    async def pay(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[PayIn],
        subscriptions: NamedDependency[BillingService],
        throttle: NamedDependency[Throttle],
    ) -> PayOut:
        """Pay with a test card in our own form, for providers that have none."""
        await _count(throttle, user)
        card = PaymentCard(number=data.card.number, expiry=data.card.expiry, cvc=data.card.cvc)
        result = await subscriptions.pay(user.id, data.client_secret, card, confirmed=data.confirmed)
        return PayOut(status=result.status, code=result.code or UNSET, message=result.message or UNSET)

    @get("/subscription/invoices/{invoice_id:str}/pdf", operation_id="getInvoiceDocument", media_type="application/pdf")
    async def document(
        self,
        user: NamedDependency[CurrentUser],
        invoice_id: FromPath[str],
        subscription_summaries: NamedDependency[SubscriptionSummaries],
        throttle: NamedDependency[Throttle],
    ) -> Response[bytes]:
        """Return the document of one's own invoice."""
        await _count(throttle, user)
        number, document = await subscription_summaries.document(user.id, invoice_id)
        name = "".join(char for char in number if char.isascii() and (char.isalnum() or char in "-_"))
        headers = {
            "content-disposition": f'inline; filename="{name or "invoice"}.pdf"',
            "cache-control": "private, no-store",
        }
        return Response(document, media_type="application/pdf", headers=headers)


async def _count(throttle: Throttle, user: CurrentUser) -> None:
    await throttle.hit(f"billing:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)


@asynccontextmanager
async def _guess(throttle: Throttle, user: CurrentUser) -> AsyncIterator[None]:
    """Count a promotion code before it is looked up, and take that back unless it is one that gives nothing."""
    counter = f"promotion:{user.id}"
    await throttle.hit(counter, limit=WRONG_CODES, window_s=WRONG_CODES_S)
    try:
        yield
    except InvalidFields:
        raise
    except BaseException:
        await throttle.take_back(counter)
        raise
    await throttle.take_back(counter)


async def _shown(subscriptions: BillingService, summaries: SubscriptionSummaries, user: CurrentUser) -> BillingOut:
    return await summaries.overview(user.id, portal=await subscriptions.has_portal(user.id))
