"""Themes as data that an account owns."""

from collections.abc import AsyncIterator

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile, json_file
from kernel.core.data.database import Database
from kernel.themes.models import Theme


class ThemeData:
    """A user's themes. They are rows only, deleted with the user's row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield themes.json."""
        columns = (Theme.id, Theme.name, Theme.description, Theme.colors, Theme.style_prompt, Theme.created_at)
        async with self._database.scan() as connection:
            rows = (await connection.execute(select(*columns).where(Theme.user_id == user_id))).all()
        yield ExportFile(name="themes.json", chunks=json_file([row._asdict() for row in rows]))

    async def remove(self, user_id: int) -> None:
        """Do nothing: the rows are deleted with the user's."""

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return False."""
        return False
