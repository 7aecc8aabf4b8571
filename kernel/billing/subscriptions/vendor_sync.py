"""Reads a customer's state from the vendor and stores it: the only code that changes a subscription's row.

The caller holds the user's lock. Should the lock be lost, the number of the read decides: one that was begun earlier
than what is already stored is dropped, and a re-sync of the customer is queued.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import Row, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.customers.service import Customer
from kernel.billing.entitlement import LIVE_STATES
from kernel.billing.models import CODE_CHARS, REF_CHARS, BillingCustomer, PaymentInvoice, Subscription
from kernel.billing.subscriptions.cards import plausible, stored_card
from kernel.billing.subscriptions.payment_emails import KnownInvoice, PaymentEmails, SubscriptionChange
from kernel.billing.subscriptions.vendor_events import CUSTOMER, queue_resync
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.core import clock
from kernel.core.config import BillingConfig
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.fault_points import faultpoint
from kernel.core.text.storable import storable
from kernel.spi import Invoice, KernelEvent, NotFound, SubscriptionState, SubscriptionTruth

log = logging.getLogger(__name__)

ENDED: Final[SubscriptionState] = "canceled"
URL_CHARS: Final = 2000


class VendorRead(msgspec.Struct, frozen=True, kw_only=True):
    """What the vendor reported. `vanished` are subscriptions of ours that it does not know any more."""

    truths: tuple[SubscriptionTruth, ...]
    vanished: tuple[str, ...]
    invoices: tuple[Invoice, ...]
    gone: bool


class VendorSync:
    """Syncs customers. `observe` is called with every subscription that changed its state."""

    def __init__(
        self,
        config: BillingConfig,
        database: Database,
        gateway: PaymentGateway,
        emails: PaymentEmails,
        observe: Callable[[KernelEvent], None],
    ) -> None:
        self._config = config
        self._emails = emails
        self._database = database
        self._gateway = gateway
        self._observe = observe

    async def refresh(self, customer: Customer) -> None:
        """Read the customer from the vendor and store the result. Raises ProviderError and NoProviderAvailable."""
        number = await self.begin(customer.id)
        if number is None:
            return
        reading = await self._read(customer)
        faultpoint("payment_read")
        await self.write_down(customer, number, reading)

    async def begin(self, customer_id: int) -> int | None:
        """Return the number of a read that begins now; None when the customer's account was deleted."""
        mine = update(BillingCustomer).where(BillingCustomer.id == customer_id)
        async with self._database.write() as session:
            counted = mine.values(reading=BillingCustomer.reading + 1).returning(BillingCustomer.reading)
            return (await session.execute(counted)).scalar_one_or_none()

    async def _read(self, customer: Customer) -> VendorRead:
        instance, gone = customer.instance_id, False
        try:
            listed = await self._gateway.subscriptions(instance, customer.customer)
            truths = {storable(entry.ref, REF_CHARS): entry for entry in listed}
        except NotFound:
            truths, gone = {}, True
        vanished = []
        joined = {storable(entry.started_by, REF_CHARS) for entry in truths.values() if entry.started_by}
        for ref in await self._open_refs(customer):
            if ref in truths or ref in joined:
                continue
            try:
                truth = await self._gateway.subscription(instance, ref)
                truths[storable(truth.ref, REF_CHARS)] = truth
            except NotFound:
                vanished.append(ref)
        invoices: Sequence[Invoice] = ()
        if not gone:
            try:
                invoices = await self._gateway.invoices(instance, customer.customer)
            except NotFound:
                gone = True
        return VendorRead(truths=tuple(truths.values()), vanished=tuple(vanished), invoices=tuple(invoices), gone=gone)

    async def _open_refs(self, customer: Customer) -> list[str]:
        query = select(Subscription.ref).where(Subscription.customer_id == customer.id, Subscription.state != ENDED)
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def write_down(self, customer: Customer, number: int, reading: VendorRead) -> None:
        """Store the result of one read: all of it or, when a later one was faster, nothing."""
        moment = clock.now()
        newer = (BillingCustomer.id == customer.id, BillingCustomer.applied < number)
        seen = {
            "applied": number,
            "gone": reading.gone,
            "check_after": moment + timedelta(hours=self._config.reconcile_hours),
        }
        async with self._database.write() as session:
            if not await changed_rows(session, update(BillingCustomer).where(*newer).values(**seen)):
                await queue_resync(session, customer.instance_id, CUSTOMER, customer.customer)
                return
            changes, events = await self._write_subscriptions(session, customer, reading)
            await self._emails.about_subscriptions(session, customer, changes, reading.invoices)
            known = await _known_invoices(session, customer)
            await self._emails.about_invoices(session, customer, known, reading.invoices)
            for invoice in reading.invoices:
                await _write_invoice(session, customer, invoice)
            faultpoint("payment_before_commit")
        faultpoint("payment_written")
        for event in events:
            self._observe(event)

    async def _write_subscriptions(
        self, session: AsyncSession, customer: Customer, reading: VendorRead
    ) -> tuple[list[SubscriptionChange], list[KernelEvent]]:
        """Bring a user's rows in line with the vendor, and choose the current subscription."""
        columns = (
            Subscription.id,
            Subscription.instance_id,
            Subscription.ref,
            Subscription.state,
            Subscription.is_current,
            Subscription.past_due_since,
            Subscription.cancel_at,
            Subscription.paused_until,
        )
        mine = Subscription.user_id == customer.user_id
        query = select(*columns).where(mine).order_by(Subscription.id).with_for_update()
        known = {(row.instance_id, row.ref): row for row in await session.execute(query)}
        states = {row.id: row.state for row in known.values()}
        before = dict(states)
        changes: list[SubscriptionChange] = []
        for truth in reading.truths:
            row = _stored(known, customer.instance_id, truth)
            values = _values(truth, row.past_due_since if row else None)
            changes.append(_change(truth, row, values["past_due_since"]))
            if row is None:
                new = insert(Subscription).values(
                    user_id=customer.user_id,
                    customer_id=customer.id,
                    instance_id=customer.instance_id,
                    is_current=False,
                    created_at=clock.now(),
                    **values,
                )
                states[(await session.execute(new.returning(Subscription.id))).scalar_one()] = truth.state
            else:
                await session.execute(update(Subscription).where(Subscription.id == row.id).values(**values))
                states[row.id] = truth.state
        for ref in reading.vanished:
            row = known[(customer.instance_id, ref)]
            ending = {"state": ENDED, "ended_at": int(clock.now_unix()), "past_due_since": None}
            await session.execute(update(Subscription).where(Subscription.id == row.id).values(**ending))
            states[row.id] = ENDED
            changes.append(SubscriptionChange(ref=ref, before=row.state, ended_before=row.cancel_at, state=ENDED))
        await self._choose(session, customer.user_id, states, [row.id for row in known.values() if row.is_current])
        events = [
            KernelEvent(name=f"subscription.{state}", subject=str(customer.user_id), at_unix=clock.now_unix())
            for row_id, state in sorted(states.items())
            if before.get(row_id) != state
        ]
        return changes, events

    async def _choose(
        self, session: AsyncSession, user_id: int, states: Mapping[int, str], current: Sequence[int]
    ) -> None:
        """Make one live subscription the current one: the same as before if it still lives, else the oldest."""
        live = sorted(row_id for row_id, state in states.items() if state in LIVE_STATES)
        chosen = next((row_id for row_id in current if row_id in live), live[0] if live else None)
        if len(live) > 1:
            log.error("user %d has %d live subscriptions; all but one should be ended", user_id, len(live))
        others = (Subscription.user_id == user_id, Subscription.is_current, Subscription.id != (chosen or 0))
        await session.execute(update(Subscription).where(*others).values(is_current=False))
        if chosen is not None:
            await session.execute(update(Subscription).where(Subscription.id == chosen).values(is_current=True))


