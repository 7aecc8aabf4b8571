"""Recurring revenue as paid invoices tell it: what came, grew, shrank and went, per currency.

A paid invoice pays for one interval of its price. Its amount, spread over the months of that interval, is what its
payer brings each month until the interval and the days of grace have passed, or the next invoice takes its place.
Taxes are no revenue. A refund is taken off on its day; one of the whole amount also ends what the payer brings.
"""

import calendar
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Select, func, select

from kernel.billing.models import PaymentInvoice, PaymentPrice, Subscription
from kernel.core.data.database import ReadConnection
from kernel.insight.models import DepartedUser
from kernel.insight.schemas import Figures

PAID: Final = (PaymentInvoice.state == "paid", PaymentInvoice.paid > 0)
DAYS_OF_MONTH: Final = 365.25 / 12
MIXER: Final = 1009
"""A prime: amounts are multiplied by a number below it, so that two that change places are noticed."""

Interval = tuple[str | None, int]
"""What a price is paid for: `day`, `week`, `month` or `year`, and how many of them; None is paid once."""
MONTH: Final[Interval] = ("month", 1)


class KnownIntervals(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the intervals: by price, by amount, and which price each customer pays."""

    by_price: Mapping[tuple[str, str], tuple[int, str, Interval]]
    by_amount: Mapping[tuple[str, str, int], Interval]
    of_customer: Mapping[int, tuple[str, str]]

    def interval(self, invoice: Any) -> Interval:
        """Return what an invoice was paid for: an invoice itself does not say."""
        own = self.by_price.get(self.of_customer.get(invoice.customer_id, ("", "")))
        for amount in (invoice.total, invoice.total - (invoice.tax or 0)):  # a price is with its tax, or without
            if own and own[:2] == (amount, invoice.currency):
                return own[2]
            if by_amount := self.by_amount.get((invoice.instance_id, invoice.currency, amount)):
                return by_amount
        return own[2] if own else MONTH


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """One invoice: on which day, what, how much of it is for a month, when it has been used up, and what went back."""

    day: date
    currency: str
    amount: int
    monthly: int
    ends: date
    refunded: int
    refund_day: date


async def read_prices(connection: ReadConnection) -> KnownIntervals:
    """Return what is stored of prices and of who pays which."""
    known = (
        PaymentPrice.instance_id,
        PaymentPrice.price,
        PaymentPrice.amount,
        PaymentPrice.currency,
        PaymentPrice.interval,
        PaymentPrice.interval_count,
    )
    by_price, by_amount = {}, {}
    for row in await connection.execute(select(*known).order_by(PaymentPrice.instance_id, PaymentPrice.price)):
        interval = (row.interval, row.interval_count)
        by_price[row.instance_id, row.price] = (row.amount, row.currency, interval)
        by_amount[row.instance_id, row.currency, row.amount] = interval
    owners = select(Subscription.customer_id, Subscription.instance_id, Subscription.price).order_by(Subscription.id)
    of_customer = {row.customer_id: (row.instance_id, row.price) for row in await connection.execute(owners)}
    return KnownIntervals(by_price=by_price, by_amount=by_amount, of_customer=of_customer)


async def read_paid(connection: ReadConnection, user_id: int | None = None) -> dict[int, list[Any]]:
    """Return user → rows of their paid invoices, oldest first; of one user, or of all who have not departed."""
    query: Select[Any] = select(
        PaymentInvoice.user_id,
        PaymentInvoice.customer_id,
        PaymentInvoice.instance_id,
        PaymentInvoice.currency,
        PaymentInvoice.total,
        PaymentInvoice.paid,
        PaymentInvoice.created,
        PaymentInvoice.tax,
        PaymentInvoice.refunded,
        PaymentInvoice.refunded_at,
    ).where(*PAID)
    if user_id is None:
        query = query.where(PaymentInvoice.user_id.not_in(select(DepartedUser.user_id)))
    else:
        query = query.where(PaymentInvoice.user_id == user_id)
    ordered = query.order_by(PaymentInvoice.user_id, PaymentInvoice.created, PaymentInvoice.id)
    rows = (await connection.execute(ordered)).all()
    return {owner: list(invoices) for owner, invoices in groupby(rows, key=lambda row: row.user_id)}


async def fingerprint(connection: ReadConnection) -> str:
    """Return a text that changes when a paid invoice does; one look at each."""
    kept = PaymentInvoice.paid - PaymentInvoice.refunded - func.coalesce(PaymentInvoice.tax, 0)
    mixed = func.sum(kept * (PaymentInvoice.id % MIXER))
    moments = func.sum((PaymentInvoice.created + func.coalesce(PaymentInvoice.refunded_at, 0)) % MIXER)
    figures = (func.count(), func.max(PaymentInvoice.id), mixed, moments)
    gone = PaymentInvoice.user_id.not_in(select(DepartedUser.user_id))
    row = (await connection.execute(select(*figures).where(*PAID, gone))).one()
    return ":".join(str(int(value or 0)) for value in row)


def count_revenue(
    invoices: Mapping[int, Iterable[Any]], prices: KnownIntervals, grace: timedelta, until: date, *, left: bool = False
) -> Figures:
    """Return the figures of revenue up to and with a day. `left`: all that still pay stopped on that day."""
    found: Figures = Counter()
    for rows in invoices.values():
        paid = [one for row in rows if (one := _paid(row, prices.interval(row), grace)).day <= until]
        for one in paid:
            found[one.day.isoformat(), "revenue", one.currency] += one.amount
            if one.refunded and one.refund_day <= until:
                found[one.refund_day.isoformat(), "revenue", one.currency] -= one.refunded
        recurring = [one for one in paid if one.monthly]
        if recurring:
            found[recurring[0].day.isoformat(), "first_payers", ""] += 1
        _count_movements(found, recurring, until, left=left)
    _add_levels(found, until)
    return found


def _paid(row: Any, interval: Interval, grace: timedelta) -> Paid:
    day = datetime.fromtimestamp(row.created, UTC).date()
    net = row.paid - round((row.tax or 0) * row.paid / max(row.total, row.paid))
    refunded = round(row.refunded * net / row.paid)  # less its share of the tax
    refund_day = max(day, datetime.fromtimestamp(row.refunded_at or row.created, UTC).date())
    unit, count = interval
    months = {"month": 1.0, "year": 12.0, "week": 7 / DAYS_OF_MONTH, "day": 1 / DAYS_OF_MONTH}.get(unit or "", 1.0)
    match unit:
        case None:
            ends = day
        case "day" | "week":
            ends = day + timedelta(days=count * (7 if unit == "week" else 1)) + grace
        case _:
            ends = _months_later(day, round(months * count)) + grace
    return Paid(
        day=day,
        currency=row.currency,
        amount=net,
        monthly=0 if unit is None else max(1, round(net / (months * count))),
        ends=min(ends, refund_day) if row.refunded >= row.paid else ends,
        refunded=refunded,
        refund_day=refund_day,
    )


def _months_later(day: date, months: int) -> date:
    """Return the same day of a later month, or its last where it has none."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


Movement = Literal["mrr_new", "mrr_expansion", "mrr_contraction", "mrr_churn"]


def _count_movements(found: Figures, paid: list[Paid], until: date, *, left: bool) -> None:
    """Add what one person changed. Someone who comes back is new again."""
    steps: list[tuple[date, str, int]] = []
    for currency in {one.currency for one in paid}:
        own = [one for one in paid if one.currency == currency]
        for index, one in enumerate(own):
            steps.append((one.day, currency, one.monthly))
            following = own[index + 1].day if index + 1 < len(own) else date.max
            if one.ends <= min(following, until) and one.ends != following:
                steps.append((one.ends, currency, 0))
            elif left and following == date.max:
                steps.append((until, currency, 0))
    now: Counter[str] = Counter()
    for day, currency, monthly in sorted(steps, key=lambda step: step[0]):
        key, before, paying = day.isoformat(), now[currency], any(now.values())
        now[currency] = monthly
        if (any(now.values())) != paying:
            found[key, "payers_change", ""] += -1 if paying else 1
        if kind := _movement(before, monthly):
            found[key, kind, currency] += monthly - before


def _movement(before: int, after: int) -> Movement | None:
    if before == after:
        return None
    if before == 0:
        return "mrr_new"
    if after == 0:
        return "mrr_churn"
    return "mrr_expansion" if after > before else "mrr_contraction"


def _add_levels(found: Figures, until: date) -> None:
    """Add what each day ended with: all that changed until then."""
    changes: dict[tuple[str, str], Counter[str]] = {}
    for (day, metric, label), value in found.items():
        if metric.startswith("mrr_"):
            changes.setdefault(("mrr", label), Counter())[day] += value
        elif metric == "payers_change":
            changes.setdefault(("payers", ""), Counter())[day] += value
    for key in [key for key in found if key[1] == "payers_change"]:
        del found[key]
    for (metric, label), steps in changes.items():
        begun, level = date.fromisoformat(min(steps)), 0
        for passed in range((until - begun).days + 1):
            day = (begun + timedelta(days=passed)).isoformat()
            level += steps[day]
            if level:
                found[day, metric, label] += level
