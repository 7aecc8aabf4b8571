"""Rules of books: making one of a cover, changing it and its editions, the bin."""

from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.profile.deletion import hold_account
from kernel.books.beginning import first_editions, first_picture, number_in_series
from kernel.books.book_read import LINE_COLUMNS, book_lines, book_out
from kernel.books.book_rows import book_row, pictures_only_of
from kernel.books.editions import ASKED, Direction, TradeForm, forms
from kernel.books.models import BOOK_PICTURES, BookRow, EditionPack, EditionRow
from kernel.books.schemas import BookChange, BookLine, BookOut, EditionIn
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.languages import RIGHT_TO_LEFT
from kernel.covers.models import Cover, Generation
from kernel.pictures.models import EditionPackFile, Picture
from kernel.pictures.store import FileRef, PictureStore
from kernel.press.editions import IsbnFault, checked_isbn
from kernel.site.prompts import clean
from kernel.themes.models import Theme

PURGE_BATCH: Final = 100
MOVED_ON: Final = "This book has been changed elsewhere."
MOST: Final = 2000
"""Books of one user."""

_ISBN: Final = {
    "length": FieldError("isbn_length", "An ISBN has 13 digits."),
    "characters": FieldError("isbn_characters", "An ISBN consists of digits."),
    "prefix": FieldError("isbn_prefix", "An ISBN begins with 978 or 979."),
    "check_digit": FieldError("isbn_check_digit", "The last digit of this ISBN is not right. Please compare it."),
}


class MadeBook(msgspec.Struct, frozen=True, kw_only=True):
    """A book; `is_new` unless its cover already had it."""

    book: BookOut
    is_new: bool


class BookFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What to list: books of a theme, or what is in the bin; older than the id, or in the bin than the moment too."""

    theme: int | None = None
    bin: bool = False
    before: int | None = None
    binned_before: datetime | None = None
    limit: int = 100


class BookService:
    """Books of one user at a time; another user's book does not exist."""

    def __init__(self, database: Database, pictures: PictureStore) -> None:
        self._database = database
        self._pictures = pictures

    async def page(self, user_id: int, wanted: BookFilter) -> tuple[list[BookLine], bool]:
        """Return books, newest first, from the bin last deleted first, and whether there are more."""
        query = select(*LINE_COLUMNS).where(BookRow.user_id == user_id).limit(wanted.limit + 1)
        if wanted.theme is not None:
            query = query.join(Cover, Cover.id == BookRow.cover_id).where(Cover.theme_id == wanted.theme)
        if wanted.bin:
            query = query.where(BookRow.deleted_at.is_not(None)).order_by(BookRow.deleted_at.desc(), BookRow.id.desc())
        else:
            query = query.where(BookRow.deleted_at.is_(None)).order_by(BookRow.id.desc())
        if wanted.before is not None:
            older: ColumnElement[bool] = BookRow.id < wanted.before
            if wanted.binned_before is not None:
                same = BookRow.deleted_at == wanted.binned_before
                older = (BookRow.deleted_at < wanted.binned_before) | (same & older)
            query = query.where(older)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
            return await book_lines(connection, rows[: wanted.limit]), len(rows) > wanted.limit

    async def get(self, user_id: int, book_id: int) -> BookOut:
        """Return a book that is not in the bin. Raises Absent."""
        async with self._database.read() as connection:
            return await book_out(connection, user_id, book_id)

    async def create(self, user_id: int, cover_id: int) -> MadeBook:
        """Make a book of a cover, once: the second time it is the same one, out of the bin if it was there.

        Raises Absent for a cover that is not in the user's gallery, SignedOut when the account was deleted, and
        Conflict (`books_full`) for one too many.
        """
        if known := await self._made_of(user_id, cover_id):
            return known
        try:
            async with self._database.write() as session:
                book_id = await _store(session, user_id, cover_id)
                return MadeBook(book=await book_out(session, user_id, book_id), is_new=True)
        except IntegrityError:  # somebody else's click was quicker
            if known := await self._made_of(user_id, cover_id):
                return known
            raise

    async def _made_of(self, user_id: int, cover_id: int) -> MadeBook | None:
        mine = (BookRow.cover_id == cover_id, BookRow.user_id == user_id)
        async with self._database.read() as connection:
            book_id = (await connection.execute(select(BookRow.id).where(*mine))).scalar_one_or_none()
        return None if book_id is None else MadeBook(book=await self.restore(user_id, book_id), is_new=False)

    async def change(self, user_id: int, book_id: int, wanted: BookChange) -> BookOut:
        """Change what is given.

        Raises Absent, InvalidFields for a blank title, and Conflict: `book_moved_on` when `version` is not the latest,
        `cover_has_book` for a cover of which another book is made.
        """
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        del given["version"]
        given = {key: clean(value) if isinstance(value, str) else value for key, value in given.items()}
        if given.get("title") == "":
            raise InvalidFields({"title": FieldError("no_title", "A book has a title.")})
        async with self._database.write() as session:
            if "cover_id" in given:
                await _free_cover(session, user_id, book_id, given["cover_id"])
            await advance(session, user_id, book_id, wanted.version, **given)
            return await book_out(session, user_id, book_id)

    async def put_edition(self, user_id: int, book_id: int, name: str, wanted: EditionIn) -> BookOut:
        """Store how an edition is made, new or changed. Raises Absent, InvalidFields and Conflict as `change`."""
        form = forms().get(name)
        async with self._database.read() as connection:
            await book_row(connection, user_id, book_id)
        if form is None:
            raise Absent("There is no such edition.")
        values = _checked(form, wanted)
        async with self._database.write() as session:
            await advance(session, user_id, book_id, wanted.version)
            row = insert_into(session, EditionRow).values(book_id=book_id, name=name, created_at=clock.now(), **values)
            await session.execute(row.on_conflict_do_update(index_elements=["book_id", "name"], set_=values))
            return await book_out(session, user_id, book_id)

    async def remove_edition(self, user_id: int, book_id: int, name: str, version: int | None) -> BookOut:
        """Remove an edition. Raises Absent and Conflict."""
        async with self._database.write() as session:
            await book_row(session, user_id, book_id)
            gone = delete(EditionRow).where(EditionRow.book_id == book_id, EditionRow.name == name)
            if not await changed_rows(session, gone):
                raise Absent("There is no such edition.")
            await advance(session, user_id, book_id, version)
            return await book_out(session, user_id, book_id)

    async def bin(self, user_id: int, book_id: int) -> None:
        """Put a book into the bin. Raises Absent."""
        mine = (BookRow.id == book_id, BookRow.user_id == user_id, BookRow.deleted_at.is_(None))
        async with self._database.write() as session:
            if not await changed_rows(session, update(BookRow).where(*mine).values(deleted_at=clock.now())):
                raise Absent("This book does not exist.")

    async def restore(self, user_id: int, book_id: int) -> BookOut:
        """Take a book out of the bin; one that is not in it stays as it is. Raises Absent."""
        mine = (BookRow.id == book_id, BookRow.user_id == user_id)
        async with self._database.write() as session:
            await session.execute(update(BookRow).where(*mine).values(deleted_at=None))
            return await book_out(session, user_id, book_id)

    async def purge(self, *, older_than_days: int) -> int:
        """Remove books that have been in the bin for too long, with their packs and pictures; return how many."""
        old = BookRow.deleted_at < clock.now() - timedelta(days=older_than_days)
        async with self._database.write() as session:
            busy = select(EditionPack.book_id).where(EditionPack.state.in_(OPEN_STATES))
            some = select(BookRow.id).where(old, BookRow.id.not_in(busy)).limit(PURGE_BATCH)
            ids = list((await session.execute(some)).scalars())
            packed = (
                select(*(getattr(EditionPackFile, name) for name in FileRef.__struct_fields__))
                .join(EditionPack, EditionPack.id == EditionPackFile.pack_id)
                .where(EditionPack.book_id.in_(ids))
            )
            refs = [FileRef(**row._asdict()) for row in await session.execute(packed)]
            own = await pictures_only_of(session, ids)
            await session.execute(delete(BookRow).where(BookRow.id.in_(ids)))
            refs += await self._pictures.forget(session, own)
        await self._pictures.erase(refs)
        return len(ids)


async def advance(session: AsyncSession, user_id: int, book_id: int, version: int | None, **values: Any) -> None:
    """Change a book and count its version up. Raises Absent, and Conflict when the version is not the latest."""
    mine = (BookRow.id == book_id, BookRow.user_id == user_id, BookRow.deleted_at.is_(None))
    change = update(BookRow).where(*mine)
    if version is not None:
        change = change.where(BookRow.version == version)
    values |= {"version": BookRow.version + 1, "updated_at": clock.now()}
    if not await changed_rows(session, change.values(**values)):
        await book_row(session, user_id, book_id)
        raise Conflict(MOVED_ON, code="book_moved_on")


