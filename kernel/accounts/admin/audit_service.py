"""Reading the audit trail, and putting back what an entry of it changed."""

import logging
from collections.abc import AsyncIterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, NoReturn

import msgspec
from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.schemas import AuditDetail, AuditOut, AuditRestored, Restorable
from kernel.core import clock
from kernel.core.audit import Actor, Audit, audit
from kernel.core.config import AccountsConfig
from kernel.core.data.database import Database
from kernel.core.data.stored_rows import History, Values
from kernel.core.errors import Absent, Conflict
from kernel.core.queue.job_loop import repeat
from kernel.core.text.csv_file import csv_lines
from kernel.core.web.paging import DEFAULT_LIMIT, cursor_id, decode_cursor, encode_cursor

log = logging.getLogger(__name__)

CLEANING_S: Final = 3600.0
BATCH: Final = 1000
"""Rows that are read, or deleted, at once."""

NO_ENTRY: Final = "There is no such entry."
NOT_KEPT: Final = "What was there before is not kept for this entry."
CHANGED: Final = "This has been changed since. Look at the latest entry first."

_COLUMNS: Final = (
    Audit.id,
    Audit.at,
    Audit.actor_id,
    User.email.label("actor_email"),
    Audit.ip,
    Audit.action,
    Audit.object,
    Audit.outcome,
    Audit.keys,
    Audit.after.is_not(None).label("has_values"),
)


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries: of one action, of one area (what is before the dot of actions), of one person or object, between
    two UTC days, or only those with values.
    """

    action: str | None = None
    area: str | None = None
    actor_id: int | None = None
    object: str | None = None
    since: date | None = None
    until: date | None = None
    with_values: bool = False


class AuditService:
    """The audit trail as administrators read it. Nothing changes an entry; old ones are deleted after their time."""

    def __init__(self, config: AccountsConfig, database: Database, histories: Mapping[str, History]) -> None:
        """`histories`: action → how what it changed is read and put back."""
        self._config = config
        self._database = database
        self._histories = histories

    async def page(
        self, wanted: AuditFilter, *, cursor: str | None, limit: int = DEFAULT_LIMIT
    ) -> tuple[list[AuditOut], str | None]:
        """Return one page, latest first, and the cursor of the next. Raises InvalidFields for a foreign cursor."""
        query = _query(wanted, *_COLUMNS).limit(limit)
        if parts := decode_cursor(cursor, 1):
            query = query.where(Audit.id < cursor_id(parts[0]))
        async with self._database.scan() as connection:
            rows = (await connection.execute(query)).all()
        page = [AuditOut(**row._asdict()) for row in rows]
        return page, encode_cursor(page[-1].id) if len(page) == limit else None

    async def lines(self, wanted: AuditFilter) -> AsyncIterator[str]:
        """Yield the entries, latest first, as lines of CSV; values as JSON."""
        heads = ("id", "at", "actor_id", "actor_email", "ip", "action", "object", "outcome", "keys", "before", "after")
        yield csv_lines([heads])
        last: int | None = None
        while True:
            query = _query(wanted, *_COLUMNS, Audit.before, Audit.after).limit(BATCH)
            async with self._database.scan() as connection:
                rows = (await connection.execute(query if last is None else query.where(Audit.id < last))).all()
            yield csv_lines([[_cell(getattr(row, name)) for name in heads] for row in rows])
            if len(rows) < BATCH:
                return
            last = rows[-1].id

    async def one(self, entry_id: int) -> AuditDetail:
        """Return an entry with its values, and whether they can be put back. Raises Absent."""
        async with self._database.write() as session:
            entry = (await session.execute(_entry(entry_id))).one_or_none()
            if entry is None:
                raise Absent(NO_ENTRY)
            values = {name: _on_wire(getattr(entry, name)) for name in ("before", "after")}
            row = {name: value for name, value in entry._asdict().items() if name not in values}
            return AuditDetail(entry=AuditOut(**row), **values, restorable=await self._restorable(session, entry))

    async def restore(self, entry_id: int, actor: Actor) -> AuditRestored:
        """Put back what was there before an entry, which makes a new entry that can be put back as well.

        Raises Absent, and Conflict (`not_kept`, `changed_since`, and what the rules of that kind of change raise).
        """
        async with self._database.write() as session:
            entry = (await session.execute(_entry(entry_id))).one_or_none()
            if entry is None:
                raise Absent(NO_ENTRY)
            match await self._restorable(session, entry):
                case "no":
                    raise Conflict(NOT_KEPT, code="not_kept")
                case "changed":
                    raise Conflict(CHANGED, code="changed_since")
            history = self._histories[entry.action]
            await history.put_back(session, entry.object, entry.before)
            after = await history.read(session, entry.object)
            audit(
                session,
                entry.action,
                actor_id=actor.id,
                ip=actor.ip,
                object=entry.object,
                outcome="restored",
                keys=entry.keys,
                before=entry.after,
                after=after,
            )
            await session.flush()
            made = select(Audit.id).where(Audit.actor_id == actor.id).order_by(Audit.id.desc()).limit(1)
            return AuditRestored(id=(await session.execute(made)).scalar_one())

    async def _restorable(self, session: AsyncSession, entry: Any) -> Restorable:
        history = self._histories.get(entry.action)
        if history is None or entry.before is None or entry.after is None:
            return "no"
        try:
            now = await history.read(session, entry.object)
        except Absent:
            return "no"
        return "yes" if dict(now) == entry.after else "changed"

    async def run(self) -> NoReturn:
        """Delete entries whose time is over, now and every hour, until canceled."""
        await repeat("audit trail", self.clean, every_s=CLEANING_S)

    async def clean(self) -> bool:
        """Delete old entries, the oldest first; return whether there may be more."""
        if not self._config.audit_days:
            return False
        horizon = clock.now() - timedelta(days=self._config.audit_days)
        async with self._database.write() as session:
            oldest = (await session.execute(select(Audit.id, Audit.at).order_by(Audit.id).limit(BATCH))).all()
            old = [row.id for row in oldest if row.at < horizon]
            if old:
                await session.execute(delete(Audit).where(Audit.id.in_(old)))
        return len(old) == BATCH


def _query(wanted: AuditFilter, *columns: Any) -> Select[Any]:
    query = select(*columns).join(User, User.id == Audit.actor_id, isouter=True).order_by(Audit.id.desc())
    equal = ((Audit.action, wanted.action), (Audit.actor_id, wanted.actor_id), (Audit.object, wanted.object))
    for column, value in equal:
        if value is not None:
            query = query.where(column == value)
    if wanted.area is not None:
        query = query.where(Audit.action.startswith(f"{wanted.area}.", autoescape=True))
    if wanted.since is not None:
        query = query.where(Audit.at >= clock.begin_of(wanted.since))
    if wanted.until is not None:
        query = query.where(Audit.at < clock.end_of(wanted.until))
    return query.where(Audit.after.is_not(None)) if wanted.with_values else query


def _entry(entry_id: int) -> Select[Any]:
    return _query(AuditFilter(), *_COLUMNS, Audit.before, Audit.after).where(Audit.id == entry_id)


def _on_wire(values: Values | None) -> dict[str, Any] | None:
    """Return values under the names that the API has for them."""
    return None if values is None else {_camel(name): value for name, value in values.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode()
    return " ".join(value) if isinstance(value, list) else value
