"""What administrators see of a user where there is only an id, for floors that know no users."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.models import User


class UserNames:
    """Knows users by their e-mail addresses."""

    async def labels(self, connection: AsyncConnection, ids: Sequence[int]) -> dict[int, str]:
        """Return id → e-mail address, of those that still exist."""
        rows = await connection.execute(select(User.id, User.email).where(User.id.in_(ids)))
        return {row.id: row.email for row in rows}
