"""Rows of looks that are applied to covers: what is read and written of them in one transaction."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows
from kernel.core.errors import Conflict
from kernel.covers.series.models import LookChange, LookRun
from kernel.covers.series.schemas import LookRunOut, RunState
from kernel.press.lettering.document import Lettering

OPEN: Final = ("applying", "undoing")
NEXT_OF: Final[dict[str, str]] = {"applying": "waiting", "undoing": "changed"}
"""The covers that an open run has still to go through."""
END_OF: Final[dict[str, RunState]] = {"applying": "applied", "undoing": "undone"}
MOVED_ON: Final = "This cover is being changed elsewhere."


class NextChange(msgspec.Struct, frozen=True, kw_only=True):
    """The next cover of a run."""

    position: int
    cover_id: int
    before_version: int | None
    after_version: int | None


async def open_run(reader: ReadConnection | AsyncSession, theme_id: int) -> int | None:
    """Return the run of a theme that has covers to go through."""
    query = select(LookRun.id).where(LookRun.theme_id == theme_id, LookRun.state.in_(OPEN))
    found: int | None = (await reader.execute(query.order_by(LookRun.id.desc()).limit(1))).scalar_one_or_none()
    return found


async def last_run(reader: ReadConnection | AsyncSession, theme_id: int) -> LookRunOut | None:
    """Return the last run of a theme; None where there was none."""
    query = select(LookRun.id, LookRun.state).where(LookRun.theme_id == theme_id)
    run = (await reader.execute(query.order_by(LookRun.id.desc()).limit(1))).one_or_none()
    if run is None:
        return None
    counted = select(LookChange.state, func.count()).where(LookChange.run_id == run.id).group_by(LookChange.state)
    counts: dict[str, int] = dict((await reader.execute(counted)).tuples().all())
    total, ahead = sum(counts.values()), counts.get(NEXT_OF.get(run.state, ""), 0)
    if run.state in ("undoing", "undone"):
        total = sum(counts.get(state, 0) for state in ("changed", "undone", "kept"))
    return LookRunOut(
        id=run.id,
        state=run.state,
        done=total - ahead,
        total=total,
        changed=counts.get("changed", 0),
        left=counts.get("left", 0),
        kept=counts.get("kept", 0),
    )


async def begin_run(session: AsyncSession, theme_id: int, look: Lettering, cover_ids: Sequence[int]) -> None:
    """Write a run that has these covers to go through."""
    moment = clock.now()
    values = {"theme_id": theme_id, "state": "applying", "created_at": moment, "stepped_at": moment}
    made = insert(LookRun).values(lettering=msgspec.to_builtins(look), **values)
    run_id = (await session.execute(made.returning(LookRun.id))).scalar_one()
    rows = [
        {"run_id": run_id, "position": position, "cover_id": cover_id, "state": "waiting"}
        for position, cover_id in enumerate(cover_ids)
    ]
    await session.execute(insert(LookChange), rows)


async def covers_of_run(reader: ReadConnection | AsyncSession, run_id: int) -> set[int]:
    """Return the covers that a run goes through."""
    return set((await reader.execute(select(LookChange.cover_id).where(LookChange.run_id == run_id))).scalars())


async def next_of_run(reader: ReadConnection | AsyncSession, run_id: int, state: str) -> NextChange | None:
    """Return the cover that an open run goes to next; when it is taken back, the last one that it changed."""
    columns = [getattr(LookChange, name) for name in NextChange.__struct_fields__]
    query = select(*columns).where(LookChange.run_id == run_id, LookChange.state == NEXT_OF[state])
    order: Any = LookChange.position if state == "applying" else LookChange.position.desc()
    row = (await reader.execute(query.order_by(order).limit(1))).one_or_none()
    return NextChange(**row._asdict()) if row else None


async def mark(session: AsyncSession, run_id: int, change: NextChange, *, during: str, **values: object) -> None:
    """Write what became of a cover, while its run is still in that state. Raises Conflict when somebody else did."""
    held = update(LookRun).where(LookRun.id == run_id, LookRun.state == during).values(stepped_at=clock.now())
    one = (LookChange.run_id == run_id, LookChange.position == change.position, LookChange.state == NEXT_OF[during])
    if not await changed_rows(session, held) or not await changed_rows(
        session, update(LookChange).where(*one).values(**values)
    ):
        raise Conflict(MOVED_ON, code="version_conflict")


async def end_run(session: AsyncSession, theme_id: int, run_id: int, state: str) -> None:
    """End a run that has no cover ahead; of one that changed nothing nothing is kept, so the one before can still be
    taken back.
    """
    ended = update(LookRun).where(LookRun.id == run_id, LookRun.state == state).values(state=END_OF[state])
    if not await changed_rows(session, ended):
        return
    changed = select(func.count()).where(LookChange.run_id == run_id, LookChange.state.in_(("changed", "undone")))
    earlier = (LookRun.theme_id == theme_id, LookRun.id < run_id)
    if (await session.execute(changed)).scalar_one():
        await session.execute(delete(LookRun).where(*earlier))
    elif (await session.execute(select(func.count()).where(*earlier))).scalar_one():
        await session.execute(delete(LookRun).where(LookRun.id == run_id))
