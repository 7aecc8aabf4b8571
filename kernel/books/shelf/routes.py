"""Calls about the shelf of a series."""

from typing import Annotated

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.books.preview import PreviewService
from kernel.books.shelf.drift import ShelfDriftService
from kernel.books.shelf.schemas import ShelfDrift, ShelfVolume
from kernel.books.shelf.service import ShelfService
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER
from kernel.core.web.paging import PathId
from kernel.covers.route_options import USER_FILE
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.responses import HEADERS, PRIVATE_CHECKED, PRIVATE_FOR_EVER

SPINES_PER_MINUTE = 120
"""A shelf asks for all of its spines once; then the browser has them."""
COMPARISONS_PER_MINUTE = 30


class ShelfController(Controller):
    """Volumes of a series side by side."""

    path = "/api"
    tags = ("Series",)
    opt = USER

    @get("/themes/{theme_id:int}/shelf", operation_id="getShelf")
    async def get_shelf(
        self, user: NamedDependency[CurrentUser], theme_id: PathId, shelves: NamedDependency[ShelfService]
    ) -> list[ShelfVolume]:
        """Return the volumes of a theme in the order of their numbers, with the spines of their books."""
        return await shelves.volumes(user.id, theme_id)

    @get("/themes/{theme_id:int}/shelf/drift", operation_id="getShelfDrift")
    async def get_drift(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        shelf_drifts: NamedDependency[ShelfDriftService],
        throttle: NamedDependency[Throttle],
    ) -> ShelfDrift:
        """Tell in what the spines of a theme's books differ from that of the first volume."""
        await throttle.hit(f"spine-drift:{user.id}", limit=COMPARISONS_PER_MINUTE, window_s=60)
        return await shelf_drifts.compare(user.id, theme_id)

    @get("/books/{book_id:int}/spine", operation_id="getBookSpine", include_in_schema=False, opt=USER_FILE)
    async def get_spine(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        previews: NamedDependency[PreviewService],
        throttle: NamedDependency[Throttle],
        v: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[bytes]:
        """Return the spine of a book as a picture; `v` stands for the state of book and cover."""
        await throttle.hit(f"spine:{user.id}", limit=SPINES_PER_MINUTE, window_s=60)
        kept = {"cache-control": PRIVATE_FOR_EVER if v is not None else PRIVATE_CHECKED}
        shown = await previews.spine(user.id, book_id)
        return Response(shown, media_type=MEDIA_TYPES["jpeg"], headers={**HEADERS, **kept, "accept-ranges": "none"})
