"""Administrators' calls about operation, and the one address for vendors' webhooks."""

from datetime import date
from typing import Annotated, Any, Final, Literal

from litestar import Controller, Request, Response, get, head, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from sqlalchemy import select

from kernel.core import clock
from kernel.core.access import ADMIN, PUBLIC, Viewer
from kernel.core.audit import audit, ip_of
from kernel.core.database import Database
from kernel.core.paging import DEFAULT_LIMIT, Cursor, Limit, PathId, link_header
from kernel.providers.ledger import Outcome
from kernel.providers.operation.desk import Operation
from kernel.providers.operation.limits import change_budgets, show_budgets
from kernel.providers.operation.models import Notice
from kernel.providers.operation.notices import dismiss
from kernel.providers.operation.schemas import (
    AttemptOut,
    BudgetsIn,
    BudgetsOut,
    HealthOut,
    LastWebhook,
    NoticeOut,
    UsageBy,
    UsageOut,
    WebhookOut,
)
from kernel.providers.operation.statistics import attempts_page, health_strip, usage
from kernel.spi import Kind, WebhookRequest

AdminRequest = Request[Viewer, Any, Any]
AnyRequest = Request[Any, Any, Any]

MOST_WEBHOOK_BYTES: Final = 1024 * 1024
FROM_VENDORS: Final[dict[str, Any]] = {**PUBLIC, "no_session": True, "csrf_exempt": True}

InstanceQuery = Annotated[str | None, QueryParameter(name="instance", pattern=r"^[a-z0-9-]{1,40}$")]
_NOTICE_COLUMNS: Final = tuple(getattr(Notice, name) for name in NoticeOut.__struct_fields__)


