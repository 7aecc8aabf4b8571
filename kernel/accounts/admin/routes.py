"""Administrators' calls about users."""

from datetime import date
from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from litestar.response import Stream

from kernel.accounts.admin.user_filter import Role, UserFilter, UserSort, cursor_of
from kernel.accounts.admin.users_service import UserAdminService
from kernel.accounts.auth.sessions import CLEAR_SITE_DATA, Peer, make_cookie
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.profile.deletion import AccountDeletionService
from kernel.accounts.schemas import DeletedOut, DeletedUser, OverviewOut, PersonIn, PersonOut, UserCount
from kernel.core.config import Config
from kernel.core.text.storable import storable
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, AppRequest, audited
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    link_header,
)

Address = Annotated[str, PathParameter(description="Email address, in any case; a slash in it is encoded or not.")]

Since = Annotated[date | None, QueryParameter(name="from")]
Until = Annotated[date | None, QueryParameter(name="to")]


class UserAdminController(Controller):
    """Everybody with an account."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/overview", operation_id="getOverview")
    async def overview(self, user_admin: NamedDependency[UserAdminService]) -> OverviewOut:
        """How many users there are, and how many of what kind."""
        return await user_admin.overview()

    @get("/users", operation_id="listUsers", opt=audited("user.list"))
    async def users(
        self,
        request: AppRequest,
        user_admin: NamedDependency[UserAdminService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        role: FromQuery[Role] = "all",
        since: Since = None,
        until: Until = None,
        sort: FromQuery[UserSort] = "newest",
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[PersonOut]]:
        """Users, newest first, by address, or the last seen first; `search` looks into address, first and last name,
        whatever the case and the accents.

        `role` is which of them: administrators, Pro, paying for it, given it, with a renewal that failed, known to
        the payment service, an address not confirmed yet or that gets no email, not seen for 90 days, or suspended.
        `from` and `to` are the first and the last UTC day of their sign-up.
        """
        wanted = UserFilter(
            search=storable(search), role=role, since=since, until=until, sort=sort, cursor=cursor, limit=limit + 1
        )
        page = await user_admin.page(wanted)
        following = cursor_of(page[limit - 1], sort) if len(page) > limit else None
        return Response(page[:limit], headers=link_header(request, following))

    @get("/users/count", operation_id="countUsers")
    async def count(
        self,
        user_admin: NamedDependency[UserAdminService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        role: FromQuery[Role] = "all",
        since: Since = None,
        until: Until = None,
    ) -> UserCount:
        """How many users match the same filter."""
        wanted = UserFilter(search=storable(search), role=role, since=since, until=until)
        return UserCount(count=await user_admin.count(wanted))

    @get("/users/file", operation_id="downloadUsers", opt=audited("user.list"), media_type="text/csv")
    async def file(
        self,
        user_admin: NamedDependency[UserAdminService],
        search: Annotated[str, QueryParameter(max_length=100)] = "",
        role: FromQuery[Role] = "all",
        since: Since = None,
        until: Until = None,
        sort: FromQuery[UserSort] = "newest",
    ) -> Stream:
        """The same users, all of them, as CSV."""
        wanted = UserFilter(search=storable(search), role=role, since=since, until=until, sort=sort)
        headers = {"content-disposition": 'attachment; filename="users.csv"'}
        return Stream(user_admin.lines(wanted), media_type="text/csv; charset=utf-8", headers=headers)

    @get("/users/{user_id:int}", operation_id="getPerson", opt=audited("user.read"))
    async def person(self, user_id: PathId, user_admin: NamedDependency[UserAdminService]) -> PersonOut:
        """One user."""
        return await user_admin.one(user_id)

    @patch("/users/{user_id:int}", operation_id="changeUser", opt=RECENT_SIGN_IN)
    async def change(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        user_id: PathId,
        data: JSONBody[PersonIn],
        user_admin: NamedDependency[UserAdminService],
    ) -> PersonOut:
        """Change rights: administrator or not; Pro given, taken away or left to the subscription; suspended or not."""
        await user_admin.change(user.id, user_id, data, peer)
        return await user_admin.one(user_id)

    @delete("/users/{user_id:int}/sessions", operation_id="endSessions", opt=RECENT_SIGN_IN, status_code=204)
    async def end_sessions(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        user_id: PathId,
        user_admin: NamedDependency[UserAdminService],
    ) -> None:
        """Sign a user out everywhere; of one's own sessions, all but this one."""
        await user_admin.end_sessions(user, user_id, peer)

    @post("/users/{user_id:int}/reset-link", operation_id="sendResetLink", status_code=204)
    async def send_reset_link(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        user_id: PathId,
        user_admin: NamedDependency[UserAdminService],
    ) -> None:
        """Send a user a link with which to choose a password, to their own address."""
        await user_admin.send_reset_link(user.id, user_id, peer)

    @delete(
        "/users/{user_id:int}/second-factor", operation_id="removeSecondFactors", opt=RECENT_SIGN_IN, status_code=204
    )
    async def remove_second_factors(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        user_id: PathId,
        user_admin: NamedDependency[UserAdminService],
    ) -> None:
        """Take a user's second factors and recovery codes away, for one who has lost them."""
        await user_admin.remove_second_factors(user.id, user_id, peer)

    @delete("/users/by-email/{email:path}", operation_id="deleteUser", opt=RECENT_SIGN_IN, status_code=200)
    async def remove(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        email: Address,
        account_deletion: NamedDependency[AccountDeletionService],
        config: NamedDependency[Config],
    ) -> Response[DeletedOut]:
        """Delete an account: signed out everywhere at once, and everything that belongs to it soon after."""
        gone = await account_deletion.delete_by_email(user.id, storable(email.removeprefix("/")), peer)
        answer = DeletedOut(deleted_user=DeletedUser(email=gone.email))
        if gone.id != user.id:
            return Response(answer)
        return Response(answer, cookies=[make_cookie(config, "", max_age_s=0)], headers=CLEAR_SITE_DATA)
