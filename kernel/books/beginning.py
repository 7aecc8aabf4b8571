"""What a new book begins with: its number in a series, and its first editions."""

from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.editions import TradeForm, forms, usual_paper, usual_trim
from kernel.books.models import BookPicture, BookRow, EditionRow
from kernel.covers.models import Cover
from kernel.covers.series.numbering import next_number
from kernel.themes.models import ThemeLook

BEGINS_WITH: Final = ("ebook", "kdp-paperback")
"""The editions that a new book has: those that nearly everybody publishes."""

_MADE_ALIKE: Final = ("name", "trim", "paper", "background", "color")
"""What editions of a series share; the rest depends on the pages of one book, or is its own, as an ISBN is."""


async def number_in_series(session: AsyncSession, user_id: int, theme_id: int | None) -> str:
    """Return the place of the next book in the series that a theme is; blank without a theme."""
    if theme_id is None:
        return ""
    before = select(BookRow.number).join(Cover, Cover.id == BookRow.cover_id)
    mine = (BookRow.user_id == user_id, Cover.theme_id == theme_id, BookRow.deleted_at.is_(None))
    numbers = list((await session.execute(before.where(*mine))).scalars())
    return next_number(numbers) or str(len(numbers) + 1)


async def first_editions(session: AsyncSession, theme_id: int | None, proportion: float) -> list[dict[str, Any]]:
    """Return the columns of a new book's editions: made like those of the book whose cover gave its series the look,
    else the usual ones for a cover of this width / height.
    """
    alike = (
        select(*(getattr(EditionRow, name) for name in _MADE_ALIKE))
        .join(BookRow, BookRow.id == EditionRow.book_id)
        .join(ThemeLook, ThemeLook.cover_id == BookRow.cover_id)
        .where(ThemeLook.theme_id == theme_id, BookRow.deleted_at.is_(None), EditionRow.name.in_(list(forms())))
        .order_by(EditionRow.id)
    )
    rows = (await session.execute(alike)).all() if theme_id is not None else []
    if rows:
        return [row._asdict() | {"isbn": ""} for row in rows]
    return [_usual(forms()[name], proportion) for name in BEGINS_WITH]


async def first_picture(session: AsyncSession, table: type[BookPicture], theme_id: int | None) -> int | None:
    """Return the picture that a new book begins with: that of the book whose cover gave its series the look."""
    if theme_id is None:
        return None
    alike = (
        select(table.picture_id)
        .join(BookRow, BookRow.id == table.book_id)
        .join(ThemeLook, ThemeLook.cover_id == BookRow.cover_id)
        .where(ThemeLook.theme_id == theme_id, BookRow.deleted_at.is_(None))
    )
    return (await session.execute(alike)).scalar_one_or_none()


def _usual(form: TradeForm, proportion: float) -> dict[str, Any]:
    rules = form.rules
    return {
        "name": form.name,
        "trim": usual_trim(rules, proportion) if rules else "",
        "paper": usual_paper(rules) if rules else "",
        "background": "mirror",
        "color": "",
        "isbn": "",
    }
