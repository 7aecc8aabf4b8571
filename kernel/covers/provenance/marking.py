"""What the files of covers tell of their origin: the one place that decides it."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import ReadConnection
from kernel.covers.models import Cover
from kernel.covers.provenance.origin import Origin, origins_of
from kernel.pictures.marks.xmp import Mark, SourceType
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


async def marks_of(
    reader: ReadConnection | AsyncSession, registry: Registry, cover_ids: Collection[int]
) -> dict[int, Mark]:
    """Return the marks of the pictures that these covers show; the caller has checked whose they are."""
    origins = await origins_of(reader, registry, cover_ids)
    query = select(Cover.id).where(Cover.id.in_(cover_ids), Cover.artwork_id != Cover.picture_id)
    composed = set((await reader.execute(query)).scalars())
    return {cover_id: mark_of(origin, is_composed=cover_id in composed) for cover_id, origin in origins.items()}
