"""The invariants of accounts, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.models import User
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.core.invariants import Invariants


async def deleted_accounts_are_anonymous(connection: AsyncConnection) -> list[str]:
    """Return deleted accounts that still hold personal data."""
    named = or_(User.email != "", User.first_name.is_not(None), User.password_hash.is_not(None), ~User.disabled)
    found = (await connection.execute(select(User.id).where(is_being_deleted(), named))).scalars()
    return [f"user {user_id}" for user_id in found]


async def an_admin_can_sign_in(connection: AsyncConnection) -> list[str]:
    """Return a violation when every administrator is disabled."""
    admins = select(func.count()).where(User.is_admin, User.disabled.is_(False))
    people = select(func.count()).where(User.is_admin)
    if (await connection.execute(people)).scalar_one() and not (await connection.execute(admins)).scalar_one():
        return ["every administrator is disabled"]
    return []


INVARIANTS: Final[Invariants] = {
    "a deleted account keeps no personal data": deleted_accounts_are_anonymous,
    "there is an administrator who can sign in, or no account yet": an_admin_can_sign_in,
}
