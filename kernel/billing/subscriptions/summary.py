"""What users see of their subscription, from our own rows: no page view waits for a vendor."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec
from sqlalchemy import Row, and_, bindparam, case, exists, func, or_, select
from sqlalchemy.orm import aliased

from kernel.accounts.models import User
from kernel.accounts.user_summary import InvoiceOut, PriceChangeOut, PriceOut, SubscriptionOut
from kernel.billing.entitlement import MAY_GIVE_PRO, PAID_STATES, Entitlement
from kernel.billing.models import PaymentInvoice, PaymentPrice, Subscription
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.schemas import BillingOut
from kernel.billing.subscriptions.cards import CARD_COLUMNS, shown_card
from kernel.billing.vendor.gateway import PaymentGateway, user_facing_errors
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.spi import NotFound

CONFIRMABLE: Final = ("incomplete", "past_due", "unpaid")
"""There may be an open amount that the user can pay."""

SHOWN_INVOICES: Final = 24

# Built once, because every page runs them: compiling a statement costs more than running it.
_PRICE: Final = and_(PaymentPrice.instance_id == Subscription.instance_id, PaymentPrice.price == Subscription.price)
_SHOWN: Final = or_(Subscription.is_current, Subscription.state == "incomplete")
_LATEST: Final = aliased(MovedSubscriber)
_ANNOUNCED: Final = (
    select(func.max(_LATEST.id))
    .where(_LATEST.subscription_id == Subscription.id, _LATEST.state.in_(("told", "moved")))
    .correlate(Subscription)
    .scalar_subquery()
)
SUBSCRIPTIONS: Final = (
    select(
        exists().where(PaymentInvoice.user_id == User.id).label("has_invoices"),
        _SHOWN.label("shown"),
        Subscription.state,
        Subscription.canceled_at,
        Subscription.cancel_at,
        Subscription.period_end,
        Subscription.past_due_since,
        *CARD_COLUMNS,
        Subscription.promotion_code,
        Subscription.next_amount,
        Subscription.paused_until,
        Subscription.instance_id,
        Subscription.is_current,
        PaymentPrice.amount,
        PaymentPrice.currency,
        PaymentPrice.interval,
        PaymentPrice.interval_count,
        Subscription.price,
        MovedSubscriber.state.label("move_state"),
        MovedSubscriber.notice_ends,
        MovedSubscriber.renews_at,
        MovedSubscriber.asked_at,
        PriceMove.old_price,
        PriceMove.new_price,
        PriceMove.old_amount,
        PriceMove.new_amount,
        PriceMove.currency.label("move_currency"),
    )
    .select_from(User)
    .outerjoin(Subscription, and_(Subscription.user_id == User.id, or_(_SHOWN, MAY_GIVE_PRO)))
    .outerjoin(PaymentPrice, _PRICE)
    .outerjoin(MovedSubscriber, MovedSubscriber.id == _ANNOUNCED)
    .outerjoin(PriceMove, PriceMove.id == MovedSubscriber.move_id)
    .where(User.id == bindparam("user_id"))
    .order_by(Subscription.is_current.desc(), Subscription.id.desc())
)
"""Of the user `user_id`: a row without a state when there is no subscription."""
_OWES: Final = exists().where(Subscription.user_id == PaymentInvoice.user_id, Subscription.is_current)
_INVOICES: Final = (
    select(
        PaymentInvoice.instance_id,
        PaymentInvoice.ref,
        PaymentInvoice.number,
        PaymentInvoice.state,
        PaymentInvoice.total,
        PaymentInvoice.paid,
        PaymentInvoice.currency,
        PaymentInvoice.created,
        PaymentInvoice.pdf_url,
        PaymentInvoice.page_url,
        PaymentInvoice.tax,
        PaymentInvoice.due_at,
        PaymentInvoice.refunded,
        PaymentInvoice.refunded_at,
    )
    .where(PaymentInvoice.user_id == bindparam("user_id"))
    .where(or_(PaymentInvoice.state != "open", _OWES))  # a first payment that was given up is no debt
    .order_by(PaymentInvoice.created.desc(), PaymentInvoice.id.desc())
    .limit(SHOWN_INVOICES)
)


_STATES: Final = (
    select(
        Subscription.user_id,
        case((Subscription.paused_until.is_not(None), "paused"), else_=Subscription.state).label("state"),
    )
    .where(_SHOWN)
    .order_by(Subscription.is_current, Subscription.id)
)


class BillingFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What payments say of one user. `gives_pro`: a subscription makes them Pro now."""

    gives_pro: bool
    subscription: SubscriptionOut | None
    invoices: list[InvoiceOut]


