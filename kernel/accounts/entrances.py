"""By which sign-in instances administrators can come in."""

from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.models import Identity, User
from kernel.providers import Instance
from kernel.spi import SigninCapabilities


async def administrators_enter(connection: AsyncConnection, instance: Instance[Any, Any]) -> bool:
    """Say whether an administrator has a password for a form, or came through this instance before."""
    if not instance.usable or not isinstance(instance.capabilities, SigninCapabilities):
        return False
    somebody = select(User.id).where(User.is_admin, User.disabled.is_(False)).limit(1)
    if instance.capabilities.flow == "form":
        somebody = somebody.where(User.password_hash.is_not(None))
    else:
        somebody = somebody.where(exists().where(Identity.user_id == User.id, Identity.instance_id == instance.id))
    return (await connection.execute(somebody)).first() is not None
