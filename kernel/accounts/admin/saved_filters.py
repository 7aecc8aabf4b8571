"""Filters of the list of users that administrators have named. Each administrator has their own."""

from datetime import date
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.admin.user_filter import Role, UserSort
from kernel.accounts.models import SavedUserFilter, User
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.schemas import REQUIRED, In, Line, Out
from kernel.core.text.casefold_search import fold_case

MOST: Final = 50
"""Filters for each administrator: a menu of more cannot be read."""
NAME_CHARS: Final = 60
KEY_CHARS: Final = 240
"""Case folding makes some characters three, and none more."""

TAKEN: Final = FieldError("name_taken", "Another filter has this name.")
BACKWARDS: Final = "The last day is before the first."


class FilterName(In, frozen=True, kw_only=True):
    """What a saved filter is called."""

    name: Annotated[Line, Meta(max_length=NAME_CHARS)]


class SavedFilterIn(FilterName, frozen=True, kw_only=True):
    """A filter to save: what the list of users was asked for, with its order."""

    search: Annotated[Line, Meta(max_length=100)] = ""
    role: Role = "all"
    since: date | None = msgspec.field(name="from", default=None)
    until: date | None = msgspec.field(name="to", default=None)
    sort: UserSort = "newest"


class SavedFilterOut(Out, frozen=True, kw_only=True):
    """A saved filter; `from` and `to` are null where any day of sign-up will do."""

    id: int
    name: str
    search: str
    role: Role
    since: date | None = msgspec.field(name="from")
    until: date | None = msgspec.field(name="to")
    sort: UserSort


class SavedFilters(Out, frozen=True, kw_only=True):
    """All filters of an administrator, by name, and how many there may be."""

    filters: list[SavedFilterOut]
    most: int


class SavedFilterService:
    """Keeps what administrators have saved; nobody sees or changes the filters of another."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def listed(self, user_id: int) -> SavedFilters:
        """Return all filters of an administrator, by name."""
        mine = select(*_COLUMNS).where(SavedUserFilter.user_id == user_id)
        query = mine.order_by(SavedUserFilter.name_key, SavedUserFilter.id)
        async with self._database.read() as connection:
            return SavedFilters(filters=[_out(row) for row in await connection.execute(query)], most=MOST)

    async def save(self, user_id: int, wanted: SavedFilterIn) -> SavedFilterOut:
        """Save a filter. Raises InvalidFields, for a name that is taken too, and Conflict when there are too many."""
        name = _name(wanted.name)
        faults: dict[str, FieldFault] = {} if name else {"name": REQUIRED}
        if wanted.since and wanted.until and wanted.until < wanted.since:
            faults["to"] = BACKWARDS
        if faults:
            raise InvalidFields(faults)
        async with self._database.write() as session:
            await self._room(session, user_id)
            values: dict[str, Any] = {
                "name": name,
                "search": " ".join(wanted.search.split()),
                "role": wanted.role,
                "since": wanted.since,
                "until": wanted.until,
                "sort": wanted.sort,
            }
            row = insert_into(session, SavedUserFilter).values(
                user_id=user_id, name_key=_key(name), created_at=clock.now(), **values
            )
            row = row.on_conflict_do_nothing(index_elements=["user_id", "name_key"])
            made = (await session.execute(row.returning(SavedUserFilter.id))).scalar_one_or_none()
            if made is None:
                raise InvalidFields({"name": TAKEN})
        return SavedFilterOut(id=made, **values)

    async def _room(self, session: AsyncSession, user_id: int) -> None:
        """Raise Conflict when there are too many. The owner's row is locked: two that are saved at once are counted."""
        await session.execute(select(User.id).where(User.id == user_id).with_for_update())
        counted = select(func.count()).where(SavedUserFilter.user_id == user_id)
        if (await session.execute(counted)).scalar_one() >= MOST:
            raise Conflict(f"You can save at most {MOST} filters.", code="filters_full")

    async def rename(self, user_id: int, filter_id: int, wanted: FilterName) -> SavedFilterOut:
        """Rename a filter. Raises Absent, and InvalidFields for a name that is empty or taken."""
        name = _name(wanted.name)
        if not name:
            raise InvalidFields({"name": REQUIRED})
        key, mine = _key(name), SavedUserFilter.user_id == user_id
        async with self._database.write() as session:
            await session.execute(select(User.id).where(User.id == user_id).with_for_update())
            others = select(SavedUserFilter.id).where(mine, SavedUserFilter.name_key == key)
            if (await session.execute(others.where(SavedUserFilter.id != filter_id))).first() is not None:
                raise InvalidFields({"name": TAKEN})
            change = update(SavedUserFilter).where(mine, SavedUserFilter.id == filter_id)
            changed = await session.execute(change.values(name=name, name_key=key).returning(*_COLUMNS))
            if (row := changed.one_or_none()) is None:
                raise Absent("This filter does not exist.")
        return _out(row)

    async def remove(self, user_id: int, filter_id: int) -> None:
        """Delete a filter. Raises Absent."""
        mine = (SavedUserFilter.user_id == user_id, SavedUserFilter.id == filter_id)
        async with self._database.write() as session:
            if not await changed_rows(session, delete(SavedUserFilter).where(*mine)):
                raise Absent("This filter does not exist.")


_COLUMNS: Final = tuple(getattr(SavedUserFilter, name) for name in SavedFilterOut.__struct_fields__)


def _out(row: Any) -> SavedFilterOut:
    return SavedFilterOut(**row._asdict())


def _name(text: str) -> str:
    return " ".join(text.split())


def _key(name: str) -> str:
    return fold_case(name)[:KEY_CHARS]
