"""Calls about books and their editions."""

from datetime import datetime
from typing import Annotated

from litestar import Controller, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.books.editions import forms
from kernel.books.preview import PreviewService
from kernel.books.schemas import BookChange, BookIn, BookLine, BookOut, EditionIn, EditionPreview, FormOut
from kernel.books.service import BookFilter, BookService
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    ForeignCursor,
    Limit,
    PathId,
    cursor_id,
    decode_cursor,
    encode_cursor,
    link_header,
)

CHANGES_PER_MINUTE = 240
PREVIEWS_PER_MINUTE = 40
"""Each is a drawing of some seconds."""


class BookController(Controller):
    """The signed-in user's books."""

    path = "/api/books"
    tags = ("Books",)
    opt = USER

    @get(operation_id="listBooks")
    async def list_books(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        books: NamedDependency[BookService],
        theme: Annotated[int | None, QueryParameter(ge=1, le=2**53 - 1)] = None,
        bin: FromQuery[bool] = False,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[BookLine]]:
        """Return books, newest first, with `theme` those of one series; with `bin` what was thrown away, last first."""
        parts = decode_cursor(cursor, 2 if bin else 1)
        wanted = BookFilter(
            theme=theme,
            bin=bin,
            before=cursor_id(parts[-1]) if parts else None,
            binned_before=_moment(parts[0]) if parts and bin else None,
            limit=limit,
        )
        page, more = await books.page(user.id, wanted)
        following = None
        if more:
            last = page[-1]
            following = encode_cursor(last.deleted_at and last.deleted_at.isoformat(), last.id) if bin else None
            following = following or encode_cursor(last.id)
        return Response(page, headers=link_header(request, following))

    @post(operation_id="createBook")
    async def create_book(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[BookIn],
        books: NamedDependency[BookService],
        throttle: NamedDependency[Throttle],
    ) -> Response[BookOut]:
        """Make a book of a cover, 201; a cover that has one answers it, 200."""
        await throttle.hit(f"book:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        made = await books.create(user.id, data.cover_id)
        return Response(made.book, status_code=201 if made.is_new else 200)

    @get("/forms", operation_id="listBookForms", sync_to_thread=False)
    def list_forms(self) -> list[FormOut]:
        """Return the trade forms that an edition can have."""
        return [
            FormOut(name=form.name, kind=form.kind, printer=form.printer, binding=form.binding)
            for form in forms().values()
        ]

    @get("/{book_id:int}", operation_id="getBook")
    async def get_book(
        self, user: NamedDependency[CurrentUser], book_id: PathId, books: NamedDependency[BookService]
    ) -> BookOut:
        """Return one book with its editions."""
        return await books.get(user.id, book_id)

    @patch("/{book_id:int}", operation_id="changeBook")
    async def change_book(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        data: JSONBody[BookChange],
        books: NamedDependency[BookService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Change a book; 409 `book_moved_on` when it was changed since that version."""
        await throttle.hit(f"book:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        return await books.change(user.id, book_id, data)

    @delete("/{book_id:int}", operation_id="deleteBook")
    async def delete_book(
        self, user: NamedDependency[CurrentUser], book_id: PathId, books: NamedDependency[BookService]
    ) -> None:
        """Put a book into the bin, from which it can be restored; its cover stays."""
        await books.bin(user.id, book_id)

    @post("/{book_id:int}/restore", operation_id="restoreBook", status_code=200)
    async def restore_book(
        self, user: NamedDependency[CurrentUser], book_id: PathId, books: NamedDependency[BookService]
    ) -> BookOut:
        """Take a book out of the bin."""
        return await books.restore(user.id, book_id)

    @put("/{book_id:int}/editions/{name:str}", operation_id="saveEdition")
    async def save_edition(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        name: FromPath[str],
        data: JSONBody[EditionIn],
        books: NamedDependency[BookService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Add an edition, or change how it is made; 409 `book_moved_on` as for the book."""
        await throttle.hit(f"book:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        return await books.put_edition(user.id, book_id, name, data)

    @get("/{book_id:int}/editions/{name:str}/preview", operation_id="previewEdition")
    async def preview_edition(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        name: FromPath[str],
        previews: NamedDependency[PreviewService],
        throttle: NamedDependency[Throttle],
        width: Annotated[int, QueryParameter(ge=400, le=2400)] = 1600,
    ) -> EditionPreview:
        """Return the whole cover of a printed edition as the press draws it."""
        await throttle.hit(f"preview:{user.id}", limit=PREVIEWS_PER_MINUTE, window_s=60)
        return await previews.show(user.id, book_id, name, width=width)

    @delete("/{book_id:int}/editions/{name:str}", operation_id="deleteEdition", status_code=200)
    async def delete_edition(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        name: FromPath[str],
        books: NamedDependency[BookService],
        version: Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)] = None,
    ) -> BookOut:
        """Remove an edition; with `version` only if that is the book's latest."""
        return await books.remove_edition(user.id, book_id, name, version)


def _moment(text: str) -> datetime:
    """Return the time in a cursor. Raises InvalidFields."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ForeignCursor from error
    if moment.utcoffset() is None:
        raise ForeignCursor
    return moment