def _stored(known: Mapping[tuple[str, str], Row[Any]], instance_id: str, truth: SubscriptionTruth) -> Row[Any] | None:
    """Return the row of a subscription: its own, or the one of what it was started by, which then becomes its own."""
    row = known.get((instance_id, storable(truth.ref, REF_CHARS)))
    if row is None and truth.started_by:
        row = known.get((instance_id, storable(truth.started_by, REF_CHARS)))
    return row


def _change(truth: SubscriptionTruth, row: Row[Any] | None, past_due_since: int | None) -> SubscriptionChange:
    return SubscriptionChange(
        ref=storable(truth.ref, REF_CHARS),
        before=row.state if row else None,
        ended_before=row.cancel_at if row else None,
        paused_before=row.paused_until if row else None,
        paused_until=truth.paused_until,
        state=truth.state,
        period_end=truth.period_end,
        cancel_at=truth.cancel_at,
        canceled_at=truth.canceled_at,
        past_due_since=past_due_since,
        needs_confirmation=truth.needs_confirmation,
        trial_end=truth.trial_end,
        price=storable(truth.price, REF_CHARS),
        card=plausible(truth.card),
        next_amount=truth.next_charge.amount if truth.next_charge else None,
    )


async def _known_invoices(session: AsyncSession, customer: Customer) -> dict[str, KnownInvoice]:
    """Return the invoices of a customer as they are stored."""
    columns = (PaymentInvoice.ref, PaymentInvoice.state, PaymentInvoice.refunded)
    query = select(*columns).where(PaymentInvoice.customer_id == customer.id)
    return {row.ref: KnownInvoice(state=row.state, refunded=row.refunded) for row in await session.execute(query)}


