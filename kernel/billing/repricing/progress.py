"""How far moves have come."""

from collections import Counter
from typing import Any

from sqlalchemy import Select, func, select

from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.repricing.schemas import LeftOutCount, PriceMoveOut
from kernel.core.data.database import ReadConnection

_COLUMNS = (
    PriceMove.id,
    PriceMove.state,
    PriceMove.created_at.label("started_at"),
    PriceMove.ended_at,
    PriceMove.old_price.label("price_id"),
    PriceMove.new_price.label("new_price_id"),
    PriceMove.old_amount,
    PriceMove.new_amount,
    PriceMove.currency,
    PriceMove.interval,
    PriceMove.notice_days,
)


async def with_progress(connection: ReadConnection, query: Select[Any]) -> list[PriceMoveOut]:
    """Return the moves that a query of `PriceMove` selects, and what became of their subscribers: two statements."""
    moves = (await connection.execute(query.with_only_columns(*_COLUMNS))).all()
    was_told = MovedSubscriber.told_at.is_not(None)
    group = (MovedSubscriber.move_id, MovedSubscriber.state, MovedSubscriber.reason, was_told)
    counted = select(*group[:3], was_told.label("was_told"), func.count().label("many")).where(
        MovedSubscriber.move_id.in_([move.id for move in moves])
    )
    states: Counter[tuple[int, str]] = Counter()
    told: Counter[int] = Counter()
    reasons: Counter[tuple[int, str]] = Counter()
    for row in await connection.execute(counted.group_by(*group)) if moves else ():
        states[row.move_id, row.state] += row.many
        if row.was_told:
            told[row.move_id] += row.many
        if row.state == "left_out":
            reasons[row.move_id, row.reason] += row.many
    return [
        PriceMoveOut(
            **move._asdict(),
            waiting=states[move.id, "waiting"],
            told=told[move.id],
            pending=states[move.id, "told"],
            moved=states[move.id, "moved"],
            stopped=states[move.id, "stopped"],
            left_out=[
                LeftOutCount(reason=reason, count=count)  # type: ignore[arg-type]
                for (of, reason), count in sorted(reasons.items())
                if of == move.id
            ],
        )
        for move in moves
    ]
