"""What people do with their own account: change the password, see and end their sessions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import CursorResult, delete, select, update

from kernel.accounts.correspondence import PASSWORD_CHANGED, WITH_LINKS
from kernel.accounts.current import CurrentUser
from kernel.accounts.desk import Desk
from kernel.accounts.fields import password_fault
from kernel.accounts.models import Session, User
from kernel.accounts.proof import NOT_CURRENT, Proof
from kernel.accounts.sessions import Peer, end_sessions, find_session, start_session
from kernel.accounts.tokens import drop_tokens
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Absent, InvalidFields, SignedOut
from kernel.core.letters import withdraw_letters, write_letter
from kernel.core.objections import Objection

SHOWN: Final = 100
CHANGED_MEANWHILE: Final = Objection("password_changed", "The password was changed meanwhile.")


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

    def __init__(self, database: Database, config: Config, desk: Desk, proof: Proof) -> None:
        self._database = database
        self._config = config
        self._desk = desk
        self._proof = proof

    async def change_password(self, user: CurrentUser, current: str | None, new: str, peer: Peer) -> str:
        """Replace the password, end all sessions and mailed links, and return the token of a new session.

        Raises InvalidFields for a wrong current or a poor new password, TooMany, and Forbidden (`reauth_required`) for
        somebody without a password who signed in too long ago.
        """
        proven = await self._proof.check(user, current, peer)
        stored = proven.stored
        found: dict[str, str] = {} if proven.right else {"currentPassword": NOT_CURRENT}
        credential = ""
        if fault := password_fault(new, user.email):
            found["newPassword"] = fault
        else:
            try:
                credential = await self._desk.enroll(new)
            except InvalidFields as error:
                found["newPassword"] = error.fields["password"]
        if found:
            raise InvalidFields(found)
        async with self._database.write() as session:
            same = User.password_hash.is_(None) if stored is None else User.password_hash == stored
            changed = await session.execute(
                update(User).where(User.id == user.id, same).values(password_hash=credential)
            )
            if not (isinstance(changed, CursorResult) and changed.rowcount == 1):
                raise InvalidFields({"currentPassword": CHANGED_MEANWHILE})
            await end_sessions(session, user.id)
            await drop_tokens(session, user.id)
            await withdraw_letters(session, user.id, WITH_LINKS)
            language = user.language or peer.spoken
            write_letter(session, PASSWORD_CHANGED, address=user.email, language=language, user_id=user.id)
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

    async def end_other_sessions(self, user: CurrentUser, peer: Peer) -> None:
        """Sign out everywhere but here."""
        async with self._database.write() as session:
            await end_sessions(session, user.id, keep=user.session_id)
            audit(session, "session.end_others", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")
