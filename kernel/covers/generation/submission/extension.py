"""Accepting extensions: an image service is to paint how the artwork of a cover goes on beyond one of its sides."""

import hashlib
from typing import Any, Final

import msgspec
from sqlalchemy import select

from kernel.core.data.database import ReadConnection
from kernel.core.errors import Absent, Conflict
from kernel.core.web.idempotency import check_key
from kernel.covers.book_words import WORDS
from kernel.covers.dimensions import nearest
from kernel.covers.extensions import Side, canvas_size
from kernel.covers.generation.provider_selection import ImageRequirements
from kernel.covers.generation.submission.artwork_jobs import ArtworkJob, ArtworkJobService
from kernel.covers.generation.submission.job_store import SubmittedGenerations
from kernel.covers.lettering.versions import shown_ground
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import ExtendIn
from kernel.pictures.models import Picture
from kernel.spi import Size

PROMPT: Final = (
    "Continue the attached picture to the {side}. The picture itself, at the {other} of the canvas, stays exactly as "
    "it is. The marked region beside it holds only a rough guess of colors: paint there what would be seen if the "
    "scene went on, in the same style, light, colors and perspective, and let it pass into the picture without a "
    "seam. Keep it quiet, with ever less detail towards the outer edge: small text will stand on it. Add no new main "
    "subject, no frame, no border, no words, no letters and no signatures."
)
OTHER: Final[dict[Side, Side]] = {"left": "right", "right": "left"}


class ExtensionService(ArtworkJobService):
    """The rules of extending."""

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
            selection, expected_ms = await self._select(connection, user_id, requirements, canvas)
        made = nearest(canvas, selection.instances[0].capabilities)
        forms = await self._references.read_canvas(artwork, made, wanted.side)
        text = PROMPT.format(side=wanted.side, other=OTHER[wanted.side])
        job = ArtworkJob(
            cover_id=cover_id,
            digest=digest,
            prompt=cover.prompt,
            text=f"{text}\nThe picture shows: {cover.prompt}" if cover.prompt else text,
            words=dict.fromkeys(WORDS, ""),
            dimensions=cover.dimensions,
            size=made,
            lettering="model",
            requirements=requirements,
            expected_ms=expected_ms,
            extends_side=wanted.side,
            artwork_id=ground_id,
        )
        return await self._accept(user_id, job, forms, is_pro=is_pro, key=key, language=language)


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
