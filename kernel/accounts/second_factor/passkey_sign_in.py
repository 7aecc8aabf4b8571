"""Signing in with a passkey and nothing else: the device verifies its user, so it is two factors by itself."""

from typing import Final

from kernel.accounts.auth.new_devices import NewDevices
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.service import SignedIn, admit, record_sign_in, signed_in
from kernel.accounts.auth.sessions import Peer, start_session
from kernel.accounts.second_factor.passkeys import PasskeyRefused, Passkeys
from kernel.accounts.second_factor.verification import PASSKEY_REFUSED, WRONG, FactorVerification
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_token, token_hash
from kernel.core.errors import Conflict, Forbidden, InvalidFields

METHOD: Final = "passkey"
"""What a session names as its way in; no instance can have this id."""


class PasskeySignInService:
    """Signs in whom a passkey names. The challenge belongs to one browser, by a cookie, for five minutes, once."""

    def __init__(
        self,
        database: Database,
        config: Config,
        limits: AccountRateLimits,
        devices: KnownDevices,
        new_devices: NewDevices,
        verification: FactorVerification,
        passkeys: Passkeys,
    ) -> None:
        self._database = database
        self._config = config
        self._limits = limits
        self._devices = devices
        self._new_devices = new_devices
        self._verification = verification
        self._passkeys = passkeys

    async def begin(self, peer: Peer) -> tuple[str, str]:
        """Return the browser's options and the token for its cookie.

        Raises TooMany, and Conflict (`passkeys_impossible`) where the site's address can have none.
        """
        await self._limits.passkey(peer)
        token = new_token()
        try:
            return await self._passkeys.sign_in_options(_purpose(token)), token
        except PasskeyRefused as error:
            raise Conflict("No passkey can be used here.", code="passkeys_impossible") from error

    async def finish(self, token: str | None, answer: str, peer: Peer) -> SignedIn:
        """Check what the passkey has signed and start a session.

        Raises Forbidden (`sign_in_expired`, `account_disabled`, `issuer_required`), InvalidFields for an answer that
        does not count, and TooMany.
        """
        challenge = await self._passkeys.take_challenge(None, _purpose(token)) if token else None
        if challenge is None:
            raise Forbidden("This sign-in is no longer valid.", code="sign_in_expired")
        user_id = await self._passkeys.owner(answer)
        if user_id is None:
            raise InvalidFields({"passkey": PASSKEY_REFUSED})
        counters = await self._limits.second_factor(user_id, self._devices.known(peer.device, user_id))
        new_device = await self._new_devices.find(user_id, peer)
        try:
            async with self._database.write() as session:
                if not await self._passkeys.use_in(session, user_id, answer, challenge, alone=True):
                    raise InvalidFields({"passkey": PASSKEY_REFUSED})
                await admit(session, user_id, peer)
                session_token = await start_session(session, self._config, user_id, METHOD, peer)
                record_sign_in(session, user_id, peer)
                if new_device is not None:
                    new_device.queue_email_in(session)
        except (InvalidFields, Forbidden) as error:
            outcome = error.code if isinstance(error, Forbidden) else WRONG
            await self._verification.record_failure("user.sign_in", user_id, peer, outcome=outcome)
            raise
        await self._limits.take_back(counters)
        return await signed_in(self._database, self._config, self._devices, session_token, peer)


def _purpose(token: str) -> str:
    return f"sign-in:{token_hash(token)}"
