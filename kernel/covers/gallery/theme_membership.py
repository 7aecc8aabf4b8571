"""Themes and their covers: what a card shows, adding and removing covers, making a theme from a cover."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.config import PicturesConfig
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent
from kernel.covers.cover_read import image_address, placeholder_address
from kernel.covers.gallery.queries import CoverFilter
from kernel.covers.gallery.service import GalleryService
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import CoverOut
from kernel.pictures.colors import main_colors
from kernel.pictures.models import Picture
from kernel.pictures.store import PictureStore
from kernel.themes.models import Theme
from kernel.themes.schemas import ThemeChange, ThemeCoverOut, ThemeFromCoverIn, ThemeIn, ThemeOut
from kernel.themes.service import ThemeService, ThemeStyle, trimmed

STACKED: Final = 4
"""Covers on a theme's card."""
THUMBNAIL: Final = "320"
ABSENT_COVER: Final = "This cover does not exist."
SERIES_STYLE: Final = "All covers share one technique, one palette, one mood and one way of setting the type."


class ThemeMembershipService:
    """Covers in themes, of one user at a time."""

    def __init__(
        self,
        config: PicturesConfig,
        database: Database,
        themes: ThemeService,
        gallery: GalleryService,
        pictures: PictureStore,
    ) -> None:
        self._config = config
        self._database = database
        self._themes = themes
        self._gallery = gallery
        self._pictures = pictures

    async def page(self, user_id: int, *, before: int | None, limit: int) -> tuple[list[ThemeOut], bool]:
        """Return themes, newest first, older than the id `before`, and whether there are more."""
        async with self._database.read() as connection:
            page = await self._themes.page(connection, user_id, before=before, limit=limit + 1)
            return await self._shown(connection, page[:limit]), len(page) > limit

    async def get(self, user_id: int, theme_id: int) -> ThemeOut:
        """Return one theme. Raises Absent."""
        async with self._database.read() as connection:
            return await self._one(connection, await self._themes.get(connection, user_id, theme_id))

    async def create(self, user_id: int, wanted: ThemeIn) -> ThemeOut:
        """Make a theme. Raises InvalidFields naming every blank one, and SignedOut when the account is gone by now."""
        async with self._database.write() as session:
            return await self._one(session, await self._themes.create(session, user_id, wanted))

    async def change(self, user_id: int, theme_id: int, wanted: ThemeChange) -> ThemeOut:
        """Change what is given. Raises Absent and InvalidFields."""
        async with self._database.write() as session:
            return await self._one(session, await self._themes.change(session, user_id, theme_id, wanted))

    async def covers(
        self, user_id: int, theme_id: int, *, cursor: str | None, limit: int
    ) -> tuple[list[CoverOut], str | None]:
        """Return a page of a theme's covers, newest first, and the cursor of the next. Raises Absent."""
        async with self._database.read() as connection:
            theme = await self._themes.get(connection, user_id, theme_id)
            wanted = CoverFilter(theme=theme.id, cursor=cursor, limit=limit)
            return await self._gallery.page_in(connection, user_id, wanted)

    async def _one(self, reader: ReadConnection | AsyncSession, theme: ThemeStyle) -> ThemeOut:
        return (await self._shown(reader, [theme]))[0]

    async def _shown(self, reader: ReadConnection | AsyncSession, themes: Sequence[ThemeStyle]) -> list[ThemeOut]:
        """Return themes of one user as their cards show them; one statement, however many they are."""
        if not themes:
            return []
        place = func.row_number().over(partition_by=Cover.theme_id, order_by=Cover.id.desc()).label("place")
        together = func.count().over(partition_by=Cover.theme_id).label("together")
        ranked = (
            select(Cover.id, Cover.theme_id, Cover.picture_id, place, together)
            .where(Cover.theme_id.in_([theme.id for theme in themes]), Cover.deleted_at.is_(None))
            .subquery()
        )
        query = (
            select(ranked.c.theme_id, ranked.c.together, ranked.c.id, *_PICTURE_COLUMNS)
            .join(Picture, Picture.id == ranked.c.picture_id)
            .where(ranked.c.place <= STACKED)
            .order_by(ranked.c.theme_id, ranked.c.place)
        )
        count: dict[int, int] = {}
        covers: dict[int, list[ThemeCoverOut]] = defaultdict(list)
        for row in (await reader.execute(query)).all():
            count[row.theme_id] = row.together
            covers[row.theme_id].append(_cover(row))
        return [
            ThemeOut(**msgspec.structs.asdict(theme), cover_count=count.get(theme.id, 0), covers=covers[theme.id])
            for theme in themes
        ]

    async def add_cover(self, user_id: int, cover_id: int, theme_id: int) -> CoverOut:
        """Let a cover belong to a theme, and to no other one. Raises Absent."""
        async with self._database.write() as session:
            await self._themes.hold(session, user_id, theme_id)
            return await self._move(session, user_id, cover_id, theme_id)

    async def remove_cover(self, user_id: int, cover_id: int) -> CoverOut:
        """Let a cover belong to no theme. Raises Absent."""
        async with self._database.write() as session:
            return await self._move(session, user_id, cover_id, None)

    async def remove(self, user_id: int, theme_id: int) -> None:
        """Delete a theme; its covers stay. Raises Absent."""
        mine = (Generation.user_id == user_id, Generation.theme_id == theme_id, Generation.state.in_(OPEN_STATES))
        async with self._database.write() as session:
            # jobs before the theme, as they are locked when they settle: otherwise the two wait for each other
            await session.execute(update(Generation).where(*mine).values(theme_id=None))
            await self._themes.remove(session, user_id, theme_id)

    async def theme_from(self, user_id: int, wanted: ThemeFromCoverIn) -> ThemeOut:
        """Make a theme that continues the style of a cover, and add the cover to it.

        Raises InvalidFields for a blank name, Absent, ProviderError and NoProviderAvailable when the picture is
        unreachable.
        """
        name = trimmed({"name": wanted.theme_name}, {"name": "themeName"})["name"]
        async with self._database.read() as connection:
            made = await _making(connection, user_id, wanted.cover_id)
            ref, _ = await self._gallery.file_in(connection, user_id, wanted.cover_id, THUMBNAIL)
        colors = await main_colors(await self._pictures.read(ref), self._config)
        theme = ThemeIn(name=name, colors=tuple(colors), style_prompt=_style(made))
        async with self._database.write() as session:
            facts = await self._themes.create(session, user_id, theme)
            await self._move(session, user_id, wanted.cover_id, facts.id)
            return await self._one(session, facts)

    async def _move(self, session: AsyncSession, user_id: int, cover_id: int, theme_id: int | None) -> CoverOut:
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        if not await changed_rows(session, update(Cover).where(*mine).values(theme_id=theme_id)):
            raise Absent(ABSENT_COVER)
        return await self._gallery.get_in(session, user_id, cover_id)


