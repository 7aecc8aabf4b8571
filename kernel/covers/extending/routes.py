"""Calls about letting the artwork of a cover go on beyond its sides."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.idempotency import IdempotencyKey
from kernel.core.web.paging import PathId
from kernel.covers.extending.schemas import CoverExtensions
from kernel.covers.extending.service import CoverExtensionService
from kernel.covers.generation.generation_service import GenerationService
from kernel.covers.generation.routes import started
from kernel.covers.route_options import GENERATIONS_PER_MINUTE, title_language
from kernel.covers.schemas import ExtendIn, GenerationStarted


class ExtendingController(Controller):
    """How the artwork of one cover goes on beyond its sides."""

    path = "/api/covers/{cover_id:int}/extensions"
    tags = ("Extending",)
    opt = USER

    @get("/", operation_id="getCoverExtensions")
    async def extensions(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, extensions: NamedDependency[CoverExtensionService]
    ) -> CoverExtensions:
        """Return what was painted beyond the sides of a cover's picture, and who would paint it."""
        return await extensions.get(user.id, cover_id)

    @post("/", operation_id="extendCover", status_code=202)
    async def extend(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[ExtendIn],
        generations: NamedDependency[GenerationService],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Let an image service paint how a cover's picture goes on beyond a side, for the back of a printed book.

        409 `version_conflict` when another version is shown.
        """
        await throttle.hit(f"generate:{user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        language = title_language(request, user)
        wanted = generations.start_extension(user, cover_id, data, key=idempotency_key, language=language)
        return started(await wanted)
