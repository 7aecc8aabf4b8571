"""Proof that somebody at an open session is its owner, before what an unlocked screen must not be enough for."""

from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import select

from kernel.accounts.current import CurrentUser
from kernel.accounts.desk import Desk
from kernel.accounts.fields import normal_email
from kernel.accounts.limits import Devices, Limits
from kernel.accounts.models import User
from kernel.accounts.sessions import Peer
from kernel.core import clock
from kernel.core.database import Database
from kernel.core.errors import Forbidden
from kernel.core.objections import Objection

RECENT: Final = timedelta(minutes=15)
"""Somebody without a password proves who they are by having signed in this lately."""

NOT_CURRENT: Final = Objection("wrong_password", "This is not your current password.")


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of the password that was checked, None where there is none; `right` is how the check ended."""

    stored: str | None
    right: bool


class Proof:
    """Asks for the current password, or for a recent sign-in of those who have none."""

    def __init__(self, database: Database, desk: Desk, limits: Limits, devices: Devices) -> None:
        self._database = database
        self._desk = desk
        self._limits = limits
        self._devices = devices

    async def check(self, user: CurrentUser, typed: str | None, peer: Peer) -> Proven:
        """Check the current password; wrong ones count as guesses at the account.

        Raises TooMany, NoProvider, and Forbidden (`reauth_required`) for somebody without a password who signed in too
        long ago.
        """
        async with self._database.read() as connection:
            stored = await connection.scalar(select(User.password_hash).where(User.id == user.id))
        if stored is None:
            if clock.now() - user.auth_at > RECENT:
                raise Forbidden("Please sign in again first.", code="reauth_required")
            return Proven(stored=None, right=True)
        if not typed:
            return Proven(stored=stored, right=False)
        email = normal_email(user.email) or user.email
        counters = await self._limits.sign_in(email, peer, self._devices.known(peer.device, user.id))
        if await self._desk.verify(self._desk.form(), email, typed, stored) is None:
            return Proven(stored=stored, right=False)
        await self._limits.take_back(counters)
        return Proven(stored=stored, right=True)
