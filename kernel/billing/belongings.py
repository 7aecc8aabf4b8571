"""Subscriptions as belongings of an account: taken along in an export, ended at the vendor's when the account goes."""

from collections.abc import AsyncIterator
from typing import Final

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.belongings import ExportFile, json_file
from kernel.billing.models import BillingCustomer, PaymentInvoice, PaymentOperation, Subscription
from kernel.billing.removal import leave
from kernel.core.database import Database

_SUBSCRIPTION: Final = (
    Subscription.instance_id,
    Subscription.ref,
    Subscription.price,
    Subscription.state,
    Subscription.period_end,
    Subscription.cancel_at,
    Subscription.canceled_at,
    Subscription.ended_at,
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
)
_MAKING: Final = PaymentOperation.action == "customer"


class Purchases:
    """What somebody bought. Goes with the account at once; the vendor is told by a worker, however long that takes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield subscriptions.json and invoices.json."""
        async with self._database.read() as connection:
            mine = select(*_SUBSCRIPTION).where(Subscription.user_id == user_id).order_by(Subscription.id)
            subscriptions = (await connection.execute(mine)).all()
            paid = select(*_INVOICE).where(PaymentInvoice.user_id == user_id).order_by(PaymentInvoice.id)
            invoices = (await connection.execute(paid)).all()
        yield ExportFile(name="subscriptions.json", chunks=json_file([row._asdict() for row in subscriptions]))
        yield ExportFile(name="invoices.json", chunks=json_file([row._asdict() for row in invoices]))

    async def remove(self, user_id: int) -> None:
        """Put the customers down to be deleted at their vendors, and forget everything else.

        Of a customer whose making was torn off nothing is known but the key: a worker finds it by that.
        """
        async with self._database.write() as session:
            await leave(session, user_id)
            await session.execute(delete(PaymentOperation).where(~_MAKING, PaymentOperation.user_id == user_id))
            await session.execute(delete(BillingCustomer).where(BillingCustomer.user_id == user_id))

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say whether a purchase that was under way has made a customer since, or may have."""
        made = exists().where(BillingCustomer.user_id == user_id)
        making = exists().where(_MAKING, PaymentOperation.user_id == user_id)
        return bool((await session.execute(select(or_(made, making)))).scalar_one())
