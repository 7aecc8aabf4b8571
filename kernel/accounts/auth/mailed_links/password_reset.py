"""Password reset by email: request a link, and choose a new password with it."""

from typing import Final

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import PASSWORD_CHANGED, RESET, SIGNUP, WITH_LINKS
from kernel.accounts.auth.email_tokens import claim_token, drop_tokens
from kernel.accounts.auth.mailed_links.link_requests import request_link
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.service import SignedIn, issuer_required, record_sign_in, signed_in
from kernel.accounts.auth.sessions import Peer, end_sessions, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import AccountToken, User, UserIdentity
from kernel.accounts.second_step import SecondStep, hold_sign_in, needs_issuer
from kernel.accounts.validation import password_fault
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import token_hash
from kernel.core.errors import Forbidden, InvalidFields
from kernel.core.outbox import queue_email, withdraw_emails

EXPIRED: Final = "This link is no longer valid."


class PasswordResetService:
    """Rules of the forgotten password."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        limits: AccountRateLimits,
        devices: KnownDevices,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._limits = limits
        self._devices = devices

    async def forgot(self, email: str, peer: Peer) -> None:
        """Send a link to a new password. Raises InvalidFields, TooMany, and NoProvider when there is no password."""
        self._gateway.form()
        await request_link(self._database, self._limits, RESET, email, peer)

    async def reset(self, token: str, password: str, peer: Peer) -> SignedIn | SecondStep:
        """Replace the password of a link's owner and sign them in; every other session ends.

        Who has a second factor is signed in when it was shown: a mailbox stands in for the password only.

        Only the owner of the mailbox can get here, so the address counts as verified. Identities that were linked
        before it was verified are removed: another person may have made the account and waited.

        Raises Forbidden (`link_expired`, and `issuer_required` for an administrator who needs one); InvalidFields,
        which does not use the link up; TooMany and NoProvider.
        """
        await self._limits.links(peer)
        method = self._gateway.form()
        async with self._database.read() as connection:
            found_user = await connection.execute(
                select(User.email, needs_issuer().label("needs_issuer"))
                .join(AccountToken, AccountToken.user_id == User.id)
                .where(
                    AccountToken.token_hash == token_hash(token),
                    AccountToken.purpose == "reset",
                    AccountToken.expires_at > clock.now(),
                )
            )
        row = found_user.one_or_none()
        if row is None:
            raise Forbidden(EXPIRED, code="link_expired")
        if row.needs_issuer:
            raise issuer_required()
        email: str = row.email
        if fault := password_fault(password, email):
            raise InvalidFields({"password": fault})
        credential = await self._gateway.enroll(password)
        async with self._database.write() as session:
            user_id = (await claim_token(session, token, "reset")).user_id
            await self._replace(session, user_id, credential, peer)
            if second_step := await hold_sign_in(session, user_id, method.id):
                record_sign_in(session, user_id, peer, second_step)
                return second_step
            session_token = await start_session(session, self._config, user_id, method.id, peer)
        return await signed_in(self._database, self._config, self._devices, session_token, peer)

    async def _replace(self, session: AsyncSession, user_id: int, credential: str, peer: Peer) -> None:
        user = (
            await session.execute(select(User).where(User.id == user_id, User.disabled.is_(False)).with_for_update())
        ).scalar_one_or_none()
        if user is None:
            raise Forbidden(EXPIRED, code="link_expired")
        await session.execute(delete(UserIdentity).where(_connected_unverified(user_id)))
        now, language = clock.now(), user.language or peer.spoken
        if not user.email_verified:
            user.email_verified, user.email_verified_at = True, now
            queue_email(session, SIGNUP, address=user.email, language=language, user_id=user_id)
        user.password_hash, user.last_seen_at = credential, now
        await end_sessions(session, user_id)
        await drop_tokens(session, user_id)
        await withdraw_emails(session, user_id, WITH_LINKS)
        queue_email(session, PASSWORD_CHANGED, address=user.email, language=language, user_id=user_id)
        audit(
            session, "user.reset_password", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}", keys=("password",)
        )


def _connected_unverified(user_id: int) -> ColumnElement[bool]:
    """Match the identities that were linked while the user's address was not verified."""
    verified_at = func.coalesce(User.email_verified_at, User.created_at)
    trusted = (
        select(User.id)
        .where(User.id == user_id, User.email_verified.is_(True), verified_at <= UserIdentity.created_at)
        .correlate(UserIdentity)
    )
    return and_(UserIdentity.user_id == user_id, ~trusted.exists())
