"""Putting one's own covers on the landing page."""

from typing import Any

from litestar import Controller, Request, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import UnsetType

from kernel.core.access import ADMIN
from kernel.core.audit import actor_of
from kernel.core.database import Database
from kernel.covers.gallery import GalleryService
from kernel.site.slide_schemas import SlideFromCoverIn, SlideIn, SlideOut
from kernel.site.slides import SlideService


class SlideFromCoverController(Controller):
    """Covers of the carousel after covers of an administrator's gallery."""

    path = "/api/admin/carousel/from-cover"
    tags = ("Administration",)
    opt = ADMIN

    @post(operation_id="createSlideFromCover")
    async def create_slide_from_cover(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[SlideFromCoverIn],
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
        slides: NamedDependency[SlideService],
    ) -> SlideOut:
        """Add a public copy of a cover of one's own; the cover itself stays private, and may go."""
        async with database.read() as connection:
            cover = await gallery.get(connection, request.user.id, data.cover_id)
            original, _ = await gallery.file(connection, request.user.id, data.cover_id, "original")
        wanted = SlideIn(
            title=cover.title if isinstance(data.title, UnsetType) else data.title,
            genre=cover.genre if isinstance(data.genre, UnsetType) else data.genre,
            is_active=data.is_active,
            display_order=data.display_order,
        )
        return await slides.copy(original, wanted, actor_of(request))
