"""Calls about one's own subscription, and the price everyone may see."""

from typing import Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET

from kernel.billing.desk import Billing
from kernel.billing.encoding import start_out
from kernel.billing.schemas import BillingOut, PayIn, PayOut, PortalOut, SelectedPrice, StartOut, SyncOut
from kernel.billing.vendor import told
from kernel.billing.views import CONFIRMABLE
from kernel.core.access import PUBLIC, USER
from kernel.core.database import Database
from kernel.core.errors import Absent
from kernel.core.throttle import Throttle
from kernel.spi import NotFound, PaymentCard

CHANGES_PER_MINUTE: Final = 30
"""Of one user: each asks the vendor several times."""


class PriceController(Controller):
    """The price everyone may see, in spite of its path."""

    path = "/api/admin"
    tags = ("Plans",)

    @get("/selected-price", operation_id="getSelectedPrice", opt=PUBLIC)
    async def selected_price(
        self, database: NamedDependency[Database], billing: NamedDependency[Billing]
    ) -> SelectedPrice:
        """Return what Pro costs: the price an administrator chose, or the configured one."""
        async with database.read() as connection:
            price = await billing.prices.shown(connection)
        return SelectedPrice(amount=price.amount, currency=price.currency, interval=price.interval or "")


class SubscriptionController(Controller):
    """The signed-in user's subscription."""

    path = "/api"
    tags = ("Billing",)
    opt = USER

    @post("/create-subscription", operation_id="createSubscription", status_code=200)
    async def create(
        self,
        request: Request[Any, Any, Any],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> StartOut:
        """Begin a subscription, or return to the one that was begun; nothing is paid yet."""
        await _count(throttle, request)
        return start_out(await billing.service.start(request.user))

    @post("/sync-subscription", operation_id="syncSubscription", status_code=200)
    async def sync(
        self,
        request: Request[Any, Any, Any],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> SyncOut:
        """Ask the provider how things are. What the browser brought back is no evidence."""
        await _count(throttle, request)
        user = request.user
        return SyncOut(is_pro=await billing.service.sync(user.id, user.is_pro_override))

    @get("/subscription", operation_id="getSubscription")
    async def subscription(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
    ) -> BillingOut:
        """Return the subscription and the latest invoices, as they were last read."""
        return await _shown(database, billing, request.user.id)

    @post("/subscription/cancel", operation_id="cancelSubscription", status_code=200)
    async def cancel(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """End the subscription when the period that is paid does."""
        await _count(throttle, request)
        await billing.service.cancel(request.user.id)
        return await _shown(database, billing, request.user.id)

    @post("/subscription/reactivate", operation_id="reactivateSubscription", status_code=200)
    async def reactivate(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> BillingOut:
        """Take a cancellation back."""
        await _count(throttle, request)
        await billing.service.reactivate(request.user.id)
        return await _shown(database, billing, request.user.id)

    @post("/subscription/portal", operation_id="openPaymentPortal", status_code=200)
    async def portal(
        self,
        request: Request[Any, Any, Any],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> PortalOut:
        """Return where the provider's own page for cards and invoices is; 404 where it has none."""
        await _count(throttle, request)
        return PortalOut(url=await billing.service.portal(request.user.id))

    @get("/subscription/confirmation", operation_id="getOpenPayment")
    async def confirmation(
        self,
        request: Request[Any, Any, Any],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> StartOut:
        """Return what the browser needs to pay what is open: a first payment, or a renewal that failed."""
        await _count(throttle, request)
        return start_out(await billing.service.open_payment(request.user.id))

    @post("/subscription/pay", operation_id="paySubscription", status_code=200)
    async def pay(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[PayIn],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> PayOut:
        """Pay with a test card in our own form, for providers that have none."""
        await _count(throttle, request)
        card = PaymentCard(number=data.card.number, expiry=data.card.expiry, cvc=data.card.cvc)
        result = await billing.service.pay(request.user.id, data.client_secret, card, confirmed=data.confirmed)
        return PayOut(status=result.status, code=result.code or UNSET, message=result.message or UNSET)

    @get("/subscription/invoices/{invoice_id:str}/pdf", operation_id="getInvoiceDocument", media_type="application/pdf")
    async def document(
        self,
        request: Request[Any, Any, Any],
        invoice_id: FromPath[str],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
        throttle: NamedDependency[Throttle],
    ) -> Response[bytes]:
        """Return the document of one's own invoice."""
        await _count(throttle, request)
        async with database.read() as connection:
            invoice = await billing.views.invoice_at(connection, request.user.id, invoice_id)
        with told():
            try:
                document = await billing.vendor.invoice_pdf(invoice.instance_id, invoice.ref)
            except NotFound as error:
                raise Absent("This invoice does not exist.") from error
        name = "".join(char for char in invoice.number if char.isascii() and (char.isalnum() or char in "-_"))
        headers = {
            "content-disposition": f'inline; filename="{name or "invoice"}.pdf"',
            "cache-control": "private, no-store",
        }
        return Response(document, media_type="application/pdf", headers=headers)


async def _count(throttle: Throttle, request: Request[Any, Any, Any]) -> None:
    await throttle.hit(f"billing:{request.user.id}", limit=CHANGES_PER_MINUTE, window_s=60)


async def _shown(database: Database, billing: Billing, user_id: int) -> BillingOut:
    portal = await billing.service.has_portal(user_id)
    async with database.read() as connection:
        subscription = await billing.views.subscription(connection, user_id)
        return BillingOut(
            subscription=subscription,
            invoices=await billing.views.invoices(connection, user_id),
            portal=portal,
            action_required=subscription is not None and subscription.status in CONFIRMABLE,
        )
