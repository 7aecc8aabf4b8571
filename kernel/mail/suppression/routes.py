"""Everybody's calls about leaving the list, and about an address that gets no email."""

from typing import Annotated, Any, Final
from urllib.parse import quote

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, PathParameter, QueryParameter
from litestar.response import Redirect, Stream

from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor
from kernel.core.queue.throttle import Throttle
from kernel.core.text.storable import storable
from kernel.core.web.access import ADMIN, PUBLIC, USER, AppRequest, audited
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, PathId, link_header
from kernel.mail.schemas import SuppressionOut, SuppressionReason, UnsubscribeOut
from kernel.mail.suppression.listing import SuppressionFilter, SuppressionService, page_cursor
from kernel.mail.suppression.unsubscribe import UnsubscribeService

Token = Annotated[str, PathParameter(max_length=100)]
Search = Annotated[str, QueryParameter(max_length=320)]


LINKS_PER_MINUTE: Final = 60
RESUMED_PER_DAY: Final = 3
"""So often somebody may have their own address written to again: each letter that comes back harms the sender."""


OPEN_TO_MAIL_SERVICES: Final[dict[str, Any]] = {**PUBLIC, "no_session": True, "csrf_exempt": True}
"""Mailbox providers unsubscribe by themselves: no cookie, no page of ours (RFC 8058)."""


class UnsubscribeController(Controller):
    """Leaving the list. The token in the address is all that is asked for."""

    path = "/api/unsubscribe"
    tags = ("Account",)
    opt = OPEN_TO_MAIL_SERVICES

    @get("/{token:str}", operation_id="openUnsubscribe", status_code=303)
    async def open_page(self, token: Token) -> Redirect:
        """Send the browser to the page with the button: whoever only fetches this address must not end anything."""
        return Redirect(f"/unsubscribe?token={quote(token, safe='')}", status_code=303)

    @post("/{token:str}", operation_id="unsubscribe", status_code=200)
    async def unsubscribe(
        self, token: Token, unsubscribe_service: NamedDependency[UnsubscribeService]
    ) -> UnsubscribeOut:
        """End emails of this kind to this person, at once; whatever the body says."""
        return await unsubscribe_service.unsubscribe(token)

    @get("/{token:str}/about", operation_id="getUnsubscribe")
    async def about(
        self,
        peer: NamedDependency[Peer],
        token: Token,
        unsubscribe_service: NamedDependency[UnsubscribeService],
        throttle: NamedDependency[Throttle],
    ) -> UnsubscribeOut:
        """Say whose emails this link ends, and which."""
        await throttle.hit(f"unsubscribe:{peer.ip}", limit=LINKS_PER_MINUTE, window_s=60)
        return await unsubscribe_service.about(token)

    @post("/{token:str}/undo", operation_id="undoUnsubscribe", status_code=200)
    async def undo(self, token: Token, unsubscribe_service: NamedDependency[UnsubscribeService]) -> UnsubscribeOut:
        """Take it back."""
        return await unsubscribe_service.undo(token)


class OwnEmailController(Controller):
    """The signed-in user's own address."""

    path = "/api/account/email"
    tags = ("Account",)
    opt = USER

    @post("/resume", operation_id="resumeEmail", status_code=204)
    async def resume(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        suppressions: NamedDependency[SuppressionService],
        throttle: NamedDependency[Throttle],
    ) -> None:
        """Have one's own address written to again, after an email came back or was called spam."""
        await throttle.hit(f"resume email:{user.id}", limit=RESUMED_PER_DAY, window_s=86_400)
        await suppressions.lift_own(user, peer.ip)


class SuppressionController(Controller):
    """Addresses that get no email."""

    path = "/api/admin/suppressions"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listSuppressions", opt=audited("email.list_suppressed"))
    async def suppressions(
        self,
        request: AppRequest,
        suppressions: NamedDependency[SuppressionService],
        search: Search = "",
        reason: FromQuery[SuppressionReason | None] = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[SuppressionOut]]:
        """Addresses that get no email and why, the latest first; `search` is part of an address."""
        wanted = SuppressionFilter(search=storable(search), reason=reason, cursor=cursor, limit=limit + 1)
        page = await suppressions.page(wanted)
        following = page_cursor(page[limit - 1]) if len(page) > limit else None
        return Response(page[:limit], headers=link_header(request, following))

    @get("/file", operation_id="downloadSuppressions", opt=audited("email.list_suppressed"), media_type="text/csv")
    async def file(
        self,
        suppressions: NamedDependency[SuppressionService],
        search: Search = "",
        reason: FromQuery[SuppressionReason | None] = None,
    ) -> Stream:
        """The same addresses, all of them, as CSV."""
        headers = {"content-disposition": 'attachment; filename="suppressed.csv"'}
        wanted = SuppressionFilter(search=storable(search), reason=reason)
        return Stream(suppressions.lines(wanted), media_type="text/csv; charset=utf-8", headers=headers)

    @delete("/{suppression_id:int}", operation_id="liftSuppression", status_code=204)
    async def lift(
        self,
        suppression_id: PathId,
        suppressions: NamedDependency[SuppressionService],
        actor: NamedDependency[Actor],
    ) -> None:
        """Have an address written to again, until it is reported anew."""
        await suppressions.lift(suppression_id, actor)
