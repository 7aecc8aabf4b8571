"""Calls about covers."""

from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, PathId, link_header
from kernel.covers.dimensions import Dimensions
from kernel.covers.gallery.queries import CoverFilter
from kernel.covers.gallery.service import GalleryService
from kernel.covers.route_options import USER_FILE
from kernel.covers.schemas import CoverChange, CoverFacets, CoverOut, CoverSort, ImageSize
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore


class CoverController(Controller):
    """The signed-in user's gallery."""

    path = "/api/covers"
    tags = ("Covers",)
    opt = USER

    @get(operation_id="listCovers")
    async def list_covers(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        gallery: NamedDependency[GalleryService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        starred: FromQuery[bool | None] = None,
        theme: Annotated[int | None, QueryParameter(ge=0, le=2**53 - 1)] = None,
        genre: Annotated[str | None, QueryParameter(max_length=50)] = None,
        dimensions: FromQuery[Dimensions | None] = None,
        provider: Annotated[str | None, QueryParameter(max_length=64)] = None,
        since: FromQuery[date | None] = None,
        sort: FromQuery[CoverSort] = "newest",
        bin: FromQuery[bool] = False,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CoverOut]]:
        """Return covers, newest first unless asked otherwise; the next page is in the `Link` header. With `bin` it is
        what was thrown away, last first. `since` is a day in UTC.
        """
        wanted = CoverFilter(
            search=search.replace("\x00", ""),
            starred=starred,
            theme=theme,
            genre=genre and genre.replace("\x00", ""),
            dimensions=dimensions,
            provider=provider and provider.replace("\x00", ""),
            since=datetime.combine(since, time(), UTC) if since else None,
            sort=sort,
            bin=bin,
            cursor=cursor,
            limit=limit,
        )
        page, following = await gallery.page(user.id, wanted)
        return Response(page, headers=link_header(request, following))

    @get("/facets", operation_id="getCoverFacets")
    async def facets(self, user: NamedDependency[CurrentUser], gallery: NamedDependency[GalleryService]) -> CoverFacets:
        """Return what the gallery can be narrowed to."""
        return await gallery.facets(user.id)

    @get("/{cover_id:int}", operation_id="getCover")
    async def get_cover(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, gallery: NamedDependency[GalleryService]
    ) -> CoverOut:
        """Return one cover."""
        return await gallery.get(user.id, cover_id)

    @patch("/{cover_id:int}", operation_id="changeCover")
    async def change_cover(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[CoverChange],
        gallery: NamedDependency[GalleryService],
    ) -> CoverOut:
        """Change the title or the star."""
        return await gallery.change(user.id, cover_id, data)

    @delete("/{cover_id:int}", operation_id="deleteCover")
    async def delete_cover(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, gallery: NamedDependency[GalleryService]
    ) -> None:
        """Put a cover into the bin, from which it can be restored."""
        await gallery.bin(user.id, cover_id)

    @post("/{cover_id:int}/restore", operation_id="restoreCover", status_code=200)
    async def restore_cover(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, gallery: NamedDependency[GalleryService]
    ) -> CoverOut:
        """Take a cover out of the bin."""
        return await gallery.restore(user.id, cover_id)

    @get("/{cover_id:int}/image", operation_id="getCoverImage", include_in_schema=False, opt=USER_FILE)
    async def image(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        gallery: NamedDependency[GalleryService],
        pictures: NamedDependency[PictureStore],
        size: FromQuery[ImageSize] = "original",
        v: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[Any]:
        """Return one form of the picture; `v` is the content's hash from the address we gave out."""
        ref = await gallery.file(user.id, cover_id, size)
        return await picture_response(request, pictures, ref, hashed_address=v is not None)
