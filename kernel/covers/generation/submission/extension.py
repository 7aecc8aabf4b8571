"""Accepting extensions: an image service is to paint how the artwork of a cover goes on beyond one of its sides."""

import hashlib
from typing import Any, Final

import msgspec
from sqlalchemy import select

from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, Conflict
from kernel.core.web.idempotency import check_key
from kernel.covers.book_words import WORDS
from kernel.covers.dimensions import nearest
from kernel.covers.extensions import Side
from kernel.covers.generation.provider_selection import ImageRequirements, select_instances
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.submission.job_store import JobStore, NewJobs, SubmittedGenerations
from kernel.covers.generation.submission.prompt import ComposedPrompt
from kernel.covers.generation.submission.request import CoverRequest, variants_of
from kernel.covers.generation.submission.service import SubmissionService
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.lettering.versions import shown_ground
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import ExtendIn
from kernel.pictures.canvas import canvas_size
from kernel.pictures.models import Picture
from kernel.pictures.store import PictureStore
from kernel.providers import Registry
from kernel.providers.spending.budgets import Budgets
from kernel.spi import Size

PROMPT: Final = (
    "Continue the attached picture to the {side}. The picture itself, at the {other} of the canvas, stays exactly as "
    "it is. The marked region beside it holds only a rough guess of colors: paint there what would be seen if the "
    "scene went on, in the same style, light, colors and perspective, and let it pass into the picture without a "
    "seam. Keep it quiet, with ever less detail towards the outer edge: small text will stand on it. Add no new main "
    "subject, no frame, no border, no words, no letters and no signatures."
)
OTHER: Final[dict[Side, Side]] = {"left": "right", "right": "left"}


class ExtensionService:
    """The rules of extending. Knows no HTTP and no vendor."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        budgets: Budgets,
        pictures: PictureStore,
        references: ReferenceService,
        time_estimate: TimeEstimate,
        jobs: JobStore,
        submission: SubmissionService,
    ) -> None:
        self._database = database
        self._registry = registry
        self._budgets = budgets
        self._pictures = pictures
        self._references = references
        self._time_estimate = time_estimate
        self._jobs = jobs
        self._submission = submission

    async def submit(
        self, user_id: int, cover_id: int, wanted: ExtendIn, *, is_pro: bool, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Store a job and reserve its unit, or return the job that this key already made.

        Raises Absent, Conflict for a version that is not shown any more, and what `SubmissionService.submit` raises.
        """
        check_key(key)
        digest = hashlib.sha256(b"extend %d " % cover_id + msgspec.json.encode(wanted)).hexdigest()
        if replay := await self._jobs.made_before(user_id, key, digest):
            return replay
        async with self._database.read() as connection:
            cover = await _cover(connection, user_id, cover_id)
            if cover.version != wanted.version:
                raise Conflict("This cover has been changed elsewhere.", code="version_conflict")
            ground_id, _ = await shown_ground(connection, cover)
            size = select(Picture.width, Picture.height).where(Picture.id == ground_id)
            canvas = canvas_size(Size(*(await connection.execute(size)).one()))
            artwork = await self._pictures.file(connection, ground_id, "original")
            requirements = ImageRequirements(references=1, edit=True, mask=True, canvas=canvas)
            selection = select_instances(self._registry, requirements, size=canvas, count=1)
            await self._budgets.refuse_over_budget(connection, user_id, selection.costs_micros)
            expected_ms = await self._time_estimate.of_first(connection, selection.instances)
        made = nearest(canvas, selection.instances[0].capabilities)
        forms = await self._references.read_canvas(artwork, made, wanted.side)
        words = dict.fromkeys(WORDS, "")
        request = CoverRequest(
            digest=digest,
            prompt=cover.prompt,
            **words,
            use_default_genre=False,
            dimensions=cover.dimensions,
            size=made,
            theme_id=None,
            lettering="model",
            lettering_style=None,
            elements=None,
            own_style=None,
            with_references=True,
            cover_ids=(),
            uploads=(),
            variants=variants_of(1),
            requirements=requirements,
            faults={},
        )
        text = PROMPT.format(side=wanted.side, other=OTHER[wanted.side])
        jobs = NewJobs(
            request=request,
            prompt=ComposedPrompt(prompt=cover.prompt, theme=None, text=_composed(text, cover.prompt), **words),
            refs={},
            language=language,
            expected_ms=expected_ms,
            refined_cover_id=cover_id,
            masked=True,
            extends_side=wanted.side,
            extended_artwork_id=ground_id,
        )
        return await self._submission.accept(user_id, jobs, forms, is_pro=is_pro, key=key)


async def _cover(reader: ReadConnection, user_id: int, cover_id: int) -> Any:
    """Return a cover that is not in the bin, and what was asked for it. Raises Absent."""
    query = (
        select(Cover.id, Cover.version, Cover.picture_id, Cover.artwork_id, Generation.prompt, Generation.dimensions)
        .join(Generation, Generation.id == Cover.generation_id)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent("This cover does not exist.")
    return row


def _composed(text: str, prompt: str) -> str:
    return f"{text}\nThe picture shows: {prompt}" if prompt else text
