"""Users as administrators see and change them."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import UNSET
from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.admin.rights_history import NOBODY, RightsHistory, moment_kept
from kernel.accounts.admin.user_filter import UserFilter, cursor_of, in_order, matching
from kernel.accounts.auth.account_emails import RESET, SECOND_FACTOR_REMOVED
from kernel.accounts.auth.sessions import Peer, end_sessions
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.accounts.pro_override import override_now
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.accounts.schemas import OverviewOut, PersonIn, PersonOut
from kernel.accounts.second_step import drop_second_factors, has_second_factor
from kernel.accounts.user_summary import UserSummarySource
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.outbox import queue_email
from kernel.core.text.csv_file import csv_lines

SUSPENDED: Final = "This user is suspended. Reinstate them first."

NO_GIFT: Final = "Only Pro that is given can have an end."
OVER: Final = "This must be in the future."
"""The client offers days to come only."""

_COLUMNS: Final = (
    User.id,
    User.email,
    User.email_verified,
    User.first_name,
    User.last_name,
    User.is_admin,
    User.disabled,
    has_second_factor().label("has_second_factor"),
    User.pro_override,
    User.pro_until,
    User.payment_customer.label("payment_customer_id"),
    User.created_at,
    User.last_seen_at,
    func.coalesce(User.email_marketing, True).label("email_marketing_enabled"),
)


BATCH: Final = 500
"""Users of a file that are read at once."""

LISTED: Final = (
    "id",
    "email",
    "email_verified",
    "first_name",
    "last_name",
    "is_admin",
    "disabled",
    "is_pro",
    "pro_override",
    "pro_until",
    "subscription",
    "covers",
    "generations_this_month",
    "credits",
    "email_marketing_enabled",
    "created_at",
    "last_seen_at",
)
"""The columns of the file."""


class UserAdminService:
    """Rules for administrators who manage users. Learns of plans and payments through UserSummarySource."""

    def __init__(self, database: Database, summaries: UserSummarySource) -> None:
        self._database = database
        self._summaries = summaries

    async def page(self, wanted: UserFilter) -> list[PersonOut]:
        """Return a page of users; the number of statements does not depend on the number of users.

        Raises InvalidFields for a foreign cursor.
        """
        query = in_order(self._query(), wanted.sort, wanted.cursor).limit(wanted.limit)
        async with self._database.scan() as connection:
            return await self._people(connection, query.where(*await self.matching(connection, wanted)))

    async def matching(self, connection: ReadConnection, wanted: UserFilter) -> list[ColumnElement[bool]]:
        """Return the conditions on the users of a filter."""
        return await matching(connection, self._summaries, wanted)

    async def count(self, wanted: UserFilter) -> int:
        """Return how many users match a filter."""
        async with self._database.scan() as connection:
            found = select(func.count()).select_from(User).where(*await self.matching(connection, wanted))
            return int((await connection.execute(found)).scalar_one())

    async def lines(self, wanted: UserFilter) -> AsyncIterator[str]:
        """Yield all users of a filter as lines of CSV, in its order."""
        yield csv_lines([LISTED])
        while True:
            page = await self.page(msgspec.structs.replace(wanted, limit=BATCH))
            yield csv_lines([[_cell(getattr(person, name)) for name in LISTED] for person in page])
            if len(page) < BATCH:
                return
            wanted = msgspec.structs.replace(wanted, cursor=cursor_of(page[-1], wanted.sort))

    async def one(self, user_id: int) -> PersonOut:
        """Return one user. Raises Absent."""
        async with self._database.read() as connection:
            people = await self._people(connection, self._query().where(User.id == user_id, ~is_being_deleted()))
        if not people:
            raise Absent(NOBODY)
        return people[0]

    async def change(self, actor_id: int, user_id: int, wanted: PersonIn, peer: Peer) -> None:
        """Grant or revoke the administrator role, overrule the subscription, or suspend and reinstate the user.

        Takes effect at the next request: a suspended user has no session and no mailed link left. Raises Absent,
        InvalidFields, and Conflict (`last_admin`).
        """
        async with self._database.write() as session:
            await self.change_in(session, actor_id, user_id, wanted, peer)

    async def change_in(self, session: AsyncSession, actor_id: int, user_id: int, wanted: PersonIn, peer: Peer) -> None:
        """Do the same in the caller's transaction. What raises has changed nothing."""
        given: dict[str, tuple[str, Any]] = {
            "isAdmin": ("is_admin", wanted.is_admin),
            "isPro": ("pro_override", wanted.is_pro),
            "disabled": ("disabled", wanted.disabled),
        }
        if wanted.pro_until is not None and (wanted.is_pro is not True or wanted.pro_until <= clock.now()):
            raise InvalidFields({"proUntil": NO_GIFT if wanted.is_pro is not True else OVER})
        if wanted.is_pro is not UNSET:
            given["proUntil"] = ("pro_until", moment_kept(wanted.pro_until))
        values = {column: value for column, value in given.values() if value is not UNSET}
        about, history = f"user:{user_id}", RightsHistory()
        before = await history.read(session, about)
        changed = {name: column for name, (column, _) in given.items() if values.get(column, UNSET) != UNSET}
        changed = {name: column for name, column in changed.items() if values[column] != before.get(column)}
        if not changed:
            return
        await history.put_back(session, about, {column: values[column] for column in changed.values()})
        audit(
            session,
            "user.change",
            actor_id=actor_id,
            ip=peer.ip,
            object=about,
            keys=tuple(changed),
            before=before,
            after=await history.read(session, about),
        )

    async def end_sessions(self, actor: CurrentUser, user_id: int, peer: Peer) -> None:
        """Sign a user out everywhere; of one's own sessions the one that asks stays. Raises Absent."""
        async with self._database.write() as session:
            await self.end_sessions_in(session, actor, user_id, peer)

    async def end_sessions_in(self, session: AsyncSession, actor: CurrentUser, user_id: int, peer: Peer) -> None:
        """Do the same in the caller's transaction. Raises Absent."""
        there = select(User.id).where(User.id == user_id, ~is_being_deleted())
        if (await session.execute(there.with_for_update())).one_or_none() is None:
            raise Absent(NOBODY)
        await end_sessions(session, user_id, keep=actor.session_id if actor.id == user_id else None)
        audit(session, "user.end_sessions", actor_id=actor.id, ip=peer.ip, object=f"user:{user_id}")

    async def send_reset_link(self, actor_id: int, user_id: int, peer: Peer) -> None:
        """Send a user a link with which to choose a password, to their own address. Raises Absent, and Conflict
        (`suspended`) for one whose links would not work.
        """
        there = select(User.email, User.language, User.disabled).where(User.id == user_id, ~is_being_deleted())
        async with self._database.write() as session:
            row = (await session.execute(there)).one_or_none()
            if row is None:
                raise Absent(NOBODY)
            if row.disabled:
                raise Conflict(SUSPENDED, code="suspended")
            queue_email(session, RESET, address=row.email, language=row.language or peer.spoken)
            audit(session, "user.send_reset_link", actor_id=actor_id, ip=peer.ip, object=f"user:{user_id}")

    async def remove_second_factors(self, actor_id: int, user_id: int, peer: Peer) -> None:
        """Take all second factors of a user away, who gets an email about it. Nothing for one without. Raises Absent.

        Their sessions stay: this helps somebody who has lost a phone, and gives nobody a way in.
        """
        there = select(User.email, User.language).where(User.id == user_id, ~is_being_deleted())
        async with self._database.write() as session:
            row = (await session.execute(there.with_for_update())).one_or_none()
            if row is None:
                raise Absent(NOBODY)
            if await drop_second_factors(session, user_id):
                language = row.language or peer.spoken
                queue_email(session, SECOND_FACTOR_REMOVED, address=row.email, language=language, user_id=user_id)
                audit(session, "user.remove_second_factors", actor_id=actor_id, ip=peer.ip, object=f"user:{user_id}")

    async def overview(self) -> OverviewOut:
        """Return the counts of users."""
        figures = select(
            func.count().label("users"),
            func.count().filter(self._summaries.pro()).label("pro"),
            func.count().filter(User.is_admin).label("administrators"),
            func.count().filter(User.payment_customer.is_not(None)).label("payment_customers"),
        ).where(~is_being_deleted())
        async with self._database.scan() as connection:
            return OverviewOut(**(await connection.execute(figures)).one()._asdict())

    def _query(self) -> Select[Any]:
        return select(*_COLUMNS, self._summaries.pro().label("is_pro"))

    async def _people(self, connection: ReadConnection, query: Select[Any]) -> list[PersonOut]:
        rows = (await connection.execute(query)).all()
        if not rows:
            return []
        summaries = await self._summaries.list_summaries(connection, [row.id for row in rows])
        return [
            PersonOut(**_in_force(row._asdict()), profile_image_url=None, **msgspec.structs.asdict(summaries[row.id]))
            for row in rows
        ]


def _in_force(columns: dict[str, Any]) -> dict[str, Any]:
    """Return a user's columns without a gift that is over."""
    override = override_now(columns["pro_override"], columns["pro_until"])
    return columns | {"pro_override": override, "pro_until": columns["pro_until"] if override is not None else None}


def _cell(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
