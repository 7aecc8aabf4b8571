"""Calls about covers and generations."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import ServerSentEvent

from kernel.billing.desk import Billing
from kernel.billing.entitlement import Entitlement
from kernel.core.access import PUBLIC, USER
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.idempotency import IdempotencyKey, replay_headers
from kernel.core.paging import DEFAULT_LIMIT, Cursor, Limit, PathId, link_header
from kernel.core.pubsub import PubSub
from kernel.core.queue import Doorbell
from kernel.core.throttle import Throttle
from kernel.covers.accept import AcceptService
from kernel.covers.capabilities import capabilities_out
from kernel.covers.control import generation_channel
from kernel.covers.events import MOST, follow
from kernel.covers.expectation import Expectation
from kernel.covers.gallery import GalleryService
from kernel.covers.jobs import ring
from kernel.covers.lifecycle import Canceled, Lifecycle
from kernel.covers.listing import CoverFilter
from kernel.covers.schemas import (
    CapabilitiesOut,
    CoverChange,
    CoverOut,
    CoverSort,
    GenerateCoverIn,
    GenerateWithReferencesIn,
    GenerationStarted,
    GenerationStatus,
    ImageSize,
)
from kernel.covers.views import generation_status
from kernel.pictures.serve import serve
from kernel.pictures.store import PictureStore
from kernel.providers import Registry

AS_IT_IS = {**USER, "compressed_already": True}
GENERATIONS_PER_MINUTE = 30
UPLOADS_PER_MINUTE = 20
MAX_REFERENCES_BODY_BYTES = 58 * 1024 * 1024
"""Four pictures of 10 MB as base64 in JSON, and what stands around them."""
DOWNLOADS_PER_MINUTE = 60


class GenerationController(Controller):
    """Making covers."""

    path = "/api"
    tags = ("Generation",)
    opt = USER

    @post("/generate-cover", operation_id="generateCover", status_code=202)
    async def generate(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[GenerateCoverIn],
        config: NamedDependency[Config],
        accepting: NamedDependency[AcceptService],
        billing: NamedDependency[Billing],
        doorbell: NamedDependency[Doorbell],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept covers to be made; the same Idempotency-Key with the same body answers the same ids."""
        await throttle.hit(f"generate:{request.user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        return await start(request, data, config, accepting, billing.entitlement, doorbell, idempotency_key)

    @post(
        "/generate-cover-with-references",
        operation_id="generateCoverWithReferences",
        status_code=202,
        request_max_body_size=MAX_REFERENCES_BODY_BYTES,
    )
    async def generate_with_references(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[GenerateWithReferencesIn],
        config: NamedDependency[Config],
        accepting: NamedDependency[AcceptService],
        billing: NamedDependency[Billing],
        doorbell: NamedDependency[Doorbell],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept covers to be made after pictures: covers of one's own and uploads, up to four in all."""
        await throttle.hit(f"references:{request.user.id}", limit=UPLOADS_PER_MINUTE, window_s=60)
        return await start(request, data, config, accepting, billing.entitlement, doorbell, idempotency_key)

    @get("/generation-status/{generation_id:uuid}", operation_id="getGenerationStatus")
    async def status(
        self, request: Request[Any, Any, Any], generation_id: FromPath[UUID], database: NamedDependency[Database]
    ) -> GenerationStatus:
        """Return where a generation stands."""
        async with database.read() as connection:
            return await generation_status(connection, request.user.id, generation_id)

    @get(
        "/generation-events/{generation_id:uuid}",
        operation_id="followGeneration",
        include_in_schema=False,
        opt=AS_IT_IS,
    )
    async def events(
        self,
        request: Request[Any, Any, Any],
        generation_id: FromPath[UUID],
        database: NamedDependency[Database],
        pubsub: NamedDependency[PubSub],
        also: Annotated[list[UUID] | None, QueryParameter(max_items=MOST - 1)] = None,
    ) -> ServerSentEvent:
        """Stream the status at every change until the job has ended, and that of `also` named ones."""
        ids = list(dict.fromkeys([generation_id, *(also or ())]))
        async with database.read() as connection:
            for one in ids:
                await generation_status(connection, request.user.id, one)
        stream = follow(database, pubsub, request.user.id, ids)
        return ServerSentEvent(stream, headers={"cache-control": "no-store", "x-accel-buffering": "no"})

    @delete("/generations/{generation_id:uuid}", operation_id="cancelGeneration", status_code=200)
    async def cancel(
        self,
        request: Request[Any, Any, Any],
        generation_id: FromPath[UUID],
        database: NamedDependency[Database],
        life: NamedDependency[Lifecycle],
        pubsub: NamedDependency[PubSub],
    ) -> GenerationStatus:
        """Cancel a generation and give its unit back; one that has ended stays as it is."""
        async with database.read() as connection:
            await generation_status(connection, request.user.id, generation_id)
        if await life.settle(generation_id, Canceled()):
            await pubsub.publish(f"cancel:{generation_id}", b"now")
            await pubsub.publish(generation_channel(generation_id), b"changed")
        async with database.read() as connection:
            return await generation_status(connection, request.user.id, generation_id)

    @get("/capabilities", operation_id="getCapabilities", opt=PUBLIC)
    async def capabilities(
        self,
        request: Request[Any, Any, Any],
        config: NamedDependency[Config],
        database: NamedDependency[Database],
        registry: NamedDependency[Registry],
        expectation: NamedDependency[Expectation],
    ) -> CapabilitiesOut:
        """Return what the browser may offer now; what a cover costs only to administrators."""
        viewer = request.scope.get("user")
        told = bool(viewer and viewer.is_admin)
        async with database.read() as connection:
            return await capabilities_out(
                connection, registry, expectation, bin_days=config.generation.bin_days, with_costs=told
            )


async def start(
    request: Request[Any, Any, Any],
    data: GenerateCoverIn,
    config: Config,
    accepting: AcceptService,
    entitlement: Entitlement,
    doorbell: Doorbell,
    key: str | None,
) -> Response[GenerationStarted]:
    """Accept what is asked for, ring for each job, and answer the ids."""
    accepted = await accepting.accept(
        request.user.id,
        data,
        is_pro=await entitlement.is_pro(request.user.id, request.user.is_pro_override),
        key=key,
        language=request.user.language or request.cookies.get("preferred-language", "")[:8],
    )
    if not accepted.replayed:
        for generation_id in accepted.ids:
            await ring(doorbell, config.generation, generation_id, 0)
    started = GenerationStarted(generation_id=accepted.id, generation_ids=list(accepted.ids))
    return Response(started, headers=replay_headers(accepted.replayed))


class CoverController(Controller):
    """The signed-in user's gallery."""

    path = "/api/covers"
    tags = ("Covers",)
    opt = USER

    @get(operation_id="listCovers")
    async def list_covers(
        self,
        request: Request[Any, Any, Any],
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        starred: FromQuery[bool | None] = None,
        theme: Annotated[int | None, QueryParameter(ge=0, le=2**53 - 1)] = None,
        sort: FromQuery[CoverSort] = "newest",
        bin: FromQuery[bool] = False,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CoverOut]]:
        """Return covers, newest first unless asked otherwise; the next page is in the `Link` header. With `bin` it is
        what was thrown away, last first.
        """
        wanted = CoverFilter(
            search=search.replace("\x00", ""),
            starred=starred,
            theme=theme,
            sort=sort,
            bin=bin,
            cursor=cursor,
            limit=limit,
        )
        async with database.read() as connection:
            page, following = await gallery.page(connection, request.user.id, wanted)
        return Response(page, headers=link_header(request, following))

    @get("/{cover_id:int}", operation_id="getCover")
    async def get_cover(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
    ) -> CoverOut:
        """Return one cover."""
        async with database.read() as connection:
            return await gallery.get(connection, request.user.id, cover_id)

    @patch("/{cover_id:int}", operation_id="changeCover")
    async def change_cover(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        data: JSONBody[CoverChange],
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
    ) -> CoverOut:
        """Change the title or the star."""
        async with database.write() as session:
            return await gallery.change(session, request.user.id, cover_id, data)

    @delete("/{cover_id:int}", operation_id="deleteCover")
    async def delete_cover(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
    ) -> None:
        """Put a cover into the bin, from which it can be restored."""
        async with database.write() as session:
            await gallery.bin(session, request.user.id, cover_id)

    @post("/{cover_id:int}/restore", operation_id="restoreCover", status_code=200)
    async def restore_cover(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
    ) -> CoverOut:
        """Take a cover out of the bin."""
        async with database.write() as session:
            return await gallery.restore(session, request.user.id, cover_id)

    @get("/{cover_id:int}/image", operation_id="getCoverImage", include_in_schema=False, opt=AS_IT_IS)
    async def image(
        self,
        request: Request[Any, Any, Any],
        cover_id: PathId,
        database: NamedDependency[Database],
        gallery: NamedDependency[GalleryService],
        pictures: NamedDependency[PictureStore],
        size: FromQuery[ImageSize] = "original",
        v: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[Any]:
        """Return one form of the picture; `v` is the content's hash from the address we gave out."""
        async with database.read() as connection:
            ref, _ = await gallery.file(connection, request.user.id, cover_id, size)
        return await serve(request, pictures, ref, hashed_address=v is not None)
