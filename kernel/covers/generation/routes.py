"""Calls about covers and generations."""

from typing import Annotated, Any, cast
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import ServerSentEvent

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC, USER, AppRequest
from kernel.core.web.idempotency import IdempotencyKey, replay_headers
from kernel.covers.generation.capabilities import CapabilityService
from kernel.covers.generation.event_stream import MOST, EventStream
from kernel.covers.generation.generation_service import GenerationService
from kernel.covers.generation.submission.job_store import SubmittedGenerations
from kernel.covers.route_options import GENERATIONS_PER_MINUTE, UPLOADS_PER_MINUTE, USER_FILE, title_language
from kernel.covers.schemas import (
    CapabilitiesOut,
    GenerateCoverIn,
    GenerateWithReferencesIn,
    GenerationStarted,
    GenerationStatus,
)
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.responses import HEADERS

MAX_REFERENCES_BODY_BYTES = 58 * 1024 * 1024
"""Four pictures of 10 MB as base64 in JSON, and what stands around them."""


async def admit_references(services: Any, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuse uploads that are too many, or that no cover is left for, before they are read."""
    user = cast(CurrentUser, connection.scope["user"])
    throttle: Throttle = services.throttle
    generations: GenerationService = services.covers.generations
    await throttle.hit(f"references:{user.id}", limit=UPLOADS_PER_MINUTE, window_s=60)
    await generations.refuse_without_units(user, key=connection.headers.get("idempotency-key"))


class GenerationController(Controller):
    """Making covers."""

    path = "/api"
    tags = ("Generation",)
    opt = USER

    @post("/generate-cover", operation_id="generateCover", status_code=202)
    async def generate(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[GenerateCoverIn],
        generations: NamedDependency[GenerationService],
        throttle: NamedDependency[Throttle],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept covers to be made; the same Idempotency-Key with the same body answers the same ids."""
        await throttle.hit(f"generate:{user.id}", limit=GENERATIONS_PER_MINUTE, window_s=60)
        language = title_language(request, user)
        return started(await generations.start(user, data, key=idempotency_key, language=language))

    @post(
        "/generate-cover-with-references",
        operation_id="generateCoverWithReferences",
        status_code=202,
        request_max_body_size=MAX_REFERENCES_BODY_BYTES,
        opt={"admission": admit_references},
    )
    async def generate_with_references(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[GenerateWithReferencesIn],
        generations: NamedDependency[GenerationService],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[GenerationStarted]:
        """Accept covers to be made after pictures: covers of one's own and uploads, up to four in all."""
        language = title_language(request, user)
        return started(await generations.start(user, data, key=idempotency_key, language=language))

    @get("/generation-status/{generation_id:uuid}", operation_id="getGenerationStatus")
    async def status(
        self,
        user: NamedDependency[CurrentUser],
        generation_id: FromPath[UUID],
        generations: NamedDependency[GenerationService],
    ) -> GenerationStatus:
        """Return where a generation stands."""
        return await generations.status(user.id, generation_id)

    @get(
        "/generation-events/{generation_id:uuid}",
        operation_id="followGeneration",
        include_in_schema=False,
        opt=USER_FILE,
    )
    async def events(
        self,
        user: NamedDependency[CurrentUser],
        generation_id: FromPath[UUID],
        event_stream: NamedDependency[EventStream],
        also: Annotated[list[UUID] | None, QueryParameter(max_items=MOST - 1)] = None,
    ) -> ServerSentEvent:
        """Stream the status at every change until the job has ended, and that of `also` named ones."""
        stream = await event_stream.begin(user.id, list(dict.fromkeys([generation_id, *(also or ())])))
        return ServerSentEvent(stream, headers={"cache-control": "no-store", "x-accel-buffering": "no"})

    @get(
        "/generations/{generation_id:uuid}/preview",
        operation_id="getGenerationPreview",
        include_in_schema=False,
        opt=USER_FILE,
    )
    async def preview(
        self,
        user: NamedDependency[CurrentUser],
        generation_id: FromPath[UUID],
        generations: NamedDependency[GenerationService],
    ) -> Response[bytes]:
        """Send the picture of a running generation as it is so far; a status with a new `preview` tells of another."""
        picture = await generations.preview(user.id, generation_id)
        headers = HEADERS | {"accept-ranges": "none", "cache-control": "no-store"}
        return Response(picture, media_type=MEDIA_TYPES["webp"], headers=headers)

    @delete("/generations/{generation_id:uuid}", operation_id="cancelGeneration", status_code=200)
    async def cancel(
        self,
        user: NamedDependency[CurrentUser],
        generation_id: FromPath[UUID],
        generations: NamedDependency[GenerationService],
    ) -> GenerationStatus:
        """Cancel a generation and give its unit back; one that has ended stays as it is."""
        return await generations.cancel(user.id, generation_id)

    @get("/capabilities", operation_id="getCapabilities", opt=PUBLIC)
    async def capabilities(
        self, visitor: NamedDependency[CurrentUser | None], capability_service: NamedDependency[CapabilityService]
    ) -> CapabilitiesOut:
        """Return what the browser may offer now; what a cover costs only to administrators."""
        return await capability_service.shown(with_costs=visitor is not None and visitor.is_admin)


def started(submitted: SubmittedGenerations) -> Response[GenerationStarted]:
    """Answer with the ids of the jobs."""
    body = GenerationStarted(generation_id=submitted.id, generation_ids=list(submitted.ids))
    return Response(body, headers=replay_headers(submitted.replayed))
