"""Putting one's own covers on the landing page."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import UnsetType

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN
from kernel.covers.gallery.service import GalleryService
from kernel.site.carousel.schemas import SlideFromCoverIn, SlideIn, SlideOut
from kernel.site.carousel.service import SlideService


class SlideFromCoverController(Controller):
    """Covers of the carousel after covers of an administrator's gallery."""

    path = "/api/admin/carousel/from-cover"
    tags = ("Administration",)
    opt = ADMIN

    @post(operation_id="createSlideFromCover")
    async def create_slide_from_cover(
        self,
        actor: NamedDependency[Actor],
        data: JSONBody[SlideFromCoverIn],
        gallery: NamedDependency[GalleryService],
        slides: NamedDependency[SlideService],
    ) -> SlideOut:
        """Add a public copy of a cover of one's own; the cover itself stays private, and may go."""
        cover, original = await gallery.with_original(actor.id, data.cover_id)
        wanted = SlideIn(
            title=cover.title if isinstance(data.title, UnsetType) else data.title,
            genre=cover.genre if isinstance(data.genre, UnsetType) else data.genre,
            description=data.description,
            is_active=data.is_active,
            display_order=data.display_order,
        )
        return await slides.copy(original, wanted, actor)
