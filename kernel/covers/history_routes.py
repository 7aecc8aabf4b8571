"""Calls about what was generated before."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from kernel.billing.desk import Billing
from kernel.core.access import USER
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.idempotency import IdempotencyKey
from kernel.core.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_uuid,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.core.queue import Doorbell
from kernel.core.throttle import Throttle
from kernel.covers.accept import AcceptService
from kernel.covers.history import again, cover_details, history_page
from kernel.covers.routes import GENERATIONS_PER_MINUTE, start
from kernel.covers.schemas import CoverDetails, GenerationOut, GenerationStarted, RetryIn
from kernel.providers import Registry


class HistoryController(Controller):
    """What was asked for before, and how covers were made."""

    path = "/api"
    tags = ("Generation",)
    opt = USER

    @get("/generations", operation_id="listGenerations")
    async def list_generations(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[GenerationOut]]:
        """Return generations, newest first; `search` looks into prompt, title and author."""
        parts = decode_cursor(cursor, 1)
        after = cursor_uuid(parts[0]) if parts else None
        async with database.read() as connection:
            page, following = await history_page(
                connection, request.user.id, search=search.replace("\x00", ""), cursor=after, limit=limit
            )
        return Response(page, headers=link_header(request, encode_cursor(following) if following else None))

    @post("/generations/{generation_id:uuid}/retry", operation_id="retryGeneration", status_code=202)
    async def retry(
        self,
        request: Request[Any, Any, Any],
        generation_id: FromPath[UUID],
        data: JSONBody[RetryIn],
        config: NamedDependency[Config],
        database: NamedDependency[Database],
        registry: NamedDependency[Registry],
        accepting: NamedDependency[AcceptService],
        billing: NamedDependency[Billing],
        doorbell: NamedDependency[Doorbell],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept the same once more: the words, format and theme of a generation, with a new seed or its own."""
        await throttle.hit(f"generate:{request.user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        async with database.read() as connection:
            wanted = await again(connection, registry, request.user.id, generation_id, data)
        return await start(request, wanted, config, accepting, billing.entitlement, doorbell, idempotency_key)

    @get("/covers/{cover_id:int}/details", operation_id="getCoverDetails")
    async def details(
        self, request: Request[Any, Any, Any], cover_id: PathId, database: NamedDependency[Database]
    ) -> CoverDetails:
        """Return how a cover was made."""
        async with database.read() as connection:
            return await cover_details(connection, request.user.id, cover_id)
