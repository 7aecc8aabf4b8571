"""Shapes of the wire: the figures of the dashboard, and what they are called."""

from collections import Counter
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from kernel.core.schemas import Out

Metric = Literal[
    "signups",
    "active",
    "covers",
    "failures",
    "wait",
    "cost",
    "cost_unknown",
    "revenue",
    "mrr",
    "mrr_new",
    "mrr_expansion",
    "mrr_contraction",
    "mrr_churn",
    "first_payers",
    "payers",
    "gifts",
]
"""What is counted on each UTC day. The label of a figure, where there is one, is in brackets.

`signups` accounts made; `active` people for whom a cover ended; `covers` that ended (state and provider, with a colon
between); `failures` among them (code of the error); `wait` covers made within so many seconds and more than the figure
before (seconds, empty beyond the longest); `cost` of calls in micros of a USD (instance), `cost_unknown` calls that may
have cost something unknown (instance). In minor units and per currency (its code): `revenue` that was paid, `mrr` the
monthly recurring revenue at the day's end, and what changed it, negative where it went down. `first_payers` people who
paid for a subscription for the first time, `payers` who paid at the day's end, `gifts` who had Pro from an
administrator when the day was last counted.
"""

Figures = Counter[tuple[str, str, str]]
"""(day as `YYYY-MM-DD`, metric, label) → value."""


class FigureSeries(Out, frozen=True, kw_only=True):
    """One metric and label: a value for each day of the range, and for each day of the range before it."""

    metric: Metric
    label: str
    values: list[int]
    previous: list[int]


class FiguresOut(Out, frozen=True, kw_only=True):
    """All figures of the days from `since` to `until`, both included, and of as many days before.

    Series that are zero on all days are left out. `refreshed_at` is when they were last counted, null before the first
    time.
    """

    since: date
    until: date
    previous_since: date
    previous_until: date
    refreshed_at: datetime | None
    series: list[FigureSeries]


TimelineKind = Literal["cover", "invoice", "email", "session", "history"]


class TimelineEntry(Out, frozen=True, kw_only=True):
    """One thing that happened with a person.

    `what` is a cover's title or the beginning of its description, an invoice's number, an email's subject or kind, the
    way of a sign-in, or an action of the history. `state` says how it ended, `detail` more about it. `amount` is in
    minor units of `currency`. `actorEmail` is who did it, of the history.
    """

    kind: TimelineKind
    id: str
    at: datetime
    what: str
    state: str | None
    detail: str | None
    ip: str | None
    amount: int | None
    currency: str | None
    actor_email: str | None


class FoundCover(Out, frozen=True, kw_only=True):
    """Whose a cover is. `id` is its number, null while it is being made or when it never was."""

    id: int | None
    generation_id: UUID
    title: str
    state: str
    user_id: int
    email: str
