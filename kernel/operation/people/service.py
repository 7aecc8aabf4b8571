"""One action for many users: each is done as it is for one, by the same service and with the same entry in the trail.

A call does it for BATCH users at most, newest first, in one transaction; the cursor of its answer goes on.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, exists, func, literal, null, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.admin.user_filter import UserFilter
from kernel.accounts.admin.users_service import OVER, UserAdminService
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.last_admin import able_admins, lock_admins
from kernel.accounts.models import Session, User
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.accounts.schemas import PersonIn
from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Conflict, InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.core.schemas import REQUIRED
from kernel.core.text.storable import storable
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor
from kernel.mail.suppression.listing import SuppressionService
from kernel.mail.suppression.service import suppressed
from kernel.operation.people.schemas import (
    LeftOut,
    PeopleAction,
    PeopleChange,
    PeopleChanged,
    PeopleCheck,
    PeopleLeftOut,
    Why,
)
from kernel.plans.credits import CreditIn, CreditService

BATCH: Final = 100
NAMED: Final = 5
"""Addresses that a check names for each reason."""

NEEDED: Final[dict[PeopleAction, tuple[str, ...]]] = {"gift": ("until",), "credit": ("amount", "reason", "run")}
"""The fields that an action needs; they belong to no other."""


class PeopleActions:
    """Does for many users what administrators do for one."""

    def __init__(
        self,
        database: Database,
        user_admin: UserAdminService,
        credit_service: CreditService,
        suppressions: SuppressionService,
    ) -> None:
        self._database = database
        self._user_admin = user_admin
        self._credits = credit_service
        self._suppressions = suppressions

    async def check(self, actor: CurrentUser, wanted: PeopleChange) -> PeopleCheck:
        """Say for how many users it would be done and whom it would leave out. Raises InvalidFields."""
        _validate(wanted)
        async with self._database.scan() as connection:
            people = select(User.id, User.email, _why(actor, wanted).label("why"))
            listed = people.where(*await self._who(connection, wanted)).subquery()
            counts = select(listed.c.why, func.count(), func.max(listed.c.id)).group_by(listed.c.why)
            rows = (await connection.execute(counts)).all()
            left = {why: (count, await _emails(connection, listed, why)) for why, count, _ in rows if why is not None}
            changes = sum(count for why, count, _ in rows if why is None)
            if wanted.action == "suspend" and (last := await _last_admin(connection, listed)):
                changes, left["last_admin"] = changes - 1, (1, [last])
        newest = max((latest for *_, latest in rows), default=None)
        if missing := len(set(wanted.ids or ())) - sum(count for _, count, _ in rows) if wanted.ids else 0:
            left["gone"] = (missing, [])
        return PeopleCheck(
            changes=changes,
            left_out=[PeopleLeftOut(why=why, count=count, emails=emails) for why, (count, emails) in left.items()],
            cursor=None if newest is None else encode_cursor(newest + 1),
        )

    async def change(self, actor: CurrentUser, wanted: PeopleChange, peer: Peer) -> PeopleChanged:
        """Do it for the next users, all of them in one transaction. Raises InvalidFields."""
        _validate(wanted)
        async with self._database.scan() as connection:
            behind = select(User.id).where(*await self._who(connection, wanted), *_below(wanted.cursor))
            found = (await connection.execute(behind.order_by(User.id.desc()).limit(BATCH + 1))).scalars().all()
        ids, more = found[:BATCH], len(found) > BATCH
        changed: list[int] = []
        left: list[LeftOut] = []
        async with self._database.write() as session:
            await lock_admins(session)
            people = select(User.id, User.email, _why(actor, wanted).label("why"))
            people = people.where(User.id.in_(ids), ~is_being_deleted()).order_by(User.id.desc())
            there = {row.id: row for row in await session.execute(people.with_for_update(of=User))}
            for user_id in ids:
                row = there.get(user_id)
                why = "gone" if row is None else row.why or await self._do(session, actor, user_id, wanted, peer)
                if why is None:
                    changed.append(user_id)
                else:
                    left.append(LeftOut(id=user_id, email=None if row is None else row.email, why=why))
        if wanted.ids and not more:
            left += await self._gone(wanted.ids)
        return PeopleChanged(changed=changed, left_out=left, cursor=encode_cursor(ids[-1]) if more else None)

    async def _who(self, connection: ReadConnection, wanted: PeopleChange) -> list[ColumnElement[bool]]:
        if wanted.matching is None:
            return [User.id.in_(set(wanted.ids or ())), ~is_being_deleted()]
        given = wanted.matching
        filtered = UserFilter(search=storable(given.search), role=given.role, since=given.since, until=given.until)
        return await self._user_admin.matching(connection, filtered)

    async def _do(
        self, session: AsyncSession, actor: CurrentUser, user_id: int, wanted: PeopleChange, peer: Peer
    ) -> Why | None:
        """Do it for one user; return why it was not done, else None."""
        change = self._user_admin.change_in
        match wanted.action:
            case "suspend" | "reinstate" as action:
                try:
                    await change(session, actor.id, user_id, PersonIn(disabled=action == "suspend"), peer)
                except Conflict:  # before anything was changed
                    return "last_admin"
            case "gift":
                await change(session, actor.id, user_id, PersonIn(is_pro=True, pro_until=wanted.until), peer)
            case "credit":
                credit = CreditIn(amount=wanted.amount or 0, reason=wanted.reason or "")
                by = Actor(id=actor.id, ip=peer.ip)
                await self._credits.give_in(session, user_id, credit, by, run=f"{actor.id}:{wanted.run}"[:64])
            case "end_sessions":
                await self._user_admin.end_sessions_in(session, actor, user_id, peer)
            case "lift":
                if not await self._suppressions.lift_of_in(session, user_id, Actor(id=actor.id, ip=peer.ip)):
                    return "gets_email"
        return None

    async def _gone(self, ids: Sequence[int]) -> list[LeftOut]:
        """Return those of the users named who are no more."""
        there = select(User.id).where(User.id.in_(set(ids)), ~is_being_deleted())
        async with self._database.scan() as connection:
            known = set((await connection.execute(there)).scalars())
        return [LeftOut(id=user_id, email=None, why="gone") for user_id in dict.fromkeys(ids) if user_id not in known]


def _validate(wanted: PeopleChange) -> None:
    """Raise InvalidFields for what is missing, makes no sense together, or is over."""
    faults: dict[str, FieldFault] = {}
    if wanted.ids is None and wanted.matching is None:
        faults["ids"] = REQUIRED
    if wanted.ids is not None and wanted.matching is not None:
        faults["matching"] = "Name users or give a filter, not both."
    for action, names in NEEDED.items():
        for name in names:
            given = getattr(wanted, name) is not None
            if given != (wanted.action == action):
                faults[name] = f"This belongs to the action `{action}`." if given else REQUIRED
    if "until" not in faults and wanted.until is not None and wanted.until <= clock.now():
        faults["until"] = OVER
    if faults:
        raise InvalidFields(faults)


def _why(actor: CurrentUser, wanted: PeopleChange) -> ColumnElement[Any]:
    """Select why a user is left out, null for one who is not. Who is the last administrator is not known here."""
    reasons: dict[Why, ColumnElement[bool]] = {}
    match wanted.action:
        case "suspend":
            reasons = {"self": User.id == actor.id, "suspended": User.disabled.is_(True)}
        case "reinstate":
            reasons = {"not_suspended": User.disabled.is_(False)}
        case "gift":
            longer = User.pro_until.is_(None) | (User.pro_until >= wanted.until)
            reasons = {"gift_longer": and_(User.pro_override.is_(True), longer)}
        case "end_sessions":
            reasons = {"signed_out": ~exists().where(Session.user_id == User.id, Session.id != actor.session_id)}
        case "lift":
            reasons = {"gets_email": ~suppressed()}
        case "credit":
            return null()
    return case(*((condition, literal(why)) for why, condition in reasons.items()), else_=None)


def _below(cursor: str | None) -> list[ColumnElement[bool]]:
    parts = decode_cursor(cursor, 1)
    return [User.id < cursor_id(parts[0])] if parts else []


async def _emails(connection: ReadConnection, listed: Any, why: str) -> list[str]:
    newest = select(listed.c.email).where(listed.c.why == why).order_by(listed.c.id.desc()).limit(NAMED)
    return list((await connection.execute(newest)).scalars())


async def _last_admin(connection: ReadConnection, listed: Any) -> str | None:
    """Return the address of the administrator who would stay the only one: all of them are to be suspended."""
    able = set((await connection.execute(able_admins())).scalars())
    doomed = select(listed.c.id, listed.c.email).where(listed.c.id.in_(able), listed.c.why.is_(None))
    emails = {row.id: row.email for row in await connection.execute(doomed)}
    return emails[min(able)] if able and able == set(emails) else None
