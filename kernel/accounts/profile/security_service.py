"""What users do for the security of their account: change the password, list and end their sessions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import PASSWORD_CHANGED, WITH_LINKS
from kernel.accounts.auth.email_tokens import drop_tokens
from kernel.accounts.auth.reauthentication import NOT_CURRENT, Reauthentication
from kernel.accounts.auth.sessions import Peer, end_sessions, find_session, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import Session, User
from kernel.accounts.schemas import FactorProof
from kernel.accounts.second_factor.passkeys import PasskeyRefused, Passkeys
from kernel.accounts.second_factor.verification import PASSKEY_REFUSED, FactorVerification
from kernel.accounts.validation import password_fault
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database, changed_rows
from kernel.core.errors import Absent, InvalidFields, SignedOut
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.outbox import queue_email, withdraw_emails

SHOWN: Final = 100
CHANGED_MEANWHILE: Final = FieldError("password_changed", "The password has been changed in the meantime.")


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its owner sees it."""

    id: int
    created_at: datetime
    last_seen_at: datetime
    method: str
    ip: str
    user_agent: str


class AccountSecurityService:
    """Rules for a user's password and sessions."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        reauthentication: Reauthentication,
        verification: FactorVerification,
        passkeys: Passkeys,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._reauthentication = reauthentication
        self._verification = verification
        self._passkeys = passkeys

    async def change_password(self, user: CurrentUser, current: str | None, new: str, peer: Peer) -> str:
        """Replace the password, end all sessions and mailed links, and return the token of a new session.

        Raises InvalidFields for a wrong current or an unacceptable new password, TooMany, and Forbidden
        (`reauthentication_required`) for a user without a password who signed in too long ago.
        """
        proven = await self._reauthentication.check(user, current, peer)
        stored = proven.stored
        found: dict[str, FieldFault] = {} if proven.right else {"currentPassword": NOT_CURRENT}
        credential = ""
        if fault := password_fault(new, user.email):
            found["newPassword"] = fault
        else:
            try:
                credential = await self._gateway.enroll(new)
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
            await withdraw_emails(session, user.id, WITH_LINKS)
            language = user.language or peer.spoken
            queue_email(session, PASSWORD_CHANGED, address=user.email, language=language, user_id=user.id)
            audit(session, "user.password", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=("password",))
            return await start_session(session, self._config, user.id, user.method, peer)

    async def reauthenticate(self, user: CurrentUser, password: str | None, proof: FactorProof, peer: Peer) -> None:
        """Check once more who is there, and record that this session's user has just proved it.

        Who has a second factor shows that one: of a sign-in's two proofs it is the one that nobody can have read or
        guessed. Everybody else types the password. Raises InvalidFields for a wrong proof, TooMany, and SignedOut where
        the session has ended meanwhile. Every password is wrong for a user who has none: without a second factor they
        sign in again where they did before, for a new session.
        """
        if user.has_second_factor:
            await self._show_factor(user, proof, peer)
        else:
            await self._repeat_password(user, password, peer)

    async def passkey_options(self, user: CurrentUser) -> str:
        """Return what the browser needs to use a passkey for `reauthenticate`. Raises InvalidFields without one."""
        try:
            return await self._passkeys.authentication_options(user.id, _step_up(user))
        except PasskeyRefused as error:
            raise InvalidFields({"passkey": PASSKEY_REFUSED}) from error

    async def _repeat_password(self, user: CurrentUser, password: str | None, peer: Peer) -> None:
        if not user.has_password:
            raise InvalidFields({"password": NOT_CURRENT})
        right = (await self._reauthentication.check(user, password, peer)).right
        async with self._database.write() as session:
            _record_proof(session, user, peer, "ok" if right else "wrong_credentials")
            if right:
                await _renew(session, user)
        if not right:
            raise InvalidFields({"password": NOT_CURRENT})

    async def _show_factor(self, user: CurrentUser, proof: FactorProof, peer: Peer) -> None:
        checked = await self._verification.count(user.id, proof, _step_up(user), peer)
        try:
            async with self._database.write() as session:
                await self._verification.use_in(session, user.id, checked, peer)
                _record_proof(session, user, peer, "ok")
                await _renew(session, user)
        except InvalidFields:
            await self._verification.record_failure("user.reauthenticate", user.id, peer, actor_id=user.id)
            raise
        await self._verification.forget(checked)

    async def signed_in(self, token: str) -> CurrentUser:
        """Return the user of a session token. Raises SignedOut."""
        found = await find_session(self._database, self._config, token)
        if found is None:
            raise SignedOut
        return found.user

    async def sessions(self, user: CurrentUser) -> Sequence[SessionRow]:
        """Return the user's sessions, last used first; at most SHOWN."""
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
        """Sign out everywhere except here."""
        async with self._database.write() as session:
            await end_sessions(session, user.id, keep=user.session_id)
            audit(session, "session.end_others", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")


def _step_up(user: CurrentUser) -> str:
    return f"step-up:{user.session_id}"


def _record_proof(session: AsyncSession, user: CurrentUser, peer: Peer, outcome: str) -> None:
    about = f"user:{user.id}"
    audit(session, "user.reauthenticate", actor_id=user.id, ip=peer.ip, object=about, outcome=outcome)


async def _renew(session: AsyncSession, user: CurrentUser) -> None:
    """Record the proof at the session. Raises SignedOut: a password replaced during the check has ended it."""
    here = update(Session).where(Session.id == user.session_id)
    if not await changed_rows(session, here.values(auth_at=clock.now())):
        raise SignedOut
