"""Calls that take several covers at once: changes, the bin, and archives to download."""

from typing import Any
from uuid import UUID

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core import clock
from kernel.core.access import USER
from kernel.core.database import Database
from kernel.core.idempotency import IdempotencyKey, replay_headers
from kernel.core.paging import PathId
from kernel.core.pubsub import PubSub
from kernel.core.throttle import Throttle
from kernel.covers.archive_packing import CHANNEL
from kernel.covers.archives import ArchiveService
from kernel.covers.bulk import BulkService
from kernel.covers.gallery import GalleryService, content_disposition
from kernel.covers.gallery_schemas import ArchiveIn, ArchiveOut, CoversChange, CoversChanged
from kernel.covers.routes import AS_IT_IS, DOWNLOADS_PER_MINUTE
from kernel.pictures.serve import serve
from kernel.pictures.store import PictureStore

ARCHIVES_PER_MINUTE = 10


class ShelfController(Controller):
    """Many covers at once, and what is in the bin."""

    path = "/api/covers"
    tags = ("Covers",)
    opt = USER

    @post("/bulk", operation_id="changeCovers", status_code=200)
    async def change_covers(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[CoversChange],
        database: NamedDependency[Database],
        bulk: NamedDependency[BulkService],
    ) -> CoversChanged:
        """Do one thing with several covers, with all of them or none; answers those that it changed."""
        async with database.write() as session:
            return CoversChanged(changed=await bulk.change(session, request.user.id, data))

    @delete("/bin", operation_id="emptyBin")
    async def empty_bin(self, request: Request[Any, Any, Any], gallery: NamedDependency[GalleryService]) -> None:
        """Remove for ever what is in the bin."""
        await gallery.empty_bin(request.user.id)

    @delete("/{cover_id:int}/forever", operation_id="removeCover")
    async def remove_cover(
        self, request: Request[Any, Any, Any], cover_id: PathId, gallery: NamedDependency[GalleryService]
    ) -> None:
        """Remove for ever one cover that is in the bin."""
        await gallery.remove(request.user.id, cover_id)


class ArchiveController(Controller):
    """Covers packed into one file."""

    path = "/api/archives"
    tags = ("Covers",)
    opt = USER

    @post(operation_id="createArchive", status_code=202)
    async def create_archive(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[ArchiveIn],
        archives: NamedDependency[ArchiveService],
        pubsub: NamedDependency[PubSub],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[ArchiveOut]:
        """Have covers packed; the same Idempotency-Key with the same body answers the same archive."""
        await throttle.hit(f"archive:{request.user.id}", limit=ARCHIVES_PER_MINUTE, window_s=60)
        accepted = await archives.accept(request.user.id, data, key=idempotency_key)
        if not accepted.replayed:
            await pubsub.publish(CHANNEL, b"new")
        return Response(accepted.archive, headers=replay_headers(accepted.replayed))

    @get("/{archive_id:uuid}", operation_id="getArchive")
    async def get_archive(
        self,
        request: Request[Any, Any, Any],
        archive_id: FromPath[UUID],
        database: NamedDependency[Database],
        archives: NamedDependency[ArchiveService],
    ) -> ArchiveOut:
        """Return where an archive stands."""
        async with database.read() as connection:
            return await archives.get(connection, request.user.id, archive_id)

    @delete("/{archive_id:uuid}", operation_id="deleteArchive")
    async def delete_archive(
        self, request: Request[Any, Any, Any], archive_id: FromPath[UUID], archives: NamedDependency[ArchiveService]
    ) -> None:
        """Cancel an archive that is being made, or remove one that has ended."""
        await archives.remove(request.user.id, archive_id)

    @get("/{archive_id:uuid}/download", operation_id="downloadArchive", include_in_schema=False, opt=AS_IT_IS)
    async def download_archive(
        self,
        request: Request[Any, Any, Any],
        archive_id: FromPath[UUID],
        database: NamedDependency[Database],
        archives: NamedDependency[ArchiveService],
        pictures: NamedDependency[PictureStore],
        throttle: NamedDependency[Throttle],
    ) -> Response[Any]:
        """Return a finished archive as a file."""
        await throttle.hit(f"download:{request.user.id}", limit=DOWNLOADS_PER_MINUTE, window_s=60)
        async with database.read() as connection:
            ref = await archives.file(connection, request.user.id, archive_id)
        answer = await serve(request, pictures, ref, hashed_address=False)
        answer.headers["content-disposition"] = content_disposition(f"covers-{clock.now():%Y-%m-%d}.zip")
        return answer