async def _free_cover(session: AsyncSession, user_id: int, book_id: int, cover_id: int) -> None:
    """Raise InvalidFields for a cover that is not in the gallery, and Conflict for one that has a book."""
    mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    if (await session.execute(select(Cover.id).where(*mine))).one_or_none() is None:
        raise InvalidFields({"coverId": FieldError("not_a_choice", "This cover does not exist.")})
    other = select(BookRow.id).where(BookRow.cover_id == cover_id, BookRow.id != book_id)
    if (await session.execute(other)).one_or_none() is not None:
        raise Conflict("Another book has this cover.", code="cover_has_book")


async def _store(session: AsyncSession, user_id: int, cover_id: int) -> int:
    """Write a book with what its cover says, and its first editions. Raises Absent, SignedOut and Conflict."""
    await hold_account(session, user_id)
    query = (
        select(
            Cover.title,
            Cover.subtitle,
            Cover.author,
            Cover.tagline,
            Cover.series,
            Cover.number,
            Cover.theme_id,
            Theme.name.label("theme"),
            Generation.language,
            Picture.width,
            Picture.height,
        )
        .join(Picture, Picture.id == Cover.picture_id)
        .join(Generation, Generation.id == Cover.generation_id)
        .outerjoin(Theme, Theme.id == Cover.theme_id)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    cover = (await session.execute(query)).one_or_none()
    if cover is None:
        raise Absent("This cover does not exist.")
    counted = select(func.count()).where(BookRow.user_id == user_id)
    if (await session.execute(counted)).scalar_one() >= MOST:
        raise Conflict(f"You can have at most {MOST} books.", code="books_full")
    number = cover.number or await number_in_series(session, user_id, cover.theme_id)
    direction: Direction = "rtl" if cover.language in RIGHT_TO_LEFT else "ltr"
    moment = clock.now()
    made = insert(BookRow).values(
        user_id=user_id,
        cover_id=cover_id,
        version=1,
        title=cover.title,
        subtitle=cover.subtitle,
        authors=cover.author,
        tagline=cover.tagline,
        blurb="",
        about_author="",
        series=cover.series or cover.theme or "",
        number=number,
        language=cover.language,
        direction=direction,
        publisher="",
        price="",
        pages=None,
        created_at=moment,
        updated_at=moment,
    )
    book_id = int((await session.execute(made.returning(BookRow.id))).scalar_one())
    first = await first_editions(session, cover.theme_id, cover.width / cover.height)
    await session.execute(insert(EditionRow), [one | {"book_id": book_id, "created_at": moment} for one in first])
    for table in BOOK_PICTURES:
        if (picture_id := await first_picture(session, table, cover.theme_id)) is not None:
            await session.execute(insert(table).values(book_id=book_id, picture_id=picture_id))
    return book_id


def _checked(form: TradeForm, wanted: EditionIn) -> dict[str, Any]:
    """Return the columns of an edition; of what is not printed only the ISBN counts. Raises InvalidFields."""
    found: dict[str, FieldFault] = {}
    isbn = ""
    if wanted.isbn.strip():
        try:
            isbn = checked_isbn(wanted.isbn).digits
        except IsbnFault as fault:
            found["isbn"] = _ISBN[fault.code]
    rules = form.rules
    if rules is not None:
        if wanted.paper not in rules.papers:
            found["paper"] = FieldError("no_such_paper", "This paper is not offered for this binding.")
        if (wanted.sheet_width is None) != (wanted.sheet_height is None):
            missing = "sheetWidth" if wanted.sheet_width is None else "sheetHeight"
            found[missing] = FieldError("required", "This field is required.")
    if found:
        raise InvalidFields(found)
    values = {"isbn": isbn, "background": wanted.background, "color": wanted.color}
    own = {name: getattr(wanted, name) for name in ("trim", "paper", "spine", "sheet_width", "sheet_height")}
    blank = {"trim": "", "paper": "", "spine": None, "sheet_width": None, "sheet_height": None}
    asked = {name: getattr(wanted, name) if rules is not None and name in rules.asks else None for name in ASKED}
    return values | asked | (own if rules is not None else blank)
