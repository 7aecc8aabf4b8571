"""The rows of a cover's lettering: one for each time its words were changed."""

from typing import Final

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.covers.models import CoverVersion
from kernel.press.lettering.document import Lettering

MOST_VERSIONS: Final = 50
"""Of one cover; the first is kept, and after it the newest."""


async def add_version(
    session: AsyncSession, cover_id: int, number: int, lettering: Lettering | None, *, picture_id: int | None = None
) -> None:
    """Write a version; the oldest but the first goes when there are too many.

    `picture_id` is a picture that cannot be made again of artwork and lettering: that of a service which set the words.
    """
    document = None if lettering is None else msgspec.to_builtins(lettering)
    values = {
        "cover_id": cover_id,
        "number": number,
        "lettering": document,
        "picture_id": picture_id,
        "created_at": clock.now(),
    }
    await session.execute(insert(CoverVersion).values(values))
    old = CoverVersion.number.between(2, number - MOST_VERSIONS + 1)
    await session.execute(delete(CoverVersion).where(CoverVersion.cover_id == cover_id, old))


class StoredVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One version: its lettering, None where the words are part of the picture, and a picture that it keeps."""

    lettering: Lettering | None
    picture_id: int | None


async def find_version(reader: AsyncConnection | AsyncSession, cover_id: int, number: int) -> StoredVersion | None:
    """Return one version of a cover's words; None for one that is not stored."""
    query = select(CoverVersion.lettering, CoverVersion.picture_id).where(
        CoverVersion.cover_id == cover_id, CoverVersion.number == number
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        return None
    lettering = None if row.lettering is None else msgspec.convert(row.lettering, Lettering)
    return StoredVersion(lettering=lettering, picture_id=row.picture_id)


async def kept_pictures(reader: AsyncConnection | AsyncSession, cover_id: int) -> set[int]:
    """Return the pictures that versions of a cover keep."""
    query = select(CoverVersion.picture_id).where(CoverVersion.cover_id == cover_id)
    return {one for one in (await reader.execute(query)).scalars() if one is not None}
