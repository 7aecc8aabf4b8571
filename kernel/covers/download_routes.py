"""Covers as files to be kept."""

from typing import Any

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery

from kernel.core.config import PictureFormat
from kernel.core.database import Database
from kernel.core.paging import PathId
from kernel.core.throttle import Throttle
from kernel.covers.downloads import DownloadService
from kernel.covers.gallery import GalleryService, content_disposition, file_name
from kernel.covers.routes import AS_IT_IS, DOWNLOADS_PER_MINUTE
from kernel.pictures.serve import serve_copy
from kernel.pictures.store import PictureStore


class DownloadController(Controller):
    """One cover at a time; several come as an archive."""

    path = "/api/covers"
    tags = ("Covers",)

    @get("/{cover_id:int}/download", operation_id="downloadCover", include_in_schema=False, opt=AS_IT_IS)
    async def download(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
        pictures: NamedDependency[PictureStore],
        downloads: NamedDependency[DownloadService],
        throttle: NamedDependency[Throttle],
        format: FromQuery[PictureFormat] = "png",
    ) -> Response[Any]:
        """Return the picture as large as the plan has it, as a file named after the cover."""
        await throttle.hit(f"download:{request.user.id}", limit=DOWNLOADS_PER_MINUTE, window_s=60)
        async with database.read() as connection:
            ref, title = await gallery.file(connection, request.user.id, cover_id, "original")
            allowed = await downloads.allowed_as(connection, request.user.id, format)
        answer = await serve_copy(request, pictures, ref, kind=format, longest_px=allowed.longest_px)
        name = file_name(title, "jpg" if format == "jpeg" else format)
        answer.headers["content-disposition"] = content_disposition(name)
        return answer
