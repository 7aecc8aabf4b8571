"""How many people depend on a sign-in instance."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import exists, func, select

from kernel.accounts.models import User, UserIdentity
from kernel.accounts.second_step import only_issuers_admit_admins
from kernel.core.data.database import ReadConnection
from kernel.providers import Instance
from kernel.spi import SigninCapabilities


async def count_identities(connection: ReadConnection, instance_id: str) -> int:
    """Return how many identities last signed in through an instance; without it they cannot sign in that way again."""
    people = select(func.count()).select_from(UserIdentity).where(UserIdentity.instance_id == instance_id)
    return int((await connection.execute(people)).scalar_one())


async def is_admin_signin(connection: ReadConnection, instance: Instance[Any, Any]) -> bool:
    """Return whether an administrator has a password for a form, or has signed in through this instance before.

    Passwords do not count while administrators need an issuer.
    """
    if not instance.usable or not isinstance(instance.capabilities, SigninCapabilities):
        return False
    admins = select(User.id).where(User.is_admin, User.disabled.is_(False)).limit(1)
    if instance.capabilities.flow == "form":
        admins = admins.where(User.password_hash.is_not(None), ~only_issuers_admit_admins())
    else:
        admins = admins.where(exists().where(UserIdentity.user_id == User.id, UserIdentity.instance_id == instance.id))
    return (await connection.execute(admins)).first() is not None


class UserEmails:
    """Finds users' email addresses."""

    async def labels(self, connection: ReadConnection, ids: Sequence[int]) -> dict[int, str]:
        """Return id → email address, of those that still exist."""
        rows = await connection.execute(select(User.id, User.email).where(User.id.in_(ids)))
        return {row.id: row.email for row in rows}
