"""How artworks go on beyond their sides: what is stored of it."""

from typing import Final, Literal
from uuid import UUID

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.covers.models import ArtworkExtension, Cover
from kernel.pictures.store import PictureStore, StoredPicture
from kernel.spi import Size

Side = Literal["left", "right"]
WIDER: Final = 1.15
"""By this many of its own widths an artwork goes on: over a back as wide as it, and over a usual spine."""


def canvas_size(artwork: Size) -> Size:
    """Return the size of an artwork together with what goes on beside it."""
    return Size(round(artwork.width * (1 + WIDER)), artwork.height)


class FoundExtension(msgspec.Struct, frozen=True, kw_only=True):
    """The picture in which an artwork goes on, and the job that made it."""

    picture_id: int
    generation_id: UUID | None


async def find_extension(
    reader: ReadConnection | AsyncSession, cover_id: int, artwork_id: int, side: Side
) -> FoundExtension | None:
    """Return how an artwork of a cover goes on; None where it was not painted, or only for another artwork."""
    query = select(ArtworkExtension.picture_id, ArtworkExtension.generation_id).where(
        ArtworkExtension.cover_id == cover_id,
        ArtworkExtension.artwork_id == artwork_id,
        ArtworkExtension.side == side,
    )
    row = (await reader.execute(query)).one_or_none()
    return None if row is None else FoundExtension(picture_id=row.picture_id, generation_id=row.generation_id)


async def keep_extension(
    session: AsyncSession,
    pictures: PictureStore,
    cover_id: int,
    *,
    artwork_id: int,
    side: str,
    generation_id: UUID,
    picture: StoredPicture,
) -> None:
    """Write what an image service painted in place of an earlier one, in the transaction that ends its job."""
    await session.execute(select(Cover.id).where(Cover.id == cover_id).with_for_update())  # two jobs may end at once
    this = (ArtworkExtension.cover_id == cover_id, ArtworkExtension.side == side)
    earlier = (await session.execute(select(ArtworkExtension.picture_id).where(*this))).scalar()
    values = {
        "artwork_id": artwork_id,
        "picture_id": await pictures.record(session, picture),
        "generation_id": generation_id,
        "created_at": clock.now(),
    }
    if earlier is None:
        await session.execute(insert(ArtworkExtension).values(cover_id=cover_id, side=side, **values))
        return
    await session.execute(update(ArtworkExtension).where(*this).values(**values))
    await pictures.forget(session, [earlier])  # its objects are strays now, and collected as such
