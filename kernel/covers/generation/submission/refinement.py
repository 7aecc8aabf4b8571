"""Accepting refinements: the artwork of a finished cover is changed as its owner asks in words, where they mark it."""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import select

from kernel.core.data.database import ReadConnection
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError
from kernel.core.web.idempotency import check_key
from kernel.covers.book_words import word_columns, words_of
from kernel.covers.generation.provider_selection import ImageRequirements
from kernel.covers.generation.submission.artwork_jobs import ArtworkJob, ArtworkJobService
from kernel.covers.generation.submission.job_store import SubmittedGenerations
from kernel.covers.lettering.versions import is_without_words
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import RefineIn
from kernel.press.lettering.document import CoverWords
from kernel.site.prompts import clean, lettering_words
from kernel.spi import Size

KEEP: Final = "Keep everything else of the attached picture as it is: its composition, its style, its light and colors."
IN_MASK: Final = "Change it inside the marked region only, and let it pass into the rest without a seam."
NO_WORDS: Final = "The picture has no words, letters or signatures, and gets none."


class RefinementService(ArtworkJobService):
    """The rules of refining."""

    async def submit(
        self, user_id: int, cover_id: int, wanted: RefineIn, *, is_pro: bool, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Store a job and reserve its unit, or return the job that this key already made.

        Raises Absent, Conflict for a version that is not shown any more, and what `SubmissionService.submit` raises.
        """
        check_key(key)
        digest = await asyncio.to_thread(_digest, cover_id, wanted)
        if replay := await self._jobs.made_before(user_id, key, digest):
            return replay
        change = clean(wanted.change)
        if not change:
            raise InvalidFields({"change": FieldError("no_change", "Please say what should change.")})
        async with self._database.read() as connection:
            cover = await _cover(connection, user_id, cover_id)
            if cover.version != wanted.version:
                raise Conflict("This cover has been changed elsewhere.", code="version_conflict")
            ground_id = cover.artwork_id or cover.picture_id
            bare = await is_without_words(connection, cover_id, ground_id)
            artwork = await self._pictures.file(connection, ground_id, "original")
            requirements = ImageRequirements(references=1, edit=True, mask=wanted.mask is not None)
            size = Size(cover.width, cover.height)
            _, expected_ms = await self._select(connection, user_id, requirements, size)
        forms = await self._references.read_artwork(artwork, wanted.mask)
        words = words_of(cover)
        job = ArtworkJob(
            cover_id=cover_id,
            digest=digest,
            prompt=change,
            text=_composed(change, words, bare=bare, masked=requirements.mask),
            words=words,
            dimensions=cover.dimensions,
            size=size,
            lettering="press" if bare else "model",
            requirements=requirements,
            expected_ms=expected_ms,
        )
        return await self._accept(user_id, job, forms, is_pro=is_pro, key=key, language=language)


async def _cover(reader: ReadConnection, user_id: int, cover_id: int) -> Any:
    """Return a cover that is not in the bin, and the format it was made in. Raises Absent."""
    query = (
        select(
            Cover.version,
            Cover.picture_id,
            Cover.artwork_id,
            *word_columns(Cover),
            Generation.dimensions,
            Generation.width,
            Generation.height,
        )
        .join(Generation, Generation.id == Cover.generation_id)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent("This cover does not exist.")
    return row


def _digest(cover_id: int, wanted: RefineIn) -> str:
    return hashlib.sha256(b"refine %d " % cover_id + msgspec.json.encode(wanted)).hexdigest()


def _composed(change: str, on_picture: Mapping[str, str], *, bare: bool, masked: bool) -> str:
    """Return what an image service is sent."""
    words = NO_WORDS if bare else ""
    if not bare and any(on_picture[name] for name in CoverWords.__struct_fields__):
        words = f"Keep the words of the picture.\n{lettering_words(on_picture, by_press=False)}"
    return "\n".join(filter(None, (f"Change the attached picture: {change}", IN_MASK if masked else "", KEEP, words)))
