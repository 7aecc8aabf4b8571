"""Rows of books and editions, as services of this package read them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from kernel.books.editions import EditionSettings, forms
from kernel.books.models import BOOK_PICTURES, BackPicture, BookPicture, BookRow, EditionRow, PublisherMark
from kernel.core.data.database import ReadConnection
from kernel.core.errors import Absent
from kernel.pictures.models import Picture

ABSENT_BOOK: Final = "This book does not exist."
FACTS: Final = (
    "title",
    "subtitle",
    "authors",
    "tagline",
    "blurb",
    "about_author",
    "quote",
    "series",
    "number",
    "language",
    "direction",
    "publisher",
    "price",
    "pages",
)
"""What is true of all editions, as the table names it."""

_MarkFile: Final = aliased(Picture)
_BackFile: Final = aliased(Picture)
_COLUMNS: Final = (
    BookRow.id,
    BookRow.cover_id,
    BookRow.version,
    *(getattr(BookRow, name) for name in FACTS),
    BookRow.created_at,
    BookRow.updated_at,
    BookRow.deleted_at,
    PublisherMark.picture_id.label("mark_id"),
    _MarkFile.sha256.label("mark_sha256"),
    BackPicture.picture_id.label("back_picture_id"),
    _BackFile.sha256.label("back_picture_sha256"),
)
_SETTINGS: Final = tuple(getattr(EditionRow, name) for name in EditionSettings.__struct_fields__)


async def book_row(
    reader: ReadConnection | AsyncSession, user_id: int, book_id: int, *, binned: bool | None = False
) -> Any:
    """Return the columns of a user's book. Raises Absent, also for one in the bin unless `binned` is None."""
    query = (
        select(*_COLUMNS)
        .outerjoin(PublisherMark, PublisherMark.book_id == BookRow.id)
        .outerjoin(_MarkFile, _MarkFile.id == PublisherMark.picture_id)
        .outerjoin(BackPicture, BackPicture.book_id == BookRow.id)
        .outerjoin(_BackFile, _BackFile.id == BackPicture.picture_id)
        .where(BookRow.id == book_id, BookRow.user_id == user_id)
    )
    if binned is not None:
        query = query.where(BookRow.deleted_at.is_not(None) if binned else BookRow.deleted_at.is_(None))
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent(ABSENT_BOOK)
    return row


async def pictures_only_of(
    reader: ReadConnection | AsyncSession,
    book_ids: Sequence[int],
    tables: Sequence[type[BookPicture]] = BOOK_PICTURES,
) -> list[int]:
    """Return the pictures of books that no other books have."""
    found: list[int] = []
    for table in tables:
        others = select(table.picture_id).where(table.book_id.not_in(book_ids))
        query = select(table.picture_id).where(table.book_id.in_(book_ids), table.picture_id.not_in(others)).distinct()
        found += (await reader.execute(query)).scalars()
    return found


async def editions_of(
    reader: ReadConnection | AsyncSession, book_ids: Sequence[int]
) -> defaultdict[int, list[EditionSettings]]:
    """Return book id → its editions, in the order in which forms are shown."""
    rows = await reader.execute(select(EditionRow.book_id, *_SETTINGS).where(EditionRow.book_id.in_(book_ids)))
    found: defaultdict[int, list[EditionSettings]] = defaultdict(list)
    for row in rows:
        if row.name in forms():  # a printer that the trade table has no more
            values = {name: getattr(row, name) for name in EditionSettings.__struct_fields__}
            found[row.book_id].append(EditionSettings(**values))
    order = list(forms())
    for settings in found.values():
        settings.sort(key=lambda one: order.index(one.name))
    return found
