"""People as vendors know them: made when somebody first pays, or for everybody by the backfill."""

from typing import Final

import msgspec
from sqlalchemy import insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.billing.models import REF_CHARS, BillingCustomer, PaymentInvoice, Subscription
from kernel.billing.operations import Operations, drop
from kernel.billing.removal import remove_later
from kernel.billing.vendor import Vendor
from kernel.core import clock
from kernel.core.database import Database, changed_rows
from kernel.core.errors import SignedOut
from kernel.core.faults import faultpoint
from kernel.core.texts import storable
from kernel.spi import CustomerRequest


class Payer(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to be a customer."""

    id: int
    email: str
    name: str


def payer(user_id: int, email: str, *names: str | None) -> Payer:
    """Return who is to be a customer; names that are not known are left out."""
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
    """Finds and makes customers. Whoever makes one holds the user's lock."""

    def __init__(self, database: Database, vendor: Vendor, operations: Operations) -> None:
        self._database = database
        self._vendor = vendor
        self._operations = operations

    async def of(self, user_id: int) -> list[Customer]:
        """Return somebody's customers, of every instance."""
        query = select(*CUSTOMER_COLUMNS).where(BillingCustomer.user_id == user_id).order_by(BillingCustomer.id.desc())
        async with self._database.read() as connection:
            return [Customer(**row._asdict()) for row in await connection.execute(query)]

    async def buyers(self, user_id: int) -> list[Customer]:
        """Return those of somebody's customers who have bought something."""
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
        """Return the row of a customer, or None when it is nobody's."""
        query = select(*CUSTOMER_COLUMNS).where(
            BillingCustomer.instance_id == instance_id, BillingCustomer.customer == storable(customer, REF_CHARS)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return Customer(**row._asdict()) if row else None

    async def ensure(self, person: Payer, instance_id: str) -> Customer:
        """Return the customer of this person, made or found again at the vendor's.

        Raises ProviderError, NoProviderAvailable, and SignedOut when the account went away meanwhile.
        """
        known = next((entry for entry in await self.of(person.id) if entry.instance_id == instance_id), None)
        # The same try must ask for the same, or the vendor refuses its key.
        asked = {"email": person.email, "name": person.name} | ({"known": known.customer} if known else {})
        async with self._operations.under_way(person.id, instance_id, "customer", "", asked) as operation:
            customer = await self._vendor.ensure_customer(
                instance_id,
                CustomerRequest(user_ref=str(person.id), idempotency_key=operation.key, **operation.request),
            )
            faultpoint("payment_customer_made")
            return await self._keep(person.id, instance_id, customer, operation.key)

    async def _keep(self, user_id: int, instance_id: str, customer: str, key: str) -> Customer:
        """Store what the vendor calls the person. An account that is gone by now leaves nobody at the vendor's."""
        ref = storable(customer, REF_CHARS)
        async with self._database.write() as session:
            there = select(User.id).where(User.id == user_id, User.leaving_at.is_(None)).with_for_update()
            alive = (await session.execute(there)).first()
            if alive:
                kept = await _store(session, user_id, instance_id, ref)
                await drop(session, key)
                return kept
            await remove_later(session, instance_id, ref)
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