class _Making(msgspec.Struct, frozen=True, kw_only=True):
    """How a cover was made, as far as it determines its style."""

    genre: str
    style_prompt: str | None
    theme_style: str | None
    made_style: str | None


_PICTURE_COLUMNS: Final = (Picture.sha256, Picture.width, Picture.height, Picture.tint, Picture.placeholder)


def _cover(row: Any) -> ThemeCoverOut:
    return ThemeCoverOut(
        id=row.id,
        thumbnail_url=image_address(row.id, row.sha256, THUMBNAIL),
        width=row.width,
        height=row.height,
        tint=row.tint,
        placeholder=placeholder_address(row.placeholder),
    )


async def _making(reader: ReadConnection, user_id: int, cover_id: int) -> _Making:
    query = (
        select(
            Generation.genre,
            Generation.style_prompt,
            Theme.style_prompt.label("theme_style"),
            Generation.made_style,
        )
        .select_from(Cover)
        .join(Generation, Generation.id == Cover.generation_id)
        .join(Theme, Theme.id == Generation.theme_id, isouter=True)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent(ABSENT_COVER)
    return _Making(**row._asdict())


def _style(made: _Making) -> str:
    """Return the style that a cover was made in. What it shows is left out: the next book has a story of its own."""
    if style := made.style_prompt or made.theme_style:
        return style
    named = made.genre.casefold() in (made.made_style or "").casefold()
    looks = ", ".join(filter(None, (made.made_style, "" if named else made.genre)))
    return f"{SERIES_STYLE} {looks[:1].upper()}{looks[1:]}." if looks else SERIES_STYLE
