"""Calls about the files of a book."""

from typing import Any
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.books.models import EditionPack
from kernel.books.packs.schemas import PackIn, PackOut
from kernel.books.packs.service import PackService
from kernel.books.packs.worker import CHANNEL
from kernel.core.process.job_scope import job_accepted
from kernel.core.queue.pubsub import PubSub
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.idempotency import replay_headers
from kernel.core.web.paging import PathId
from kernel.covers.gallery.file_names import content_disposition
from kernel.covers.route_options import DOWNLOADS_PER_MINUTE, USER_FILE, title_language
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore
from kernel.press.editions.files import stem_of

PACKS_PER_MINUTE = 20


class PackController(Controller):
    """The files of a book's editions, made by a worker."""

    path = "/api"
    tags = ("Books",)
    opt = USER

    @post("/books/{book_id:int}/pack", operation_id="createPack", status_code=202)
    async def create_pack(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        data: JSONBody[PackIn],
        packs: NamedDependency[PackService],
        pubsub: NamedDependency[PubSub],
        throttle: NamedDependency[Throttle],
    ) -> Response[PackOut]:
        """Have the files made; a book that did not change since answers the same pack."""
        await throttle.hit(f"pack:{user.id}", limit=PACKS_PER_MINUTE, window_s=60)
        accepted = await packs.accept(user.id, book_id, data, language=title_language(request, user))
        if not accepted.replayed:
            job_accepted(EditionPack.job_kind, accepted.pack.id)
            await pubsub.publish(CHANNEL, b"new")
        return Response(accepted.pack, headers=replay_headers(accepted.replayed))

    @get("/packs/{pack_id:uuid}", operation_id="getPack")
    async def get_pack(
        self, user: NamedDependency[CurrentUser], pack_id: FromPath[UUID], packs: NamedDependency[PackService]
    ) -> PackOut:
        """Return where a pack stands."""
        return await packs.get(user.id, pack_id)

    @delete("/packs/{pack_id:uuid}", operation_id="deletePack")
    async def delete_pack(
        self, user: NamedDependency[CurrentUser], pack_id: FromPath[UUID], packs: NamedDependency[PackService]
    ) -> None:
        """Cancel a pack that is being made, or remove one that has ended."""
        await packs.remove(user.id, pack_id)

    @get("/packs/{pack_id:uuid}/download", operation_id="downloadPack", include_in_schema=False, opt=USER_FILE)
    async def download_pack(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        pack_id: FromPath[UUID],
        packs: NamedDependency[PackService],
        pictures: NamedDependency[PictureStore],
        throttle: NamedDependency[Throttle],
    ) -> Response[Any]:
        """Return a finished pack as a file."""
        await throttle.hit(f"download:{user.id}", limit=DOWNLOADS_PER_MINUTE, window_s=60)
        ref, title = await packs.file(user.id, pack_id)
        answer = await picture_response(request, pictures, ref, hashed_address=False)
        answer.headers["content-disposition"] = content_disposition(f"{stem_of(title)}.zip")
        return answer
