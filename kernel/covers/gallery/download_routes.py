"""Covers as files to be kept."""

from typing import Any

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery

from kernel.accounts.current_user import CurrentUser
from kernel.core.config import PictureFormat
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import AppRequest
from kernel.core.web.paging import PathId
from kernel.covers.gallery.download_service import DownloadService
from kernel.covers.gallery.file_names import content_disposition, file_name
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.route_options import DOWNLOADS_PER_MINUTE, USER_FILE
from kernel.pictures.responses import download_response
from kernel.pictures.store import PictureStore


class DownloadController(Controller):
    """One cover at a time; several come as an archive."""

    path = "/api/covers"
    tags = ("Covers",)

    @get("/{cover_id:int}/download", operation_id="downloadCover", include_in_schema=False, opt=USER_FILE)
    async def download(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        pictures: NamedDependency[PictureStore],
        downloads: NamedDependency[DownloadService],
        marked_files: NamedDependency[MarkedFiles],
        throttle: NamedDependency[Throttle],
        format: FromQuery[PictureFormat] = "png",
    ) -> Response[Any]:
        """Return the picture as large as the plan has it, as a file named after the cover."""
        await throttle.hit(f"download:{user.id}", limit=DOWNLOADS_PER_MINUTE, window_s=60)
        found = await downloads.cover(user.id, cover_id, format)
        credentials = await marked_files.credentials()

        async def finish(data: bytes) -> tuple[bytes, bool]:
            finished = await marked_files.finish(data, format, found.about, credentials)
            return finished.data, finished.is_signed

        answer = await download_response(
            request,
            pictures,
            found.original,
            kind=format,
            longest_px=found.allowed.longest_px,
            mark=found.about.mark,
            finish=finish,
            signed_by=credentials.tag if credentials else None,
        )
        name = file_name(found.title, "jpg" if format == "jpeg" else format)
        answer.headers["content-disposition"] = content_disposition(name)
        return answer
