"""Rules of themes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.profile.deletion import hold_account
from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError
from kernel.themes.models import Theme, ThemeLook
from kernel.themes.schemas import ThemeChange, ThemeIn

PAGE: Final = 100
MOST: Final = 500
"""Themes of one user."""
FULL: Final = f"You can have at most {MOST} themes. Please delete one first."
REQUIRED: Final = {
    "name": FieldError("no_theme_name", "Theme name is required"),
    "colors": FieldError("no_colors", "At least one color is required"),
    "style_prompt": FieldError("no_style", "Style prompt is required"),
}


class ThemeStyle(msgspec.Struct, frozen=True, kw_only=True):
    """The style of a theme, without its covers; one with a look that they share is a series."""

    id: int
    name: str
    description: str | None
    colors: list[str]
    style_prompt: str
    usage_count: int
    created_at: datetime
    is_series: bool


COLUMNS: Final = (
    *(getattr(Theme, name) for name in ThemeStyle.__struct_fields__ if name != "is_series"),
    exists().where(ThemeLook.theme_id == Theme.id).correlate(Theme).label("is_series"),
)


class ThemeService:
    """Rules of themes. All methods act for one user, for whom another user's theme does not exist."""

    async def page(
        self, reader: ReadConnection, user_id: int, *, before: int | None = None, limit: int = PAGE
    ) -> list[ThemeStyle]:
        """Return themes, newest first, older than the id `before`."""
        query = select(*COLUMNS).where(Theme.user_id == user_id).order_by(Theme.id.desc()).limit(limit)
        if before is not None:
            query = query.where(Theme.id < before)
        return [_style(row) for row in (await reader.execute(query)).all()]

    async def get(self, reader: ReadConnection | AsyncSession, user_id: int, theme_id: int) -> ThemeStyle:
        """Return one theme. Raises Absent."""
        query = select(*COLUMNS).where(Theme.id == theme_id, Theme.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This theme does not exist.")
        return _style(row)

    async def create(self, session: AsyncSession, user_id: int, wanted: ThemeIn) -> ThemeStyle:
        """Store a theme.

        Raises InvalidFields naming every blank field, SignedOut when the account was deleted, and Conflict
        (`themes_full`) for one too many.
        """
        values = trimmed(msgspec.structs.asdict(wanted))
        values["colors"] = list(wanted.colors)
        await hold_account(session, user_id)
        counted = select(func.count()).where(Theme.user_id == user_id)
        if (await session.execute(counted)).scalar_one() >= MOST:
            raise Conflict(FULL, code="themes_full")
        made = insert(Theme).values(user_id=user_id, usage_count=0, created_at=clock.now(), **values)
        theme_id = (await session.execute(made.returning(Theme.id))).scalar_one()
        return await self.get(session, user_id, theme_id)

    async def change(self, session: AsyncSession, user_id: int, theme_id: int, wanted: ThemeChange) -> ThemeStyle:
        """Change the given fields; a blank description removes it. Raises Absent and InvalidFields."""
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        if given:
            values = trimmed(given)
            if "colors" in values:
                values["colors"] = list(values["colors"])
            if "description" in values:
                values["description"] = values["description"] or None
            change = update(Theme).where(Theme.id == theme_id, Theme.user_id == user_id).values(**values)
            await session.execute(change)
        return await self.get(session, user_id, theme_id)

    async def remove(self, session: AsyncSession, user_id: int, theme_id: int) -> None:
        """Delete a theme; its covers stay. Raises Absent."""
        if not await changed_rows(session, delete(Theme).where(Theme.id == theme_id, Theme.user_id == user_id)):
            raise Absent("This theme does not exist.")

    async def hold(self, session: AsyncSession, user_id: int, theme_id: int, *, alone: bool = False) -> None:
        """Lock a theme against deletion until the transaction ends, for rows that refer to it. Raises Absent.

        `alone` keeps out all others that hold it so, for a rule about several rows.
        """
        query = select(Theme.id).where(Theme.id == theme_id, Theme.user_id == user_id)
        if (await session.execute(query.with_for_update(read=not alone, key_share=True))).one_or_none() is None:
            raise Absent("This theme does not exist.")

    async def count_use(self, session: AsyncSession, theme_id: int, *, times: int) -> None:
        """Count accepted generations."""
        await session.execute(update(Theme).where(Theme.id == theme_id).values(usage_count=Theme.usage_count + times))


def _style(row: Any) -> ThemeStyle:
    return ThemeStyle(**row._asdict() | {"is_series": bool(row.is_series)})


def in_colors(style: str, colors: Sequence[str]) -> str:
    """Return a theme's style with its colors, as text for an image service."""
    return f"{style.rstrip(' .')}. Palette of the series: {', '.join(colors)}."


def trimmed(values: Mapping[str, Any], wire: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return texts without surrounding whitespace. Raises InvalidFields naming every required one that is empty."""
    kept = {key: value.strip() if isinstance(value, str) else value for key, value in values.items()}
    names = {"style_prompt": "stylePrompt", **(wire or {})}
    blank = {names.get(key, key): words for key, words in REQUIRED.items() if key in kept and not kept[key]}
    if blank:
        raise InvalidFields(blank)
    return kept
