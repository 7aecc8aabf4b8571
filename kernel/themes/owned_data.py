"""Themes as data that an account owns."""

from collections.abc import AsyncIterator

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile, json_file
from kernel.core.data.database import Database
from kernel.themes.models import Theme, ThemeLook


class ThemeData:
    """A user's themes and their looks. They are rows only, deleted with the user's row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield themes.json."""
        look = (ThemeLook.cover_id.label("look_of_cover"), ThemeLook.lettering.label("look"))
        columns = (Theme.id, Theme.name, Theme.description, Theme.colors, Theme.style_prompt, Theme.created_at, *look)
        query = select(*columns).outerjoin(ThemeLook, ThemeLook.theme_id == Theme.id)
        async with self._database.scan() as connection:
            rows = (await connection.execute(query.where(Theme.user_id == user_id))).all()
        yield ExportFile(name="themes.json", chunks=json_file([row._asdict() for row in rows]))

    async def remove(self, user_id: int) -> None:
        """Do nothing: the rows are deleted with the user's."""

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return False."""
        return False
