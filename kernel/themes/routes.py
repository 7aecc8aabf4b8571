"""Calls about themes."""

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
from kernel.themes.schemas import ThemeChange, ThemeIn, ThemeOut
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
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[ThemeOut]]:
        """Return the themes, newest first."""
        parts = decode_cursor(cursor, 1)
        async with database.read() as connection:
            before = cursor_id(parts[0]) if parts else None
            page = await themes.page(connection, request.user.id, before=before, limit=limit)
        following = encode_cursor(page[-1].id) if len(page) == limit else None
        return Response(page, headers=link_header(request, following))

    @post(operation_id="createTheme")
    async def create_theme(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[ThemeIn],
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
    ) -> ThemeOut:
        """Make a theme."""
        async with database.write() as session:
            return await themes.create(session, request.user.id, data)

    @get("/{theme_id:int}", operation_id="getTheme")
    async def get_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
    ) -> ThemeOut:
        """Return one theme."""
        async with database.read() as connection:
            return await themes.get(connection, request.user.id, theme_id)

    @patch("/{theme_id:int}", operation_id="changeTheme")
    async def change_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        data: JSONBody[ThemeChange],
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
    ) -> ThemeOut:
        """Change the name or the style prompt."""
        async with database.write() as session:
            return await themes.change(session, request.user.id, theme_id, data)

    @delete("/{theme_id:int}", operation_id="deleteTheme")
    async def delete_theme(
        self,
        request: Request[Any, Any, Any],
        theme_id: PathId,
        database: NamedDependency[Database],
        themes: NamedDependency[ThemeService],
    ) -> None:
        """Delete a theme; its covers stay."""
        async with database.write() as session:
            await themes.remove(session, request.user.id, theme_id)
