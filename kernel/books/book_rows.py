"""Rows of books and editions, as services of this package read them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.editions import Settings, forms
from kernel.books.models import Book, Edition
from kernel.core.data.database import ReadConnection
from kernel.core.errors import Absent

ABSENT_BOOK: Final = "This book does not exist."
FACTS: Final = (
    "title",
    "subtitle",
    "authors",
    "tagline",
    "blurb",
    "about_author",
    "series",
    "number",
    "language",
    "direction",
    "publisher",
    "price",
    "pages",
)
"""What is true of all editions, as the table names it."""

_COLUMNS: Final = (
    Book.id,
    Book.cover_id,
    Book.version,
    *(getattr(Book, name) for name in FACTS),
    Book.created_at,
    Book.updated_at,
    Book.deleted_at,
)
_SETTINGS: Final = tuple(getattr(Edition, name) for name in Settings.__struct_fields__)


async def book_row(
    reader: ReadConnection | AsyncSession, user_id: int, book_id: int, *, binned: bool | None = False
) -> Any:
    """Return the columns of a user's book. Raises Absent, also for one in the bin unless `binned` is None."""
    query = select(*_COLUMNS).where(Book.id == book_id, Book.user_id == user_id)
    if binned is not None:
        query = query.where(Book.deleted_at.is_not(None) if binned else Book.deleted_at.is_(None))
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent(ABSENT_BOOK)
    return row


async def editions_of(
    reader: ReadConnection | AsyncSession, book_ids: Sequence[int]
) -> defaultdict[int, list[Settings]]:
    """Return book id → its editions, in the order in which forms are shown."""
    rows = await reader.execute(select(Edition.book_id, *_SETTINGS).where(Edition.book_id.in_(book_ids)))
    found: defaultdict[int, list[Settings]] = defaultdict(list)
    for row in rows:
        if row.name in forms():  # a printer that the trade table has no more
            values = {name: getattr(row, name) for name in Settings.__struct_fields__}
            found[row.book_id].append(Settings(**values))
    order = list(forms())
    for settings in found.values():
        settings.sort(key=lambda one: order.index(one.name))
    return found
