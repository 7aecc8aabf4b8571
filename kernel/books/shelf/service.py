"""Reading the volumes of a series as they stand on a shelf."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from kernel.books.book_rows import editions_of
from kernel.books.editions import EditionSettings, block_of, first_printed, forms
from kernel.books.models import BookRow
from kernel.books.shelf.schemas import ShelfSpine, ShelfVolume
from kernel.core.data.database import Database
from kernel.covers.cover_read import COVER_COLUMNS, cover_out
from kernel.covers.models import Cover
from kernel.covers.series.numbering import volume_place
from kernel.covers.series.schemas import MOST_VOLUMES
from kernel.pictures.models import Picture
from kernel.pictures.store import HASH_CHARS
from kernel.press.trade.geometry import wrap_of
from kernel.themes.service import ThemeService

DECIMALS = 4


class ShelfService:
    """Themes of one user at a time; another user's theme does not exist."""

    def __init__(self, database: Database, themes: ThemeService) -> None:
        self._database = database
        self._themes = themes

    async def volumes(self, user_id: int, theme_id: int) -> list[ShelfVolume]:
        """Return the covers of a theme with their books, in the order of their numbers. Raises Absent."""
        book = (BookRow.version, BookRow.number, BookRow.pages, BookRow.direction)
        query = (
            select(*COVER_COLUMNS, BookRow.id.label("book_id"), *(one.label(f"book_{one.key}") for one in book))
            .join(Picture, Picture.id == Cover.picture_id)
            .outerjoin(BookRow, (BookRow.cover_id == Cover.id) & BookRow.deleted_at.is_(None))
            .where(Cover.theme_id == theme_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
            .order_by(Cover.id.desc())
            .limit(MOST_VOLUMES)
        )
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            rows = (await connection.execute(query)).all()
            editions = await editions_of(connection, [row.book_id for row in rows if row.book_id])
        found = [_volume(row, editions[row.book_id]) for row in rows]
        return sorted(found, key=lambda one: (volume_place(one.number), one.cover.id))


def _volume(row: Any, editions: Iterable[EditionSettings]) -> ShelfVolume:
    return ShelfVolume(
        cover=cover_out(row),
        number=row.number or row.book_number or "",
        book_id=row.book_id,
        spine=None if row.book_id is None else _spine(row, editions),
    )


def _spine(row: Any, editions: Iterable[EditionSettings]) -> ShelfSpine | None:
    settings = first_printed(editions, pages=row.book_pages, direction=row.book_direction)
    if settings is None:
        return None
    rules, block = forms()[settings.name].rules, block_of(settings, pages=row.book_pages, direction=row.book_direction)
    if rules is None or block is None:
        return None
    spine = wrap_of(rules, block).spine
    # of the cover's words and picture, and of what the book says
    version = f"{row.sha256[:HASH_CHARS]}-{row.book_version}"
    return ShelfSpine(
        url=f"/api/books/{row.book_id}/spine?v={version}",
        width=round(spine.width, DECIMALS),
        height=round(spine.height, DECIMALS),
    )
