"""The email to an account's owner after a sign-in on a device that is new to the account."""

import ipaddress
from typing import Final

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import NEW_DEVICE
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import TooMany
from kernel.core.outbox import queue_email
from kernel.core.text.user_agent import browser_and_system

UNKNOWN_ADDRESS: Final = "–"


class NewDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in of which the owner is informed, and the words that the email needs."""

    user_id: int
    address: str
    language: str
    details: dict[str, str]

    def queue_email_in(self, session: AsyncSession) -> None:
        """Queue the email in the transaction that starts the session."""
        queue_email(
            session,
            NEW_DEVICE,
            address=self.address,
            language=self.language,
            user_id=self.user_id,
            details=self.details,
        )


class NewDevices:
    """Decides whether a sign-in is news to the owner of the account."""

    def __init__(self, database: Database, limits: AccountRateLimits, devices: KnownDevices) -> None:
        self._database = database
        self._limits = limits
        self._devices = devices

    async def find(self, user_id: int, peer: Peer) -> NewDevice | None:
        """Return a sign-in, about to happen, of which the owner is to be informed; None for any other.

        None on a device that the account knows, at the first sign-in of an account, and when many new devices signed
        in within the last hour. Counts the email.
        """
        if self._devices.known(peer.device, user_id) is not None:
            return None
        columns = select(User.email, User.language).where(User.id == user_id, User.last_seen_at.is_not(None))
        async with self._database.read() as connection:
            row = (await connection.execute(columns)).one_or_none()
        if row is None:
            return None
        try:
            await self._limits.new_device_email(user_id)
        except TooMany:
            return None
        browser, system = browser_and_system(peer.user_agent)
        details = {
            "time": f"{clock.now():%Y-%m-%d %H:%M} UTC",
            "browser": browser,
            "system": system,
            "ip": _shown_address(peer.ip),
        }
        return NewDevice(user_id=user_id, address=row.email, language=row.language or peer.spoken, details=details)


def _shown_address(ip: str) -> str:
    """Return an IP address; a dash for anything else that a proxy reports."""
    try:
        return str(ipaddress.ip_address(ip.partition("%")[0]))
    except ValueError:
        return UNKNOWN_ADDRESS
