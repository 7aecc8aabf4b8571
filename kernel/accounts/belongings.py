"""What belongs to an account beside its row: taken along in an export, and gone with the account."""

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import Identity, Session, User
from kernel.core.database import Database
from kernel.core.errors import Absent


class ExportFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an export: its path in the archive, and its bytes as they come."""

    name: str
    chunks: AsyncIterator[bytes]


class Belonging(Protocol):
    """One kind of things that people own."""

    def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield files for the owner. Each is read to its end before the next one is asked for."""
        ...

    async def remove(self, user_id: int) -> None:
        """Remove what is outside the database, and what does not go by itself with the user's row.

        Called again after a crash or a failure, so it begins where it was torn from. Objects go before the rows that
        name them: what is still named can be found again. Raises when something cannot be reached just now.
        """
        ...

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say, in the transaction that deletes the user, whether something has appeared that `remove` must see."""
        ...


class Belongings:
    """All kinds, in the order in which they are exported and removed."""

    def __init__(self, *kinds: Belonging) -> None:
        self.kinds = kinds


async def json_file(value: object) -> AsyncIterator[bytes]:
    """Yield a value as JSON that people can read."""
    yield msgspec.json.format(msgspec.json.encode(value), indent=2)


class OwnData:
    """The profile, the sign-ins elsewhere and the sessions. They go with the user's row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield profile.json and sessions.json."""
        profile = (
            User.id,
            User.email,
            User.email_verified,
            User.first_name,
            User.last_name,
            User.is_admin,
            User.language,
            User.email_marketing,
            User.created_at,
            User.last_seen_at,
        )
        shown = (Session.created_at, Session.last_seen_at, Session.method, Session.ip, Session.user_agent)
        ways = (Identity.issuer, Identity.subject, Identity.instance_id, Identity.created_at)
        async with self._database.read() as connection:
            user = (await connection.execute(select(*profile).where(User.id == user_id))).one_or_none()
            if user is None:
                raise Absent
            connected = (await connection.execute(select(*ways).where(Identity.user_id == user_id))).all()
            sessions = (await connection.execute(select(*shown).where(Session.user_id == user_id))).all()
        own = user._asdict() | {"sign_ins": [row._asdict() for row in connected]}
        yield ExportFile(name="profile.json", chunks=json_file(own))
        yield ExportFile(name="sessions.json", chunks=json_file([row._asdict() for row in sessions]))

    async def remove(self, user_id: int) -> None:
        """Do nothing: the rows go with the user's."""

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say no."""
        return False
