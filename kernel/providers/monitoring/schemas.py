"""Wire of operation. Money is in micros of a USD; null means that nobody knows."""

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Meta

from kernel.core.schemas import In, Out
from kernel.providers.calls.attempt_log import Outcome
from kernel.providers.calls.pricing import MOST_MICROS, CostSource
from kernel.providers.notices.service import NoticeKind
from kernel.spi import Kind

ShownState = Literal["ready", "degraded", "down", "needs_attention", "draining", "disabled", "missing"]
UsageBy = Literal["instance", "model", "user", "day"]
Micros = Annotated[int, Meta(ge=0, le=MOST_MICROS)]
InstanceName = Annotated[str, Meta(min_length=1, max_length=40)]


class HealthOut(Out, frozen=True, kw_only=True):
    """How an instance does. `calls`, `successRate` and the percentiles are of the last hour, refusals left out.

    What is of today begins at midnight (UTC); `callsToday` are all calls, refused ones as well.
    """

    instance_id: str
    state: ShownState
    since: datetime
    last_code: str
    last_success_at: datetime | None
    last_error_at: datetime | None
    calls: int
    success_rate: float | None
    p50_ms: int | None
    p95_ms: int | None
    calls_today: int
    spent_today_micros: int | None
    unknown_today: int


class AttemptOut(Out, frozen=True, kw_only=True):
    """One try at one instance. `detail` is for administrators."""

    id: int
    job_id: str | None
    kind: Kind
    instance_id: str
    provider: str
    operation: str
    n: int
    outcome: Outcome
    code: str | None
    detail: str
    effect: Literal["none", "unknown"] | None
    started_at: datetime
    elapsed_ms: int
    cost_micros: int | None
    cost_source: CostSource
    model: str | None
    user_id: int | None


class UsageRow(Out, frozen=True, kw_only=True):
    """What one instance, model, user or day used.

    `costMicros` is the sum of what is known, null when nothing is; `unknownCalls` were made at a cost nobody knows;
    `estimatedHeldMicros` is what budgets count for those.
    """

    key: str
    label: str
    calls: int
    ok: int
    failed: int
    refused: int
    cost_micros: int | None
    unknown_calls: int
    estimated_held_micros: int


class UsageOut(Out, frozen=True, kw_only=True, rename={"since": "from", "until": "to"}):
    """Usage between two UTC days, both included; the most expensive first, or in order of days."""

    since: date
    until: date
    rows: list[UsageRow]


class InstanceBudget(In, frozen=True, kw_only=True):
    """A monthly limit of one instance; null for none."""

    instance_id: InstanceName
    month_micros: Micros | None


class InstanceSpent(Out, frozen=True, kw_only=True):
    """What an instance has spent this month, and how many of its calls nobody knows the cost of."""

    instance_id: str
    month_micros: int
    unknown_calls: int


class SpentOut(Out, frozen=True, kw_only=True):
    """What has been spent this month; of calls with unknown cost it holds the estimate, where there is one."""

    site_month_micros: int
    instances: list[InstanceSpent]


class BudgetsIn(In, frozen=True, kw_only=True):
    """All limits; null is none. `userDayMicros` holds for every user. Calls of unknown price are not limited."""

    instances: Annotated[list[InstanceBudget], Meta(max_length=200)]
    site_month_micros: Micros | None = None
    user_day_micros: Micros | None = None


class BudgetsOut(Out, frozen=True, kw_only=True):
    """All limits, and what has been spent against them."""

    site_month_micros: int | None
    user_day_micros: int | None
    instances: list[InstanceBudget]
    spent: SpentOut


class NoticeOut(Out, frozen=True, kw_only=True):
    """Something administrators should know; `params` are the values of the sentence that the page makes of `code`."""

    id: int
    kind: NoticeKind
    instance_id: str | None
    code: str
    params: dict[str, str]
    opened_at: datetime
    last_at: datetime
    count: int
    resolved_at: datetime | None
