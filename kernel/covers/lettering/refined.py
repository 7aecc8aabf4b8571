"""What a refinement finds on its cover, and the version that it becomes."""

from uuid import UUID

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import ReadConnection, changed_rows
from kernel.covers.book_words import on_cover, word_columns
from kernel.covers.cover_read import pictures_of
from kernel.covers.lettering.versions import add_version, find_version, keep_shown
from kernel.covers.models import Cover
from kernel.pictures.store import PictureStore, StoredPicture
from kernel.press.lettering.document import CoverWords, Lettering


class CoverGone(Exception):
    """The cover that is refined was removed for good."""


class CoverMovedOn(Exception):
    """The words or the picture of a cover were changed after they were read."""


class CoverAsShown(msgspec.Struct, frozen=True, kw_only=True):
    """A cover now. `lettering` are the words that our press set; with `lettered_picture` the image service set them."""

    id: int
    version: int
    words: CoverWords
    lettering: Lettering | None
    lettered_picture: bool


async def as_shown(reader: ReadConnection | AsyncSession, cover_id: int) -> CoverAsShown:
    """Return a cover, in the bin or not. Raises CoverGone."""
    columns = (Cover.id, Cover.version, *word_columns(Cover), Cover.picture_id, Cover.artwork_id)
    row = (await reader.execute(select(*columns).where(Cover.id == cover_id))).one_or_none()
    if row is None:
        raise CoverGone
    version = await find_version(reader, cover_id, row.version)
    lettering = version.lettering if version else None
    return CoverAsShown(
        id=row.id,
        version=row.version,
        words=on_cover(row),
        lettering=lettering,
        lettered_picture=lettering is None and row.artwork_id not in (None, row.picture_id),
    )


async def show_refined(
    session: AsyncSession,
    pictures: PictureStore,
    cover_id: int,
    *,
    generation_id: UUID,
    over_version: int,
    picture: StoredPicture,
    artwork: StoredPicture | None,
    lettering: Lettering | None,
) -> None:
    """Write a refined picture as the cover's newest version, in the transaction that ends its job.

    `over_version` is the version whose words are on it. Raises CoverGone, and CoverMovedOn when another is shown.
    """
    columns = (Cover.id, Cover.picture_id, Cover.artwork_id)
    moved = update(Cover).where(Cover.id == cover_id, Cover.version == over_version).values(version=over_version + 1)
    if not await changed_rows(session, moved):
        await as_shown(session, cover_id)
        raise CoverMovedOn
    shown = (await session.execute(select(*columns).where(Cover.id == cover_id))).one()
    before = await pictures_of(session, [shown])
    if shown.artwork_id is None:
        await add_version(session, cover_id, over_version, None, artwork_id=shown.picture_id)
    else:
        await keep_shown(session, cover_id, over_version, artwork_id=shown.artwork_id, picture_id=shown.picture_id)
    picture_id = await pictures.record(session, picture)
    artwork_id = await pictures.record(session, artwork) if artwork else picture_id
    number = over_version + 1
    await add_version(session, cover_id, number, lettering, artwork_id=artwork_id, generation_id=generation_id)
    values = {"picture_id": picture_id, "artwork_id": artwork_id}
    now = (await session.execute(update(Cover).where(Cover.id == cover_id).values(**values).returning(*columns))).one()
    unused = set(before) - set(await pictures_of(session, [now]))
    await pictures.forget(session, sorted(unused))  # their objects are strays now, and collected as such
