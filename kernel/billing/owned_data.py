"""Subscriptions as data that an account owns: included in an export, ended at the vendor with the account."""

from collections.abc import AsyncIterator
from typing import Final

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile, json_file
from kernel.billing.customers.deletion import delete_customers_later
from kernel.billing.models import (
    BillingCustomer,
    Cancellation,
    PaymentEmail,
    PaymentInvoice,
    PaymentOperation,
    Subscription,
)
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.core.data.database import Database

_SUBSCRIPTION: Final = (
    Subscription.instance_id,
    Subscription.ref,
    Subscription.price,
    Subscription.state,
    Subscription.period_end,
    Subscription.cancel_at,
    Subscription.canceled_at,
    Subscription.ended_at,
    Subscription.card_brand,
    Subscription.card_last4,
    Subscription.card_exp_month,
    Subscription.card_exp_year,
    Subscription.promotion_code,
    Subscription.next_amount,
    Subscription.paused_until,
    Subscription.created_at,
)
_INVOICE: Final = (
    PaymentInvoice.instance_id,
    PaymentInvoice.ref,
    PaymentInvoice.number,
    PaymentInvoice.state,
    PaymentInvoice.total,
    PaymentInvoice.paid,
    PaymentInvoice.currency,
    PaymentInvoice.created,
    PaymentInvoice.tax,
    PaymentInvoice.due_at,
    PaymentInvoice.refunded,
    PaymentInvoice.refunded_at,
)
_EMAIL: Final = (PaymentEmail.instance_id, PaymentEmail.kind, PaymentEmail.subject, PaymentEmail.created_at)
_CANCELLATION: Final = (Cancellation.canceled_at, Cancellation.reason, Cancellation.comment)
_PRICE_CHANGE: Final = (
    PriceMove.old_amount,
    PriceMove.new_amount,
    PriceMove.currency,
    PriceMove.interval,
    MovedSubscriber.state,
    MovedSubscriber.reason,
    MovedSubscriber.told_at,
    MovedSubscriber.notice_ends,
    MovedSubscriber.renews_at,
)
_MAKING: Final = PaymentOperation.action == "customer"


class BillingData:
    """A user's purchases. Deleted with the account; the customer at the vendor is deleted by a worker afterwards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield subscriptions.json, cancellations.json, invoices.json, payment_emails.json and price_changes.json."""
        async with self._database.scan() as connection:
            mine = select(*_SUBSCRIPTION).where(Subscription.user_id == user_id).order_by(Subscription.id)
            subscriptions = (await connection.execute(mine)).all()
            why = select(*_CANCELLATION).where(Cancellation.user_id == user_id).order_by(Cancellation.id)
            cancellations = (await connection.execute(why)).all()
            paid = select(*_INVOICE).where(PaymentInvoice.user_id == user_id).order_by(PaymentInvoice.id)
            invoices = (await connection.execute(paid)).all()
            told = select(*_EMAIL).where(PaymentEmail.user_id == user_id).order_by(PaymentEmail.id)
            emails = (await connection.execute(told)).all()
            moves = select(*_PRICE_CHANGE).join(PriceMove, PriceMove.id == MovedSubscriber.move_id)
            announced = moves.where(MovedSubscriber.user_id == user_id).order_by(MovedSubscriber.id)
            price_changes = (await connection.execute(announced)).all()
        yield ExportFile(name="subscriptions.json", chunks=json_file([row._asdict() for row in subscriptions]))
        yield ExportFile(name="cancellations.json", chunks=json_file([row._asdict() for row in cancellations]))
        yield ExportFile(name="invoices.json", chunks=json_file([row._asdict() for row in invoices]))
        yield ExportFile(name="payment_emails.json", chunks=json_file([row._asdict() for row in emails]))
        yield ExportFile(name="price_changes.json", chunks=json_file([row._asdict() for row in price_changes]))

    async def remove(self, user_id: int) -> None:
        """Queue the deletion of the customers at their vendors, and delete everything else.

        Of a customer whose creation was interrupted only the key is known: a worker finds the customer by that.
        """
        async with self._database.write() as session:
            await delete_customers_later(session, user_id)
            await session.execute(delete(PaymentOperation).where(~_MAKING, PaymentOperation.user_id == user_id))
            await session.execute(delete(PaymentEmail).where(PaymentEmail.user_id == user_id))
            await session.execute(delete(MovedSubscriber).where(MovedSubscriber.user_id == user_id))
            await session.execute(delete(Cancellation).where(Cancellation.user_id == user_id))
            await session.execute(delete(BillingCustomer).where(BillingCustomer.user_id == user_id))

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return whether a purchase that was in progress has created a customer since, or may have."""
        made = exists().where(BillingCustomer.user_id == user_id)
        making = exists().where(_MAKING, PaymentOperation.user_id == user_id)
        return bool((await session.execute(select(or_(made, making)))).scalar_one())
