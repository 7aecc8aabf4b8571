"""Statistics of the attempts: health of instances, usage, cost."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Protocol

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    case,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.errors import InvalidFields
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.providers.models import Attempt
from kernel.providers.monitoring.schemas import AttemptOut, HealthOut, ShownState, UsageBy, UsageOut, UsageRow
from kernel.spi import ContentRefused, InvalidRequest, PaymentDeclined

REFUSALS: Final = (ContentRefused.code, InvalidRequest.code, PaymentDeclined.code)
"""Failures caused by the user: they say nothing about the instance."""

HOUR: Final = timedelta(hours=1)
SAMPLE: Final = 500
"""Percentiles use at most this many calls of an instance, the latest of the last hour."""

LONGEST_RANGE: Final = timedelta(days=366)
MOST_ROWS: Final = 1000

_CALLED: Final = Attempt.outcome != "skipped"
_REFUSED: Final = and_(Attempt.outcome == "error", Attempt.code.in_(REFUSALS))
_MAYBE_CHARGED: Final = or_(Attempt.outcome == "ok", Attempt.effect == "unknown", Attempt.held_micros.is_not(None))
_UTC: Final[ColumnElement[str]] = literal_column("'UTC'")
_DAY: Final[ColumnElement[str]] = literal_column("'YYYY-MM-DD'")
UNKNOWN_COST: Final = and_(Attempt.kind == "image", Attempt.cost_micros.is_(None), _CALLED, _MAYBE_CHARGED)
"""Calls that may have an unknown cost. Only pictures have prices, and a call without effect costs nothing."""


class UserLabels(Protocol):
    """Returns display names of users, who belong to a package above."""

    async def labels(self, connection: ReadConnection, ids: Sequence[int]) -> dict[int, str]:
        """Return id → display name of the user."""
        ...


def shown_state(instance: Instance[Any, Any]) -> ShownState:
    """Return how administrators see an instance: its own state, or that of its circuit."""
    return instance.health.shown() if instance.state == "ready" else instance.state


async def health_strip(connection: ReadConnection, registry: Registry) -> list[HealthOut]:
    """Return the health of every instance, in four statements, however many there are."""
    instances = list(registry.snapshot.instances.values())
    now = clock.now()
    hour = {row.instance_id: row for row in await connection.execute(_counts(Attempt.started_at >= now - HOUR))}
    today = clock.begin_of(now.date())
    day = {row.instance_id: row for row in await connection.execute(_counts(Attempt.started_at >= today))}
    times = await _times(connection, now - HOUR)
    latest = await _latest(connection, [instance.id for instance in instances])
    return [_health(instance, hour, day, times, latest) for instance in instances]


def _health(
    instance: Instance[Any, Any],
    hour: dict[str, Any],
    day: dict[str, Any],
    times: dict[str, list[int]],
    latest: dict[tuple[str, str], datetime],
) -> HealthOut:
    lately, today = hour.get(instance.id), day.get(instance.id)
    judged = lately.calls - lately.refused if lately else 0
    closed = instance.state == "ready" and instance.health.state != "up"
    sample = times.get(instance.id, [])
    return HealthOut(
        instance_id=instance.id,
        state=shown_state(instance),
        since=datetime.fromtimestamp(instance.health.since_unix if closed else instance.since_unix, UTC),
        last_code=instance.health.last_code,
        last_success_at=latest.get((instance.id, "ok")),
        last_error_at=latest.get((instance.id, "error")),
        calls=judged,
        success_rate=lately.ok / judged if lately and judged else None,
        p50_ms=percentile(sample, 50),
        p95_ms=percentile(sample, 95),
        calls_today=today.calls if today else 0,
        spent_today_micros=_whole(today.cost) if today else 0,
        unknown_today=today.unknown if today else 0,
    )


def percentile(sorted_values: Sequence[int], percent: int) -> int | None:
    """Return the smallest value that this percentage of the values does not exceed; None without values."""
    if not sorted_values:
        return None
    return sorted_values[max(0, math.ceil(len(sorted_values) * percent / 100) - 1)]


def _whole(total: Any) -> int | None:
    return None if total is None else int(total)  # PostgreSQL returns sums as decimals


def _when(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _counts(*conditions: ColumnElement[bool]) -> Select[Any]:
    return (
        select(
            Attempt.instance_id,
            func.count().label("calls"),
            _when(Attempt.outcome == "ok").label("ok"),
            _when(_REFUSED).label("refused"),
            func.sum(Attempt.cost_micros).label("cost"),
            _when(UNKNOWN_COST).label("unknown"),
        )
        .where(_CALLED, *conditions)
        .group_by(Attempt.instance_id)
    )


async def _times(connection: ReadConnection, since: datetime) -> dict[str, list[int]]:
    """Return instance → times of its latest successful calls in ms, sorted."""
    rank = func.row_number().over(partition_by=Attempt.instance_id, order_by=Attempt.started_at.desc())
    calls = (
        select(Attempt.instance_id, Attempt.elapsed_ms, rank.label("rank"))
        .where(Attempt.outcome == "ok", Attempt.started_at >= since)
        .subquery()
    )
    found: dict[str, list[int]] = defaultdict(list)
    query = select(calls.c.instance_id, calls.c.elapsed_ms).where(calls.c.rank <= SAMPLE)
    for instance_id, elapsed_ms in await connection.execute(query.order_by(calls.c.elapsed_ms)):
        found[instance_id].append(elapsed_ms)
    return found


async def _latest(connection: ReadConnection, ids: Iterable[str]) -> dict[tuple[str, str], datetime]:
    """Return (instance, outcome) → its latest call: one index lookup for each."""
    looks = [
        select(
            literal(name).label("name"), literal(outcome).label("outcome"), func.max(Attempt.started_at).label("at")
        ).where(Attempt.instance_id == name, Attempt.outcome == outcome)
        for name in ids
        for outcome in ("ok", "error")
    ]
    if not looks:
        return {}
    rows = await connection.execute(union_all(*looks))
    return {(row.name, row.outcome): row.at for row in rows if row.at is not None}


_ATTEMPT_COLUMNS: Final = tuple(getattr(Attempt, name) for name in AttemptOut.__struct_fields__)


async def attempts_page(
    connection: ReadConnection,
    *,
    kind: str | None,
    instance: str | None,
    outcome: str | None,
    cursor: str | None,
    limit: int,
) -> tuple[list[AttemptOut], str | None]:
    """Return one page, newest first, and the cursor of the next. Raises InvalidFields for a foreign cursor."""
    query = select(*_ATTEMPT_COLUMNS).order_by(Attempt.id.desc()).limit(limit + 1)
    for column, wanted in ((Attempt.kind, kind), (Attempt.instance_id, instance), (Attempt.outcome, outcome)):
        if wanted is not None:
            query = query.where(column == wanted)
    if parts := decode_cursor(cursor, 1):
        query = query.where(Attempt.id < cursor_id(parts[0]))
    rows = (await connection.execute(query)).all()
    following = encode_cursor(rows[limit - 1].id) if len(rows) > limit else None
    return [AttemptOut(**row._asdict()) for row in rows[:limit]], following


async def usage(
    connection: ReadConnection,
    registry: Registry,
    users: UserLabels,
    *,
    by: UsageBy,
    since: date | None,
    until: date | None,
) -> UsageOut:
    """Return the usage between two UTC days, by default this month.

    Raises InvalidFields for an impossible range.
    """
    today = clock.now().date()
    first, last = since or (until or today).replace(day=1), until or max(today, since or today)
    if last < first:
        raise InvalidFields({"to": "The end must not be before the beginning."})
    if last - first > LONGEST_RANGE:
        raise InvalidFields({"from": "At most a year can be shown at once."})
    key = _key(by, lite=connection.dialect.name == "sqlite")
    begins = clock.begin_of(first)
    query = (
        select(
            key.label("key"),
            func.count().label("calls"),
            _when(Attempt.outcome == "ok").label("ok"),
            _when(_REFUSED).label("refused"),
            func.sum(Attempt.cost_micros).label("cost"),
            _when(UNKNOWN_COST).label("unknown"),
            func.coalesce(func.sum(Attempt.held_micros), 0).label("held"),
        )
        .where(_CALLED, Attempt.started_at >= begins, Attempt.started_at < clock.end_of(last))
        .group_by(key)
        .order_by(key if by == "day" else func.coalesce(func.sum(Attempt.cost_micros), -1).desc(), key)
        .limit(MOST_ROWS)
    )
    rows = (await connection.execute(query)).all()
    labels = await _labels(connection, registry, users, by, [row.key or "" for row in rows])
    return UsageOut(since=first, until=last, rows=[_usage_row(row, labels) for row in rows])


def _usage_row(row: Any, labels: dict[str, str]) -> UsageRow:
    key = row.key or ""
    return UsageRow(
        key=key,
        label=labels.get(key, key),
        calls=row.calls,
        ok=row.ok,
        failed=row.calls - row.ok - row.refused,
        refused=row.refused,
        cost_micros=_whole(row.cost),
        unknown_calls=row.unknown,
        estimated_held_micros=int(row.held),
    )


def _key(by: UsageBy, *, lite: bool) -> ColumnElement[Any]:
    match by:
        case "instance":
            return Attempt.instance_id  # type: ignore[return-value]
        case "model":
            return Attempt.model  # type: ignore[return-value]
        case "user":
            return cast(Attempt.user_id, String)
        case "day" if lite:
            return func.substr(cast(Attempt.started_at, String), 1, 10)
        case "day":
            return func.to_char(func.timezone(_UTC, Attempt.started_at), _DAY)


async def _labels(
    connection: ReadConnection, registry: Registry, users: UserLabels, by: UsageBy, keys: Sequence[str]
) -> dict[str, str]:
    """Return key → display name; other keys are shown as they are."""
    if by == "instance":
        return {instance.id: instance.label for instance in registry.snapshot.instances.values()}
    if by == "user":
        found = await users.labels(connection, [int(key) for key in keys if key])
        return {str(user_id): label for user_id, label in found.items()}
    return {}
