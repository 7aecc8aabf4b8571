"""The audit trail, for administrators."""

from typing import Annotated

from litestar import Response, get
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from kernel.accounts.admin.audit_service import AuditService
from kernel.accounts.schemas import AuditOut
from kernel.core.schemas import MAX_ID
from kernel.core.web.access import ADMIN, AppRequest
from kernel.core.web.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    link_header,
)


class AuditController(Controller):
    """The audit trail. There is no call that changes or deletes it."""

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
        action: Annotated[str | None, QueryParameter(max_length=64)] = None,
        actor_id: Annotated[int | None, QueryParameter(name="actorId", ge=1, le=MAX_ID)] = None,
    ) -> Response[list[AuditOut]]:
        """What was done, latest first; of one action or one person where asked."""
        page, following = await audit_service.page(action=action, actor_id=actor_id, cursor=cursor, limit=limit)
        return Response(page, headers=link_header(request, following))
