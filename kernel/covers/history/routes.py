"""Calls about what was generated before."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.idempotency import IdempotencyKey
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_uuid,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.covers.generation.generation_service import GenerationService
from kernel.covers.generation.routes import started
from kernel.covers.history.service import HistoryService
from kernel.covers.route_options import GENERATIONS_PER_MINUTE, title_language
from kernel.covers.schemas import CoverDetails, GenerationOut, GenerationStarted, RetryIn


class HistoryController(Controller):
    """What was asked for before, and how covers were made."""

    path = "/api"
    tags = ("Generation",)
    opt = USER

    @get("/generations", operation_id="listGenerations")
    async def list_generations(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        history: NamedDependency[HistoryService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[GenerationOut]]:
        """Return generations, newest first; `search` looks into prompt, title and author."""
        parts = decode_cursor(cursor, 1)
        after = cursor_uuid(parts[0]) if parts else None
        page, following = await history.page(user.id, search=search.replace("\x00", ""), cursor=after, limit=limit)
        return Response(page, headers=link_header(request, encode_cursor(following) if following else None))

    @post("/generations/{generation_id:uuid}/retry", operation_id="retryGeneration", status_code=202)
    async def retry(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        generation_id: FromPath[UUID],
        data: JSONBody[RetryIn],
        history: NamedDependency[HistoryService],
        generations: NamedDependency[GenerationService],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept the same once more: the words, format and theme of a generation, with a new seed or its own."""
        await throttle.hit(f"generate:{user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        wanted = await history.again(user.id, generation_id, data)
        language = title_language(request, user)
        return started(await generations.start(user, wanted, key=idempotency_key, language=language))

    @get("/covers/{cover_id:int}/details", operation_id="getCoverDetails")
    async def details(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, history: NamedDependency[HistoryService]
    ) -> CoverDetails:
        """Return how a cover was made."""
        return await history.details(user.id, cover_id)