class InvoiceLocation(msgspec.Struct, frozen=True, kw_only=True):
    """The instance and the number of an invoice."""

    instance_id: str
    ref: str
    number: str


class SubscriptionSummaries:
    """Turns rows into response shapes."""

    def __init__(self, database: Database, gateway: PaymentGateway, entitlement: Entitlement) -> None:
        self._database = database
        self._gateway = gateway
        self._entitlement = entitlement

    async def overview(self, user_id: int, *, portal: bool) -> BillingOut:
        """Return the subscription and the latest invoices; `portal`: the vendor has a page of its own for them."""
        async with self._database.read() as connection:
            facts = await self.facts_in(connection, user_id)
        return BillingOut(
            subscription=facts.subscription,
            invoices=facts.invoices,
            portal=portal,
            action_required=facts.subscription is not None and facts.subscription.status in CONFIRMABLE,
        )

    async def document(self, user_id: int, ref: str) -> tuple[str, bytes]:
        """Return the number and the document of somebody's own invoice. Raises Absent."""
        async with self._database.read() as connection:
            invoice = await self._invoice_at(connection, user_id, ref)
        with user_facing_errors():
            try:
                return invoice.number, await self._gateway.invoice_pdf(invoice.instance_id, invoice.ref)
            except NotFound as error:
                raise Absent("This invoice does not exist.") from error

    async def facts_in(self, connection: ReadConnection, user_id: int) -> BillingFacts:
        """Return whether a subscription makes the user Pro, the one that goes on, else a first payment that is open,
        and the latest invoices. One statement, two for a user who has invoices.
        """
        rows = (await connection.execute(SUBSCRIPTIONS, {"user_id": user_id})).all()
        return await self.facts_of(connection, user_id, rows)

    async def facts_of(self, connection: ReadConnection, user_id: int, rows: Sequence[Row[Any]]) -> BillingFacts:
        """Return the same from rows of `SUBSCRIPTIONS` that were read before; one statement if there are invoices."""
        return BillingFacts(
            gives_pro=any(self._entitlement.gives_pro(row) for row in rows if row.state is not None),
            subscription=next((self._subscription(row) for row in rows if row.shown), None),
            invoices=await self._invoices(connection, user_id) if rows and rows[0].has_invoices else [],
        )

    def _subscription(self, row: Row[Any]) -> SubscriptionOut:
        change = _price_change(row)
        grace = int(row.past_due_since + self._entitlement.grace_s) if row.past_due_since else None
        return SubscriptionOut(
            status=row.state,
            canceled_at=row.canceled_at,
            cancel_at=row.cancel_at,
            current_period_end=row.period_end,
            grace_until=grace,
            price=_price(row, change),
            price_change=change,
            card=shown_card(row),
            card_changeable=self._takes_another_card(row),
            promotion_code=row.promotion_code if row.next_amount is not None else None,
            next_amount=row.next_amount,
            paused_until=row.paused_until,
            pausable=self._can_pause(row),
        )

    def _takes_another_card(self, row: Row[Any]) -> bool:
        instance = self._gateway.known(row.instance_id)
        if instance is None or not row.is_current:
            return False
        return instance.capabilities.change_card and row.state in PAID_STATES

    def _can_pause(self, row: Row[Any]) -> bool:
        instance = self._gateway.known(row.instance_id)
        if instance is None or not instance.capabilities.pause or not row.is_current:
            return False
        goes_on = row.state == "active" and row.cancel_at is None and row.paused_until is None
        return goes_on and (row.interval, row.interval_count) == ("month", 1)

    async def states_in(self, connection: ReadConnection, user_ids: Sequence[int]) -> dict[int, str]:
        """Return user id → state of the subscription that `facts_in` would show, of those who have one."""
        rows = await connection.execute(_STATES.where(Subscription.user_id.in_(user_ids)))
        return {row.user_id: row.state for row in rows}  # the one that continues comes last

    async def _invoices(self, connection: ReadConnection, user_id: int) -> list[InvoiceOut]:
        """Return the latest invoices, newest first; an open one only while a subscription that goes on owes it."""
        rows = await connection.execute(_INVOICES, {"user_id": user_id})
        return [
            InvoiceOut(
                id=row.ref,
                number=row.number,
                status=row.state,
                amount_paid=row.paid,
                amount_due=max(0, row.total - row.paid) if row.state == "open" else 0,
                currency=row.currency,
                created=row.created,
                invoice_pdf=self._document(row),
                total=row.total,
                tax=row.tax,
                due_at=row.due_at,
                refunded=row.refunded,
                refunded_at=row.refunded_at,
            )
            for row in rows
        ]

    def _document(self, row: Row[Any]) -> str | None:
        """Return where a browser gets the document: from us where the instance makes it, else from the vendor."""
        if self._makes_documents(row.instance_id):
            return f"/api/subscription/invoices/{quote(row.ref, safe='')}/pdf"
        return next((url for url in (row.pdf_url, row.page_url) if url and url.startswith("https://")), None)

    def _makes_documents(self, instance_id: str) -> bool:
        instance = self._gateway.known(instance_id)
        return instance is not None and instance.capabilities.documents

    async def _invoice_at(self, connection: ReadConnection, user_id: int, ref: str) -> InvoiceLocation:
        """Find one of somebody's own invoices whose document an instance of ours makes. Raises Absent."""
        query = select(PaymentInvoice.instance_id, PaymentInvoice.ref, PaymentInvoice.number).where(
            PaymentInvoice.user_id == user_id, PaymentInvoice.ref == ref
        )
        for row in await connection.execute(query):
            if self._makes_documents(row.instance_id):
                return InvoiceLocation(**row._asdict())
        raise Absent("This invoice does not exist.")


def _price_change(row: Row[Any]) -> PriceChangeOut | None:
    """Return the price that was announced, until the first renewal that costs it."""
    if row.move_state is None or not row.is_current or row.cancel_at is not None:
        return None
    renews_at = row.renews_at
    is_next = row.move_state == "moved"
    if row.asked_at is not None and row.price == row.new_price and not is_next:
        # the vendor has changed the price, which is about to be noted
        is_next, renews_at = True, row.period_end
    if is_next:
        # the renewal has happened once the period ends later
        going_on = row.price == row.new_price and renews_at is not None and row.period_end == renews_at
    else:
        going_on = row.price == row.old_price and row.notice_ends is not None
    if not going_on:
        return None
    return PriceChangeOut(
        old_amount=row.old_amount,
        new_amount=row.new_amount,
        currency=row.move_currency,
        starts=renews_at if is_next else row.notice_ends,
        is_next=is_next,
    )


def _price(row: Row[Any], change: PriceChangeOut | None) -> PriceOut | None:
    """Return what the current period costs: the vendor has the new price before the renewal that costs it."""
    if row.amount is None or row.interval is None:
        return None
    amount = change.old_amount if change and change.is_next else row.amount
    return PriceOut(amount=amount, currency=row.currency, interval=row.interval)
