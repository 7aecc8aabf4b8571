"""The second step of a sign-in: from the right password to a session."""

from datetime import datetime

import msgspec
from sqlalchemy import delete, func, literal, or_, select, update

from kernel.accounts.auth.new_devices import NewDevices
from kernel.accounts.auth.rate_limits import KnownDevices
from kernel.accounts.auth.service import SignedIn, record_sign_in, signed_in
from kernel.accounts.auth.sessions import Peer, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import HeldSignIn, User
from kernel.accounts.schemas import FactorProof
from kernel.accounts.second_factor.passkeys import PasskeyRefused, Passkeys
from kernel.accounts.second_factor.verification import PASSKEY_REFUSED, FactorVerification
from kernel.accounts.second_step import FactorKind, factors_of, needs_issuer
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database, changed_rows
from kernel.core.data.ids import token_hash
from kernel.core.errors import Forbidden, InvalidFields


class WaitingSignIn(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that waits for its second factor."""

    id: int
    user_id: int
    method: str
    issuer_session: str | None
    expires_at: datetime

    @property
    def purpose(self) -> str:
        """What a passkey's challenge is made for."""
        return f"held:{self.id}"


class SecondStepService:
    """Completes sign-ins that wait. A sign-in is that of one browser, for ten minutes, once."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        verification: FactorVerification,
        passkeys: Passkeys,
        devices: KnownDevices,
        new_devices: NewDevices,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._verification = verification
        self._passkeys = passkeys
        self._devices = devices
        self._new_devices = new_devices

    async def factors(self, token: str | None) -> tuple[FactorKind, ...]:
        """Return what the user of a waiting sign-in can show. Raises Forbidden (`sign_in_expired`)."""
        waiting = await self._find(token)
        async with self._database.read() as connection:
            return await factors_of(connection, waiting.user_id)

    async def passkey_options(self, token: str | None) -> str:
        """Return what the browser needs to use a passkey. Raises Forbidden (`sign_in_expired`) and InvalidFields."""
        waiting = await self._find(token)
        try:
            return await self._passkeys.authentication_options(waiting.user_id, waiting.purpose)
        except PasskeyRefused as error:
            raise InvalidFields({"passkey": PASSKEY_REFUSED}) from error

    async def finish(self, token: str | None, proof: FactorProof, peer: Peer) -> SignedIn:
        """Check the second factor and start the session, in one transaction.

        Raises Forbidden (`sign_in_expired`), the same for a token of no browser, used and old ones; InvalidFields for a
        wrong proof, after which the sign-in still waits; and TooMany.
        """
        waiting = await self._find(token)
        user_id = waiting.user_id
        checked = await self._verification.count(user_id, proof, waiting.purpose, peer)
        new_device = await self._new_devices.find(user_id, peer)
        # the password that was right may have stopped being enough
        through_issuer = waiting.method in self._gateway.redirect_ids()
        admitted = or_(literal(through_issuer), ~needs_issuer())
        alive = update(User).where(User.id == user_id, User.disabled.is_(False), admitted)
        seen = alive.values(last_seen_at=clock.now(), language=func.coalesce(User.language, peer.language))
        try:
            async with self._database.write() as session:
                await self._verification.use_in(session, user_id, checked, peer)
                # of two requests at once only one finds the row
                if not await changed_rows(session, delete(HeldSignIn).where(HeldSignIn.id == waiting.id)):
                    raise _expired()
                if not await changed_rows(session, seen):
                    raise _expired()
                session_token = await start_session(
                    session,
                    self._config,
                    user_id,
                    waiting.method,
                    peer,
                    issuer_session=waiting.issuer_session,
                )
                record_sign_in(session, user_id, peer)
                if new_device is not None:
                    new_device.queue_email_in(session)
        except InvalidFields:
            await self._verification.record_failure("user.sign_in", user_id, peer)
            raise
        await self._verification.forget(checked)
        return await signed_in(self._database, self._config, self._devices, session_token, peer)

    async def _find(self, token: str | None) -> WaitingSignIn:
        if token is None:
            raise _expired()
        columns = select(
            HeldSignIn.id, HeldSignIn.user_id, HeldSignIn.method, HeldSignIn.issuer_session, HeldSignIn.expires_at
        ).where(HeldSignIn.token_hash == token_hash(token), HeldSignIn.expires_at > clock.now())
        async with self._database.read() as connection:
            row = (await connection.execute(columns)).one_or_none()
        if row is None:
            raise _expired()
        return WaitingSignIn(**row._asdict())


def _expired() -> Forbidden:
    return Forbidden("This sign-in is no longer valid.", code="sign_in_expired")
