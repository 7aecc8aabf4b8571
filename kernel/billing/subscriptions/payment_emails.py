"""Emails about money, queued in the transaction that stores what the vendor reported: each at most once.

Only the difference between our rows and the vendor's report counts, never a click or an event. What was queued is noted
by its subject: an event that comes again, a re-sync, a vendor that changes its mind or a killed worker adds nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import (
    CARD_EXPIRING,
    CONFIRM_PAYMENT,
    PRICE_CHANGING,
    RECEIPT,
    REFUNDED,
    RENEWAL_FAILED,
    SUBSCRIPTION_CANCELED,
    SUBSCRIPTION_ENDED,
    SUBSCRIPTION_PAUSED,
    SUBSCRIPTION_RESUMED,
    TRIAL_ENDING,
    PaymentEmailKind,
)
from kernel.accounts.models import User
from kernel.billing.customers.service import Customer
from kernel.billing.entitlement import DAY_S, LIVE_STATES, PAID_STATES
from kernel.billing.models import REF_CHARS, SUBJECT_CHARS, PaymentEmail
from kernel.billing.pricing.prices import find
from kernel.billing.subscriptions.cards import expired_before, printed
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.core import clock
from kernel.core.config import BillingConfig
from kernel.core.data.database import insert_into
from kernel.core.outbox import GIVE_UP_AFTER, queue_email, withdraw_emails
from kernel.core.text.languages import FALLBACK
from kernel.core.text.storable import storable
from kernel.spi import CardOnFile, Invoice, SubscriptionState

NEWS_S: Final = 7 * DAY_S
"""An invoice that we did not know and that is older than this was paid before this site knew its customer."""

TRIAL_NOTICE_S: Final = 3 * DAY_S
"""How long before the end of a trial its owner is told. Every customer is read again more often than that."""

CARD_NOTICE_S: Final = 30 * DAY_S
"""How long before a card expires its owner is told: most banks have sent the next one by then."""

PRICE_NEWS: Final = timedelta(days=5)
"""For how long the sending of an email about a new price is tried: less than the shortest notice."""

UNPAID: Final = ("past_due", "unpaid")
WHILE_UNPAID: Final = (RENEWAL_FAILED, CONFIRM_PAYMENT)


class SubscriptionChange(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as it was stored, if it was, and as the vendor reports it; times in unix seconds."""

    ref: str
    before: str | None
    ended_before: int | None
    state: SubscriptionState
    period_end: int | None = None
    cancel_at: int | None = None
    canceled_at: int | None = None
    past_due_since: int | None = None
    needs_confirmation: bool = False
    trial_end: int | None = None
    price: str = ""
    card: CardOnFile | None = None
    next_amount: int | None = None
    paused_before: int | None = None
    paused_until: int | None = None

    def charge(self, price: int) -> int:
        """Return what the next renewal costs: the price, unless a discount makes it another amount."""
        return price if self.next_amount is None else self.next_amount


