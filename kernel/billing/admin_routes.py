"""Administrators' calls about what is sold. Their paths name the active provider; any other is not there."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.billing.admin_service import PaymentAdminService
from kernel.billing.customers.backfill import BackfillProgress
from kernel.billing.responses import products_out
from kernel.billing.schemas import (
    BackfillOut,
    BackfillSummary,
    CancellationOut,
    CancelReasonCount,
    ChoiceIn,
    ChoiceOut,
    ClockIn,
    ClockOut,
    PaymentsOverview,
    ProductOut,
    RefundIn,
    RefundOut,
)
from kernel.billing.subscriptions.cancellations import Cancellations, page_cursor
from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, AppRequest, audited
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, link_header


class PaymentAdminController(Controller):
    """What is sold as Pro, and to whom."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/payments/overview", operation_id="getPaymentsOverview")
    async def overview(self, payment_admin: NamedDependency[PaymentAdminService]) -> PaymentsOverview:
        """Return who sells, what was chosen, and how many people pay."""
        return await payment_admin.overview()

    @get("/payments/cancellations", operation_id="listCancellations", opt=audited("payments.list_cancellations"))
    async def listed(
        self,
        request: AppRequest,
        cancellations: NamedDependency[Cancellations],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CancellationOut]]:
        """Return who ended their subscription on this site and why, the latest first."""
        page = await cancellations.page(cursor=cursor, limit=limit + 1)
        following = page_cursor(page[limit - 1]) if len(page) > limit else None
        return Response(page[:limit], headers=link_header(request, following))

    @get("/payments/cancellation-reasons", operation_id="countCancelReasons")
    async def reasons(self, cancellations: NamedDependency[Cancellations]) -> list[CancelReasonCount]:
        """Return how often each reason was given within a year, the most frequent first."""
        return await cancellations.counts()

    @get("/{provider:str}/products", operation_id="listPaymentProducts")
    async def products(
        self, provider: FromPath[str], payment_admin: NamedDependency[PaymentAdminService]
    ) -> list[ProductOut]:
        """Return what the active provider can sell."""
        return products_out(await payment_admin.products(provider))

    @post("/{provider:str}/product", operation_id="choosePaymentProduct", opt=RECENT_SIGN_IN, status_code=200)
    async def choose(
        self,
        actor: NamedDependency[Actor],
        provider: FromPath[str],
        data: JSONBody[ChoiceIn],
        payment_admin: NamedDependency[PaymentAdminService],
    ) -> ChoiceOut:
        """Choose the product and the price that are sold as Pro from now on, and what other periods may cost."""
        others = data.other_price_ids
        choice = await payment_admin.choose(provider, data.product_id, data.price_id, others, actor)
        return ChoiceOut(product_id=choice.product, price_id=choice.price, other_price_ids=list(choice.others))

    @get("/{provider:str}/clock", operation_id="getPaymentClock")
    async def clock(self, provider: FromPath[str], payment_admin: NamedDependency[PaymentAdminService]) -> ClockOut:
        """Return the time of a provider that can be moved through time."""
        return ClockOut(now=await payment_admin.time(provider))

    @post("/{provider:str}/clock", operation_id="movePaymentClock", status_code=200)
    async def move_clock(
        self,
        actor: NamedDependency[Actor],
        provider: FromPath[str],
        data: JSONBody[ClockIn],
        payment_admin: NamedDependency[PaymentAdminService],
    ) -> ClockOut:
        """Move the time of such a provider forward: what becomes due by then happens."""
        return ClockOut(now=await payment_admin.advance(provider, data.advance_days, actor))

    @post("/{provider:str}/refund", operation_id="refundTestPayment", status_code=200)
    async def refund(
        self,
        actor: NamedDependency[Actor],
        provider: FromPath[str],
        data: JSONBody[RefundIn],
        payment_admin: NamedDependency[PaymentAdminService],
    ) -> RefundOut:
        """Refund a payment of a provider whose payments are for tests; sent again it refunds nothing more."""
        return await payment_admin.refund(provider, data.number, data.total, actor)

    @get("/{task:str}", operation_id="getCustomerBackfill")
    async def backfill_state(
        self, task: FromPath[str], payment_admin: NamedDependency[PaymentAdminService]
    ) -> BackfillOut:
        """Return how far `backfill-{provider}-customers` has come."""
        return _progress_out(await payment_admin.backfill_progress(task))

    @post("/{task:str}", operation_id="backfillCustomers", status_code=200)
    async def backfill(
        self, actor: NamedDependency[Actor], task: FromPath[str], payment_admin: NamedDependency[PaymentAdminService]
    ) -> BackfillOut:
        """Make a customer of every user who is none yet: `backfill-{provider}-customers`; it goes on by itself."""
        return _progress_out(await payment_admin.begin_backfill(task, actor))


def _progress_out(progress: BackfillProgress) -> BackfillOut:
    summary = BackfillSummary(processed=progress.processed, errors=progress.errors)
    return BackfillOut(summary=summary, running=progress.running)
