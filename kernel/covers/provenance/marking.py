"""What the files of covers tell of their origin: the one place that decides it."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import ReadConnection
from kernel.covers.models import Cover
from kernel.covers.provenance.origin import Origin, origins_of
from kernel.pictures.ingest import MANIFEST
from kernel.pictures.marks.xmp import Mark, SourceType
from kernel.pictures.models import PictureFile
from kernel.pictures.store import FILE_COLUMNS, FileRef
from kernel.providers import Registry


def mark_of(origin: Origin, *, is_composed: bool) -> Mark:
    """Return the mark of a picture; `is_composed` says that our press set words on it, or set it into something.

    Words that a program sets over what a program drew are no other kind of source. What a program made after pictures
    that somebody uploaded may show these, and nobody knows where they come from. IPTC's `digitalCreation` is for what
    people make by hand, so it fits none of ours.
    """
    source: SourceType
    if origin.ai_made:
        source = "compositeWithTrainedAlgorithmicMedia" if is_composed else "trainedAlgorithmicMedia"
    else:
        source = "composite" if any(step.references for step in origin.steps) else "algorithmicMedia"
    return Mark(source=source, made_at=origin.made_at)


def is_composed(cover: Any) -> bool:
    """Return whether what a cover shows is not its bare artwork; of a row with both pictures."""
    return cover.artwork_id not in (None, cover.picture_id)


class CoverMark(msgspec.Struct, frozen=True, kw_only=True):
    """The mark of a picture, and what is kept of the manifest that its artwork came with."""

    mark: Mark
    manifest: FileRef | None


async def marks_of(
    reader: ReadConnection | AsyncSession, registry: Registry, cover_ids: Collection[int]
) -> dict[int, CoverMark]:
    """Return the marks of the pictures that these covers show; the caller has checked whose they are."""
    origins = await origins_of(reader, registry, cover_ids)
    query = select(Cover.id, Cover.picture_id, Cover.artwork_id).where(Cover.id.in_(origins))
    covers = {row.id: row for row in await reader.execute(query)}
    kept = await manifests_of(reader, [row.artwork_id or row.picture_id for row in covers.values()])
    return {
        row.id: CoverMark(
            mark=mark_of(origins[row.id], is_composed=is_composed(row)),
            manifest=kept.get(row.artwork_id or row.picture_id),
        )
        for row in covers.values()
    }


async def manifests_of(reader: ReadConnection | AsyncSession, picture_ids: Collection[int]) -> dict[int, FileRef]:
    """Return the manifests that pictures came with."""
    query = select(PictureFile.picture_id, *FILE_COLUMNS).where(
        PictureFile.picture_id.in_(picture_ids), PictureFile.form == MANIFEST
    )
    return {
        row.picture_id: FileRef(**{name: getattr(row, name) for name in FileRef.__struct_fields__})
        for row in await reader.execute(query)
    }
