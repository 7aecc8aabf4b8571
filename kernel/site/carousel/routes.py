"""Calls about the covers that rotate on the landing page: everyone sees them, administrators keep them."""

from typing import Any

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, PUBLIC, SHARED, AppRequest
from kernel.core.web.paging import PathId
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore
from kernel.site.carousel.schemas import (
    FULL_SIZE,
    CarouselItem,
    SlideChange,
    SlideIn,
    SlideOrderIn,
    SlideOut,
    SlideSize,
)
from kernel.site.carousel.service import SlideService


class CarouselController(Controller):
    """The public carousel."""

    path = "/api/carousel"
    tags = ("Site",)

    @get(operation_id="listCarousel", opt=PUBLIC | SHARED)
    async def list_carousel(self, slides: NamedDependency[SlideService]) -> list[CarouselItem]:
        """Return the active covers in their order."""
        return await slides.shown()

    @get(
        "/{slide_id:int}/image",
        operation_id="getCarouselImage",
        include_in_schema=False,
        opt={**PUBLIC, "compressed_already": True},
    )
    async def image(
        self,
        request: AppRequest,
        visitor: NamedDependency[CurrentUser | None],
        slide_id: PathId,
        slides: NamedDependency[SlideService],
        pictures: NamedDependency[PictureStore],
        size: FromQuery[SlideSize] = FULL_SIZE,
    ) -> Response[Any]:
        """Return the picture of an active cover; to administrators that of an inactive one, too."""
        inactive = visitor is not None and visitor.is_admin
        ref, is_active = await slides.file(slide_id, size, inactive=inactive)
        return await picture_response(request, pictures, ref, hashed_address=False, public=is_active)


class AdminCarouselController(Controller):
    """The carousel as administrators keep it."""

    path = "/api/admin/carousel"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listSlides")
    async def list_slides(self, slides: NamedDependency[SlideService]) -> list[SlideOut]:
        """Return all covers in their order, inactive ones too."""
        return await slides.all()

    @post(operation_id="createSlide")
    async def create_slide(
        self, actor: NamedDependency[Actor], data: JSONBody[SlideIn], slides: NamedDependency[SlideService]
    ) -> SlideOut:
        """Add a cover."""
        return await slides.create(data, actor)

    @put("/order", operation_id="orderSlides")
    async def order_slides(
        self, actor: NamedDependency[Actor], data: JSONBody[SlideOrderIn], slides: NamedDependency[SlideService]
    ) -> list[SlideOut]:
        """Put the covers into another order."""
        return await slides.reorder(data, actor)

    @put("/{slide_id:int}", operation_id="changeSlide")
    async def change_slide(
        self,
        actor: NamedDependency[Actor],
        slide_id: PathId,
        data: JSONBody[SlideChange],
        slides: NamedDependency[SlideService],
    ) -> SlideOut:
        """Change a cover; without another picture it keeps the one it has."""
        return await slides.change(slide_id, data, actor)

    @delete("/{slide_id:int}", operation_id="deleteSlide")
    async def delete_slide(
        self, actor: NamedDependency[Actor], slide_id: PathId, slides: NamedDependency[SlideService]
    ) -> None:
        """Delete a cover, and its picture with it."""
        await slides.remove(slide_id, actor)
