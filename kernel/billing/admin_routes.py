"""Administrators' calls about what is sold. Their paths name the active provider; any other is not there."""

from typing import Any, Final

from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.models import User
from kernel.billing.backfill import Progress
from kernel.billing.desk import Billing
from kernel.billing.encoding import products_out
from kernel.billing.models import BillingCustomer
from kernel.billing.schemas import (
    BackfillOut,
    BackfillSummary,
    ChoiceIn,
    ChoiceOut,
    ClockIn,
    ClockOut,
    PaymentsOverview,
    ProductOut,
)
from kernel.billing.vendor import PaymentInstance, Vendor, told
from kernel.core.access import ADMIN
from kernel.core.audit import audit, ip_of
from kernel.core.database import Database
from kernel.core.errors import Absent, NoProvider

BACKFILL_WAIT_S: Final = 5.0
"""So long an administrator is kept waiting for the end; it goes on by itself."""

PRESENT: Final = User.leaving_at.is_(None)


class PaymentAdminController(Controller):
    """What is sold as Pro, and to whom."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/payments/overview", operation_id="getPaymentsOverview")
    async def overview(
        self, database: NamedDependency[Database], billing: NamedDependency[Billing]
    ) -> PaymentsOverview:
        """Return who sells, what was chosen, and how many people pay."""
        instance = billing.vendor.active()
        async with database.read() as connection:
            choice = await billing.prices.choice(connection)
            return PaymentsOverview(
                provider=instance.provider_id,
                live=instance.capabilities.live,
                users=await _count(connection, select(func.count()).where(PRESENT)),
                pro=await _count(connection, select(func.count()).where(PRESENT, billing.entitlement.pro())),
                customers=await _count(
                    connection,
                    select(func.count())
                    .select_from(BillingCustomer)
                    .join(User)
                    .where(PRESENT, BillingCustomer.instance_id == instance.id, ~BillingCustomer.gone),
                ),
                product_id=choice.product if choice else None,
                price_id=choice.price if choice else None,
            )

    @get("/{provider:str}/products", operation_id="listPaymentProducts")
    async def products(self, provider: FromPath[str], billing: NamedDependency[Billing]) -> list[ProductOut]:
        """Return what the active provider can sell."""
        instance = _named(billing.vendor, provider)
        with told():
            return products_out(await billing.prices.copy(instance.id))

    @post("/{provider:str}/product", operation_id="choosePaymentProduct", status_code=200)
    async def choose(
        self,
        request: Request[Any, Any, Any],
        provider: FromPath[str],
        data: JSONBody[ChoiceIn],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
    ) -> ChoiceOut:
        """Choose the product and the price that are sold as Pro from now on."""
        instance = _named(billing.vendor, provider)
        with told():
            choice = await billing.prices.choose(instance, data.product_id, data.price_id)
        about = {"actor_id": request.user.id, "ip": ip_of(request), "object": f"instance:{instance.id}"}
        async with database.write() as session:
            audit(session, "payment.choose_price", keys=("productId", "priceId"), **about)
        return ChoiceOut(product_id=choice.product, price_id=choice.price)

    @get("/{provider:str}/clock", operation_id="getPaymentClock")
    async def clock(self, provider: FromPath[str], billing: NamedDependency[Billing]) -> ClockOut:
        """Return the time of a provider that can be moved through time."""
        instance = _with_clock(billing.vendor, provider)
        with told():
            return ClockOut(now=await billing.vendor.time(instance.id))

    @post("/{provider:str}/clock", operation_id="movePaymentClock", status_code=200)
    async def move_clock(
        self,
        request: Request[Any, Any, Any],
        provider: FromPath[str],
        data: JSONBody[ClockIn],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
    ) -> ClockOut:
        """Move the time of such a provider forward: what becomes due by then happens."""
        instance = _with_clock(billing.vendor, provider)
        with told():
            now = await billing.vendor.advance(instance.id, data.advance_days)
        about = {"actor_id": request.user.id, "ip": ip_of(request), "object": f"instance:{instance.id}"}
        async with database.write() as session:
            audit(session, "payment.move_clock", **about)
        return ClockOut(now=now)

    @get("/{task:str}", operation_id="getCustomerBackfill")
    async def backfill_state(self, task: FromPath[str], billing: NamedDependency[Billing]) -> BackfillOut:
        """Return how far `backfill-{provider}-customers` has come."""
        instance = _to_fill(billing.vendor, task)
        return _progress_out(await billing.backfill.progress(instance.id))

    @post("/{task:str}", operation_id="backfillCustomers", status_code=200)
    async def backfill(
        self,
        request: Request[Any, Any, Any],
        task: FromPath[str],
        database: NamedDependency[Database],
        billing: NamedDependency[Billing],
    ) -> BackfillOut:
        """Make a customer of every user who is none yet: `backfill-{provider}-customers`; it goes on by itself."""
        instance = _to_fill(billing.vendor, task)
        about = {"actor_id": request.user.id, "ip": ip_of(request), "object": f"instance:{instance.id}"}
        async with database.write() as session:
            audit(session, "payment.backfill", **about)
        await billing.backfill.begin(instance.id)
        return _progress_out(await billing.backfill.ended(instance.id, wait_s=BACKFILL_WAIT_S))


def _named(vendor: Vendor, provider: str) -> PaymentInstance:
    """Return the active instance if this is its provider. Raises Absent."""
    try:
        instance = vendor.active()
    except NoProvider as error:
        raise Absent from error
    if instance.provider_id != provider:
        raise Absent
    return instance


def _with_clock(vendor: Vendor, provider: str) -> PaymentInstance:
    instance = _named(vendor, provider)
    if not instance.capabilities.test_clock:
        raise Absent
    return instance


def _to_fill(vendor: Vendor, task: str) -> PaymentInstance:
    if not (task.startswith("backfill-") and task.endswith("-customers")):
        raise Absent
    return _named(vendor, task.removeprefix("backfill-").removesuffix("-customers"))


def _progress_out(progress: Progress) -> BackfillOut:
    summary = BackfillSummary(processed=progress.processed, errors=progress.errors)
    return BackfillOut(summary=summary, running=progress.running)


async def _count(connection: AsyncConnection, query: Any) -> int:
    return int((await connection.execute(query)).scalar_one())
