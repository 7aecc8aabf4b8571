"""Getting back in by mail: ask for a link, and choose a new password with it."""

from typing import Final

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.correspondence import PASSWORD_CHANGED, RESET, SIGNUP, WITH_LINKS
from kernel.accounts.desk import Desk
from kernel.accounts.fields import email_fault, normal_email, password_fault
from kernel.accounts.limits import Devices, Limits
from kernel.accounts.models import AccountToken, Identity, User
from kernel.accounts.service import SignedIn
from kernel.accounts.sessions import Peer, end_sessions, find_session, start_session
from kernel.accounts.tokens import claim_token, drop_tokens
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Forbidden, InvalidFields, SignedOut, TooMany
from kernel.core.ids import token_hash
from kernel.core.letters import withdraw_letters, write_letter

EXPIRED: Final = "This link is not valid any more."


class RecoveryService:
    """Rules of the forgotten password."""

    def __init__(self, database: Database, config: Config, desk: Desk, limits: Limits, devices: Devices) -> None:
        self._database = database
        self._config = config
        self._desk = desk
        self._limits = limits
        self._devices = devices

    async def forgot(self, email: str, peer: Peer) -> None:
        """Ask for a letter to an address. All are treated alike; the worker finds out whether there is an account.

        Raises InvalidFields for what is no address, TooMany for one place that asks too often, and NoProvider where
        nobody signs in with a password. An address that is asked for too often gets no further letter, silently.
        """
        self._desk.form()
        if fault := email_fault(email):
            raise InvalidFields({"email": fault})
        await self._limits.links(peer)
        try:
            await self._limits.letter(normal_email(email) or "")
        except TooMany:
            return
        async with self._database.write() as session:
            write_letter(session, RESET, address=email.strip(), language=peer.spoken)

    async def reset(self, token: str, password: str, peer: Peer) -> SignedIn:
        """Replace the password by the holder of a link, and sign them in; every other session ends.

        Only the owner of the mailbox gets here, so the address counts as verified. Sign-ins elsewhere that were
        connected before it was are removed: somebody else may have made the account and waited.

        Raises Forbidden (`link_expired`); InvalidFields, which does not use the link up; TooMany and NoProvider.
        """
        await self._limits.links(peer)
        method = self._desk.form()
        async with self._database.read() as connection:
            email = await connection.scalar(
                select(User.email)
                .join(AccountToken, AccountToken.user_id == User.id)
                .where(
                    AccountToken.token_hash == token_hash(token),
                    AccountToken.purpose == "reset",
                    AccountToken.expires_at > clock.now(),
                )
            )
        if email is None:
            raise Forbidden(EXPIRED, code="link_expired")
        if fault := password_fault(password, email):
            raise InvalidFields({"password": fault})
        credential = await self._desk.enroll(password)
        async with self._database.write() as session:
            user_id = (await claim_token(session, token, "reset")).user_id
            session_token = await self._replace(session, user_id, credential, method.id, peer)
        found = await find_session(self._database, self._config, session_token)
        if found is None:
            raise SignedOut
        return SignedIn(user=found.user, token=session_token, device=self._devices.issue(user_id))

    async def _replace(self, session: AsyncSession, user_id: int, credential: str, method: str, peer: Peer) -> str:
        user = (
            await session.execute(select(User).where(User.id == user_id, User.disabled.is_(False)).with_for_update())
        ).scalar_one_or_none()
        if user is None:
            raise Forbidden(EXPIRED, code="link_expired")
        await session.execute(delete(Identity).where(_connected_unverified(user_id)))
        now, language = clock.now(), user.language or peer.spoken
        if not user.email_verified:
            user.email_verified, user.email_verified_at = True, now
            write_letter(session, SIGNUP, address=user.email, language=language, user_id=user_id)
        user.password_hash, user.last_seen_at = credential, now
        await end_sessions(session, user_id)
        await drop_tokens(session, user_id)
        await withdraw_letters(session, user_id, WITH_LINKS)
        write_letter(session, PASSWORD_CHANGED, address=user.email, language=language, user_id=user_id)
        audit(
            session, "user.reset_password", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}", keys=("password",)
        )
        return await start_session(session, self._config, user_id, method, peer)


def _connected_unverified(user_id: int) -> ColumnElement[bool]:
    """Match the sign-ins elsewhere that were connected while the user's address was not verified."""
    verified_at = func.coalesce(User.email_verified_at, User.created_at)
    trusted = (
        select(User.id)
        .where(User.id == user_id, User.email_verified.is_(True), verified_at <= Identity.created_at)
        .correlate(Identity)
    )
    return and_(Identity.user_id == user_id, ~trusted.exists())
