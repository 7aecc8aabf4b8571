"""Reading books and editions: narrow selects into Structs."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.book_rows import FACTS, book_row, editions_of
from kernel.books.editions import Direction, EditionSettings, block_of, forms, problems_of
from kernel.books.models import BookRow
from kernel.books.packs.pack_read import latest_pack
from kernel.books.schemas import BookLine, BookOut, EditionOut, EditionProblem
from kernel.books.spine.asking import Asked
from kernel.books.spine.schemas import Sheet
from kernel.books.spine.service import sheet_out
from kernel.core.data.database import ReadConnection
from kernel.covers.cover_read import cover_out, covers_query
from kernel.covers.models import Cover
from kernel.covers.schemas import CoverOut
from kernel.pictures.store import HASH_CHARS
from kernel.press.trade.geometry import wrap_of
from kernel.themes.models import Theme

LINE_COLUMNS: Final = (
    BookRow.id,
    BookRow.cover_id,
    BookRow.title,
    BookRow.authors,
    BookRow.series,
    BookRow.number,
    BookRow.direction,
    BookRow.pages,
    BookRow.updated_at,
    BookRow.deleted_at,
)


async def covers_in(reader: ReadConnection | AsyncSession, cover_ids: Sequence[int]) -> dict[int, CoverOut]:
    """Return id → cover of those that are not in the bin."""
    if not cover_ids:
        return {}
    query = covers_query().where(Cover.id.in_(cover_ids), Cover.deleted_at.is_(None))
    return {row.id: cover_out(row) for row in await reader.execute(query)}


async def book_out(
    reader: ReadConnection | AsyncSession, user_id: int, book_id: int, *, binned: bool | None = False
) -> BookOut:
    """Return a book with its editions and the latest pack of its files. Raises Absent."""
    row = await book_row(reader, user_id, book_id, binned=binned)
    cover = (await covers_in(reader, [row.cover_id] if row.cover_id else [])).get(row.cover_id)
    theme_name = None
    if cover is not None and cover.theme_id is not None:
        named = select(Theme.name).where(Theme.id == cover.theme_id)
        theme_name = (await reader.execute(named)).scalar_one_or_none()
    settings = (await editions_of(reader, [book_id]))[book_id]
    return BookOut(
        id=row.id,
        version=row.version,
        **{name: getattr(row, name) for name in FACTS},
        mark_url=_address(row.id, "mark", row.mark_sha256),
        back_picture_url=_address(row.id, "back", row.back_picture_sha256),
        cover=cover,
        theme_id=cover.theme_id if cover else None,
        theme_name=theme_name,
        editions=[edition_out(one, pages=row.pages, direction=row.direction) for one in settings],
        pack=await latest_pack(reader, user_id, book_id),
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
    )


def _address(book_id: int, name: str, sha256: str | None) -> str | None:
    return sha256 and f"/api/books/{book_id}/pictures/{name}?v={sha256[:HASH_CHARS]}"


async def book_lines(reader: ReadConnection, rows: Sequence[Any]) -> list[BookLine]:
    """Turn rows of LINE_COLUMNS into their wire form, in two statements."""
    covers = await covers_in(reader, [row.cover_id for row in rows if row.cover_id])
    editions = await editions_of(reader, [row.id for row in rows])
    return [
        BookLine(
            id=row.id,
            title=row.title,
            authors=row.authors,
            series=row.series,
            number=row.number,
            pages=row.pages,
            cover=covers.get(row.cover_id),
            editions=[one.name for one in editions[row.id]],
            ready=sum(not problems_of(one, pages=row.pages, direction=row.direction) for one in editions[row.id]),
            updated_at=row.updated_at,
            deleted_at=row.deleted_at,
        )
        for row in rows
    ]


def edition_out(settings: EditionSettings, *, pages: int | None, direction: Direction) -> EditionOut:
    """Return an edition with what it still lacks, or with the sheet of its cover."""
    form = forms()[settings.name]
    problems = problems_of(settings, pages=pages, direction=direction)
    return EditionOut(
        kind=form.kind,
        printer=form.printer,
        binding=form.binding,
        problems=[EditionProblem(**msgspec.structs.asdict(one)) for one in problems],
        sheet=None if problems else _sheet(settings, pages=pages, direction=direction),
        **msgspec.structs.asdict(settings),
    )


def _sheet(settings: EditionSettings, *, pages: int | None, direction: Direction) -> Sheet | None:
    form = forms()[settings.name]
    block = block_of(settings, pages=pages, direction=direction)
    if form.rules is None or block is None:
        return None
    wrap = wrap_of(form.rules, block)
    return sheet_out(Asked(printer=form.printer, binding=form.binding, block=block, rules=form.rules, sheet=wrap))
