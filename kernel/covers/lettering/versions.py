"""The versions of a cover: a row for each time its words or its picture were changed."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.covers.models import CoverVersion, Generation
from kernel.press.lettering.document import Lettering

MOST_VERSIONS: Final = 50
"""Of one cover's words; the first is kept, after it the newest, and all that hold a picture."""


async def add_version(
    session: AsyncSession,
    cover_id: int,
    number: int,
    lettering: Lettering | None,
    *,
    artwork_id: int,
    picture_id: int | None = None,
    generation_id: UUID | None = None,
) -> None:
    """Write a version; the oldest but the first goes when there are too many, unless it alone holds a picture.

    `picture_id` is a picture that is kept with it, `generation_id` the refinement that made its artwork.
    """
    document = None if lettering is None else msgspec.to_builtins(lettering)
    values = {
        "cover_id": cover_id,
        "number": number,
        "lettering": document,
        "artwork_id": artwork_id,
        "picture_id": picture_id,
        "generation_id": generation_id,
        "created_at": clock.now(),
    }
    await session.execute(insert(CoverVersion).values(values))
    later = select(CoverVersion.number).where(CoverVersion.cover_id == cover_id, CoverVersion.number > 1)
    newest = later.order_by(CoverVersion.number.desc()).offset(MOST_VERSIONS - 1).limit(1)
    if (oldest := (await session.execute(newest)).scalar_one_or_none()) is not None:
        newer = aliased(CoverVersion)
        held_again = exists().where(
            newer.cover_id == CoverVersion.cover_id,
            newer.number > CoverVersion.number,
            newer.picture_id == CoverVersion.picture_id,
        )
        old = (
            CoverVersion.number.between(2, oldest),
            CoverVersion.generation_id.is_(None),
            CoverVersion.picture_id.is_(None) | held_again,
        )
        await session.execute(delete(CoverVersion).where(CoverVersion.cover_id == cover_id, *old))


async def keep_shown(session: AsyncSession, cover_id: int, number: int, *, artwork_id: int, picture_id: int) -> None:
    """Keep the composed picture of the version that is shown, before one with another artwork takes its place.

    Of each artwork one composed picture is kept, the latest: the others can be composed again.
    """
    if picture_id == artwork_id:
        return
    same = (CoverVersion.cover_id == cover_id, CoverVersion.artwork_id == artwork_id)
    composed = (CoverVersion.lettering.is_not(None), CoverVersion.number != number)
    await session.execute(update(CoverVersion).where(*same, *composed).values(picture_id=None))
    await session.execute(
        update(CoverVersion).where(*same, CoverVersion.number == number).values(picture_id=picture_id)
    )


async def drop_version(session: AsyncSession, cover_id: int, number: int) -> None:
    """Remove a version for which a newer one stands; not the first, nor one that brought or keeps a picture."""
    one = (CoverVersion.cover_id == cover_id, CoverVersion.number == number, CoverVersion.number > 1)
    bare = (CoverVersion.picture_id.is_(None), CoverVersion.generation_id.is_(None))
    await session.execute(delete(CoverVersion).where(*one, *bare))


class StoredVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One version: its lettering, None where the words are part of the picture, the picture that it keeps, and its
    artwork; None for that of the cover.
    """

    lettering: Lettering | None
    picture_id: int | None = None
    artwork_id: int | None = None


async def find_version(reader: ReadConnection | AsyncSession, cover_id: int, number: int) -> StoredVersion | None:
    """Return one version of a cover; None for one that is not stored."""
    query = select(CoverVersion.lettering, CoverVersion.picture_id, CoverVersion.artwork_id).where(
        CoverVersion.cover_id == cover_id, CoverVersion.number == number
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        return None
    lettering = None if row.lettering is None else msgspec.convert(row.lettering, Lettering)
    return StoredVersion(lettering=lettering, picture_id=row.picture_id, artwork_id=row.artwork_id)


async def shown_ground(reader: ReadConnection | AsyncSession, cover: Any) -> tuple[int, Lettering | None]:
    """Return the picture below the words of a cover, with the words that our press sets on it; without any, the words
    are part of the picture. `cover` has `id`, `version`, `picture_id` and `artwork_id`.
    """
    shown = await find_version(reader, cover.id, cover.version)
    lettering = shown.lettering if shown else None
    if lettering is None or cover.artwork_id is None:
        return cover.picture_id, None
    return cover.artwork_id, lettering


async def is_without_words(reader: ReadConnection | AsyncSession, cover_id: int, artwork_id: int) -> bool:
    """Say whether an artwork of a cover has no words of its own: made so, or its first version has them apart."""
    return cover_id in await without_words(reader, {cover_id: artwork_id})


async def without_words(reader: ReadConnection | AsyncSession, artworks: Mapping[int, int]) -> set[int]:
    """Return the covers whose artwork, given by cover, has no words of its own."""
    if not artworks:
        return set()
    query = (
        select(
            CoverVersion.cover_id,
            CoverVersion.artwork_id,
            CoverVersion.generation_id,
            Generation.lettering.label("made_by"),
            CoverVersion.picture_id,
            CoverVersion.lettering.is_not(None).label("lettered"),
        )
        .outerjoin(Generation, Generation.id == CoverVersion.generation_id)
        .where(CoverVersion.cover_id.in_(list(artworks)))
        .order_by(CoverVersion.number)
    )
    first: dict[int, Any] = {}
    for row in await reader.execute(query):
        if row.artwork_id == artworks[row.cover_id]:
            first.setdefault(row.cover_id, row)
    return {cover_id for cover_id, row in first.items() if _is_bare(row)}


def _is_bare(row: Any) -> bool:
    if row.generation_id is not None:
        return bool(row.made_by == "press")
    return bool(row.lettered) or row.picture_id not in (None, row.artwork_id)
