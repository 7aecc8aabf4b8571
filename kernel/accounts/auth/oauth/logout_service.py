"""Logouts that an issuer reports (OpenID Connect Back-Channel Logout 1.0): they end the sessions it has started."""

import logging
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import Session, UsedLogout, UserIdentity
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database
from kernel.core.data.ids import token_hash
from kernel.core.errors import Malformed, NoProvider
from kernel.spi import AuthFailed, IssuerLogout

log = logging.getLogger(__name__)


class IssuerLogoutService:
    """Ends sessions at an issuer's word."""

    def __init__(self, database: Database, gateway: SigninGateway) -> None:
        self._database = database
        self._gateway = gateway

    async def end_sessions(self, instance_id: str, token: str, ip: str) -> None:
        """End the sessions that a logout token names, of those that were started through this instance.

        Raises Malformed for a token that is not valid, was used before, or cannot be checked now: the specification
        (§2.8) knows one status for all of them. A token that names no session of ours is fine.
        """
        try:
            logout = await self._gateway.read_logout(self._gateway.redirect(instance_id), token)
        except (AuthFailed, NoProvider) as error:
            log.warning("sign-in instance %s: logout refused: %s", instance_id, getattr(error, "detail", error))
            raise Malformed("The logout token is not valid.") from error
        try:
            async with self._database.write() as session:
                await _use_up(session, logout)
                gone = delete(Session).where(Session.method == instance_id, _named(logout)).returning(Session.user_id)
                for user_id in sorted(set((await session.execute(gone)).scalars())):
                    audit(session, "user.sign_out", ip=ip, object=f"user:{user_id}", outcome="issuer_logout")
        except IntegrityError as error:
            raise Malformed("The logout token was used before.") from error


async def _use_up(session: AsyncSession, logout: IssuerLogout) -> None:
    """Store that a token was used, until it is no longer valid. Raises IntegrityError for a second time."""
    await session.execute(delete(UsedLogout).where(UsedLogout.expires_at <= clock.now()))
    until = datetime.fromtimestamp(logout.valid_until, UTC)
    session.add(UsedLogout(token_hash=token_hash(f"{logout.issuer} {logout.token_id}"), expires_at=until))
    await session.flush()


def _named(logout: IssuerLogout) -> ColumnElement[bool]:
    """Match the sessions that a logout names: one session of the issuer's, or all of a person.

    A person's session of which the issuer never told the name may be the one that is meant, so it ends, too.
    """
    people = select(UserIdentity.user_id).where(
        UserIdentity.issuer == logout.issuer, UserIdentity.subject == logout.subject
    )
    theirs = Session.user_id.in_(people)
    if logout.session_id is None:
        return theirs
    same = Session.issuer_session == logout.session_id
    if logout.subject is None:
        return same
    return and_(theirs, or_(same, Session.issuer_session.is_(None)))
