"""What administrators do with payments. Calls name the active provider; any other is not there."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import func, select

from kernel.accounts.models import User
from kernel.billing.customers.backfill import Backfill, BackfillProgress
from kernel.billing.entitlement import Entitlement
from kernel.billing.models import BillingCustomer, PaymentInvoice
from kernel.billing.pricing.choice import PriceChoice
from kernel.billing.pricing.prices import Prices
from kernel.billing.schemas import PaymentsOverview, RefundOut
from kernel.billing.subscriptions.vendor_events import CUSTOMER, queue_resync
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance, user_facing_errors
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, InvalidFields, NoProvider
from kernel.core.field_errors import FieldError
from kernel.spi import CatalogProduct

BACKFILL_WAIT_S: Final = 5.0
"""So long an administrator is kept waiting for the end; it goes on by itself."""

NO_PAYMENT: Final = FieldError("refund_unknown_invoice", "No paid invoice has this number.")
PRESENT: Final = User.leaving_at.is_(None)


class PaymentAdminService:
    """What is sold as Pro, and to whom. Raises Absent for any provider but the active one."""

    def __init__(
        self, database: Database, gateway: PaymentGateway, prices: Prices, entitlement: Entitlement, backfill: Backfill
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._prices = prices
        self._entitlement = entitlement
        self._backfill = backfill

    async def overview(self) -> PaymentsOverview:
        """Return who sells, what was chosen, and how many people pay. Raises NoProvider."""
        instance = self._gateway.active()
        async with self._database.scan() as connection:
            choice = await self._prices.choice(connection)
            return PaymentsOverview(
                provider=instance.provider_id,
                live=instance.capabilities.live,
                sends_receipts=instance.capabilities.sends_receipts,
                sends_trial_notices=instance.capabilities.sends_trial_notices,
                sends_card_notices=instance.capabilities.sends_card_notices,
                sends_refund_notices=instance.capabilities.sends_refund_notices,
                test_refunds=instance.capabilities.test_refunds,
                promotion_codes=instance.capabilities.promotion_codes,
                users=await _count(connection, select(func.count()).where(PRESENT)),
                pro=await _count(connection, select(func.count()).where(PRESENT, self._entitlement.pro())),
                customers=await _count(
                    connection,
                    select(func.count())
                    .select_from(BillingCustomer)
                    .join(User)
                    .where(PRESENT, BillingCustomer.instance_id == instance.id, ~BillingCustomer.gone),
                ),
                product_id=choice.product if choice else None,
                price_id=choice.price if choice else None,
                other_price_ids=list(choice.others) if choice else [],
            )

    async def products(self, provider: str) -> list[CatalogProduct]:
        """Return what the provider can sell."""
        instance = self._active(provider)
        with user_facing_errors():
            return list(await self._prices.copy(instance.id))

    async def choose(
        self, provider: str, product: str | None, price: str | None, others: Sequence[str], actor: Actor
    ) -> PriceChoice:
        """Choose what is sold as Pro from now on. Raises InvalidFields."""
        instance = self._active(provider)
        with user_facing_errors():
            return await self._prices.choose(instance, product, price, actor, others)

    async def time(self, provider: str) -> float:
        """Return the time of a provider that can be moved through time."""
        instance = self._with_clock(provider)
        with user_facing_errors():
            return await self._gateway.time(instance.id)

    async def advance(self, provider: str, days: int, actor: Actor) -> float:
        """Move the time of such a provider forward: what becomes due by then happens."""
        instance = self._with_clock(provider)
        with user_facing_errors():
            now = await self._gateway.advance(instance.id, days)
        await self._record("payment.move_clock", instance, actor)
        return now

    async def refund(self, provider: str, number: str, total: int | None, actor: Actor) -> RefundOut:
        """Refund an invoice until `total` is refunded in all, the whole of it for None. Raises InvalidFields."""
        instance = self._active(provider)
        if not instance.capabilities.test_refunds:
            raise Absent
        mine = (PaymentInvoice.instance_id == instance.id, PaymentInvoice.number == number.strip())
        columns = (PaymentInvoice.ref, PaymentInvoice.state, PaymentInvoice.paid, PaymentInvoice.currency)
        query = select(*columns, PaymentInvoice.number, BillingCustomer.customer).join(BillingCustomer).where(*mine)
        async with self._database.read() as connection:
            invoice = (await connection.execute(query)).first()
        if invoice is None or invoice.state != "paid" or invoice.paid <= 0:
            raise InvalidFields({"number": NO_PAYMENT})
        whole = invoice.paid if total is None else total
        if whole > invoice.paid:
            raise InvalidFields({"total": FieldError("refund_too_much", "More than was paid cannot be refunded.")})
        with user_facing_errors():
            await self._gateway.refund(instance.id, invoice.ref, total=whole)
        about = f"instance:{instance.id}"
        async with self._database.write() as session:
            audit(
                session,
                "payment.refund",
                actor_id=actor.id,
                ip=actor.ip,
                object=about,
                after={"number": number, "refunded": whole},
            )
            await queue_resync(session, instance.id, CUSTOMER, invoice.customer)
        return RefundOut(number=invoice.number, currency=invoice.currency, paid=invoice.paid, refunded=whole)

    async def backfill_progress(self, task: str) -> BackfillProgress:
        """Return how far `backfill-{provider}-customers` has come."""
        return await self._backfill.progress(self._to_fill(task).id)

    async def begin_backfill(self, task: str, actor: Actor) -> BackfillProgress:
        """Make a customer of every user who is none yet; it goes on by itself after BACKFILL_WAIT_S."""
        instance = self._to_fill(task)
        await self._record("payment.backfill", instance, actor)
        await self._backfill.begin(instance.id)
        return await self._backfill.ended(instance.id, wait_s=BACKFILL_WAIT_S)

    async def _record(self, action: str, instance: PaymentInstance, actor: Actor) -> None:
        about = f"instance:{instance.id}"
        async with self._database.write() as session:
            audit(session, action, actor_id=actor.id, ip=actor.ip, object=about)

    def _active(self, provider: str) -> PaymentInstance:
        """Return the active instance if this is its provider. Raises Absent."""
        try:
            instance = self._gateway.active()
        except NoProvider as error:
            raise Absent from error
        if instance.provider_id != provider:
            raise Absent
        return instance

    def _with_clock(self, provider: str) -> PaymentInstance:
        instance = self._active(provider)
        if not instance.capabilities.test_clock:
            raise Absent
        return instance

    def _to_fill(self, task: str) -> PaymentInstance:
        if not (task.startswith("backfill-") and task.endswith("-customers")):
            raise Absent
        return self._active(task.removeprefix("backfill-").removesuffix("-customers"))


async def _count(connection: ReadConnection, query: Any) -> int:
    return int((await connection.execute(query)).scalar_one())
