"""Calls about the publisher's mark of a book."""

from typing import Annotated, Any

from litestar import Controller, Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.books.mark.schemas import MarkIn
from kernel.books.mark.service import MarkService
from kernel.books.schemas import BookOut
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import PathId
from kernel.covers.route_options import UPLOADS_PER_MINUTE, USER_FILE
from kernel.pictures.responses import picture_response
from kernel.pictures.store import HASH_CHARS, PictureStore


class MarkController(Controller):
    """The mark that stands on the spine and beside the publisher's name."""

    path = "/api/books/{book_id:int}/mark"
    tags = ("Books",)
    opt = USER

    @get(operation_id="getMark", include_in_schema=False, opt=USER_FILE)
    async def get_mark(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        marks: NamedDependency[MarkService],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return the mark as a picture."""
        ref = await marks.file(user.id, book_id)
        hashed = request.query_params.get("v") == ref.sha256[:HASH_CHARS]
        return await picture_response(request, pictures, ref, hashed_address=hashed)

    @put(operation_id="saveMark")
    async def save_mark(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        data: JSONBody[MarkIn],
        marks: NamedDependency[MarkService],
        throttle: NamedDependency[Throttle],
    ) -> BookOut:
        """Give a book its mark, PNG, JPEG or WebP; transparency stays. 409 `book_moved_on` as for the book."""
        await throttle.hit(f"mark:{user.id}", limit=UPLOADS_PER_MINUTE, window_s=60)
        return await marks.put(user.id, book_id, data.version, data.base64)

    @delete(operation_id="deleteMark", status_code=200)
    async def delete_mark(
        self,
        user: NamedDependency[CurrentUser],
        book_id: PathId,
        marks: NamedDependency[MarkService],
        version: Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)] = None,
    ) -> BookOut:
        """Take the mark away; with `version` only if that is the book's latest."""
        return await marks.remove(user.id, book_id, version)
