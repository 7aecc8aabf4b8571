"""The folder of this site in a storage, which several sites may share."""

from typing import Final

from sqlalchemy import select

from kernel.core.data.database import Database, insert_into
from kernel.core.data.ids import new_uuid
from kernel.pictures.models import StorageSite

PREFIX: Final = "covers/"
NAME_CHARS: Final = 12


class SiteFolder:
    """Knows where this site keeps its objects: it owns what is in there, and nothing else.

    Objects of earlier versions are beside it, directly under PREFIX. They are used as before, but one without a row is
    left alone, because it may be another site's.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._prefix = ""

    async def prefix(self) -> str:
        """Return what the keys of this site's objects begin with; the name in it is made once, at random."""
        if not self._prefix:
            async with self._database.read() as connection:
                name = (await connection.execute(select(StorageSite.name))).scalar()
            self._prefix = f"{PREFIX}{name or await self._begin()}/"
        return self._prefix

    async def _begin(self) -> str:
        """Make the name; of several processes that do so, one wins."""
        async with self._database.write() as session:
            mine = insert_into(session, StorageSite).values(id=1, name=new_uuid().hex[-NAME_CHARS:])
            await session.execute(mine.on_conflict_do_nothing())
            return (await session.execute(select(StorageSite.name))).scalar_one()
