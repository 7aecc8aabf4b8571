"""Calls about pictures that a book has of its own."""

from typing import Annotated, Any

from litestar import Controller, Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.books.pictures.schemas import BookPictureIn
from kernel.books.pictures.service import BookPictureService
from kernel.books.schemas import BookOut
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import PathId
from kernel.covers.route_options import UPLOADS_PER_MINUTE, USER_FILE
from kernel.pictures.responses import picture_response
from kernel.pictures.store import HASH_CHARS, FileRef, PictureStore

Latest = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)]


class MarkController(Controller):
    """The publisher's mark, which stands on the spine and beside the publisher's name."""

    path = "/api/books/{book_id:int}/mark"
    tags = ("Books",)
    opt = USER

    @get(operation_id="getMark", include_in_schema=False, opt=USER_FILE)
    async def get_mark(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        marks: NamedDependency[BookPictureService],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return the mark as a picture."""
        return await _shown(request, pictures, await marks.file(user.id, book_id))

    @put(operation_id="saveMark")
    async def save_mark(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        data: JSONBody[BookPictureIn],
        marks: NamedDependency[BookPictureService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Give a book its mark, PNG, JPEG or WebP; transparency stays. 409 `book_moved_on` as for the book."""
        await _count(throttle, user)
        return await marks.put(user.id, book_id, data.version, data.base64)

    @delete(operation_id="deleteMark", status_code=200)
    async def delete_mark(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        marks: NamedDependency[BookPictureService],
        version: Latest = None,
    ) -> BookOut:
        """Take the mark away; with `version` only if that is the book's latest."""
        return await marks.remove(user.id, book_id, version)


class BackPictureController(Controller):
    """The picture on the back of printed editions, as a portrait of the author."""

    path = "/api/books/{book_id:int}/back-picture"
    tags = ("Books",)
    opt = USER

    @get(operation_id="getBackPicture", include_in_schema=False, opt=USER_FILE)
    async def get_back_picture(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        back_pictures: NamedDependency[BookPictureService],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return the picture."""
        return await _shown(request, pictures, await back_pictures.file(user.id, book_id))

    @put(operation_id="saveBackPicture")
    async def save_back_picture(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        data: JSONBody[BookPictureIn],
        back_pictures: NamedDependency[BookPictureService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Put a picture on the back, PNG, JPEG or WebP; transparency stays. 409 `book_moved_on` as for the book."""
        await _count(throttle, user)
        return await back_pictures.put(user.id, book_id, data.version, data.base64)

    @delete(operation_id="deleteBackPicture", status_code=200)
    async def delete_back_picture(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        back_pictures: NamedDependency[BookPictureService],
        version: Latest = None,
    ) -> BookOut:
        """Take the picture from the back; with `version` only if that is the book's latest."""
        return await back_pictures.remove(user.id, book_id, version)


async def _shown(request: AppRequest, pictures: PictureStore, ref: FileRef) -> Response[Any]:
    hashed = request.query_params.get("v") == ref.sha256[:HASH_CHARS]
    return await picture_response(request, pictures, ref, hashed_address=hashed)


async def _count(throttle: Throttle, user: CurrentUser) -> None:
    await throttle.hit(f"book-picture:{user.id}", limit=UPLOADS_PER_MINUTE, window_s=60)
