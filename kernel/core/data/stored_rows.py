"""What is stored under a name, read as plain values and put back: for the history of what administrators change."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import Base, insert_into

Values = Mapping[str, Any]
"""Values of JSON by name; empty where nothing is stored and the built-in ones apply."""


class History(Protocol):
    """Reads and puts back what one kind of change is about. `about` is the object of the audit trail's entry."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return what is stored now, in the caller's transaction; nobody changes it until that ends."""
        ...

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store what was there before. Raises Conflict where that cannot be any more."""
        ...


class RowHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The history of rows of a table: `key_of` returns the value of the `key` column for an object."""

    table: type[Base]
    key: str
    key_of: Callable[[str], Any]
    columns: tuple[str, ...]

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the columns of the row, or nothing where there is none."""
        columns = [getattr(self.table, name) for name in self.columns]
        found = select(*columns).where(getattr(self.table, self.key) == self.key_of(about)).with_for_update()
        row = (await session.execute(found)).one_or_none()
        return row._asdict() if row else {}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store the columns, or remove the row where there was none."""
        key = self.key_of(about)
        if not values:
            await session.execute(delete(self.table).where(getattr(self.table, self.key) == key))
            return
        row = insert_into(session, self.table).values({self.key: key, **values})
        await session.execute(row.on_conflict_do_update(index_elements=[self.key], set_=dict(values)))


def name_behind_colon(about: str) -> str:
    """Return `standard_prompt` of `setting:standard_prompt`."""
    return about.partition(":")[2]
