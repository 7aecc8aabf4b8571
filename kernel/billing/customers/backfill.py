"""Creates customers for existing users: long, in the background, resumed after an interruption."""

import asyncio
import logging
import time
from datetime import timedelta
from typing import Any, Final, NoReturn

import msgspec
from sqlalchemy import select, update

from kernel.accounts.models import User
from kernel.billing.customers.service import Customers, Payer, payer
from kernel.billing.models import BillingCustomer, PaymentBackfill
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core import clock
from kernel.core.data.database import Database, insert_into
from kernel.core.data.job_pause import is_paused
from kernel.core.errors import AppError
from kernel.core.fault_points import faultpoint
from kernel.core.queue.job_loop import Waiting, repeat
from kernel.providers import NoProviderAvailable
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

PER_SECOND: Final = 15
"""Vendors allow 25 calls a second, and users pay at the same time."""

CLAIM_S: Final = 120.0
TRIES: Final = 3
PAUSE_S: Final = 2.0
MOST_IN_A_ROW: Final = 10
"""After this many failures in a row the run is ended."""

POLL_S: Final = 0.2


class BackfillProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of one instance."""

    running: bool
    processed: int
    errors: int


_PROGRESS: Final = tuple(getattr(PaymentBackfill, name) for name in BackfillProgress.__struct_fields__)


class Backfill:
    """One row per instance holds the progress; the worker that holds its lease continues it."""

    def __init__(self, database: Database, gateway: PaymentGateway, locks: UserLocks, customers: Customers) -> None:
        self._database = database
        self._gateway = gateway
        self._locks = locks
        self._customers = customers

    async def progress(self, instance_id: str) -> BackfillProgress:
        """Return the progress."""
        query = select(*_PROGRESS).where(PaymentBackfill.instance_id == instance_id)
        async with self._database.scan() as connection:
            row = (await connection.execute(query)).one_or_none()
        return BackfillProgress(**row._asdict()) if row else BackfillProgress(running=False, processed=0, errors=0)

    async def begin(self, instance_id: str) -> None:
        """Start the run; one that is running already is left alone."""
        fresh = {"running": True, "last_user": 0, "processed": 0, "errors": 0, "run_after": clock.now()}
        async with self._database.write() as session:
            row = insert_into(session, PaymentBackfill).values(instance_id=instance_id, **fresh)
            again = row.on_conflict_do_update(
                index_elements=["instance_id"], set_=fresh, where=~PaymentBackfill.running
            )
            await session.execute(again)

    async def ended(self, instance_id: str, *, wait_s: float) -> BackfillProgress:
        """Wait for the end, at most this long, and return the progress."""
        ends = time.monotonic() + wait_s
        while (progress := await self.progress(instance_id)).running and time.monotonic() < ends:
            await asyncio.sleep(POLL_S)
        return progress

    async def run(self) -> NoReturn:
        """Continue until cancelled; one failure does not end the loop."""
        running = select(PaymentBackfill.instance_id).where(PaymentBackfill.running)
        await repeat("customer backfill", self.step, waiting=Waiting(self._database, running))

    async def step(self) -> bool:
        """Continue runs that no worker holds."""
        due = (PaymentBackfill.running, PaymentBackfill.run_after <= clock.now(), ~is_paused(PaymentBackfill.job_kind))
        async with self._database.read() as connection:
            ids = list((await connection.execute(select(PaymentBackfill.instance_id).where(*due))).scalars())
        for instance_id in ids:
            lease = update(PaymentBackfill).where(PaymentBackfill.instance_id == instance_id, *due)
            async with self._database.write() as session:
                claimed = lease.values(run_after=_lease()).returning(PaymentBackfill.last_user)
                last_user = (await session.execute(claimed)).scalar_one_or_none()
            if last_user is not None:
                await self._run(instance_id, last_user)
        return False

    async def _run(self, instance_id: str, last_user: int) -> None:
        failed_in_a_row = 0
        while (person := await self._next(instance_id, last_user)) is not None:
            began, last_user = time.monotonic(), person.id
            error = await self._create(instance_id, person)
            failed_in_a_row = failed_in_a_row + 1 if error else 0
            gives_up = failed_in_a_row >= MOST_IN_A_ROW
            await self._note(
                instance_id,
                running=not gives_up,
                last_user=person.id,
                processed=PaymentBackfill.processed + 1,
                errors=PaymentBackfill.errors + (1 if error else 0),
                run_after=_lease(),
            )
            if gives_up:
                log.error("backfill of %s stopped after %d failures in a row", instance_id, failed_in_a_row)
                return
            faultpoint("payment_backfilled")
            await asyncio.sleep(max(0.0, 1 / PER_SECOND - (time.monotonic() - began)))
        await self._note(instance_id, running=False, run_after=clock.now())

    async def _next(self, instance_id: str, last_user: int) -> Payer | None:
        """Return the next user who is no customer yet."""
        customers = select(BillingCustomer.user_id).where(BillingCustomer.instance_id == instance_id)
        query = (
            select(User.id, User.email, User.first_name, User.last_name)
            .where(User.id > last_user, User.leaving_at.is_(None), User.id.not_in(customers))
            .order_by(User.id)
            .limit(1)
        )
        async with self._database.scan() as connection:
            row = (await connection.execute(query)).one_or_none()
        return payer(*row) if row else None

    async def _create(self, instance_id: str, person: Payer) -> Exception | None:
        """Create one customer; return the reason if that fails."""
        for attempt in range(TRIES):
            try:
                async with self._locks.hold(person.id):
                    await self._customers.ensure(person, instance_id)
                return None
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("no customer for user %d at %s: %s", person.id, instance_id, type(error).__name__)
                if attempt + 1 == TRIES or not getattr(error, "retry", False):
                    return error
                await asyncio.sleep(min(getattr(error, "retry_after", None) or PAUSE_S, PAUSE_S * 5))
        return None

    async def _note(self, instance_id: str, **values: Any) -> None:
        async with self._database.write() as session:
            this = PaymentBackfill.instance_id == instance_id
            await session.execute(update(PaymentBackfill).where(this).values(**values))


def _lease() -> Any:
    return clock.now() + timedelta(seconds=CLAIM_S)
