"""Deleting an account: signed out and nameless at once, and everything that belongs to it soon after.

The row stays, marked, until the last belonging is gone; whichever worker sees the mark goes on, however often one dies.
"""

import asyncio
import logging
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.admins import ensure_not_last_admin
from kernel.accounts.belongings import Belongings
from kernel.accounts.correspondence import ACCOUNT_DELETED
from kernel.accounts.current import CurrentUser
from kernel.accounts.fields import normal_email
from kernel.accounts.models import Identity, User
from kernel.accounts.proof import NOT_CURRENT, Proof
from kernel.accounts.sessions import Peer, end_sessions
from kernel.accounts.tokens import drop_tokens
from kernel.core import clock
from kernel.core.audit import Audit, audit
from kernel.core.database import Database, changed_rows
from kernel.core.errors import Absent, InvalidFields, SignedOut
from kernel.core.faults import faultpoint
from kernel.core.letters import withdraw_letters, write_letter
from kernel.core.objections import Objection

log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
PAUSE_S: Final = 30.0
"""After a failure; a storage that is away comes back in its own time."""


def is_leaving() -> ColumnElement[bool]:
    """Match users whose account was deleted and whose things are not all gone yet."""
    return User.leaving_at.is_not(None)


async def keep_account(session: AsyncSession, user_id: int) -> None:
    """Let nobody delete an account until the transaction ends: something is added to it.

    Raises SignedOut for one that was deleted since its owner's request came in.
    """
    there = select(User.id).where(User.id == user_id, ~is_leaving()).with_for_update(read=True, key_share=True)
    if (await session.execute(there)).first() is None:
        raise SignedOut


class Dismissed(msgspec.Struct, frozen=True, kw_only=True):
    """Whose account was deleted."""

    id: int
    email: str


class LeavingService:
    """Takes the decision, in one transaction."""

    def __init__(self, database: Database, proof: Proof) -> None:
        self._database = database
        self._proof = proof

    async def leave(self, user: CurrentUser, current: str | None, confirm: str, peer: Peer) -> None:
        """Delete the account for good. Its address is free at once, and a last letter goes to it.

        Raises InvalidFields with all bad fields, Conflict (`last_admin`), TooMany, Forbidden (`reauth_required`), and
        SignedOut when it was deleted meanwhile.
        """
        found = {}
        if normal_email(confirm) != normal_email(user.email):
            found["confirm"] = Objection("not_own_email", "Please type the e-mail address of your account.")
        if not (await self._proof.check(user, current, peer)).right:
            found["currentPassword"] = NOT_CURRENT
        if found:
            raise InvalidFields(found)
        language = user.language or peer.spoken
        async with self._database.write() as session:
            if not await self._depart(session, user.id, user.email, language):
                raise SignedOut
            audit(session, "user.delete", actor_id=user.id, object=f"user:{user.id}")

    async def dismiss(self, actor_id: int, email: str, peer: Peer) -> Dismissed:
        """Delete the account of an address, as an administrator. Everything goes as if its owner had left.

        Raises Absent, and Conflict (`last_admin`).
        """
        columns = select(User.id, User.email, User.language)
        found = columns.where(User.email_norm == (normal_email(email) or ""), ~is_leaving())
        async with self._database.write() as session:
            row = (await session.execute(found)).one_or_none()
            if row is None or not await self._depart(session, row.id, row.email, row.language or peer.spoken):
                raise Absent("There is no account with this e-mail address.")
            audit(session, "user.delete", actor_id=actor_id, ip=peer.ip, object=f"user:{row.id}")
        return Dismissed(id=row.id, email=row.email)

    async def _depart(self, session: AsyncSession, user_id: int, email: str, language: str) -> bool:
        """Take the account away from its owner; False when it has gone meanwhile. Raises Conflict (`last_admin`)."""
        await ensure_not_last_admin(session, user_id)
        nameless = {
            "email": "",
            "email_norm": f"gone:{user_id}",
            "email_verified": False,
            "first_name": None,
            "last_name": None,
            "password_hash": None,
            "is_admin": False,
            "disabled": True,
            "leaving_at": clock.now(),
        }
        there = update(User).where(User.id == user_id, ~is_leaving())
        if await changed_rows(session, there.values(**nameless)) == 0:
            return False
        await session.execute(delete(Identity).where(Identity.user_id == user_id))
        await end_sessions(session, user_id)
        await drop_tokens(session, user_id)
        await withdraw_letters(session, user_id)
        write_letter(session, ACCOUNT_DELETED, address=email, language=language)
        return True


class Leaver:
    """Removes what deleted accounts leave behind; runs in every worker."""

    def __init__(self, database: Database, belongings: Belongings) -> None:
        self._database = database
        self._belongings = belongings

    async def run(self) -> None:
        """Look for deleted accounts until cancelled; one failure does not end the loop."""
        while True:
            try:
                pause = LOOK_S if await self.remove_all() else PAUSE_S
            except Exception as error:
                log.warning("deleted accounts: %s", type(error).__name__, exc_info=error)
                pause = PAUSE_S
            await asyncio.sleep(pause)

    async def remove_all(self) -> bool:
        """Remove every deleted account; False when something of one cannot be reached just now."""
        async with self._database.read() as connection:
            ids = (await connection.execute(select(User.id).where(is_leaving()).order_by(User.id))).scalars().all()
        complete = True
        for user_id in ids:
            try:
                await self._remove(user_id)
            except Exception as error:  # the next one's things may well be within reach
                log.warning("account %d is not removed yet: %s", user_id, type(error).__name__, exc_info=error)
                complete = False
        return complete

    async def _remove(self, user_id: int) -> None:
        for belonging in self._belongings.kinds:
            await belonging.remove(user_id)
            faultpoint("belonging_removed")
        await self._finish(user_id)
        faultpoint("account_removed")

    async def _finish(self, user_id: int) -> None:
        """Delete the row and all that hangs on it, and blank the addresses in the audit trail; not yet if more came."""
        async with self._database.write() as session:
            for belonging in self._belongings.kinds:
                if await belonging.left(session, user_id):
                    return
            await session.execute(delete(User).where(User.id == user_id, is_leaving()))
            about = and_(Audit.object == f"user:{user_id}", Audit.actor_id.is_(None))  # not what administrators did
            trail = or_(Audit.actor_id == user_id, about)
            await session.execute(update(Audit).where(trail, Audit.ip != "").values(ip=""))
            faultpoint("inside_leaving")
