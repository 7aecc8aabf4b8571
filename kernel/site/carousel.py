"""The covers that rotate on the landing page, for everyone to see."""

from typing import Any, Final

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from sqlalchemy import select

from kernel.core.access import PUBLIC
from kernel.core.database import Database
from kernel.core.errors import Absent
from kernel.core.paging import PathId
from kernel.pictures.models import Picture
from kernel.pictures.serve import serve
from kernel.pictures.store import PictureStore
from kernel.site.models import CarouselCover
from kernel.site.schemas import CarouselItem

SHOWN: Final = 100
FORM: Final = "960"


class CarouselController(Controller):
    """The public carousel."""

    path = "/api/carousel"
    tags = ("Site",)

    @get(operation_id="listCarousel", opt=PUBLIC)
    async def list_carousel(self, database: NamedDependency[Database]) -> list[CarouselItem]:
        """Return the active covers in their order."""
        query = (
            select(CarouselCover.id, CarouselCover.title, CarouselCover.genre, Picture.sha256)
            .join(Picture, Picture.id == CarouselCover.picture_id)
            .where(CarouselCover.is_active)
            .order_by(CarouselCover.display_order, CarouselCover.id)
            .limit(SHOWN)
        )
        async with database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [
            CarouselItem(
                id=row.id,
                title=row.title,
                genre=row.genre,
                image_url=f"/api/carousel/{row.id}/image?v={row.sha256[:16]}",
            )
            for row in rows
        ]

    @get(
        "/{slide_id:int}/image",
        operation_id="getCarouselImage",
        include_in_schema=False,
        opt={**PUBLIC, "compressed_already": True},
    )
    async def image(
        self,
        request: Request[Any, Any, Any],
        slide_id: PathId,
        database: NamedDependency[Database],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return the picture of an active slide."""
        query = select(CarouselCover.picture_id).where(CarouselCover.id == slide_id, CarouselCover.is_active)
        async with database.read() as connection:
            picture_id = (await connection.execute(query)).scalar_one_or_none()
            if picture_id is None:
                raise Absent
            ref = await pictures.file(connection, picture_id, FORM)
        return await serve(request, pictures, ref, hashed_address=False, public=True)
