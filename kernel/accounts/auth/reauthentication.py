"""Checks that the user of an open session is its owner, where an unlocked screen must not be enough."""

from typing import Final

import msgspec
from sqlalchemy import select

from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.accounts.validation import normal_email
from kernel.core.data.database import Database
from kernel.core.field_errors import FieldError
from kernel.core.web import access

NOT_CURRENT: Final = FieldError("wrong_password", "This is not your current password.")


class Reauthenticated(msgspec.Struct, frozen=True, kw_only=True):
    """The stored form of the checked password, None where there is none; `right` is the result of the check."""

    stored: str | None
    right: bool


class Reauthentication:
    """Asks for the current password, or for a recent sign-in of users who have none: that is their proof."""

    def __init__(
        self, database: Database, gateway: SigninGateway, limits: AccountRateLimits, devices: KnownDevices
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._limits = limits
        self._devices = devices

    async def check(self, user: CurrentUser, typed: str | None, peer: Peer) -> Reauthenticated:
        """Check the current password; wrong ones count as guesses at the account.

        Raises TooMany, NoProvider, and Forbidden (`reauthentication_required`) for a user without a password, or with
        a second factor, who signed in too long ago.
        """
        async with self._database.read() as connection:
            stored = await connection.scalar(select(User.password_hash).where(User.id == user.id))
        if user.has_second_factor and not access.is_recent(user):
            raise access.reauthentication_required()  # the password alone is half of their sign-in
        if stored is None:
            if not access.is_recent(user):
                raise access.reauthentication_required()
            return Reauthenticated(stored=None, right=True)
        if not typed:
            return Reauthenticated(stored=stored, right=False)
        email = normal_email(user.email) or user.email
        counters = await self._limits.sign_in(email, peer, self._devices.known(peer.device, user.id))
        if await self._gateway.verify(self._gateway.form(), email, typed, stored) is None:
            return Reauthenticated(stored=stored, right=False)
        await self._limits.take_back(counters)
        return Reauthenticated(stored=stored, right=True)
