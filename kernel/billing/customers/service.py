"""Users as customers of vendors: created at their first payment, or for all users by the backfill."""

from typing import Final

import msgspec
from sqlalchemy import insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.billing.customers.deletion import delete_customer_later
from kernel.billing.models import REF_CHARS, BillingCustomer, PaymentInvoice, Subscription
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.operations import VendorOperations, drop
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.core.errors import SignedOut
from kernel.core.fault_points import faultpoint
from kernel.core.text.storable import storable
from kernel.spi import CustomerRequest


class Payer(msgspec.Struct, frozen=True, kw_only=True):
    """The data from which a customer is created."""

    id: int
    email: str
    name: str


def payer(user_id: int, email: str, *names: str | None) -> Payer:
    """Return the data of a customer; unknown names are left out."""
    return Payer(id=user_id, email=email, name=" ".join(name for name in names if name))


class Customer(msgspec.Struct, frozen=True, kw_only=True):
    """A customer's row."""

    id: int
    user_id: int
    instance_id: str
    customer: str
    gone: bool


CUSTOMER_COLUMNS: Final = tuple(getattr(BillingCustomer, name) for name in Customer.__struct_fields__)


class Customers:
    """Finds and creates customers. The caller of a method that creates one holds the user's lock."""

    def __init__(self, database: Database, gateway: PaymentGateway, operations: VendorOperations) -> None:
        self._database = database
        self._gateway = gateway
        self._operations = operations

    async def of(self, user_id: int) -> list[Customer]:
        """Return a user's customers, of every instance."""
        query = select(*CUSTOMER_COLUMNS).where(BillingCustomer.user_id == user_id).order_by(BillingCustomer.id.desc())
        async with self._database.read() as connection:
            return [Customer(**row._asdict()) for row in await connection.execute(query)]

    async def buyers(self, user_id: int) -> list[Customer]:
        """Return those of a user's customers that have bought something."""
        here = Subscription.customer_id == BillingCustomer.id
        bought = or_(
            select(Subscription.id).where(here, Subscription.is_current).exists(),
            select(PaymentInvoice.id).where(PaymentInvoice.customer_id == BillingCustomer.id).exists(),
        )
        query = select(*CUSTOMER_COLUMNS).where(BillingCustomer.user_id == user_id, ~BillingCustomer.gone, bought)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(BillingCustomer.id.desc()))
            return [Customer(**row._asdict()) for row in rows]

    async def find(self, instance_id: str, customer: str) -> Customer | None:
        """Return the row of a customer, or None when it belongs to no user."""
        query = select(*CUSTOMER_COLUMNS).where(
            BillingCustomer.instance_id == instance_id, BillingCustomer.customer == storable(customer, REF_CHARS)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return Customer(**row._asdict()) if row else None

    async def ensure(self, person: Payer, instance_id: str) -> Customer:
        """Return the customer of this user, created or found again at the vendor.

        Raises ProviderError, NoProviderAvailable, and SignedOut when the account was deleted meanwhile.
        """
        known = next((entry for entry in await self.of(person.id) if entry.instance_id == instance_id), None)
        # A retry must send the same request, or the vendor refuses its key.
        fields = {"email": person.email, "name": person.name} | ({"known": known.customer} if known else {})
        async with self._operations.open_operation(person.id, instance_id, "customer", "", fields) as operation:
            customer = await self._gateway.ensure_customer(
                instance_id,
                CustomerRequest(user_ref=str(person.id), idempotency_key=operation.key, **operation.request),
            )
            faultpoint("payment_customer_made")
            return await self._save(person.id, instance_id, customer, operation.key)

    async def _save(self, user_id: int, instance_id: str, customer: str, key: str) -> Customer:
        """Store the vendor's id of the user. If the account was deleted meanwhile, queue the customer's deletion."""
        ref = storable(customer, REF_CHARS)
        async with self._database.write() as session:
            there = select(User.id).where(User.id == user_id, User.leaving_at.is_(None)).with_for_update()
            alive = (await session.execute(there)).first()
            if alive:
                kept = await _store(session, user_id, instance_id, ref)
                await drop(session, key)
                return kept
            await delete_customer_later(session, instance_id, ref)
        raise SignedOut


async def _store(session: AsyncSession, user_id: int, instance_id: str, ref: str) -> Customer:
    same = (BillingCustomer.user_id == user_id, BillingCustomer.instance_id == instance_id)
    values = {"customer": ref, "gone": False}
    if not await changed_rows(session, update(BillingCustomer).where(*same).values(**values)):
        fresh = {"reading": 0, "applied": 0, "check_after": clock.now(), "created_at": clock.now()}
        new = insert(BillingCustomer).values(user_id=user_id, instance_id=instance_id, **values, **fresh)
        await session.execute(new)
    await session.execute(update(User).where(User.id == user_id).values(payment_customer=ref))
    row = (await session.execute(select(*CUSTOMER_COLUMNS).where(*same))).one()
    return Customer(**row._asdict())
