"""All that happened with one person, the latest first: covers, invoices, emails, sign-ins and the history.

Each source is read by its own index up to a page's length, and the pages are merged: by time, then by source, then by
id. So a page costs the same however much there is.
"""

import heapq
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Select, or_, select, tuple_

from kernel.accounts.admin.rights_history import NOBODY
from kernel.accounts.models import Session, User
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.billing.models import PaymentEmail, PaymentInvoice
from kernel.core.audit import Audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, InvalidFields
from kernel.core.outbox import OutboxEmail
from kernel.core.web.paging import ForeignCursor, cursor_id, cursor_uuid, decode_cursor, encode_cursor
from kernel.covers.models import Cover, Generation
from kernel.insight.schemas import FoundCover, TimelineEntry, TimelineKind
from kernel.mail.models import EmailCampaign, EmailRecipient

NO_COVER: Final = "There is no such cover."


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where entries of one kind are: when each happened, its id, what to read, and how that becomes an entry.

    `unix`: the time is stored in seconds.
    """

    kind: TimelineKind
    at: Any
    id: Any
    query: Callable[[int], Select[Any]]
    entry: Callable[[Any], dict[str, Any]]
    unix: bool = False

    def cursor_id(self, text: str) -> object:
        """Read an id in a cursor. Raises InvalidFields."""
        return cursor_uuid(text) if self.id is Generation.id else cursor_id(text)


def _audit(user_id: int) -> Select[Any]:
    query = select(Audit.id, Audit.at, Audit.action, Audit.outcome, Audit.keys, Audit.ip, User.email)
    mine = or_(Audit.actor_id == user_id, Audit.object == f"user:{user_id}")
    return query.outerjoin(User, User.id == Audit.actor_id).where(mine)


def _recipients(user_id: int) -> Select[Any]:
    query = select(EmailRecipient.id, EmailRecipient.updated_at, EmailRecipient.state, EmailRecipient.code)
    query = query.add_columns(EmailCampaign.subject).join(EmailCampaign, EmailCampaign.id == EmailRecipient.campaign_id)
    return query.where(EmailRecipient.user_id == user_id)


SOURCES: Final[tuple[Source, ...]] = (
    Source(
        kind="cover",
        at=Generation.created_at,
        id=Generation.id,
        query=lambda user_id: select(
            Generation.id, Generation.created_at, Generation.title, Generation.state, Generation.prompt
        ).where(Generation.user_id == user_id),
        entry=lambda row: {"what": row.title or row.prompt[:100], "state": row.state},
    ),
    Source(
        kind="invoice",
        at=PaymentInvoice.created,
        id=PaymentInvoice.id,
        query=lambda user_id: select(
            PaymentInvoice.id,
            PaymentInvoice.created,
            PaymentInvoice.number,
            PaymentInvoice.state,
            PaymentInvoice.total,
            PaymentInvoice.currency,
        ).where(PaymentInvoice.user_id == user_id),
        entry=lambda row: {"what": row.number, "state": row.state, "amount": row.total, "currency": row.currency},
        unix=True,
    ),
    Source(
        kind="email",
        at=EmailRecipient.updated_at,
        id=EmailRecipient.id,
        query=_recipients,
        entry=lambda row: {"what": row.subject, "state": row.state, "detail": row.code},
    ),
    Source(
        kind="email",
        at=PaymentEmail.created_at,
        id=PaymentEmail.id,
        query=lambda user_id: select(PaymentEmail.id, PaymentEmail.created_at, PaymentEmail.kind).where(
            PaymentEmail.user_id == user_id
        ),
        entry=lambda row: {"what": row.kind},
    ),
    Source(
        kind="email",
        at=OutboxEmail.created_at,
        id=OutboxEmail.id,
        query=lambda user_id: select(OutboxEmail.id, OutboxEmail.created_at, OutboxEmail.kind).where(
            OutboxEmail.user_id == user_id
        ),
        entry=lambda row: {"what": row.kind, "state": "pending"},
    ),
    Source(
        kind="session",
        at=Session.created_at,
        id=Session.id,
        query=lambda user_id: select(
            Session.id, Session.created_at, Session.method, Session.ip, Session.user_agent
        ).where(Session.user_id == user_id),
        entry=lambda row: {"what": row.method, "detail": row.user_agent, "ip": row.ip},
    ),
    Source(
        kind="history",
        at=Audit.at,
        id=Audit.id,
        query=_audit,
        entry=lambda row: {
            "what": row.action,
            "state": row.outcome,
            "detail": ", ".join(row.keys),
            "ip": row.ip,
            "actor_email": row.email,
        },
    ),
)


class TimelineService:
    """Reads what happened with a person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, user_id: int, kind: TimelineKind | None, *, cursor: str | None, limit: int
    ) -> tuple[list[TimelineEntry], str | None]:
        """Return a page and the cursor of the next. Raises Absent, and InvalidFields for a foreign cursor."""
        last = _last(cursor)
        there = select(User.id).where(User.id == user_id, ~is_being_deleted())
        async with self._database.scan() as connection:
            if (await connection.execute(there)).one_or_none() is None:
                raise Absent(NOBODY)
            pages = [
                await _entries(connection, number, user_id, last, limit + 1)
                for number, source in enumerate(SOURCES)
                if kind in (None, source.kind)
            ]
        merged = list(islice(heapq.merge(*pages, key=lambda found: (-found[0].at.timestamp(), found[1])), limit + 1))
        following = None
        if len(merged) > limit:
            entry, number = merged[limit - 1]
            following = encode_cursor(entry.at.isoformat(), number, entry.id)
        return [entry for entry, _ in merged[:limit]], following

    async def find_cover(self, name: str) -> FoundCover:
        """Return whose cover has this number, or this id of the generation that made it. Raises Absent."""
        query = (
            select(
                Cover.id,
                Generation.id.label("generation_id"),
                Generation.title,
                Generation.state,
                User.id.label("user_id"),
                User.email,
            )
            .join(User, User.id == Generation.user_id)
            .outerjoin(Cover, Cover.generation_id == Generation.id)
            .where(~is_being_deleted(), *_named(name))
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise Absent(NO_COVER)
        return FoundCover(**row._asdict())


def _named(name: str) -> tuple[Any, ...]:
    """Match the cover of this number or id. Raises Absent for what is neither."""
    try:
        return (Cover.id == cursor_id(name),) if name.isdigit() else (Generation.id == UUID(name),)
    except (ValueError, InvalidFields) as error:
        raise Absent(NO_COVER) from error


Last = tuple[datetime, int, str]
"""Time, source and id of the last entry that was shown."""


def _last(cursor: str | None) -> Last | None:
    parts = decode_cursor(cursor, 3)
    if parts is None:
        return None
    try:
        at, number = datetime.fromisoformat(parts[0]), int(parts[1])
    except ValueError as error:
        raise ForeignCursor from error
    if at.tzinfo is None or not 0 <= number < len(SOURCES):
        raise ForeignCursor
    SOURCES[number].cursor_id(parts[2])
    return at, number, parts[2]


async def _entries(
    connection: ReadConnection, number: int, user_id: int, last: Last | None, limit: int
) -> Sequence[tuple[TimelineEntry, int]]:
    source = SOURCES[number]
    query = source.query(user_id).order_by(source.at.desc(), source.id.desc()).limit(limit)
    if last is not None:
        query = query.where(_behind(source, number, last))
    found = []
    for row in await connection.execute(query):
        at = datetime.fromtimestamp(row[1], UTC) if source.unix else row[1]
        known = {"state": None, "detail": None, "ip": None, "amount": None, "currency": None, "actor_email": None}
        found.append((TimelineEntry(kind=source.kind, id=str(row[0]), at=at, **known | source.entry(row)), number))
    return found


def _behind(source: Source, number: int, last: Last) -> Any:
    """Match what comes after the last entry: of the same moment, the sources come in their order."""
    moment: Any = last[0]
    begun = False
    if source.unix:
        # a stored whole second lies before a moment within it
        moment, begun = int(last[0].timestamp()), last[0].microsecond > 0
    if number == last[1]:
        return tuple_(source.at, source.id) < (moment, source.cursor_id(last[2]))
    return source.at <= moment if begun or number > last[1] else source.at < moment
