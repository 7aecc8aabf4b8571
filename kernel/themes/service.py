"""Rules of themes."""

from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.database import changed_rows
from kernel.core.errors import Absent, InvalidFields
from kernel.themes.models import Theme
from kernel.themes.schemas import ThemeChange, ThemeIn, ThemeOut

PAGE: Final = 100
COLUMNS: Final = (
    Theme.id,
    Theme.name,
    Theme.description,
    Theme.colors,
    Theme.style_prompt,
    Theme.usage_count,
    Theme.created_at,
)
REQUIRED: Final = {
    "name": "Theme name is required",
    "colors": "At least one color is required",
    "style_prompt": "Style prompt is required",
}


class ThemeService:
    """Themes of one user at a time; another user's theme does not exist."""

    async def page(
        self, reader: AsyncConnection, user_id: int, *, before: int | None = None, limit: int = PAGE
    ) -> list[ThemeOut]:
        """Return themes, newest first, older than the id `before`."""
        query = select(*COLUMNS).where(Theme.user_id == user_id).order_by(Theme.id.desc()).limit(limit)
        if before is not None:
            query = query.where(Theme.id < before)
        return [ThemeOut(**row._asdict()) for row in (await reader.execute(query)).all()]

    async def get(self, reader: AsyncConnection | AsyncSession, user_id: int, theme_id: int) -> ThemeOut:
        """Return one theme. Raises Absent."""
        query = select(*COLUMNS).where(Theme.id == theme_id, Theme.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This theme does not exist.")
        return ThemeOut(**row._asdict())

    async def create(self, session: AsyncSession, user_id: int, wanted: ThemeIn) -> ThemeOut:
        """Store a theme. Raises InvalidFields naming every blank one."""
        values = _trimmed(msgspec.structs.asdict(wanted))
        values["colors"] = list(wanted.colors)
        made = insert(Theme).values(user_id=user_id, usage_count=0, created_at=clock.now(), **values)
        theme_id = (await session.execute(made.returning(Theme.id))).scalar_one()
        return await self.get(session, user_id, theme_id)

    async def change(self, session: AsyncSession, user_id: int, theme_id: int, wanted: ThemeChange) -> ThemeOut:
        """Change what is given. Raises Absent and InvalidFields."""
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        if given:
            change = update(Theme).where(Theme.id == theme_id, Theme.user_id == user_id).values(**_trimmed(given))
            await session.execute(change)
        return await self.get(session, user_id, theme_id)

    async def remove(self, session: AsyncSession, user_id: int, theme_id: int) -> None:
        """Delete a theme; its covers stay. Raises Absent."""
        if not await changed_rows(session, delete(Theme).where(Theme.id == theme_id, Theme.user_id == user_id)):
            raise Absent("This theme does not exist.")

    async def count_use(self, session: AsyncSession, theme_id: int) -> None:
        """Count one accepted generation."""
        await session.execute(update(Theme).where(Theme.id == theme_id).values(usage_count=Theme.usage_count + 1))


def _trimmed(values: dict[str, Any]) -> dict[str, Any]:
    trimmed = {key: value.strip() if isinstance(value, str) else value for key, value in values.items()}
    wire = {"style_prompt": "stylePrompt"}
    blank = {wire.get(key, key): words for key, words in REQUIRED.items() if key in trimmed and not trimmed[key]}
    if blank:
        raise InvalidFields(blank)
    return trimmed
