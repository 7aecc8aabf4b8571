"""Calls that take several covers at once: changes, the bin, and archives to download."""

from typing import Any
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core import clock
from kernel.core.process.job_scope import job_accepted
from kernel.core.queue.pubsub import PubSub
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.idempotency import IdempotencyKey, replay_headers
from kernel.covers.archives.models import Archive
from kernel.covers.archives.schemas import ArchiveIn, ArchiveOut
from kernel.covers.archives.service import ArchiveService
from kernel.covers.archives.worker import CHANNEL
from kernel.covers.gallery.file_names import content_disposition
from kernel.covers.route_options import DOWNLOADS_PER_MINUTE, USER_FILE
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore

ARCHIVES_PER_MINUTE = 10


class ArchiveController(Controller):
    """Covers packed into one file."""

    path = "/api/archives"
    tags = ("Covers",)
    opt = USER

    @post(operation_id="createArchive", status_code=202)
    async def create_archive(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[ArchiveIn],
        archives: NamedDependency[ArchiveService],
        pubsub: NamedDependency[PubSub],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[ArchiveOut]:
        """Have covers packed; the same Idempotency-Key with the same body answers the same archive."""
        await throttle.hit(f"archive:{user.id}", limit=ARCHIVES_PER_MINUTE, window_s=60)
        accepted = await archives.accept(user.id, data, key=idempotency_key)
        if not accepted.replayed:
            job_accepted(Archive.job_kind, accepted.archive.id)
            await pubsub.publish(CHANNEL, b"new")
        return Response(accepted.archive, headers=replay_headers(accepted.replayed))

    @get("/{archive_id:uuid}", operation_id="getArchive")
    async def get_archive(
        self, user: NamedDependency[CurrentUser], archive_id: FromPath[UUID], archives: NamedDependency[ArchiveService]
    ) -> ArchiveOut:
        """Return where an archive stands."""
        return await archives.get(user.id, archive_id)

    @delete("/{archive_id:uuid}", operation_id="deleteArchive")
    async def delete_archive(
        self, user: NamedDependency[CurrentUser], archive_id: FromPath[UUID], archives: NamedDependency[ArchiveService]
    ) -> None:
        """Cancel an archive that is being made, or remove one that has ended."""
        await archives.remove(user.id, archive_id)

    @get("/{archive_id:uuid}/download", operation_id="downloadArchive", include_in_schema=False, opt=USER_FILE)
    async def download_archive(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        archive_id: FromPath[UUID],
        archives: NamedDependency[ArchiveService],
        pictures: NamedDependency[PictureStore],
        throttle: NamedDependency[Throttle],
    ) -> Response[Any]:
        """Return a finished archive as a file."""
        await throttle.hit(f"download:{user.id}", limit=DOWNLOADS_PER_MINUTE, window_s=60)
        ref = await archives.file(user.id, archive_id)
        answer = await picture_response(request, pictures, ref, hashed_address=False)
        answer.headers["content-disposition"] = content_disposition(f"covers-{clock.now():%Y-%m-%d}.zip")
        return answer
