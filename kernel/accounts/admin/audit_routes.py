"""The audit trail, for administrators."""

from datetime import date
from typing import Annotated

from litestar import Response, get, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Stream

from kernel.accounts.admin.audit_service import AuditFilter, AuditService
from kernel.accounts.schemas import AuditDetail, AuditOut, AuditRestored
from kernel.core.audit import MAX_OBJECT, Actor
from kernel.core.schemas import MAX_ID
from kernel.core.text.storable import storable
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, AppRequest
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    link_header,
)

Action = Annotated[str | None, QueryParameter(max_length=64)]
Area = Annotated[str | None, QueryParameter(pattern=r"^[a-z_]{1,40}$")]
ActorId = Annotated[int | None, QueryParameter(name="actorId", ge=1, le=MAX_ID)]
About = Annotated[str | None, QueryParameter(name="object", max_length=MAX_OBJECT)]
Since = Annotated[date | None, QueryParameter(name="from")]
Until = Annotated[date | None, QueryParameter(name="to")]
WithValues = Annotated[bool, QueryParameter(name="values")]


class AuditController(Controller):
    """The audit trail. There is no call that changes or deletes an entry."""

    path = "/api/admin/audit"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listAudit")
    async def entries(
        self,
        request: AppRequest,
        audit_service: NamedDependency[AuditService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
        action: Action = None,
        area: Area = None,
        actor_id: ActorId = None,
        about: About = None,
        since: Since = None,
        until: Until = None,
        with_values: WithValues = False,
    ) -> Response[list[AuditOut]]:
        """What was done, latest first: of one action, area, person or object, between two UTC days, or with values."""
        wanted = _filter(action, area, actor_id, about, since, until, with_values)
        page, following = await audit_service.page(wanted, cursor=cursor, limit=limit)
        return Response(page, headers=link_header(request, following))

    @get("/file", operation_id="downloadAudit", media_type="text/csv")
    async def file(
        self,
        audit_service: NamedDependency[AuditService],
        action: Action = None,
        area: Area = None,
        actor_id: ActorId = None,
        about: About = None,
        since: Since = None,
        until: Until = None,
        with_values: WithValues = False,
    ) -> Stream:
        """The same entries, all of them, as CSV."""
        wanted = _filter(action, area, actor_id, about, since, until, with_values)
        headers = {"content-disposition": 'attachment; filename="audit.csv"'}
        return Stream(audit_service.lines(wanted), media_type="text/csv; charset=utf-8", headers=headers)

    @get("/{entry_id:int}", operation_id="getAuditEntry")
    async def entry(self, entry_id: PathId, audit_service: NamedDependency[AuditService]) -> AuditDetail:
        """One entry with the values before and after, where they are kept."""
        return await audit_service.one(entry_id)

    @post("/{entry_id:int}/restore", operation_id="restoreAuditEntry", opt=RECENT_SIGN_IN, status_code=200)
    async def restore(
        self, entry_id: PathId, audit_service: NamedDependency[AuditService], actor: NamedDependency[Actor]
    ) -> AuditRestored:
        """Put back what was there before an entry, unless it has been changed since."""
        return await audit_service.restore(entry_id, actor)


def _filter(
    action: str | None,
    area: str | None,
    actor_id: int | None,
    about: str | None,
    since: date | None,
    until: date | None,
    with_values: bool,
) -> AuditFilter:
    return AuditFilter(
        action=None if action is None else storable(action),
        area=area,
        actor_id=actor_id,
        object=None if about is None else storable(about),
        since=since,
        until=until,
        with_values=with_values,
    )
