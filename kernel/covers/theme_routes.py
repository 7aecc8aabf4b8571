"""Calls about themes and the covers in them."""

from typing import Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.core.access import USER
from kernel.core.database import Database
from kernel.core.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_id,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.covers.gallery import GalleryService
from kernel.covers.listing import CoverFilter
from kernel.covers.schemas import CoverOut
from kernel.covers.shelving import ShelvingService
from kernel.themes.schemas import CoverThemeIn, ThemeChange, ThemeFromCoverIn, ThemeIn, ThemeOut
from kernel.themes.service import ThemeService


class ThemeController(Controller):
    """The signed-in user's themes."""

    path = "/api/themes"
    tags = ("Themes",)
    opt = USER

    @get(operation_id="listThemes")
    async def list_themes(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
        shelving: NamedDependency[ShelvingService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[ThemeOut]]:
        """Return the themes, newest first."""
        parts = decode_cursor(cursor, 1)
        async with database.read() as connection:
            before = cursor_id(parts[0]) if parts else None
            page = await themes.page(connection, request.user.id, before=before, limit=limit + 1)
            shown = await shelving.shown(connection, page[:limit])
        following = encode_cursor(shown[-1].id) if len(page) > limit else None
        return Response(shown, headers=link_header(request, following))

    @post(operation_id="createTheme")
    async def create_theme(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[ThemeIn],
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
        shelving: NamedDependency[ShelvingService],
    ) -> ThemeOut:
        """Make a theme."""
        async with database.write() as session:
            return (await shelving.shown(session, [await themes.create(session, request.user.id, data)]))[0]

    @post("/from-cover", operation_id="createThemeFromCover")
    async def create_theme_from_cover(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[ThemeFromCoverIn],
        shelving: NamedDependency[ShelvingService],
    ) -> ThemeOut:
        """Make a theme of a cover's colours and style; the cover then belongs to it."""
        return await shelving.theme_from(request.user.id, data)

    @get("/{theme_id:int}", operation_id="getTheme")
    async def get_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
        shelving: NamedDependency[ShelvingService],
    ) -> ThemeOut:
        """Return one theme."""
        async with database.read() as connection:
            return (await shelving.shown(connection, [await themes.get(connection, request.user.id, theme_id)]))[0]

    @patch("/{theme_id:int}", operation_id="changeTheme")
    async def change_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        data: JSONBody[ThemeChange],
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
        shelving: NamedDependency[ShelvingService],
    ) -> ThemeOut:
        """Change the name or the style prompt."""
        async with database.write() as session:
            changed = await themes.change(session, request.user.id, theme_id, data)
            return (await shelving.shown(session, [changed]))[0]

    @delete("/{theme_id:int}", operation_id="deleteTheme")
    async def delete_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        database: NamedDependency[Database],
        shelving: NamedDependency[ShelvingService],
    ) -> None:
        """Delete a theme; its covers stay."""
        async with database.write() as session:
            await shelving.remove(session, request.user.id, theme_id)

    @get("/{theme_id:int}/covers", operation_id="listThemeCovers")
    async def list_theme_covers(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
        gallery: NamedDependency[GalleryService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CoverOut]]:
        """Return the covers of a theme, newest first."""
        async with database.read() as connection:
            theme = await themes.get(connection, request.user.id, theme_id)
            wanted = CoverFilter(theme=theme.id, cursor=cursor, limit=limit)
            page, following = await gallery.page(connection, request.user.id, wanted)
        return Response(page, headers=link_header(request, following))


class CoverThemeController(Controller):
    """To which theme a cover belongs."""

    path = "/api/covers/{cover_id:int}/theme"
    tags = ("Themes",)
    opt = USER

    @post(operation_id="addCoverToTheme", status_code=200)
    async def add_cover_to_theme(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        data: JSONBody[CoverThemeIn],
        database: NamedDependency[Database],
        shelving: NamedDependency[ShelvingService],
    ) -> CoverOut:
        """Let a cover belong to a theme, and to no other one."""
        async with database.write() as session:
            return await shelving.put(session, request.user.id, cover_id, data.theme_id)

    @delete(operation_id="removeCoverFromTheme", status_code=200)
    async def remove_cover_from_theme(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        shelving: NamedDependency[ShelvingService],
    ) -> CoverOut:
        """Let a cover belong to no theme; one without a theme stays as it is."""
        async with database.write() as session:
            return await shelving.take_off(session, request.user.id, cover_id)
