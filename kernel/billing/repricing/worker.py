"""Carries out moves in small steps: tells each subscriber once, and moves them shortly before their renewal.

Every step claims one row and can be repeated. A letter is queued in the transaction that notes it. The vendor is asked
under the key of a stored operation, and what it then reports decides: whoever is killed in between finds it done.
"""

import asyncio
import hashlib
import logging
from datetime import timedelta
from typing import Any, Final, NoReturn

from sqlalchemy import exists, select, update

from kernel.accounts.auth.account_emails import PRICE_CHANGING
from kernel.billing.customers.service import Customer
from kernel.billing.entitlement import DAY_S
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.repricing.due import DUE, PENDING, DueSubscriber
from kernel.billing.repricing.schemas import LeftOutReason
from kernel.billing.subscriptions.payment_emails import AnnouncedPrice, PaymentEmails
from kernel.billing.subscriptions.subscription_sync import SubscriptionSync
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.operations import VendorOperations
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.core.data.job_pause import is_paused
from kernel.core.errors import AppError
from kernel.core.fault_points import faultpoint
from kernel.core.outbox import withdraw_emails
from kernel.core.queue.job_loop import Waiting, repeat
from kernel.providers import NoProviderAvailable
from kernel.spi import InvalidRequest, NotFound, PaymentDeclined, ProviderError, Unsupported

log = logging.getLogger(__name__)

BATCH: Final = 50
EVERY_S: Final = 5.0
PER_SECOND: Final = 5
"""Subscribers that are moved; each takes several calls, and users pay at the same time."""

AGAIN: Final = timedelta(minutes=5)
"""When a step that failed is tried again. It is also the claim: no other worker takes the row before."""

UNPAUSED: Final = ~is_paused(PriceMove.job_kind)

LOOK: Final = timedelta(days=1)
"""How often whoever was told is looked at, so that administrators see who has cancelled."""

TEST_LOOK: Final = timedelta(seconds=10)
"""The same at a vendor whose clock is moved by hand."""


