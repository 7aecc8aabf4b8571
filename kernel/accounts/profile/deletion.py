"""Deleting an account: signed out and made anonymous at once; what belongs to it is removed soon after.

The row stays, marked, until everything it owns is removed; any worker that sees the mark continues, however often one
dies.
"""

import asyncio
import logging
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import ACCOUNT_DELETED
from kernel.accounts.auth.email_tokens import drop_tokens
from kernel.accounts.auth.reauthentication import NOT_CURRENT, Reauthentication
from kernel.accounts.auth.sessions import Peer, end_sessions
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.last_admin import ensure_not_last_admin
from kernel.accounts.models import User, UserIdentity
from kernel.accounts.owned_data import AllOwnedData
from kernel.accounts.second_step import drop_second_factors
from kernel.accounts.validation import normal_email
from kernel.core import clock
from kernel.core.audit import Audit, audit
from kernel.core.data.database import Database, changed_rows
from kernel.core.data.job_pause import is_paused
from kernel.core.errors import Absent, InvalidFields, SignedOut
from kernel.core.fault_points import faultpoint
from kernel.core.field_errors import FieldError
from kernel.core.outbox import queue_email, withdraw_emails
from kernel.core.queue.job_loop import Waiting, repeat

log = logging.getLogger(__name__)

ACCOUNT_DELETION: Final = "account_deletion"
"""The kind of these jobs."""
PAUSE_S: Final = 30.0
"""After a failure; an unreachable storage needs time to come back."""


def is_being_deleted() -> ColumnElement[bool]:
    """Match users whose account was deleted and whose data is not all removed yet."""
    return User.leaving_at.is_not(None)


async def hold_account(session: AsyncSession, user_id: int) -> None:
    """Prevent the deletion of an account until the transaction ends, which adds something to it.

    Raises SignedOut for an account that was deleted after the request came in.
    """
    there = select(User.id).where(User.id == user_id, ~is_being_deleted()).with_for_update(read=True, key_share=True)
    if (await session.execute(there)).first() is None:
        raise SignedOut


class DeletedAccount(msgspec.Struct, frozen=True, kw_only=True):
    """The user whose account was deleted."""

    id: int
    email: str


class AccountDeletionService:
    """Marks accounts as deleted, in one transaction."""

    def __init__(self, database: Database, reauthentication: Reauthentication) -> None:
        self._database = database
        self._reauthentication = reauthentication

    async def delete_own(self, user: CurrentUser, current: str | None, confirm: str, peer: Peer) -> None:
        """Delete the account for good. Its address can be used again at once, and a last email is sent to it.

        Raises InvalidFields with all bad fields, Conflict (`last_admin`), TooMany, Forbidden
        (`reauthentication_required`), and SignedOut when it was deleted meanwhile.
        """
        found = {}
        if normal_email(confirm) != normal_email(user.email):
            found["confirm"] = FieldError("not_own_email", "Please type the email address of your account.")
        if not (await self._reauthentication.check(user, current, peer)).right:
            found["currentPassword"] = NOT_CURRENT
        if found:
            raise InvalidFields(found)
        language = user.language or peer.spoken
        async with self._database.write() as session:
            if not await self._mark_deleted(session, user.id, user.email, language):
                raise SignedOut
            audit(session, "user.delete", actor_id=user.id, object=f"user:{user.id}")

    async def delete_by_email(self, actor_id: int, email: str, peer: Peer) -> DeletedAccount:
        """Delete the account of an address, as an administrator, with the same effects as when its owner does.

        Raises Absent, and Conflict (`last_admin`).
        """
        columns = select(User.id, User.email, User.language)
        found = columns.where(User.email_norm == (normal_email(email) or ""), ~is_being_deleted())
        async with self._database.write() as session:
            row = (await session.execute(found)).one_or_none()
            if row is None or not await self._mark_deleted(session, row.id, row.email, row.language or peer.spoken):
                raise Absent("There is no account with this email address.")
            audit(session, "user.delete", actor_id=actor_id, ip=peer.ip, object=f"user:{row.id}")
        return DeletedAccount(id=row.id, email=row.email)

    async def _mark_deleted(self, session: AsyncSession, user_id: int, email: str, language: str) -> bool:
        """Mark the account as deleted and remove its name; False if it already was. Raises Conflict (`last_admin`)."""
        await ensure_not_last_admin(session, user_id)
        nameless = {
            "email": "",
            "email_norm": f"gone:{user_id}",
            "email_key": "",
            "name_key": "",
            "email_verified": False,
            "first_name": None,
            "last_name": None,
            "password_hash": None,
            "is_admin": False,
            "disabled": True,
            "leaving_at": clock.now(),
        }
        there = update(User).where(User.id == user_id, ~is_being_deleted())
        if await changed_rows(session, there.values(**nameless)) == 0:
            return False
        await session.execute(delete(UserIdentity).where(UserIdentity.user_id == user_id))
        await end_sessions(session, user_id)
        await drop_second_factors(session, user_id)
        await drop_tokens(session, user_id)
        await withdraw_emails(session, user_id)
        queue_email(session, ACCOUNT_DELETED, address=email, language=language)
        return True


class AccountDeletionWorker:
    """Removes the data of deleted accounts; runs in every worker."""

    def __init__(self, database: Database, owned_data: AllOwnedData) -> None:
        self._database = database
        self._owned_data = owned_data

    async def run(self) -> None:
        """Look for deleted accounts until cancelled; one failure does not end the loop."""
        leaving = select(User.id).where(is_being_deleted())
        await repeat("deleted accounts", self._step, waiting=Waiting(self._database, leaving))

    async def _step(self) -> None:
        if not await self.remove_all():
            await asyncio.sleep(PAUSE_S)

    async def remove_all(self) -> bool:
        """Remove every deleted account; False when something of one is unreachable at the moment."""
        due = select(User.id).where(is_being_deleted(), ~is_paused(ACCOUNT_DELETION)).order_by(User.id)
        async with self._database.read() as connection:
            ids = (await connection.execute(due)).scalars().all()
        complete = True
        for user_id in ids:
            try:
                await self._remove(user_id)
            except Exception as error:  # the data of the next account may well be reachable
                log.warning("account %d is not removed yet: %s", user_id, type(error).__name__, exc_info=error)
                complete = False
        return complete

    async def _remove(self, user_id: int) -> None:
        for owned in self._owned_data.kinds:
            await owned.remove(user_id)
            faultpoint("belonging_removed")
        await self._finish(user_id)
        faultpoint("account_removed")

    async def _finish(self, user_id: int) -> None:
        """Delete the row and what depends on it, and blank the addresses in the audit trail, unless data was added."""
        async with self._database.write() as session:
            for owned in self._owned_data.kinds:
                if await owned.left(session, user_id):
                    return
            await session.execute(delete(User).where(User.id == user_id, is_being_deleted()))
            about = and_(Audit.object == f"user:{user_id}", Audit.actor_id.is_(None))  # not what administrators did
            trail = or_(Audit.actor_id == user_id, about)
            await session.execute(update(Audit).where(trail, Audit.ip != "").values(ip=""))
            faultpoint("inside_leaving")