def _values(truth: SubscriptionTruth, past_due_since: int | None) -> dict[str, Any]:
    past_due = truth.state == "past_due"
    return {
        "ref": storable(truth.ref, REF_CHARS),
        "price": storable(truth.price, REF_CHARS),
        "state": truth.state,
        "period_end": truth.period_end,
        "cancel_at": truth.cancel_at,
        "canceled_at": truth.canceled_at,
        "ended_at": truth.ended_at,
        "trial_end": truth.trial_end,
        "past_due_since": (past_due_since or int(clock.now_unix())) if past_due else None,
        "promotion_code": storable(truth.promotion_code, CODE_CHARS) if truth.promotion_code else None,
        "next_amount": truth.next_charge.amount if truth.next_charge else None,
        "paused_until": truth.paused_until,
        **stored_card(plausible(truth.card)),
    }


async def _write_invoice(session: AsyncSession, customer: Customer, invoice: Invoice) -> None:
    values = {
        "user_id": customer.user_id,
        "customer_id": customer.id,
        "number": storable(invoice.number, REF_CHARS),
        "state": invoice.state,
        "total": invoice.total.amount,
        "paid": invoice.paid.amount,
        "currency": storable(invoice.total.currency.lower(), 8),
        "created": invoice.created,
        "page_url": _address(invoice.page_url),
        "pdf_url": _address(invoice.pdf_url),
        "tax": invoice.tax.amount if invoice.tax else None,
        "due_at": invoice.due_at,
        "refunded": invoice.refunded.amount if invoice.refunded else 0,
        "refunded_at": invoice.refunded_at if invoice.refunded else None,
    }
    row = insert_into(session, PaymentInvoice).values(
        instance_id=customer.instance_id, ref=storable(invoice.id, REF_CHARS), created_at=clock.now(), **values
    )
    await session.execute(row.on_conflict_do_update(index_elements=["instance_id", "ref"], set_=values))


def _address(url: str | None) -> str | None:
    """Return an address that a browser may be sent to: an absolute web address."""
    fit = url is not None and url.startswith(("https://", "http://")) and len(url) <= URL_CHARS
    return storable(url) if fit and url is not None else None