class OperationController(Controller):
    """How providers do and what they cost."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/health", operation_id="listHealth")
    async def health(
        self, database: NamedDependency[Database], operation: NamedDependency[Operation]
    ) -> list[HealthOut]:
        """Return how every instance does."""
        async with database.read() as connection:
            return await health_strip(connection, operation.registry)

    @get("/attempts", operation_id="listAttempts")
    async def attempts(
        self,
        request: AdminRequest,
        database: NamedDependency[Database],
        kind: FromQuery[Kind | None] = None,
        instance: InstanceQuery = None,
        outcome: FromQuery[Outcome | None] = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[AttemptOut]]:
        """Return what was called, newest first."""
        async with database.read() as connection:
            rows, following = await attempts_page(
                connection, kind=kind, instance=instance, outcome=outcome, cursor=cursor, limit=limit
            )
        return Response(rows, headers=link_header(request, following))

    @get("/usage", operation_id="getUsage")
    async def usage(
        self,
        database: NamedDependency[Database],
        operation: NamedDependency[Operation],
        by: FromQuery[UsageBy] = "instance",
        since: Annotated[date | None, QueryParameter(name="from")] = None,
        until: Annotated[date | None, QueryParameter(name="to")] = None,
    ) -> UsageOut:
        """Return what was used and what it cost, between two UTC days, this month by default."""
        async with database.read() as connection:
            return await usage(connection, operation.registry, operation.user_labels, by=by, since=since, until=until)

    @get("/budgets", operation_id="getBudgets")
    async def budgets(self, database: NamedDependency[Database], operation: NamedDependency[Operation]) -> BudgetsOut:
        """Return all limits and what was spent this month."""
        async with database.read() as connection:
            return await show_budgets(connection, operation.registry)

    @put("/budgets", operation_id="saveBudgets")
    async def save_budgets(
        self,
        data: JSONBody[BudgetsIn],
        request: AdminRequest,
        database: NamedDependency[Database],
        operation: NamedDependency[Operation],
    ) -> BudgetsOut:
        """Replace all limits; they hold in every process within 2 s."""
        async with database.write() as session:
            shown = await change_budgets(session, operation.registry, data, actor_id=request.user.id, ip=ip_of(request))
        await operation.budgets.refresh()
        return shown

    @get("/notices", operation_id="listNotices")
    async def notices(
        self, database: NamedDependency[Database], only_open: Annotated[bool, QueryParameter(name="open")] = False
    ) -> list[NoticeOut]:
        """Return notices, newest first: those that matter now, or the latest hundred."""
        query = select(*_NOTICE_COLUMNS).order_by(Notice.last_at.desc(), Notice.id.desc()).limit(DEFAULT_LIMIT)
        if only_open:
            query = query.where(Notice.resolved_at.is_(None), Notice.dismissed_at.is_(None))
        async with database.read() as connection:
            rows = await connection.execute(query)
            return [_notice(row) for row in rows]

    @post("/notices/{notice_id:int}/dismiss", operation_id="dismissNotice", status_code=204)
    async def dismiss_notice(self, notice_id: PathId, database: NamedDependency[Database]) -> None:
        """Put a notice out of sight until its cause has ended or got worse."""
        async with database.write() as session:
            await dismiss(session, notice_id)

    @get("/webhooks", operation_id="listWebhooks")
    async def webhooks(
        self,
        request: AdminRequest,
        database: NamedDependency[Database],
        operation: NamedDependency[Operation],
        instance: InstanceQuery = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[WebhookOut]]:
        """Return the events that vendors told of, newest first."""
        async with database.read() as connection:
            rows, following = await operation.inbox.page(connection, instance=instance, cursor=cursor, limit=limit)
        return Response(rows, headers=link_header(request, following))

    @get("/webhooks/last", operation_id="listLastWebhooks")
    async def last_webhooks(
        self, database: NamedDependency[Database], operation: NamedDependency[Operation]
    ) -> list[LastWebhook]:
        """Return when each instance's webhook was last heard."""
        async with database.read() as connection:
            return await operation.inbox.last(connection)

    @post("/webhooks/{event_id:int}/replay", operation_id="replayWebhook", status_code=200)
    async def replay(
        self,
        event_id: PathId,
        request: AdminRequest,
        database: NamedDependency[Database],
        operation: NamedDependency[Operation],
    ) -> WebhookOut:
        """Apply an event once more."""
        async with database.write() as session:
            row = await operation.inbox.replay(session, event_id)
            audit(session, "webhook.replay", actor_id=request.user.id, ip=ip_of(request), object=f"webhook:{row.id}")
        return row


class WebhookController(Controller):
    """Where vendors call. They have no session, so nobody's cookie can be abused; the provider proves who calls."""

    path = "/api/webhooks"
    tags = ("Webhooks",)
    opt = FROM_VENDORS

    @head("/{kind:str}/{instance_id:str}", operation_id="probeWebhook", sync_to_thread=False)
    def probe(
        self, kind: FromPath[str], instance_id: FromPath[str], operation: NamedDependency[Operation]
    ) -> Response[None]:
        """Say that there is somebody at this address."""
        operation.inbox.receiver(kind, instance_id)
        return Response(None, status_code=200)

    @post(
        "/{kind:str}/{instance_id:str}",
        operation_id="receiveWebhook",
        status_code=200,
        request_max_body_size=MOST_WEBHOOK_BYTES,
    )
    async def receive(
        self,
        kind: FromPath[str],
        instance_id: FromPath[str],
        request: AnyRequest,
        operation: NamedDependency[Operation],
    ) -> dict[Literal["received"], int]:
        """Take in one call. 400: it is not authentic. 503: it could not be read or kept, and should be sent again."""
        operation.inbox.receiver(kind, instance_id)
        call = WebhookRequest(
            body=await request.body(),
            headers=dict(request.headers.items()),
            query=dict(request.query_params.multi_items()),
            received_unix=clock.now_unix(),
        )
        return {"received": await operation.inbox.receive(kind, instance_id, call)}


def _notice(row: Any) -> NoticeOut:
    values = row._asdict()
    return NoticeOut(**values | {"instance_id": row.instance_id or None})
