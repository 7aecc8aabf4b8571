"""The suppression list as administrators see it, and how an address leaves it."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.accounts.user_summary import SuppressionNote
from kernel.accounts.validation import normal_email
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.core.text.csv_file import csv_lines
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor
from kernel.mail.schemas import SuppressionOut, SuppressionReason
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import LAST_REPORT

BATCH: Final = 500
"""Rows of a file that are read at once."""

LISTED: Final = SuppressionOut.__struct_fields__


class SuppressionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which addresses to list; `search` is part of one."""

    search: str = ""
    reason: SuppressionReason | None = None
    cursor: str | None = None
    limit: int = BATCH


class SuppressionService:
    """Shows who gets no email and why, and lifts that."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, wanted: SuppressionFilter) -> list[SuppressionOut]:
        """Return addresses, the latest first. Raises InvalidFields for a foreign cursor."""
        query = _query().order_by(EmailSuppression.id.desc()).limit(wanted.limit)
        if parts := decode_cursor(wanted.cursor, 1):
            query = query.where(EmailSuppression.id < cursor_id(parts[0]))
        if wanted.reason is not None:
            query = query.where(EmailSuppression.reason == wanted.reason)
        if text := wanted.search.strip():
            # a whole address is compared as it is stored, a part of one as it was typed
            part = normal_email(text) or text.lower()
            query = query.where(EmailSuppression.address.contains(part, autoescape=True))
        async with self._database.scan() as connection:
            return [SuppressionOut(**row._asdict()) for row in await connection.execute(query)]

    async def lines(self, wanted: SuppressionFilter) -> AsyncIterator[str]:
        """Yield all addresses of a filter as lines of CSV."""
        yield csv_lines([LISTED])
        while True:
            page = await self.page(msgspec.structs.replace(wanted, limit=BATCH))
            yield csv_lines([[_cell(getattr(row, name)) for name in LISTED] for row in page])
            if len(page) < BATCH:
                return
            wanted = msgspec.structs.replace(wanted, cursor=page_cursor(page[-1]))

    async def lift(self, suppression_id: int, actor: Actor) -> None:
        """Let an address get email again, until it is reported anew. Raises Absent."""
        async with self._database.write() as session:
            row = (await session.execute(_query().where(EmailSuppression.id == suppression_id))).one_or_none()
            if row is None:
                raise Absent("This address is not suppressed.")
            await session.execute(delete(EmailSuppression).where(EmailSuppression.id == suppression_id))
            _note(session, actor, row.user_id, row.scope, row.reason)

    async def lift_of_in(self, session: AsyncSession, user_id: int, actor: Actor) -> bool:
        """Let the address of a user get email again, in the caller's transaction; return whether it got none."""
        address = select(User.email_norm).where(User.id == user_id).scalar_subquery()
        gone = delete(EmailSuppression).where(EmailSuppression.address == address, EmailSuppression.scope == "all")
        reasons = (await session.execute(gone.returning(EmailSuppression.reason))).scalars().all()
        for reason in reasons:
            _note(session, actor, user_id, "all", reason)
        return bool(reasons)

    async def lift_own(self, user: CurrentUser, ip: str) -> None:
        """Let somebody's own address get email again; nothing for one that does."""
        async with self._database.write() as session:
            await self.lift_of_in(session, user.id, Actor(id=user.id, ip=ip))


async def suppression_notes(connection: ReadConnection, user_ids: Sequence[int]) -> dict[int, SuppressionNote]:
    """Return user id → why they get no email at all, for those who get none."""
    query = (
        select(User.id.label("user_id"), EmailSuppression.id, EmailSuppression.reason, LAST_REPORT.label("since"))
        .join(User, User.email_norm == EmailSuppression.address)
        .where(User.id.in_(user_ids), EmailSuppression.scope == "all")
    )
    rows = await connection.execute(query)
    return {row.user_id: SuppressionNote(id=row.id, reason=row.reason, since=row.since) for row in rows}


def page_cursor(row: SuppressionOut) -> str:
    """Return the cursor behind a row."""
    return encode_cursor(row.id)


def _query() -> Select[Any]:
    return select(
        EmailSuppression.id,
        EmailSuppression.address,
        EmailSuppression.scope,
        EmailSuppression.reason,
        EmailSuppression.source,
        EmailSuppression.event_id,
        EmailSuppression.created_at,
        LAST_REPORT.label("last_at"),
        EmailSuppression.tried_at,
        User.id.label("user_id"),
    ).outerjoin(User, User.email_norm == EmailSuppression.address)


def _note(session: AsyncSession, actor: Actor, user_id: int | None, scope: str, reason: str) -> None:
    """Add to the trail whose suppression was lifted; an address is never in it."""
    about = "suppression" if user_id is None else f"user:{user_id}"
    audit(session, "email.unsuppress", actor_id=actor.id, ip=actor.ip, object=about, keys=(scope, reason))


def _cell(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
