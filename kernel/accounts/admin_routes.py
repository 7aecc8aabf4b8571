"""Administrators' calls about users."""

from typing import Annotated

from litestar import Response, delete, get, patch
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from kernel.accounts.leaving import LeavingService
from kernel.accounts.navigation import CLEAR
from kernel.accounts.people import PeopleFilter, PeopleService, Role
from kernel.accounts.provide import PEOPLE, AccountRequest
from kernel.accounts.schemas import DeletedOut, DeletedUser, OverviewOut, PersonIn, PersonOut
from kernel.accounts.sessions import make_cookie, peer_of
from kernel.core.access import ADMIN
from kernel.core.config import Config
from kernel.core.errors import SignedOut
from kernel.core.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_id,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.core.texts import storable

Address = Annotated[str, PathParameter(description="E-mail address, in any case; a slash in it is encoded or not.")]


class PeopleController(Controller):
    """Everybody with an account."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN
    dependencies = PEOPLE

    @get("/overview", operation_id="getOverview")
    async def overview(self, people: NamedDependency[PeopleService]) -> OverviewOut:
        """How many users there are, and how many of what kind."""
        return await people.overview()

    @get("/users", operation_id="listUsers")
    async def users(
        self,
        request: AccountRequest,
        people: NamedDependency[PeopleService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        role: FromQuery[Role] = "all",
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[PersonOut]]:
        """Users, newest first; `search` looks into address, first and last name, whatever the case."""
        parts = decode_cursor(cursor, 1)
        before = cursor_id(parts[0]) if parts else None
        wanted = PeopleFilter(search=storable(search), role=role, before=before, limit=limit + 1)
        page = await people.page(wanted)
        following = encode_cursor(page[limit - 1].id) if len(page) > limit else None
        return Response(page[:limit], headers=link_header(request, following))

    @patch("/users/{user_id:int}", operation_id="changeUser")
    async def change(
        self,
        request: AccountRequest,
        user_id: PathId,
        data: JSONBody[PersonIn],
        people: NamedDependency[PeopleService],
        config: NamedDependency[Config],
    ) -> PersonOut:
        """Make or unmake an administrator; give Pro, take it away, or leave it to the subscription."""
        if request.user is None:
            raise SignedOut
        await people.change(request.user.id, user_id, data, peer_of(request, config))
        return await people.one(user_id)

    @delete("/users/by-email/{email:path}", operation_id="deleteUser", status_code=200)
    async def remove(
        self,
        request: AccountRequest,
        email: Address,
        leaving: NamedDependency[LeavingService],
        config: NamedDependency[Config],
    ) -> Response[DeletedOut]:
        """Delete an account: signed out everywhere at once, and everything that belongs to it soon after."""
        if request.user is None:
            raise SignedOut
        gone = await leaving.dismiss(request.user.id, storable(email.removeprefix("/")), peer_of(request, config))
        answer = DeletedOut(deleted_user=DeletedUser(email=gone.email))
        if gone.id != request.user.id:
            return Response(answer)
        return Response(answer, cookies=[make_cookie(config, "", max_age_s=0)], headers=CLEAR)
