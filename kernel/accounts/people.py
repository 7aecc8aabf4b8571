"""Users as administrators see and change them."""

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET
from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.admins import ensure_not_last_admin
from kernel.accounts.facts import FactsSource
from kernel.accounts.leaving import is_leaving
from kernel.accounts.models import User
from kernel.accounts.schemas import OverviewOut, PersonIn, PersonOut
from kernel.accounts.sessions import Peer
from kernel.core.audit import audit
from kernel.core.database import Database
from kernel.core.errors import Absent
from kernel.core.folding import column_holds

Role = Literal["all", "pro", "admin"]

_COLUMNS: Final = (
    User.id,
    User.email,
    User.email_verified,
    User.first_name,
    User.last_name,
    User.is_admin,
    User.pro_override,
    User.payment_customer.label("payment_customer_id"),
    User.created_at,
    User.last_seen_at,
    func.coalesce(User.email_marketing, True).label("email_marketing_enabled"),
)
_NAME: Final = func.coalesce(User.first_name, "") + " " + func.coalesce(User.last_name, "")


class PeopleFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Whom to list, newest first. `search` looks into address, first and last name; `before` is the last id seen."""

    search: str = ""
    role: Role = "all"
    before: int | None = None
    limit: int = 100


class PeopleService:
    """Rules of what administrators do with users. Knows plans and payments by what their floors tell of users."""

    def __init__(self, database: Database, facts: FactsSource) -> None:
        self._database = database
        self._facts = facts

    async def page(self, wanted: PeopleFilter) -> list[PersonOut]:
        """Return a page of users; as many statements for a hundred of them as for one."""
        query = self._query().order_by(User.id.desc()).limit(wanted.limit)
        if text := " ".join(wanted.search.split()):
            query = query.where(or_(column_holds(User.email, text), column_holds(_NAME, text)))
        if wanted.role == "admin":
            query = query.where(User.is_admin)
        if wanted.role == "pro":
            query = query.where(self._facts.pro())
        if wanted.before is not None:
            query = query.where(User.id < wanted.before)
        async with self._database.read() as connection:
            return await self._people(connection, query)

    async def one(self, user_id: int) -> PersonOut:
        """Return one user. Raises Absent."""
        async with self._database.read() as connection:
            people = await self._people(connection, self._query().where(User.id == user_id))
        if not people:
            raise Absent("This user does not exist.")
        return people[0]

    async def change(self, actor_id: int, user_id: int, wanted: PersonIn, peer: Peer) -> None:
        """Make or unmake an administrator, or overrule the subscription. It counts from the next request on.

        Raises Absent, and Conflict (`last_admin`).
        """
        given = {"isAdmin": ("is_admin", wanted.is_admin), "isPro": ("pro_override", wanted.is_pro)}
        values = {column: value for column, value in given.values() if value is not UNSET}
        async with self._database.write() as session:
            if wanted.is_admin is False:
                await ensure_not_last_admin(session, user_id)
            this = select(User.is_admin, User.pro_override).where(User.id == user_id, ~is_leaving())
            before = (await session.execute(this.with_for_update())).one_or_none()
            if before is None:
                raise Absent("This user does not exist.")
            known = before._asdict()
            changed = tuple(
                name for name, (column, _) in given.items() if column in values and values[column] != known[column]
            )
            if not changed:
                return
            await session.execute(update(User).where(User.id == user_id).values(**values))
            audit(session, "user.change", actor_id=actor_id, ip=peer.ip, object=f"user:{user_id}", keys=changed)

    async def overview(self) -> OverviewOut:
        """Return how many there are."""
        figures = select(
            func.count().label("users"),
            func.count().filter(self._facts.pro()).label("pro"),
            func.count().filter(User.is_admin).label("administrators"),
            func.count().filter(User.payment_customer.is_not(None)).label("payment_customers"),
        ).where(~is_leaving())
        async with self._database.read() as connection:
            return OverviewOut(**(await connection.execute(figures)).one()._asdict())

    def _query(self) -> Select[Any]:
        return select(*_COLUMNS, self._facts.pro().label("is_pro")).where(~is_leaving())

    async def _people(self, connection: AsyncConnection, query: Select[Any]) -> list[PersonOut]:
        rows = (await connection.execute(query)).all()
        if not rows:
            return []
        facts = await self._facts.people(connection, [row.id for row in rows])
        return [
            PersonOut(**row._asdict(), profile_image_url=None, **msgspec.structs.asdict(facts[row.id])) for row in rows
        ]
