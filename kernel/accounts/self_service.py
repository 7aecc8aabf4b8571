"""What people do with their own account: change the password, see and end their sessions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from sqlalchemy import CursorResult, delete, select, update

from kernel.accounts.current import CurrentUser
from kernel.accounts.desk import Desk
from kernel.accounts.fields import normal_email, password_fault
from kernel.accounts.limits import Devices, Limits
from kernel.accounts.models import Session, User
from kernel.accounts.sessions import Peer, end_sessions, find_session, start_session
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Absent, Forbidden, InvalidFields, SignedOut

RECENT: Final = timedelta(minutes=15)
"""Somebody without a password proves who they are by having signed in this lately."""

SHOWN: Final = 100


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its owner sees it."""

    id: int
    created_at: datetime
    last_seen_at: datetime
    method: str
    ip: str
    user_agent: str


class SelfService:
    """Rules for one's own account."""

    def __init__(self, database: Database, config: Config, desk: Desk, limits: Limits, devices: Devices) -> None:
        self._database = database
        self._config = config
        self._desk = desk
        self._limits = limits
        self._devices = devices

    async def change_password(self, user: CurrentUser, current: str | None, new: str, peer: Peer) -> str:
        """Replace the password, end all sessions and return the token of a new one.

        Raises InvalidFields for a wrong current or a poor new password, TooMany, and Forbidden (`reauth_required`) for
        somebody without a password who signed in too long ago.
        """
        async with self._database.read() as connection:
            stored = await connection.scalar(select(User.password_hash).where(User.id == user.id))
        found: dict[str, str] = {}
        if stored is not None:
            if not await self._knows(user, current, stored, peer):
                found["currentPassword"] = "This is not your current password."
        elif clock.now() - user.auth_at > RECENT:
            raise Forbidden("Please sign in again first.", code="reauth_required")
        credential = ""
        if fault := password_fault(new, user.email):
            found["newPassword"] = fault
        else:
            try:
                credential = await self._desk.enroll(new)
            except InvalidFields as error:
                found["newPassword"] = error.message
        if found:
            raise InvalidFields(found)
        async with self._database.write() as session:
            same = User.password_hash.is_(None) if stored is None else User.password_hash == stored
            changed = await session.execute(
                update(User).where(User.id == user.id, same).values(password_hash=credential)
            )
            if not (isinstance(changed, CursorResult) and changed.rowcount == 1):
                raise InvalidFields({"currentPassword": "The password was changed meanwhile."})
            await end_sessions(session, user.id)
            audit(session, "user.password", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=("password",))
            return await start_session(session, self._config, user.id, user.method, peer)

    async def signed_in(self, token: str) -> CurrentUser:
        """Return whose session a token is. Raises SignedOut."""
        found = await find_session(self._database, self._config, token)
        if found is None:
            raise SignedOut
        return found.user

    async def sessions(self, user: CurrentUser) -> Sequence[SessionRow]:
        """Return the user's sessions, the one used last first; at most SHOWN."""
        columns = (
            select(Session.id, Session.created_at, Session.last_seen_at, Session.method, Session.ip, Session.user_agent)
            .where(Session.user_id == user.id, Session.expires_at > clock.now())
            .order_by(Session.last_seen_at.desc(), Session.id.desc())
            .limit(SHOWN)
        )
        async with self._database.read() as connection:
            return [SessionRow(**row) for row in (await connection.execute(columns)).mappings()]

    async def end_session(self, user: CurrentUser, session_id: int, peer: Peer) -> None:
        """End one of the user's sessions. Raises Absent."""
        async with self._database.write() as session:
            ended = await session.execute(delete(Session).where(Session.id == session_id, Session.user_id == user.id))
            if not (isinstance(ended, CursorResult) and ended.rowcount):
                raise Absent
            audit(session, "session.end", actor_id=user.id, ip=peer.ip, object=f"session:{session_id}")

    async def _knows(self, user: CurrentUser, typed: str | None, stored: str, peer: Peer) -> bool:
        """Say whether the current password is right; wrong ones count as guesses at the account."""
        if not typed:
            return False
        device = self._devices.known(peer.device, user.id)
        counters = await self._limits.sign_in(normal_email(user.email) or user.email, peer, device)
        email = normal_email(user.email) or user.email
        if await self._desk.verify(self._desk.form(), email, typed, stored) is None:
            return False
        await self._limits.take_back(counters)
        return True