class KnownInvoice(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice as it is stored: its state, and what was refunded, in minor units."""

    state: str
    refunded: int


class AnnouncedPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A price that somebody is to pay from the first renewal after `starts` on: minor units, unix seconds."""

    subject: str
    old_amount: int
    new_amount: int
    currency: str
    starts: int


class PaymentEmails:
    """Decides which emails a vendor's report causes. Runs in the transaction that stores it."""

    def __init__(self, config: BillingConfig, gateway: PaymentGateway) -> None:
        self._grace_s = config.past_due_grace_days * DAY_S
        self._gateway = gateway

    async def about_subscriptions(
        self,
        session: AsyncSession,
        customer: Customer,
        changes: Sequence[SubscriptionChange],
        invoices: Sequence[Invoice],
    ) -> None:
        """Queue what the owner has to know of their subscriptions, and withdraw what is no longer true.

        `invoices` are the customer's, the newest first.
        """
        lives = any(change.state in LIVE_STATES for change in changes)
        for change in changes:
            if change.before in UNPAID and change.state not in UNPAID:
                await withdraw_emails(session, customer.user_id, WHILE_UNPAID)
            if change.ended_before is not None and change.cancel_at is None:
                await withdraw_emails(session, customer.user_id, (SUBSCRIPTION_CANCELED,))
            if change.before == "trialing" and (change.state != "trialing" or change.cancel_at is not None):
                await withdraw_emails(session, customer.user_id, (TRIAL_ENDING,))
            expired = _expired(change)
            if expired is None:
                await withdraw_emails(session, customer.user_id, (CARD_EXPIRING,))
            if change.paused_before is not None and change.paused_until is None:
                await withdraw_emails(session, customer.user_id, (SUBSCRIPTION_PAUSED,))
            if change.before is None:
                continue
            if change.cancel_at is None and change.paused_until != change.paused_before:
                await self._paused(session, customer, change)
            if change.state == "past_due":
                await self._unpaid(session, customer, change, invoices)
            elif change.state in LIVE_STATES and change.cancel_at is not None and change.ended_before is None:
                await self._canceled(session, customer, change, change.cancel_at)
            elif change.state == "trialing" and change.cancel_at is None and change.trial_end is not None:
                await self._trial(session, customer, change, change.trial_end)
            elif change.card is not None and expired is not None:
                await self._card(session, customer, change, change.card, expired)
            elif change.state == "canceled" and change.before in LIVE_STATES and not lives:
                await self._queue(session, customer, SUBSCRIPTION_ENDED, change.ref)

    async def about_invoices(
        self, session: AsyncSession, customer: Customer, known: Mapping[str, KnownInvoice], invoices: Sequence[Invoice]
    ) -> None:
        """Queue a receipt for everything that was paid since the last report, and an email about what was refunded.

        Neither where the vendor sends it. `known` are the customer's invoices as they are stored.
        """
        instance = self._gateway.known(customer.instance_id)
        if instance is None:
            return
        for invoice in reversed(invoices):
            before = known.get(storable(invoice.id, REF_CHARS))
            if not instance.capabilities.sends_receipts:
                await self._receipt(session, customer, invoice, before, attached=instance.capabilities.documents)
            if not instance.capabilities.sends_refund_notices:
                await self._refunded(session, customer, invoice, before)

    async def _receipt(
        self,
        session: AsyncSession,
        customer: Customer,
        invoice: Invoice,
        before: KnownInvoice | None,
        *,
        attached: bool,
    ) -> None:
        """Queue the receipt of an invoice that has become paid. `attached`: with its document."""
        news = before is not None or invoice.created > clock.now_unix() - NEWS_S
        paid_before = before is not None and before.state == "paid"
        if invoice.state != "paid" or paid_before or invoice.paid.amount <= 0 or not news:
            return
        details = {"number": invoice.number, "date": str(int(clock.now_unix()))} | _amount(invoice, due=False)
        link = next((url for url in (invoice.page_url, invoice.pdf_url) if url and url.startswith("https://")), "")
        if attached:
            details |= {"instance": customer.instance_id, "invoice": invoice.id}
        elif link:
            details["link"] = link
        await self._queue(session, customer, RECEIPT, invoice.id, details)

    async def _refunded(
        self, session: AsyncSession, customer: Customer, invoice: Invoice, before: KnownInvoice | None
    ) -> None:
        """Queue the email about a refund of these days: once for each amount that is refunded in all."""
        if invoice.refunded is None or (invoice.refunded_at or 0) <= clock.now_unix() - NEWS_S:
            return
        whole = invoice.refunded.amount
        more = whole - (before.refunded if before else 0)
        if more > 0:
            details = {"number": invoice.number, "date": str(invoice.refunded_at)}
            details |= {"amount": str(more), "currency": invoice.refunded.currency}
            await self._queue(session, customer, REFUNDED, f"{invoice.id}/{whole}", details)

    async def about_price(self, session: AsyncSession, customer: Customer, news: AnnouncedPrice) -> None:
        """Queue the email about a new price, once for each subject. It stays true for longer than others do."""
        details = {"amount": str(news.new_amount), "old_amount": str(news.old_amount), "currency": news.currency}
        details["until"] = str(news.starts)
        await self._queue(session, customer, PRICE_CHANGING, news.subject, details, within=PRICE_NEWS)

    async def _unpaid(
        self, session: AsyncSession, customer: Customer, change: SubscriptionChange, invoices: Sequence[Invoice]
    ) -> None:
        """Queue one email about a renewal, whichever of the two it needs first; none once Pro is over anyway."""
        until = min(int((change.past_due_since or 0) + self._grace_s), change.cancel_at or 2**62)
        due = [
            invoice for invoice in invoices if invoice.state == "open" and invoice.total.amount > invoice.paid.amount
        ]
        if not due or until <= clock.now_unix():
            return
        kind = CONFIRM_PAYMENT if change.needs_confirmation else RENEWAL_FAILED
        details = {"until": str(until)} | _amount(due[-1], due=True)
        await self._queue(session, customer, kind, f"{change.ref}/{change.period_end}", details, noted_as="unpaid")

    async def _canceled(
        self, session: AsyncSession, customer: Customer, change: SubscriptionChange, cancel_at: int
    ) -> None:
        if cancel_at > clock.now_unix():
            subject = f"{change.ref}/{change.canceled_at or cancel_at}"
            await self._queue(session, customer, SUBSCRIPTION_CANCELED, subject, {"until": str(cancel_at)})

    async def _paused(self, session: AsyncSession, customer: Customer, change: SubscriptionChange) -> None:
        """Queue the email about a pause that has begun, or about one that is over and paid again."""
        if change.paused_until is None and change.state in PAID_STATES:
            subject = f"{change.ref}/{change.paused_before}"
            await self._queue(session, customer, SUBSCRIPTION_RESUMED, subject, {"until": str(change.period_end)})
        elif change.paused_until is not None:
            details = {"until": str(change.period_end), "date": str(change.paused_until)}
            subject = f"{change.ref}/{change.paused_until}"
            await self._queue(session, customer, SUBSCRIPTION_PAUSED, subject, details)

    async def _trial(
        self, session: AsyncSession, customer: Customer, change: SubscriptionChange, trial_end: int
    ) -> None:
        """Queue the email about a trial that ends soon, with what is charged then, unless the vendor sends one."""
        instance = self._gateway.known(customer.instance_id)
        if instance is None or instance.capabilities.sends_trial_notices:
            return
        price = await find(session, customer.instance_id, change.price)
        if price is not None and 0 < trial_end - clock.now_unix() <= TRIAL_NOTICE_S:
            details = {"until": str(trial_end), "amount": str(change.charge(price.amount)), "currency": price.currency}
            await self._queue(session, customer, TRIAL_ENDING, f"{change.ref}/{trial_end}", details)

    async def _card(
        self, session: AsyncSession, customer: Customer, change: SubscriptionChange, card: CardOnFile, expired: int
    ) -> None:
        """Queue the email about a card that expires before the next payment, where another one can be given."""
        instance = self._gateway.known(customer.instance_id)
        if instance is None or instance.capabilities.sends_card_notices:
            return
        if not (instance.capabilities.portal or instance.capabilities.change_card):
            return
        price = await find(session, customer.instance_id, change.price)
        if price is None or expired - clock.now_unix() > CARD_NOTICE_S:
            return
        details = printed(card) | {"until": str(change.period_end)}
        details |= {"amount": str(change.charge(price.amount)), "currency": price.currency}
        subject = f"{change.ref}/{card.last4}/{details['expires']}"
        await self._queue(session, customer, CARD_EXPIRING, subject, details)

    async def _queue(
        self,
        session: AsyncSession,
        customer: Customer,
        kind: PaymentEmailKind,
        subject: str,
        details: Mapping[str, str] | None = None,
        *,
        noted_as: str = "",
        within: timedelta = GIVE_UP_AFTER,
    ) -> None:
        """Queue an email unless one about this was queued before, or its reader has deleted the account."""
        query = select(User.email, User.language).where(User.id == customer.user_id, User.leaving_at.is_(None))
        reader = (await session.execute(query)).one_or_none()
        if reader is None:
            return
        note = insert_into(session, PaymentEmail).values(
            user_id=customer.user_id,
            instance_id=customer.instance_id,
            kind=noted_as or kind,
            subject=storable(subject, SUBJECT_CHARS),
            created_at=clock.now(),
        )
        noted = note.on_conflict_do_nothing().returning(PaymentEmail.id)
        if (await session.execute(noted)).scalar_one_or_none() is None:
            return
        queue_email(
            session,
            kind,
            address=reader.email,
            language=reader.language or FALLBACK,
            user_id=customer.user_id,
            within=within,
            details={name: storable(value) for name, value in (details or {}).items()},
        )


def _expired(change: SubscriptionChange) -> int | None:
    """Return when the card has expired that the next payment would need, in unix seconds; None where all is well."""
    if change.card is None or change.state not in PAID_STATES or change.cancel_at is not None:
        return None
    if change.paused_until is not None:
        return None
    return expired_before(change.period_end, change.card.exp_year, change.card.exp_month)


def _amount(invoice: Invoice, *, due: bool) -> dict[str, str]:
    minor = invoice.total.amount - invoice.paid.amount if due else invoice.paid.amount
    return {"amount": str(minor), "currency": invoice.total.currency}
