"""Calls about themes and the covers in them."""

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_id,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.covers.gallery.theme_membership import ThemeMembershipService
from kernel.covers.schemas import CoverOut
from kernel.themes.schemas import ThemeChange, ThemeFromCoverIn, ThemeIn, ThemeOut


class ThemeController(Controller):
    """The signed-in user's themes."""

    path = "/api/themes"
    tags = ("Themes",)
    opt = USER

    @get(operation_id="listThemes")
    async def list_themes(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        theme_membership: NamedDependency[ThemeMembershipService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[ThemeOut]]:
        """Return the themes, newest first."""
        parts = decode_cursor(cursor, 1)
        before = cursor_id(parts[0]) if parts else None
        shown, more = await theme_membership.page(user.id, before=before, limit=limit)
        following = encode_cursor(shown[-1].id) if more else None
        return Response(shown, headers=link_header(request, following))

    @post(operation_id="createTheme")
    async def create_theme(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[ThemeIn],
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> ThemeOut:
        """Make a theme."""
        return await theme_membership.create(user.id, data)

    @post("/from-cover", operation_id="createThemeFromCover")
    async def create_theme_from_cover(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[ThemeFromCoverIn],
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> ThemeOut:
        """Make a theme of a cover's colors and style; the cover then belongs to it."""
        return await theme_membership.theme_from(user.id, data)

    @get("/{theme_id:int}", operation_id="getTheme")
    async def get_theme(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> ThemeOut:
        """Return one theme."""
        return await theme_membership.get(user.id, theme_id)

    @patch("/{theme_id:int}", operation_id="changeTheme")
    async def change_theme(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        data: JSONBody[ThemeChange],
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> ThemeOut:
        """Change name, description, colors or style prompt; what is absent stays."""
        return await theme_membership.change(user.id, theme_id, data)

    @delete("/{theme_id:int}", operation_id="deleteTheme")
    async def delete_theme(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> None:
        """Delete a theme; its covers stay."""
        await theme_membership.remove(user.id, theme_id)

    @get("/{theme_id:int}/covers", operation_id="listThemeCovers")
    async def list_theme_covers(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        theme_membership: NamedDependency[ThemeMembershipService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CoverOut]]:
        """Return the covers of a theme, newest first."""
        page, following = await theme_membership.covers(user.id, theme_id, cursor=cursor, limit=limit)
        return Response(page, headers=link_header(request, following))