class PriceMoveWorker:
    """Runs in every worker; what one has claimed no other does."""

    def __init__(
        self,
        database: Database,
        gateway: PaymentGateway,
        locks: UserLocks,
        operations: VendorOperations,
        subscription_sync: SubscriptionSync,
        emails: PaymentEmails,
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._locks = locks
        self._operations = operations
        self._subscription_sync = subscription_sync
        self._emails = emails

    async def run(self) -> NoReturn:
        """Carry out moves until cancelled; one failure ends no loop."""
        pending = select(MovedSubscriber.id).where(PENDING)
        await repeat("price moves", self.step, every_s=EVERY_S, waiting=Waiting(self._database, pending))

    async def step(self) -> bool:
        """Do what is due for one batch of subscribers; say whether there may be more."""
        due = select(MovedSubscriber.id).where(PENDING, MovedSubscriber.run_after <= clock.now(), UNPAUSED)
        async with self._database.read() as connection:
            ids = (await connection.execute(due.order_by(MovedSubscriber.run_after).limit(BATCH))).scalars().all()
        for row_id in ids:
            if (person := await self._claim(row_id)) is None:
                continue
            try:
                await (self._tell(person) if person.state == "waiting" else self._follow(person))
            except (ProviderError, NoProviderAvailable, AppError) as error:
                log.warning("subscriber %d of a price move: %s", person.id, type(error).__name__)
        await self._finish()
        return len(ids) == BATCH

    async def _claim(self, row_id: int) -> DueSubscriber | None:
        """Take one row for AGAIN; None when another worker has it, or it is not pending any more."""
        moment = clock.now()
        mine = update(MovedSubscriber).where(MovedSubscriber.id == row_id, PENDING, UNPAUSED)
        mine = mine.where(MovedSubscriber.run_after <= moment)
        async with self._database.write() as session:
            if not await changed_rows(session, mine.values(run_after=moment + AGAIN)):
                return None
        return await self._read(row_id)

    async def _read(self, row_id: int) -> DueSubscriber | None:
        async with self._database.read() as connection:
            row = (await connection.execute(DUE.where(MovedSubscriber.id == row_id, PENDING))).one_or_none()
        return DueSubscriber(**row._asdict()) if row else None

    async def _tell(self, person: DueSubscriber) -> None:
        """Queue the letter of somebody whose notice begins now."""
        if reason := person.why_not:
            await self._leave_out(person, reason)
            return
        notice_ends = int(await self._now(person.instance_id)) + person.notice_days * DAY_S
        customer = Customer(
            id=person.customer_id,
            user_id=person.user_id,
            instance_id=person.instance_id,
            customer=person.customer,
            gone=False,
        )
        news = AnnouncedPrice(
            subject=f"{person.ref}/{person.move_id}",
            old_amount=person.old_amount,
            new_amount=person.new_amount,
            currency=person.currency,
            starts=notice_ends,
        )
        told = {"state": "told", "told_at": clock.now(), "notice_ends": notice_ends, "run_after": clock.now()}
        async with self._database.write() as session:
            waiting = (MovedSubscriber.id == person.id, MovedSubscriber.state == "waiting")
            if await changed_rows(session, update(MovedSubscriber).where(*waiting).values(**told)):
                await self._emails.about_price(session, customer, news)
            faultpoint("price_told")

    async def _follow(self, person: DueSubscriber) -> None:
        """Move somebody who was told, once it is time; leave out who does not have the old price any more."""
        if not person.is_moved and person.move_state == "running":
            if reason := person.why_not:
                await self._leave_out(person, reason)
                return
            now = await self._now(person.instance_id)
            if not person.may_move(now):
                await self._wait(person, person.moves_at - now)
                return
        async with self._locks.hold(person.user_id):
            await self._move(person)
        await asyncio.sleep(1 / PER_SECOND)

    async def _move(self, person: DueSubscriber) -> None:
        """Have the vendor change the price, unless what it reports is against it; note what has become of it."""
        fresh = await self._refreshed(person)
        if fresh is None:
            return
        if fresh.move_state != "running" and not fresh.is_moved:
            await self._note(fresh, state="stopped")
            return
        if not fresh.is_moved and fresh.why_not is None and fresh.may_move(await self._now(fresh.instance_id)):
            try:
                await self._ask(fresh)
            except (InvalidRequest, Unsupported, PaymentDeclined):
                await self._leave_out(fresh, "refused")
                return
            except NotFound:
                log.warning("the subscription of subscriber %d is gone", fresh.id)
            fresh = await self._refreshed(fresh)
        if fresh is None:
            return
        if fresh.is_moved:
            await self._operations.forget_all(fresh.user_id, fresh.instance_id, "move")  # its answer may have been lost
            await self._note(fresh, state="moved", renews_at=fresh.period_end)
        elif reason := fresh.why_not:
            await self._leave_out(fresh, reason)

    async def _ask(self, person: DueSubscriber) -> None:
        subject = hashlib.sha256(f"{person.ref}\n{person.new_price}".encode()).hexdigest()
        request = {"price": person.new_price}
        if not await self._note(person, asked_at=clock.now()):
            return  # stopped just now: from here on a stop leaves this row to us
        async with self._operations.open_operation(
            person.user_id, person.instance_id, "move", subject, request
        ) as operation:
            await self._gateway.change_at_renewal(
                person.instance_id, person.ref, price=person.new_price, key=operation.key
            )
            faultpoint("price_moved")
            await self._operations.forget(operation.key)

    async def _refreshed(self, person: DueSubscriber) -> DueSubscriber | None:
        """Read the subscription from the vendor, then the row; None when it is not pending any more."""
        await self._subscription_sync.refresh(person.user_id, only=person.customer_id)
        return await self._read(person.id)

    async def _now(self, instance_id: str) -> float:
        """Return the vendor's time: another than ours only where it is moved by hand. Raises as a call does."""
        instance = self._gateway.known(instance_id)
        if instance is not None and instance.capabilities.test_clock:
            return await self._gateway.time(instance_id)
        return clock.now_unix()

    async def _wait(self, person: DueSubscriber, for_s: float) -> None:
        instance = self._gateway.known(person.instance_id)
        longest = TEST_LOOK if instance is not None and instance.capabilities.test_clock else LOOK
        # past_due: its renewal may be paid at any time
        wait = min(longest, timedelta(seconds=for_s)) if for_s > 0 else longest
        await self._note(person, run_after=clock.now() + wait)

    async def _leave_out(self, person: DueSubscriber, reason: LeftOutReason) -> None:
        """Let somebody be; a letter that has not been sent yet would not be true any more."""
        mine = update(MovedSubscriber).where(MovedSubscriber.id == person.id, PENDING)
        async with self._database.write() as session:
            if await changed_rows(session, mine.values(state="left_out", reason=reason)):
                await withdraw_emails(session, person.user_id, (PRICE_CHANGING,))

    async def _note(self, person: DueSubscriber, **values: Any) -> bool:
        """Change the row; say whether it was still pending."""
        mine = update(MovedSubscriber).where(MovedSubscriber.id == person.id, PENDING)
        async with self._database.write() as session:
            return await changed_rows(session, mine.values(**values)) == 1

    async def _finish(self) -> None:
        """End moves in which nobody is pending."""
        left = exists().where(MovedSubscriber.move_id == PriceMove.id, PENDING)
        over = (PriceMove.state == "running", ~left)
        async with self._database.read() as connection:
            if (await connection.execute(select(PriceMove.id).where(*over).limit(1))).first() is None:
                return
        async with self._database.write() as session:
            ended = update(PriceMove).where(*over).values(state="finished", ended_at=clock.now())
            await session.execute(ended)
