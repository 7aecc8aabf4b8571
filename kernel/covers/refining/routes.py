"""Calls about refining covers."""

from typing import Annotated, Any

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.idempotency import IdempotencyKey
from kernel.core.web.paging import PathId
from kernel.covers.generation.generation_service import GenerationService
from kernel.covers.generation.routes import started
from kernel.covers.refining.schemas import CoverPictures
from kernel.covers.refining.service import VersionService
from kernel.covers.route_options import GENERATIONS_PER_MINUTE, USER_FILE, title_language
from kernel.covers.schemas import GenerationStarted, ImageSize, RefineIn
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore

MAX_BODY_BYTES = 6 * 1024 * 1024
"""A mask as base64 in JSON, and what stands around it."""


class RefiningController(Controller):
    """The pictures of one cover, and making the next."""

    path = "/api/covers/{cover_id:int}"
    tags = ("Refining",)
    opt = USER

    @get("/versions", operation_id="getCoverPictures")
    async def pictures(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, versions: NamedDependency[VersionService]
    ) -> CoverPictures:
        """Return the pictures of a cover, oldest first."""
        return await versions.get(user.id, cover_id)

    @get("/versions/{number:int}/image", operation_id="getCoverVersionImage", include_in_schema=False, opt=USER_FILE)
    async def image(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        number: PathId,
        versions: NamedDependency[VersionService],
        pictures: NamedDependency[PictureStore],
        size: FromQuery[ImageSize] = "original",
        v: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[Any]:
        """Return one form of the picture of a version; `v` is the content's hash."""
        ref = await versions.image(user.id, cover_id, number, size)
        return await picture_response(request, pictures, ref, hashed_address=v is not None)

    @post("/refine", operation_id="refineCover", status_code=202, request_max_body_size=MAX_BODY_BYTES)
    async def refine(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[RefineIn],
        generations: NamedDependency[GenerationService],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept a change of a cover's picture, which becomes its next version; 409 `version_conflict` when another
        is shown.
        """
        await throttle.hit(f"generate:{user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        language = title_language(request, user)
        wanted = generations.start_refinement(user, cover_id, data, key=idempotency_key, language=language)
        return started(await wanted)
