"""The other volumes of a series that a mock-up shows beside a book."""

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.models import BookRow
from kernel.books.packs.ordering import OrderedFront, read_front
from kernel.covers.models import Cover
from kernel.covers.series.numbering import UNNUMBERED, volume_place
from kernel.covers.series.schemas import MOST_VOLUMES

SHOWN: Final = 2


async def read_volumes(session: AsyncSession, user_id: int, cover_id: int, number: str) -> tuple[OrderedFront, ...]:
    """Return the fronts of the volume before a book and the one after it; for the first and the last one, of two.

    Empty where the book's cover is in no theme, and where the book has no number: covers of a theme that are not
    numbered may be trials for one book.
    """
    place = volume_place(number)
    if place == UNNUMBERED:
        return ()
    theme = select(Cover.theme_id).where(Cover.id == cover_id).scalar_subquery()
    query = (
        select(Cover.id, func.coalesce(func.nullif(Cover.number, ""), BookRow.number, "").label("number"))
        .outerjoin(BookRow, (BookRow.cover_id == Cover.id) & BookRow.deleted_at.is_(None))
        .where(Cover.theme_id == theme, Cover.user_id == user_id, Cover.deleted_at.is_(None), Cover.id != cover_id)
        .order_by(Cover.id)
        .limit(MOST_VOLUMES)
    )
    newest = {volume_place(row.number): row.id for row in (await session.execute(query)).all()}
    before = sorted(one for one in newest if one < place)
    after = sorted(one for one in newest if place < one < UNNUMBERED)
    chosen = before[-1:] + after[:1] if before and after else before[-SHOWN:] + after[:SHOWN]
    return tuple([await read_front(session, user_id, newest[one]) for one in chosen])
