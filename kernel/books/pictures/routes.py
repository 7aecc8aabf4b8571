"""Calls about pictures that a book has of its own."""

from typing import Annotated, Any

from litestar import Controller, Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.books.pictures.schemas import BookPictureIn
from kernel.books.pictures.service import BookPictureService
from kernel.books.schemas import BookOut
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import PathId
from kernel.covers.route_options import UPLOADS_PER_MINUTE, USER_FILE
from kernel.pictures.responses import picture_response
from kernel.pictures.store import HASH_CHARS, PictureStore


class BookPictureController(Controller):
    """`mark`: the publisher's mark, for spine and back; `back`: the picture beside what is said about the author."""

    path = "/api/books/{book_id:int}/pictures/{picture:str}"
    tags = ("Books",)
    opt = USER

    @get(operation_id="getBookPicture", include_in_schema=False, opt=USER_FILE)
    async def get_picture(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        picture: FromPath[str],
        book_pictures: NamedDependency[BookPictureService],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return the picture."""
        ref = await book_pictures.file(user.id, book_id, picture)
        hashed = request.query_params.get("v") == ref.sha256[:HASH_CHARS]
        return await picture_response(request, pictures, ref, hashed_address=hashed)

    @put(operation_id="saveBookPicture")
    async def save_picture(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        picture: FromPath[str],
        data: JSONBody[BookPictureIn],
        book_pictures: NamedDependency[BookPictureService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Give a book its picture, PNG, JPEG or WebP; transparency stays. 409 `book_moved_on` as for the book."""
        await throttle.hit(f"book-picture:{user.id}", limit=UPLOADS_PER_MINUTE, window_s=60)
        return await book_pictures.put(user.id, book_id, picture, data)

    @delete(operation_id="deleteBookPicture", status_code=200)
    async def delete_picture(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        picture: FromPath[str],
        book_pictures: NamedDependency[BookPictureService],
        version: Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)] = None,
    ) -> BookOut:
        """Take the picture away; with `version` only if that is the book's latest."""
        return await book_pictures.remove(user.id, book_id, picture, version)
