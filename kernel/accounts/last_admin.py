"""There is always an administrator: the check before every change of administrators."""

from sqlalchemy import Select, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User, UserIdentity
from kernel.accounts.second_step import only_issuers_admit_admins
from kernel.core.errors import Conflict


async def ensure_not_last_admin(session: AsyncSession, user_id: int) -> None:
    """Raise Conflict for the last administrator; call it in the transaction that demotes, disables or deletes one.

    While administrators need an issuer, those without a sign-in there do not count.
    """
    if await lock_admins(session) == [user_id]:
        raise Conflict("The last administrator cannot be removed.", code="last_admin")


async def lock_admins(session: AsyncSession) -> list[int]:
    """Return the administrators who can sign in. Their rows are locked, in one order and before those of other users:
    two who demote each other at once cannot both succeed, and neither waits for the other for ever.
    """
    return list((await session.execute(able_admins().with_for_update())).scalars())


def able_admins() -> Select[tuple[int]]:
    """Select the ids of the administrators who can sign in, in their order."""
    linked = exists().where(UserIdentity.user_id == User.id)
    active = select(User.id).where(User.is_admin.is_(True), User.disabled.is_(False)).order_by(User.id)
    return active.where(or_(linked, ~only_issuers_admit_admins()))
