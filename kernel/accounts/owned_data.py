"""What belongs to an account beside its row: included in an export, and deleted with the account."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import Passkey, RecoveryCode, SavedUserFilter, Session, Totp, User, UserIdentity
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent


class ExportFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an export: its path in the archive, and its bytes as a stream."""

    name: str
    chunks: AsyncIterator[bytes]


class OwnedData(Protocol):
    """One kind of data that users own."""

    def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield files for the owner. Each is read to its end before the next one is requested."""
        ...

    async def remove(self, user_id: int) -> None:
        """Remove what is outside the database, and what is not deleted with the user's row.

        Called again after a crash or a failure, so it can be repeated. Objects are removed before the rows that name
        them: what is still named can be found again. Raises when something is unreachable at the moment.
        """
        ...

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return, in the transaction that deletes the user, whether there is new data that `remove` must see."""
        ...


class AllOwnedData:
    """All kinds, in the order in which they are exported and removed."""

    def __init__(self, *kinds: OwnedData) -> None:
        self.kinds = kinds


async def json_file(value: object) -> AsyncIterator[bytes]:
    """Yield a value as readable JSON."""
    yield msgspec.json.format(msgspec.json.encode(value), indent=2)


class AccountData:
    """The profile, identities, second factors, an administrator's saved filters, and sessions. They go with the row."""

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
        ways = (UserIdentity.issuer, UserIdentity.subject, UserIdentity.instance_id, UserIdentity.created_at)
        asked = (SavedUserFilter.search, SavedUserFilter.role, SavedUserFilter.since, SavedUserFilter.until)
        filters = (
            select(SavedUserFilter.name, *asked, SavedUserFilter.sort)
            .where(SavedUserFilter.user_id == user_id)
            .order_by(SavedUserFilter.id)
        )
        async with self._database.scan() as connection:
            user = (await connection.execute(select(*profile).where(User.id == user_id))).one_or_none()
            if user is None:
                raise Absent
            connected = (await connection.execute(select(*ways).where(UserIdentity.user_id == user_id))).all()
            sessions = (await connection.execute(select(*shown).where(Session.user_id == user_id))).all()
            saved = (await connection.execute(filters)).all()
            factors = await _second_factors(connection, user_id)
        own = user._asdict() | {
            "sign_ins": [row._asdict() for row in connected],
            "second_factors": factors,
            "saved_filters": [row._asdict() for row in saved],
        }
        yield ExportFile(name="profile.json", chunks=json_file(own))
        yield ExportFile(name="sessions.json", chunks=json_file([row._asdict() for row in sessions]))

    async def remove(self, user_id: int) -> None:
        """Do nothing: the rows are deleted with the user's."""

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return False."""
        return False


async def _second_factors(connection: ReadConnection, user_id: int) -> dict[str, list[dict[str, object]]]:
    """Return when each second factor was added and used; what would let somebody sign in is left out."""
    app = select(Totp.confirmed_at, Totp.last_used_at).where(Totp.user_id == user_id, Totp.confirmed_at.is_not(None))
    passkeys = select(Passkey.name, Passkey.created_at, Passkey.last_used_at).where(Passkey.user_id == user_id)
    codes = select(RecoveryCode.created_at, RecoveryCode.used_at).where(RecoveryCode.user_id == user_id)
    listed: dict[str, Select[Any]] = {"authenticator_app": app, "passkeys": passkeys, "recovery_codes": codes}
    return {name: [row._asdict() for row in await connection.execute(query)] for name, query in listed.items()}
