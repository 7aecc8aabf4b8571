"""Signing in with a mailed link and no password. Off until an administrator switches it on."""

from sqlalchemy import select

from kernel.accounts.auth.account_emails import SIGN_IN_LINK
from kernel.accounts.auth.email_tokens import claim_token
from kernel.accounts.auth.mailed_links.link_requests import request_link
from kernel.accounts.auth.new_devices import NewDevices
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.service import EMAIL_LINK, SignedIn, admit, record_sign_in, signed_in
from kernel.accounts.auth.sessions import Peer, start_session
from kernel.accounts.models import AccountToken
from kernel.accounts.second_step import SecondStep, email_links_are_on, hold_sign_in
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import token_hash
from kernel.core.errors import Forbidden


class EmailLinkService:
    """Sends links and signs in whoever comes with one. A link works once, for the address that it was sent to."""

    def __init__(
        self,
        database: Database,
        config: Config,
        limits: AccountRateLimits,
        devices: KnownDevices,
        new_devices: NewDevices,
    ) -> None:
        self._database = database
        self._config = config
        self._limits = limits
        self._devices = devices
        self._new_devices = new_devices

    async def request(self, email: str, peer: Peer) -> None:
        """Send a link to an address. The answer does not tell whether it has an account.

        Raises Forbidden (`email_link_off`), InvalidFields and TooMany.
        """
        async with self._database.read() as connection:
            if not await email_links_are_on(connection):
                raise _switched_off()
        await request_link(self._database, self._limits, SIGN_IN_LINK, email, peer)

    async def sign_in(self, token: str, peer: Peer) -> SignedIn | SecondStep:
        """Start a session for a link's owner, or wait for the second factor: a mailbox stands in for a password only.

        Raises Forbidden (`link_expired`, `email_link_off`, `account_disabled`, `issuer_required`) and TooMany.
        """
        await self._limits.links(peer)
        async with self._database.read() as connection:
            named = select(AccountToken.user_id).where(AccountToken.token_hash == token_hash(token))
            owner: int | None = (await connection.execute(named)).scalar()
        new_device = await self._new_devices.find(owner, peer) if owner is not None else None
        async with self._database.write() as session:
            if not await email_links_are_on(session):
                raise _switched_off()
            user_id = (await claim_token(session, token, "sign_in")).user_id
            await admit(session, user_id, peer)
            second_step = await hold_sign_in(session, user_id, EMAIL_LINK)
            record_sign_in(session, user_id, peer, second_step)
            if second_step is not None:
                return second_step
            session_token = await start_session(session, self._config, user_id, EMAIL_LINK, peer)
            if new_device is not None:
                new_device.queue_email_in(session)
        return await signed_in(self._database, self._config, self._devices, session_token, peer)


def _switched_off() -> Forbidden:
    return Forbidden("Signing in with a link is switched off here.", code="email_link_off")
